/// Tells shaking from steps by the rotation between successive beats of a movement.
///
/// Legs alternate: one step turns a phone one way and the next step turns it back. Rotation repeats after two steps,
/// acceleration after one. A hand that shakes the phone turns it the same way at every beat.
///
/// Formula:  a window is shaken if for any lag from 0.24 to 0.5 s two autocorrelations exceed ½: of t = |g + u| − mean,
/// Σ tᵢ tⱼ ÷ √(Σ tᵢ² Σ tⱼ²), and of rotation, Σ ωᵢ·ωⱼ ÷ Σ |ωᵢ| |ωⱼ|. Both are weighted by amplitude, so a window that begins
/// at rest is judged by the movement after it.
///
/// Of moving windows of 1 s at most 1 % of jogging and none of walking in trousers' pockets are shaken
/// (MotionSense), at most 8 % of walks and runs with the phone held or worn otherwise (BoostRunClub), and all
/// windows of shaking 2.3 to 3.6 times a second up and down; `ShakeDetectorTests` checks this. A window of 1 s is too
/// short for slower shaking: it does not contain two beats.
struct ShakeDetector: Sendable {
  /// The least repetition of shaking.
  private static let leastRepetition: Float = 0.5

  private static let slowest = SampleRate.hertz(20)
  private static let seconds = (shortest: 0.24, longest: 0.5)

  /// The number of samples in a window.
  private let length: Int
  private let lags: ClosedRange<Int>
  /// The autocorrelations of the beats at `lags`, and room for three more.
  private var products: [Float]

  /// A detector for windows of one shape; `nil` if the sample rate is too low to distinguish lags.
  init?(window shape: WindowShape, sampleRate: SampleRate) {
    guard sampleRate >= Self.slowest else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    let longest = min(Int(saturating: Self.seconds.longest * sampleRate.hertz), length / 2)
    let shortest = Int(saturating: (Self.seconds.shortest * sampleRate.hertz).rounded())
    guard shortest <= longest else { return nil }
    lags = shortest...longest
    self.length = length
    products = Array(repeating: 0, count: lags.count + 3)
  }

  /// Whether the latest window is shaken; `false` if rotation is missing.
  ///
  /// - Parameter beats: the latest window of |g + u| without its mean, followed by `SeriesKernels.padding` zeros.
  /// - Complexity: O(lags · *n*); no allocation.
  mutating func isShaken(_ history: StepHistory, beats: [Float]) -> Bool {
    guard history.completeCount >= length else { return false }
    let (length, lags) = (length, lags)
    return beats.withUnsafeBufferPointer { beats in
      products.withUnsafeMutableBufferPointer { products in
        guard let beats = beats.baseAddress, let products = products.baseAddress else { return false }
        for start in stride(from: 0, to: lags.count, by: 4) {
          SeriesKernels.fourProducts(beats, lag: lags.lowerBound + start, count: length, into: products + start)
        }
        // The energies of all but the first and of all but the last beats of a lag, for the longest one.
        let shortest = length - lags.upperBound
        var first = SeriesKernels.energy(beats, count: shortest)
        var last = SeriesKernels.energy(beats + lags.upperBound, count: shortest)
        for lag in lags.reversed() {
          let product = products[lag - lags.lowerBound]
          // Rotation matters only where the acceleration repeats.
          let least = Self.leastRepetition * Self.leastRepetition * (first * last)
          if product > 0, product * product > least,
            Self.turnCorrelation(history, length: length, after: lag) > Self.leastRepetition
          {
            return true
          }
          let (next, previous) = (beats[length - lag], beats[lag - 1])
          first += next * next
          last += previous * previous
        }
        return false
      }
    }
  }

  private static func turnCorrelation(_ history: StepHistory, length: Int, after lag: Int) -> Float {
    history.withLane(.turnX, last: length) { turnX in
      func product(_ lane: Int) -> Float {
        SeriesKernels.boundedProduct(turnX + lane &* history.stride, lag: lag, count: length)
      }
      let strength = product(3)
      return strength > 0 ? (product(0) + product(1) + product(2)) / strength : 0
    }
  }
}
