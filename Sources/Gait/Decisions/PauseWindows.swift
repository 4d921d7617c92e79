/// A window of the pause head: its probabilities, two measures that distinguish steps from shaking, and one that
/// distinguishes steps from rest.
package struct PauseWindow: Sendable {
  package let start: SampleTime
  package let end: SampleTime
  package let probabilities: LabelProbabilities
  /// The share of the total acceleration's variation in the band of steps (`StepBandRatio`), 0…1; `nil` if unknown.
  package let stepBandRatio: Float?
  /// Whether successive beats turn the device the same way (`ShakeDetector`).
  package let isShaken: Bool
  /// Whether the window is part of a walk with little movement (`WalkRhythm`).
  let isQuietWalk: Bool
}

/// Makes the pause head's windows from batches of samples at the model's rate, and keeps the history that the measures
/// of steps read.
struct PauseWindows: Sendable {
  private var features: FeatureWindows
  private var head: DecisionHead
  private var stepBand: StepBandRatio?
  private var shaking: ShakeDetector?
  private var rhythm: WalkRhythm?
  private(set) var history: StepHistory

  init(model: ActivityModel) {
    let (shape, rate) = (model.pauseHead.window, model.sampleRate)
    features = model.pauseWindows
    head = DecisionHead(model.pauseHead, sampleRate: rate)
    stepBand = StepBandRatio(shape: shape, sampleRate: rate)
    shaking = ShakeDetector(window: shape, sampleRate: rate)
    rhythm = WalkRhythm(sampleRate: rate)
    history = StepHistory(
      seconds: max(shape.seconds, WalkRhythm.seconds, StepHistory.longestWindow), sampleRate: rate)
  }

  /// The number of samples until the next window ends.
  var samplesUntilWindow: Int { features.samplesUntilWindow }

  /// Takes the samples of a batch from index `first` on; returns whether a window ends with them. Call `measured` for
  /// that window before more samples are taken.
  mutating func append(_ batch: inout SampleBatch, from first: Int) -> Bool {
    history.append(&batch, from: first)
    return features.append(&batch, from: first)
  }

  /// Takes the last samples before a gap, those of a batch from index `first` on: the next sample begins a new window.
  mutating func end(with batch: inout SampleBatch, from first: Int) {
    history.append(&batch, from: first)
    history.restart()
    features.restart()
  }

  /// The window that the latest sample completes, with its measures of steps. Call it once for a window.
  mutating func measured() -> PauseWindow {
    let window = features.withWindow { head.classify($0, $1) }
    let measured = stepBand?.measure(history)
    var (isShaken, isQuietWalk) = (false, false)
    if let deviation = measured?.deviation, deviation > 0, let beats = stepBand?.series {
      isShaken = shaking?.isShaken(history, beats: beats) ?? false
      isQuietWalk = rhythm?.isQuietWalk(history, deviation: deviation) ?? false
    }
    return PauseWindow(
      start: window.start, end: window.end, probabilities: window.probabilities, stepBandRatio: measured?.ratio,
      isShaken: isShaken, isQuietWalk: isQuietWalk)
  }
}

/// The share of the total acceleration's variation that lies in the band of steps, for each window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone shaken by a standing person moves at higher frequencies than steps. It must not resume a run.
struct StepBandRatio: Sendable {
  private static let band = 1.2...3.6

  private let periodogram: Periodogram
  /// |g + u| without its mean in the window that was measured last, followed by zeros.
  private(set) var series: [Float]
  private var powers: [Float]
  private var scratch: [Lanes]

  /// The ratio of windows of `shape`; `nil` if the band exceeds half of `sampleRate`.
  init?(shape: WindowShape, sampleRate: SampleRate) {
    guard Self.band.upperBound <= sampleRate.hertz / 2 else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    periodogram = Periodogram(length: length, sampleRate: sampleRate, bands: [Self.band])
    series = Array(repeating: 0, count: length + SeriesKernels.padding)
    powers = Array(repeating: 0, count: periodogram.powerCount)
    scratch = Array(repeating: .zero, count: periodogram.scratchCount)
  }

  /// The ratio and the standard deviation, in g, of the latest window; `nil` if a value of |g + u| is missing in the
  /// window, or if a result is not finite or beyond `ModelRanges.feature`.
  mutating func measure(_ history: StepHistory) -> (ratio: Float, deviation: Float)? {
    let length = periodogram.length
    guard history.completeCount >= length else { return nil }
    var findings = Findings<Float>()
    history.withLane(.total, last: length) { lane in
      let mean = SeriesKernels.meanFromFirst(lane, count: length)
      findings.variance = SeriesKernels.removeMean(lane, count: length, meanFromFirst: mean, into: &series)
      findings.mean = lane[0] + mean
    }
    guard findings.variance.isFinite else { return nil }
    // A constant lane's deviations are rounding errors.
    guard findings.variance > findings.leastVariance else { return (0, 0) }
    periodogram.powers(of: series, into: &powers, scratch: &scratch)
    var band: Float = 0
    for bin in 0..<periodogram.bins.count { band += powers[bin] }
    band.formSquareRoot()
    let deviation = findings.variance.squareRoot()
    return ModelRanges.feature ~= band ? (band / deviation, deviation) : nil
  }
}

/// Tells shaking from steps by the rotation between successive beats of a movement.
///
/// Legs alternate: one step turns a phone one way and the next step turns it back. Rotation repeats after two steps,
/// acceleration after one. A hand that shakes the phone turns it the same way at every beat.
///
/// Formula: a window is shaken if for any lag from 0.24 to 0.5 s two autocorrelations exceed ½: of t = |g + u| − mean,
/// Σ tᵢ tⱼ ÷ √(Σ tᵢ² Σ tⱼ²), and of rotation, Σ ωᵢ·ωⱼ ÷ Σ |ωᵢ| |ωⱼ|. Both are weighted by amplitude, so a window that
/// begins at rest is judged by the movement after it.
///
/// Of moving windows of 1 s at most 1 % of jogging and none of walking in trousers' pockets are shaken
/// (MotionSense), at most 8 % of walks and runs with the phone held or worn otherwise (BoostRunClub), and all
/// windows of shaking 2.3 to 3.6 times a second up and down; `ShakeDetectorTests` checks this. A window of 1 s is too
/// short for slower shaking: it does not contain two beats.
struct ShakeDetector: Sendable {
  /// The autocorrelation that both the acceleration and the rotation of a shaken window exceed at one lag.
  private static let leastRepetition: Float = 0.5

  private static let slowest = SampleRate.hertz(20)
  private static let seconds = (shortest: 0.24, longest: 0.5)

  /// The number of samples in a window.
  private let length: Int
  private let lags: ClosedRange<Int>
  /// The autocorrelations of the beats at `lags`, and room for three more.
  private var products: [Float]

  /// A detector for windows of one shape; `nil` if the sample rate is below 20 Hz, or if half a window is shorter than
  /// the shortest lag.
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

/// Recognises the steps of a walker whose phone moves little: held steadily in a hand, or on an arm at rest.
///
/// The energy of such a walk alone looks like standing still. A window of the pause head counts as a quiet walk if
/// three conditions hold:
///
/// - The standard deviation of |g + u| in it is from 0.05 to 0.3 g. Windows with more are left to the classifier.
/// - In its last 0.5 s the standard deviation is at least 0.04 g.
/// - In the last 3 s |g + u| repeats. Its autocorrelation has a peak of at least 0.3 at a lag from 0.4 to 0.92 s, the
///   periods of steps, and at lags from 0.2 to 0.32 s it stays below 0.8 of that peak. Engines and hands that brush or
///   type repeat faster; the vibration of a train does not repeat.
///
/// Shares of windows, at the time of writing: 0.2 % of sitting and standing with a phone in a pocket (MotionSense), 2 %
/// with a watch (WISDM), 70 to 90 % of walking with the hands on a treadmill's rail or swinging (DSADS).
struct WalkRhythm: Sendable {
  /// The standard deviations of |g + u| in a window of a quiet walk, g, and the least standard deviation of the vector
  /// u, g. If the stream has no gravity, a deviation of u from that value on is enough: with the substitute for gravity
  /// (`StepSamples`), |g + u| shows only a part of the movement.
  private static let (energies, leastVector): (Range<Float>, Float) = (0.05..<0.3, 0.04)
  /// The length of the end of a window, seconds, and the least standard deviation in it, g. Just after a sudden stop, a
  /// window still contains the end of the run, and the last 3 s still have the run's rhythm.
  private static let (endSeconds, quietestEnd): (Double, Float) = (0.5, 0.04)
  static let seconds = 3.0
  private static let (fastest, fast, slow, slowest) = (0.2, 0.32, 0.4, 0.92)
  private static let smallestRepetition: Float = 0.3
  /// The limit of the autocorrelation at the shorter lags, as a share of the peak at the lags of steps.
  private static let largestFasterShare: Float = 0.8

  private var series: [Float]
  private var products: [Float]
  private let length: Int
  private let endLength: Int
  private let firstLag: Int
  private let fasterLags: Range<Int>
  private let stepLags: Range<Int>

  /// A detector for samples at `sampleRate`; `nil` below 15 Hz, where the lags cannot be told apart.
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

  /// Whether the latest window is a quiet walk, given its standard deviation of |g + u|, in g. Until there are 3 s of
  /// samples, the third condition (repetition) is taken as met: an unknown rhythm never pauses a run.
  ///
  /// - Complexity: O(lags · *n*) with the energy of a quiet walk, else O(1); no allocation.
  mutating func isQuietWalk(_ history: StepHistory, deviation: Float) -> Bool {
    guard deviation < Self.energies.upperBound, history.count >= endLength else { return false }
    let vector = history.hasGravity ? 0 : history.vectorDeviation(last: min(length, history.count))
    guard deviation >= Self.energies.lowerBound || vector >= Self.leastVector else { return false }
    let end = vector > 0 ? history.vectorDeviation(last: endLength) : endDeviation(history)
    guard end >= Self.quietestEnd else { return false }
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

  /// The standard deviation of |g + u| over the last `endSeconds`, g.
  private func endDeviation(_ history: StepHistory) -> Float {
    var (sum, squares) = (Float(0), Float(0))
    history.withLane(.total, last: endLength) { totals in
      for index in 0..<endLength {
        // Subtract 1 g, so that the squares lose no digits.
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
