/// Recognises the steps of a walker whose phone moves little: held steadily in a hand, or on an arm at rest.
///
/// By its energy alone such a walk is still. A window of the pause head counts as a quiet walk if |g + u| deviates by 0.05
/// to 0.3 g in it, still moves at its end, and repeats in the last 3 s: the highest autocorrelation of 0.4 to 0.92 s, the periods of steps, is a
/// peak of at least 0.3 and higher than those of 0.2 to 0.32 s. Engines and hands that brush or type repeat faster; the
/// vibration of a train does not repeat. More energy is left to the classifier.
///
/// Shares of windows, at the time of writing: 0.2 % of sitting and standing with a phone in a pocket (MotionSense), 2 %
/// with a watch (WISDM), 70 to 90 % of walking with the hands on a treadmill's rail or swinging (DSADS).
struct WalkRhythm: Sendable {
  /// The deviations of |g + u| in a window of a quiet walk, g.
  private static let energies: Range<Float> = 0.05..<0.3
  /// The part of a window that must still move, seconds, and by how much, g. At a sudden stop a window holds the last of
  /// the run, and the 3 s before it have its rhythm.
  private static let (endSeconds, quietestEnd): (Double, Float) = (0.5, 0.04)
  static let seconds = 3.0
  private static let (fastest, fast, slow, slowest) = (0.2, 0.32, 0.4, 0.92)
  private static let smallestRepetition: Float = 0.3
  /// The largest autocorrelation of shorter periods, as a share of that of steps.
  private static let largestFasterShare: Float = 0.8

  private var series: [Float]
  private var products: [Float]
  private let length: Int
  private let endLength: Int
  private let firstLag: Int
  private let fasterLags: Range<Int>
  private let stepLags: Range<Int>

  /// A detector for samples at `sampleRate`; `nil` if the rate is too low to tell the lags apart.
  init?(sampleRate: SampleRate) {
    guard sampleRate.hertz >= 15 else { return nil }
    func lag(_ seconds: Double) -> Int { Int(saturating: (seconds * sampleRate.hertz).rounded()) }
    length = lag(Self.seconds)
    endLength = lag(Self.endSeconds)
    firstLag = lag(Self.fastest)
    fasterLags = firstLag..<lag(Self.fast) + 1
    stepLags = lag(Self.slow)..<lag(Self.slowest) + 1
    series = Array(repeating: 0, count: length + SeriesKernels.padding)
    products = Array(repeating: 0, count: stepLags.upperBound + 2 + SeriesKernels.manyLags)
  }

  /// Whether a window with this deviation of |g + u|, in g, is a quiet walk. With the energy of one it is, as long as the
  /// rhythm is unknown: unknown never pauses a run.
  ///
  /// - Complexity: O(lags · *n*) with the energy of a quiet walk, else O(1); no allocation.
  mutating func isQuietWalk(_ history: StepHistory, deviation: Float) -> Bool {
    guard Self.energies.contains(deviation), history.count >= endLength, endDeviation(history) >= Self.quietestEnd
    else { return false }
    guard history.count >= length else { return true }
    let power = history.lanes.removeMean(from: history.start(of: .total, last: length), count: length, into: &series)
    guard power > 0, power.isFinite else { return false }
    var lag = firstLag
    while lag <= stepLags.upperBound {
      products.withUnsafeMutableBufferPointer { products in
        guard let output = products.baseAddress.map({ $0 + lag - firstLag }) else { return }
        SeriesKernels.manyProducts(series, lag: lag, count: length, into: output)
      }
      lag += SeriesKernels.manyLags
    }
    let faster = fasterLags.reduce(-1) { max($0, repetition(after: $1, power)) }
    var step: Float = -1
    for lag in stepLags {
      let here = repetition(after: lag, power)
      let isPeak = here >= repetition(after: lag - 1, power) && here >= repetition(after: lag + 1, power)
      if isPeak { step = max(step, here) }
    }
    return step >= Self.smallestRepetition && faster < Self.largestFasterShare * step
  }

  /// The standard deviation of the latest samples, g.
  private func endDeviation(_ history: StepHistory) -> Float {
    var (sum, squares) = (Float(0), Float(0))
    history.withLane(.total, last: endLength) { totals in
      for index in 0..<endLength {
        // Around 1 g, so that the squares lose no digits.
        let value = totals[index] - 1
        sum += value
        squares += value * value
      }
    }
    let mean = sum / Float(endLength)
    return max(0, squares / Float(endLength) - mean * mean).squareRoot()
  }

  private func repetition(after lag: Int, _ power: Float) -> Float {
    products[lag - firstLag] / (power * Float(length - lag))
  }
}
