/// Computes the statistics of a window's lanes along time, eight samples at a time.
struct SeriesStatistics {
  let plan: FeaturePlan
  let window: LaneWindow
  let anglesJump: Bool
  let windowSeconds: Float
  let scratch: UnsafeMutablePointer<LaneGroup>
  let layout: ScratchLayout

  private var length: Int { plan.length }
  private var deviations: UnsafeMutablePointer<Float> { (scratch + layout.series).floats }
  private var powers: UnsafeMutablePointer<Float> { (scratch + layout.seriesPowers).floats }

  /// Fills the table entries of every planned lane.
  func run(table: UnsafeMutablePointer<Float>) {
    plan.means.withUnsafeBufferPointer { means in
      for index in means.indices {
        let lane = window.lane(means[index].slot)
        table[means[index].entry] = lane[0] + SeriesKernels.meanFromFirst(lane, count: length)
      }
    }
    plan.series.withUnsafeBufferPointer { series in
      plan.outputs.withUnsafeBufferPointer { outputs in
        for index in series.indices { run(series[index], outputs, table: table + series[index].slot) }
      }
    }
  }

  /// Fills the table entries of one lane.
  ///
  /// - Parameter entries: the lane's entry in the first row of the table.
  @inline(__always)
  private func run(
    _ series: FeaturePlan.Part, _ outputs: UnsafeBufferPointer<FeaturePlan.Output>,
    table entries: UnsafeMutablePointer<Float>
  ) {
    let (lane, rowWidth) = (contiguous(series), plan.rowWidth)
    let findings = findings(series.needs, lane)
    for index in series.lags {
      let lags = plan.lags[index]
      (entries[lags.lagRow &* rowWidth], entries[lags.heightRow &* rowWidth]) = lags.search.peak(
        of: deviations, variance: findings.variance, unbiased: plan.unbiased,
        scratch: (scratch + layout.seriesLags).floats)
    }
    var index = series.outputs.lowerBound
    while index < series.outputs.upperBound {
      entries[outputs[index].row &* rowWidth] = value(of: outputs[index], findings)
      index &+= 1
    }
  }

  /// The lane's samples, contiguous. If an angle crosses ±π in the window, the samples are unwrapped from a first one
  /// in −π…π.
  @inline(__always)
  private func contiguous(_ series: FeaturePlan.Part) -> UnsafePointer<Float> {
    let (lane, unwraps) = (window.lane(series.slot), anglesJump && series.hasAngles)
    return window.width > 1 || unwraps ? copy(lane, width: window.width, unwraps: unwraps) : lane
  }

  private func copy(_ lane: UnsafePointer<Float>, width: Int, unwraps: Bool) -> UnsafePointer<Float> {
    let copy = (scratch + layout.seriesLane).floats
    for index in 0..<length { copy[index] = lane[index * width] }
    guard unwraps else { return UnsafePointer(copy) }
    copy[0] = Angle.wrapped(copy[0])
    for index in 1..<length { copy[index] = Angle.continued(copy[index], after: copy[index - 1]) }
    return UnsafePointer(copy)
  }

  @inline(__always)
  private func findings(_ needs: FeaturePlan.Needs, _ lane: UnsafePointer<Float>) -> Findings<Float> {
    var findings = Findings<Float>()
    if needs.contains(.extrema) {
      (findings.minimum, findings.maximum) = SeriesKernels.extrema(lane, count: length)
    }
    if needs.contains(.differences) {
      findings.meanAbsoluteDifference = SeriesKernels.absoluteDifferences(lane, count: length) / Float(length - 1)
    }
    if needs.contains(.order) { plan.order.arrange(lane, in: scratch + layout.seriesOrder) }
    guard needs.contains(.moments) else { return findings }
    let meanFromFirst = SeriesKernels.meanFromFirst(lane, count: length)
    findings.mean = lane[0] + meanFromFirst
    guard needs.contains(.deviations) else { return findings }
    findings.variance = SeriesKernels.removeMean(
      lane, count: length, meanFromFirst: meanFromFirst, into: deviations)
    clearConstantLane(&findings)
    if !needs.isDisjoint(with: [.higherMoments, .absoluteDeviations]) {
      (findings.meanAbsoluteDeviation, findings.third, findings.fourth) = SeriesKernels.higherMoments(
        deviations, count: length)
    }
    if needs.contains(.crossings) {
      findings.meanCrossingRate = SeriesKernels.crossings(deviations, count: length) / windowSeconds
    }
    if needs.contains(.spectrum) {
      plan.periodogram.powers(of: deviations, into: powers, scratch: (scratch + layout.seriesSpectrum).lanes)
    }
    return findings
  }

  /// Sets the deviations of a constant lane to 0, because they are only rounding errors.
  @inline(__always)
  private func clearConstantLane(_ findings: inout Findings<Float>) {
    guard findings.variance > 0, findings.variance <= findings.leastVariance else { return }
    findings.variance = 0
    deviations.update(repeating: 0, count: length)
  }

  @inline(__always)
  private func value(of output: FeaturePlan.Output, _ findings: Findings<Float>) -> Float {
    switch output.kind {
    case .percentile: percentile(output.rank)
    case .bandPower: power(in: output.bins)
    case .bandRMS: power(in: output.bins).squareRoot()
    default:
      // Not `nil`: one lane along time has no spectral shape and no correlation.
      findings.value(of: output.kind, length: length)!
    }
  }

  /// Interpolates between two ranks, which are in the first column of the sorted rows.
  private func percentile(_ rank: FeaturePlan.Rank) -> Float {
    let sorted = scratch + layout.seriesOrder
    let (lower, upper) = (sorted[rank.below][0], sorted[min(rank.below + 1, length - 1)][0])
    return lower + (upper - lower) * rank.fraction
  }

  private func power(in bins: Range<Int>) -> Float {
    var (sum, bin) = (Float(0), bins.lowerBound)
    while bin < bins.upperBound {
      sum += powers[bin]
      bin &+= 1
    }
    return sum
  }
}

/// The mean, moments and extrema of a window. `Value` is one lane, or several lanes side by side.
struct Findings<Value: LaneValue> {
  var mean = Value.zero
  /// The second, third and fourth central moments.
  var (variance, third, fourth) = (Value.zero, Value.zero, Value.zero)
  var meanAbsoluteDeviation = Value.zero
  var meanAbsoluteDifference = Value.zero
  var meanCrossingRate = Value.zero
  var (minimum, maximum) = (Value.zero, Value.zero)

  /// The largest variance of a lane that counts as constant: up to it, the variance is rounding error.
  ///
  /// It stands for a deviation of 4e-7, relative to the mean or in g or rad/s. That is a few units in the last place of
  /// a Float, and far below any sensor's resolution.
  @inline(__always)
  var leastVariance: Value { (mean * mean + 1) * 1.6e-13 }

  /// A value that follows from the moments and extrema alone; `nil` for any other statistic. Skewness and kurtosis of a
  /// constant lane are 0.
  @inline(__always)
  func value(of kind: FeaturePlan.Kind, length: Int) -> Value? {
    switch kind {
    case .mean: mean
    case .standardDeviation: variance.roots
    case .minimum: minimum
    case .maximum: maximum
    case .range: maximum - minimum
    case .rms: (variance + mean * mean).roots
    case .energy: (variance + mean * mean) * Float(length)
    case .meanAbsoluteDeviation: meanAbsoluteDeviation
    case .meanAbsoluteDifference: meanAbsoluteDifference
    case .meanCrossingRate: meanCrossingRate
    case .skewness: (third / (variance * variance.roots)).zeroUnlessPositive(variance)
    case .kurtosis: (fourth / (variance * variance) - 3).zeroUnlessPositive(variance)
    default: nil
    }
  }
}

/// One number, or several side by side.
protocol LaneValue {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func + (a: Self, b: Float) -> Self
  static func - (a: Self, b: Self) -> Self
  static func - (a: Self, b: Float) -> Self
  static func * (a: Self, b: Self) -> Self
  static func * (a: Self, b: Float) -> Self
  static func / (a: Self, b: Self) -> Self
  /// The square root of each lane's magnitude.
  var roots: Self { get }
  /// Each lane whose `condition` is positive; 0 in the other lanes.
  func zeroUnlessPositive(_ condition: Self) -> Self
}

extension Float: LaneValue {
  @inline(__always)
  var roots: Float { squareRoot() }
  @inline(__always)
  func zeroUnlessPositive(_ condition: Float) -> Float { condition > 0 ? self : 0 }
}

extension Lanes: LaneValue {
  @inline(__always)
  func zeroUnlessPositive(_ condition: Lanes) -> Lanes { Lanes.zero.replacing(with: self, where: condition .> .zero) }
}
