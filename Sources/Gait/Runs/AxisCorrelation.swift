/// The autocorrelation of a vector over a window: Σ vᵢ·vᵢ₊ₖ ÷ (N − k), the mean of every axis removed.
///
/// The autocorrelation does not depend on how the device is turned. A vector that swings to one side and back repeats
/// after the whole movement; its magnitude repeats after half of the movement.
struct AxisCorrelation: Sendable {
  /// The number of values in a window.
  let length: Int
  /// Values a second.
  private let rate: Double
  /// The number of samples whose mean is a value.
  private let samplesPerValue: Int
  /// The three axes without their means, each followed by zeros, shape `[3 × axisStride]`.
  private var series: [Float]
  private let axisStride: Int
  /// The values of one axis, with room for half of its samples.
  private var means: [Float]
  /// The autocorrelation at successive lags from `firstLag` on.
  private var values: [Float]
  private var firstLag = 0
  /// The sum of the mean squares of the axes.
  private(set) var power: Float = 0
  /// The autocorrelation at the period that `stepFrequency` found, relative to `power`; 0 if it found none.
  private(set) var repetition: Float = 0

  /// The fewest values a second that show steps and strides. As many samples (2, 4, 8, …) are averaged to a value as
  /// leave at least this rate, which saves work.
  private static let fewestValues = 12.5

  /// The autocorrelation of windows of `sampleCount` samples.
  init(sampleCount: Int, sampleRate: SampleRate) {
    var samplesPerValue = 1
    while sampleRate.hertz >= Double(2 * samplesPerValue) * Self.fewestValues { samplesPerValue *= 2 }
    self.samplesPerValue = samplesPerValue
    length = sampleCount / samplesPerValue
    rate = sampleRate.hertz / Double(samplesPerValue)
    axisStride = length + SeriesKernels.padding
    series = Array(repeating: 0, count: 3 * axisStride)
    means = Array(repeating: 0, count: sampleCount / 2 + SeriesKernels.padding)
    values = Array(repeating: 0, count: length + 8)
  }

  /// Takes a window of three axes, `lane` samples apart in `lanes`, that begins at `start` in each.
  mutating func take(_ lanes: [Float], from start: Int, lane: Int) {
    power = 0
    for axis in 0..<3 {
      let first = axis * lane + start
      guard samplesPerValue > 1 else {
        power += lanes.removeMean(from: first, count: length, into: &series, at: axis * axisStride)
        continue
      }
      average(lanes, from: first)
      power += means.removeMean(from: 0, count: length, into: &series, at: axis * axisStride)
    }
  }

  /// Writes the means of `samplesPerValue` samples each into `means`.
  private mutating func average(_ lanes: [Float], from first: Int) {
    lanes.withUnsafeBufferPointer { lanes in
      means.withUnsafeMutableBufferPointer { means in
        guard let samples = lanes.baseAddress.map({ $0 + first }), let output = means.baseAddress else { return }
        var (source, count) = (samples, length * samplesPerValue / 2)
        while count >= length {
          Self.average(pairs: count, of: source, into: output)
          (source, count) = (UnsafePointer(output), count / 2)
        }
      }
    }
  }

  /// Writes the means of neighbours, four at a time. Up to three values behind the output are overwritten.
  private static func average(pairs: Int, of source: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    var (input, result) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(output))
    for _ in 0..<(pairs + 3) / 4 {
      let values = input.loadUnaligned(as: SIMD8<Float>.self)
      result.storeBytes(of: 0.5 * (values.evenHalf + values.oddHalf), as: SIMD4<Float>.self)
      input += 32
      result += 16
    }
  }

  /// Computes the autocorrelation at `lags`, which are within the window.
  mutating func correlate(_ lags: ClosedRange<Int>) {
    firstLag = lags.lowerBound
    let (length, axisStride) = (length, axisStride)
    series.withUnsafeBufferPointer { series in
      values.withUnsafeMutableBytes { values in
        guard let axes = series.baseAddress else { return }
        for start in stride(from: 0, to: lags.count, by: 4) {
          let lag = lags.lowerBound + start
          guard start + 1 < lags.count else {
            var sum: Float = 0
            for axis in 0..<3 { sum += SeriesKernels.product(axes + axis * axisStride, lag: lag, count: length) }
            return values.storeBytes(of: sum / Float(length - lag), toByteOffset: 4 * start, as: Float.self)
          }
          let sums = SeriesKernels.fourProducts(axes, seriesCount: 3, stride: axisStride, lag: lag, count: length)
          let counts = Float(length - lag) - SIMD4<Float>(0, 1, 2, 3)
          values.storeBytes(of: sums / counts, toByteOffset: 4 * start, as: SIMD4<Float>.self)
        }
      }
    }
  }

  /// The autocorrelation at a computed lag; its value at lag 0 is `power`.
  subscript(lag: Int) -> Float { values[lag - firstLag] }

  /// The lag of the positive local maximum at `lag`: the top of the parabola through it and its neighbours; `nil` if
  /// there is none.
  func peak(at lag: Int) -> Double? {
    let (before, here, after) = (self[lag - 1], self[lag], self[lag + 1])
    guard here > 0, here >= before, here >= after, before + after < 2 * here else { return nil }
    return Double(lag) + 0.5 * Double((before - after) / (before - 2 * here + after))
  }

  /// The lag of the highest positive local maximum within computed `lags`, the ends excluded.
  func highestPeak(in lags: ClosedRange<Int>) -> Double? {
    var best: (height: Float, lag: Double)?
    for lag in lags.lowerBound + 1..<lags.upperBound where self[lag] > (best?.height ?? 0) {
      if let peak = peak(at: lag) { best = (self[lag], peak) }
    }
    return best?.lag
  }

  // The step frequency by the acceleration.

  /// The shortest step of a runner, seconds, and the longest period that is searched: the stride of a slow walker, of a
  /// lively one, and two strides of a runner.
  private static let (shortest, longest) = (0.24, (gentle: 2.12, lively: 1.6, running: 1.2))
  /// The largest standard deviation of a slow walk, the smallest of a sprint, and the largest of any walk, g.
  private static let (liveliestStroll, gentlestSprint, liveliestWalk): (Float, Float, Float) = (0.5, 0.9, 1.3)
  /// The smallest autocorrelation at a period, and at a period of a slow walker (`longest.lively` and more), relative
  /// to `power`; and the share of the highest maximum that the first period must have.
  private static let (leastRepetition, leastSlowRepetition, firstShare): (Float, Float, Float) = (0.3, 0.5, 0.6)
  /// The periods that may be of steps or of strides, seconds: shorter ones are steps, longer ones strides.
  private static let ambiguous = 0.49...1.1
  /// The standard deviation above which a period of 0.75 s is a stride and not a step, g, and the exponent with which
  /// this limit changes with the period: faster steps are livelier.
  private static let (gentlestStride, liveliness): (Double, Double) = (0.28, -2.5)
  /// The autocorrelation at half a period, relative to `power`, below which the halves of the period are opposite; and
  /// the factor by which the limit of `gentlestStride` is then higher.
  private static let (opposite, oppositeStride): (Float, Double) = (-0.1, 1.1)
  /// The fastest steps, hertz.
  private static let fastest = 4.0
  /// A movement that is too lively for walking takes two steps or four in a period of at least this, seconds.
  private static let twoStrides = 0.9

  /// The step frequency of a window of accelerations, hertz; `nil` if the accelerations do not repeat clearly, or if
  /// the frequency is above `fastest`.
  ///
  /// The acceleration of a pocket or a wrist repeats after a stride, that of the trunk also after a step. The first lag
  /// whose autocorrelation is nearly the highest is a step or a stride, regardless of the harmonics of the stride in a
  /// spectrum. A period between 0.49 s and 1.1 s may be a walker's step, or the stride of a person who steps twice as
  /// often. Faster steps are livelier, so a large standard deviation shows a stride. The standard deviation has to be
  /// larger if the acceleration is opposite after half of the period, as it is after half a step. A runner's stride of
  /// little more than 0.5 s may lie between two lags; the period found is then that of two strides.
  mutating func stepFrequency() -> Double? { frequency().flatMap { $0 <= Self.fastest ? $0 : nil } }

  private mutating func frequency() -> Double? {
    repetition = 0
    let deviation = power.squareRoot()
    let isRun = deviation > Self.liveliestWalk
    let longest =
      isRun
      ? Self.longest.running : deviation > Self.liveliestStroll ? Self.longest.lively : Self.longest.gentle
    let first = Int(saturating: Self.shortest * rate)
    let last = min(length - 8, Int(saturating: longest * rate))
    guard first >= 2, first + 2 <= last, power > 0, power.isFinite else { return nil }
    correlate(first / 2...last)
    // Only a lively movement may have a period of `shortest` itself: in a gentler one, that is a harmonic's.
    guard let lag = firstPeriod(in: (deviation > Self.gentlestSprint ? first - 1 : first)...last) else { return nil }
    repetition = self[Int(saturating: lag.rounded())] / power
    // A runner's period is only a few lags long, and an error of one lag is large.
    let period = (isRun ? refined(lag, upTo: last) : lag) / rate
    guard period >= Self.ambiguous.lowerBound else { return 1 / period }
    let half = max(self[Int(saturating: lag / 2)], self[Int(saturating: lag / 2) + 1])
    if isRun, period >= Self.twoStrides { return (half > Self.leastRepetition * power ? 4 : 2) / period }
    guard period <= Self.ambiguous.upperBound else { return 2 / period }
    let least = Self.gentlestStride * exponential(Self.liveliness * logarithm(period / 0.75))
    let isStride = Double(deviation) > (half < Self.opposite * power ? Self.oppositeStride : 1) * least
    return (isStride ? 2 : 1) / period
  }

  /// The lag of the first local maximum that is at least `firstShare` of the highest one and at least `leastRepetition`
  /// of `power`; `nil` if there is none.
  private func firstPeriod(in lags: ClosedRange<Int>) -> Double? {
    let slow = Int(saturating: Self.longest.lively * rate) - 1
    var highest: Float = 0
    for lag in lags.lowerBound + 1..<lags.upperBound where self[lag] > highest && peak(at: lag) != nil {
      // The autocorrelation of noise has maxima everywhere.
      if lag < slow || self[lag] > Self.leastSlowRepetition * power { highest = self[lag] }
    }
    let least = max(Self.firstShare * highest, Self.leastRepetition * power)
    for lag in lags.lowerBound + 1..<lags.upperBound where self[lag] >= least {
      if lag >= slow, self[lag] <= Self.leastSlowRepetition * power { continue }
      if let peak = peak(at: lag), peak >= Self.shortest * rate { return peak }
    }
    return nil
  }

  /// The period, refined by the local maxima after two and three periods: the error of a lag is divided by the number
  /// of periods.
  private func refined(_ period: Double, upTo last: Int) -> Double {
    var period = period
    for count in 2...3 {
      let lag = Int(saturating: (Double(count) * period).rounded())
      guard lag + 2 <= last else { break }
      if let peak = highestPeak(in: lag - 2...lag + 2) { period = peak / Double(count) }
    }
    return period
  }

  // The stride frequency by the rotation rate: a second estimate beside that of the acceleration.

  /// The share by which a stride may differ from the expected, and the longest lag that is used, as a share of the
  /// window.
  private static let (span, longestShare) = (0.3, 0.6)

  /// The stride frequency of a window of rotation rates, hertz; `nil` without a gyroscope or without a peak.
  ///
  /// Legs and arms turn a phone or a watch one way and back in every stride. The peak of one stride is the highest
  /// within 30 % of the expected lag. The peaks of 2, 4, 8, … and as many strides as fit in 0.6 N refine it: an error
  /// of the lag is divided by their number.
  ///
  /// - Parameter expected: the frequency near which the peak is searched, hertz.
  mutating func strideFrequency(near expected: Double) -> Double? {
    guard power > 0, power.isFinite, var period = strideLag(near: rate / expected) else { return nil }
    let longest = Self.longestShare * Double(length) - 3
    var (strides, next) = (1.0, 2.0)
    while next > strides, next * period < longest {
      strides = next
      if let peak = peak(beside: Int(saturating: (strides * period).rounded())) { period = peak / strides }
      next = min(2 * strides, (longest / period).rounded(.down))
    }
    return rate / period
  }

  /// The lag of the highest positive local maximum at `lag` or beside it. A maximum at `lag` itself is the highest, and
  /// three values show it.
  private mutating func peak(beside lag: Int) -> Double? {
    correlate(lag - 1...lag + 2)
    if let peak = peak(at: lag) { return peak }
    correlate(lag - 2...lag + 2)
    return highestPeak(in: lag - 2...lag + 2)
  }

  /// The lag of one stride within 30 % of the expected lag, in values; `nil` if there is no local maximum.
  private mutating func strideLag(near expected: Double) -> Double? {
    let first = max(1, Int(saturating: (1 - Self.span) * expected) - 1)
    let last = min(length - 8, Int(saturating: (1 + Self.span) * expected) + 2)
    guard first + 2 <= last else { return nil }
    correlate(first...last)
    return highestPeak(in: first...last)
  }
}
