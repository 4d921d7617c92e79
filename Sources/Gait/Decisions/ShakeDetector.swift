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

  /// The number of samples in a window.
  private let length: Int
  /// The latest window, followed by zeros: |g + u| less its mean.
  private var beats: [Float]
  /// The latest window, each lane followed by zeros: the rotation rate, and its magnitude.
  private var turns: [Float]
  private let lags: ClosedRange<Int>

  /// A detector for windows of one shape; `nil` if the sample rate is too low to distinguish lags.
  init?(window shape: WindowShape, sampleRate: SampleRate) {
    guard sampleRate >= Self.slowest else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    let longest = min(Int(saturating: Self.seconds.longest * sampleRate.hertz), length / 2)
    let shortest = Int(saturating: (Self.seconds.shortest * sampleRate.hertz).rounded())
    guard shortest <= longest else { return nil }
    lags = shortest...longest
    self.length = length
    beats = Array(repeating: 0, count: length + SeriesKernels.padding)
    turns = Array(repeating: 0, count: 4 * (length + SeriesKernels.padding))
  }

  /// The similarity of successive beats in the latest window, −1…1; `nil` if a value is missing, as without a
  /// gyroscope.
  ///
  /// - Complexity: O(lags · *n*); no allocation.
  mutating func repetition(_ history: StepHistory) -> Float? {
    guard history.completeCount >= length, takeTurns(history) else { return nil }
    _ = history.lanes.removeMean(from: history.start(of: .total, last: length), count: length, into: &beats)
    // The energies of all but the first and of all but the last beats of a lag, for the longest one.
    var (first, last) = (Float(0), Float(0))
    for index in 0..<length - lags.upperBound {
      first += beats[index] * beats[index]
      last += beats[length - 1 - index] * beats[length - 1 - index]
    }
    var greatest: Float = -1
    for lag in lags.reversed() {
      let product = SeriesKernels.product(beats, lag: lag, count: length)
      let beat = first > 0 && last > 0 ? product / (first * last).squareRoot() : 0
      // The smaller of the two counts, so the rotation is needed only where the acceleration repeats.
      if beat > greatest { greatest = max(greatest, min(beat, turnCorrelation(after: lag))) }
      let (next, previous) = (beats[length - lag], beats[lag - 1])
      first += next * next
      last += previous * previous
    }
    return greatest
  }

  /// Copies the latest rotation rates; returns whether none is missing.
  private mutating func takeTurns(_ history: StepHistory) -> Bool {
    let room = length + SeriesKernels.padding
    return history.withLane(.turnX, last: length) { turnX in
      turns.withUnsafeMutableBufferPointer { turns in
        for lane in 0..<4 {
          (turns.baseAddress! + lane &* room).update(from: turnX + lane &* history.stride, count: length)
        }
        return SeriesKernels.meanFromFirst(turns.baseAddress! + 3 &* room, count: length).isFinite
      }
    }
  }

  private func turnCorrelation(after lag: Int) -> Float {
    func product(_ lane: Int) -> Float {
      turns.withUnsafeBufferPointer {
        SeriesKernels.product($0.baseAddress! + lane &* (length &+ SeriesKernels.padding), lag: lag, count: length)
      }
    }
    let strength = product(3)
    return strength > 0 ? (product(0) + product(1) + product(2)) / strength : 0
  }
}
