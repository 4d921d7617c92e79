/// Tells shaking from steps by the rotation between successive beats of a movement.
///
/// Legs alternate: one step turns a phone one way and the next step turns it back. Rotation repeats after two steps,
/// acceleration after one. A hand that shakes the phone turns it the same way at every beat.
///
/// Formula:  the maximum, over lags from 0.24 to 0.5 s, of the smaller of two autocorrelations of the window: of
/// t = |g + u| − mean, Σ tᵢ tⱼ ÷ √(Σ tᵢ² Σ tⱼ²), and of rotation, Σ ωᵢ·ωⱼ ÷ Σ |ωᵢ| |ωⱼ|. Both are weighted by
/// amplitude, so a window that begins at rest is judged by the movement after it.
///
/// In moving windows of 1 s it is above ½ in at most 1 % of jogging and none of walking in trousers' pockets
/// (MotionSense), in at most 8 % of walks and runs with the phone held or worn otherwise (BoostRunClub), and in all
/// windows of shaking 2.3 to 3.6 times a second up and down; `ShakeDetectorTests` checks this. A window of 1 s is too
/// short for slower shaking: it does not contain two beats.
struct ShakeDetector: Sendable {
  /// A repetition above this is shaking.
  static let largestOfSteps: Float = 0.5

  private static let slowest = SampleRate.hertz(20)
  private static let seconds = (shortest: 0.24, longest: 0.5)

  /// Rotation rate in the first three lanes, |g + u| in the last; a ring.
  private var rows: [SIMD4<Float>]
  /// The ring in order, |g + u| less its mean.
  private var window: [SIMD4<Float>]
  private var next = 0
  private let lags: ClosedRange<Int>

  /// A detector for windows of one shape; `nil` if the sample rate is too low to distinguish lags.
  init?(window shape: WindowShape, sampleRate: SampleRate) {
    guard sampleRate >= Self.slowest else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    let longest = min(Int(Self.seconds.longest * sampleRate.hertz), length / 2)
    let shortest = Int((Self.seconds.shortest * sampleRate.hertz).rounded())
    guard shortest <= longest else { return nil }
    lags = shortest...longest
    rows = Array(repeating: .zero, count: length)
    window = rows
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    let sum = sample.gravity + sample.userAcceleration
    rows[next] = SIMD4(sample.rotationRate, (sum * sum).sum().squareRoot())
    next = next + 1 == rows.count ? 0 : next + 1
  }

  /// The similarity of successive beats in the latest window, −1…1; `nil` if a value is missing, as without a
  /// gyroscope.
  ///
  /// - Complexity: O(lags · *n*); no allocation.
  mutating func repetition() -> Float? {
    var sum = SIMD4<Float>.zero
    for index in rows.indices {
      window[index] = rows[next + index < rows.count ? next + index : next + index - rows.count]
      sum += window[index]
    }
    guard sum.sum().isFinite else { return nil }
    let mean = sum.w / Float(rows.count)
    for index in window.indices { window[index].w -= mean }
    return lags.reduce(-1) { max($0, similarity(after: $1)) }
  }

  private func similarity(after lag: Int) -> Float {
    var (beat, earlier, later) = (Float.zero, Float.zero, Float.zero)
    var (turn, strength) = (Float.zero, Float.zero)
    for index in 0..<window.count - lag {
      let (one, other) = (window[index], window[index + lag])
      beat += one.w * other.w
      earlier += one.w * one.w
      later += other.w * other.w
      turn += Self.turning(one, other)
      strength += (Self.turning(one, one) * Self.turning(other, other)).squareRoot()
    }
    guard earlier > 0, later > 0, strength > 0 else { return 0 }
    return min(beat / (earlier * later).squareRoot(), turn / strength)
  }

  private static func turning(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
    one.x * other.x + one.y * other.y + one.z * other.z
  }
}
