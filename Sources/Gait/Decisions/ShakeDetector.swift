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

  /// Rotation rate in the first three lanes, |g + u| in the last.
  private var rows: RingBuffer<SIMD4<Float>>
  /// The latest window: |g + u| less its mean, followed by zeros.
  private var beats: [Float]
  /// The latest window: rotation rate in the first three lanes, its magnitude in the last.
  private var turns: [SIMD4<Float>]
  /// The sums of the squares of the first and of the last `index` beats.
  private var energies: [SIMD2<Float>]
  private let lags: ClosedRange<Int>

  /// A detector for windows of one shape; `nil` if the sample rate is too low to distinguish lags.
  init?(window shape: WindowShape, sampleRate: SampleRate) {
    guard sampleRate >= Self.slowest else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    let longest = min(Int(saturating: Self.seconds.longest * sampleRate.hertz), length / 2)
    let shortest = Int(saturating: (Self.seconds.shortest * sampleRate.hertz).rounded())
    guard shortest <= longest else { return nil }
    lags = shortest...longest
    rows = RingBuffer(repeating: .zero, capacity: length)
    beats = Array(repeating: 0, count: length + SeriesKernels.padding)
    turns = Array(repeating: .zero, count: length)
    energies = Array(repeating: .zero, count: length + 1)
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    let sum = sample.gravity + sample.userAcceleration
    rows.append(SIMD4(sample.rotationRate, (sum * sum).sum().squareRoot()))
  }

  /// The similarity of successive beats in the latest window, −1…1; `nil` if a value is missing, as without a
  /// gyroscope.
  ///
  /// - Complexity: O(lags · *n*); no allocation.
  mutating func repetition() -> Float? {
    var sum = SIMD4<Float>.zero
    for index in turns.indices {
      turns[index] = rows[index]
      sum += turns[index]
    }
    guard sum.sum().isFinite else { return nil }
    let mean = sum.w / Float(turns.count)
    for index in turns.indices {
      beats[index] = turns[index].w - mean
      turns[index].w = 0
      turns[index].w = (turns[index] * turns[index]).sum().squareRoot()
    }
    for index in turns.indices {
      let outer = SIMD2(beats[index], beats[turns.count - 1 - index])
      energies[index + 1] = energies[index] + outer * outer
    }
    var greatest: Float = -1
    for lag in lags {
      let energy = energies[turns.count - lag]
      let product = SeriesKernels.product(beats, lag: lag, count: turns.count)
      let beat = energy.x > 0 && energy.y > 0 ? product / (energy.x * energy.y).squareRoot() : 0
      // The smaller of the two counts, so the rotation is needed only where the acceleration repeats.
      if beat > greatest { greatest = max(greatest, min(beat, turnCorrelation(after: lag))) }
    }
    return greatest
  }

  private func turnCorrelation(after lag: Int) -> Float {
    var (turn, strength) = (SIMD4<Float>.zero, Float.zero)
    for index in 0..<turns.count - lag {
      let product = turns[index] * turns[index + lag]
      turn += product
      strength += product.w
    }
    turn.w = 0
    return strength > 0 ? turn.sum() / strength : 0
  }
}
