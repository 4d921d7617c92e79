/// Computes the statistics of a window part by part, several lanes at a time: from the packed rows to the table.
struct LaneStatistics {
  let plan: FeaturePlan
  let layout: ScratchLayout
  let windowSeconds: Float
  /// The packed samples, oldest first, shape `[plan.length × plan.parts.count]`.
  let window: UnsafePointer<Lanes>
  /// Whether an angle crosses ±π in the window.
  let anglesJump: Bool
  let scratch: UnsafeMutablePointer<LaneGroup>
  let table: UnsafeMutablePointer<Lanes>

  private var length: Int { plan.length }
  /// Registers from one row, or one row of the table, to the next.
  private var stride: Int { plan.parts.count }
  /// The mean-removed rows, followed by zeros.
  private var deviations: UnsafeMutablePointer<Lanes> { (scratch + layout.deviations).lanes }

  /// Fills the table entries of all parts.
  ///
  /// - Parameter sorted: the sorted blocks that the window shares with the previous ones.
  func run(sharing sorted: SortedBlocks?) {
    for part in plan.parts where !part.needs.isEmpty {
      let unwraps = anglesJump && part.hasAngles
      // Unwrapped angles depend on the window, so they do not use the sorted blocks that windows share.
      run(
        part,
        unwraps
          ? LaneRows(first: unwrapped(part), stride: 1) : LaneRows(first: window + part.register, stride: stride),
        sharing: unwraps ? nil : sorted)
    }
  }

  /// The rows of a part with angles, unwrapped. Each angle of the first row is in −π…π.
  private func unwrapped(_ part: FeaturePlan.Part) -> UnsafePointer<Lanes> {
    let (copy, limits) = ((scratch + layout.unwrapped).lanes, part.angleLimits)
    var next = window + part.register
    var before = next[0]
    for lane in before.indices where limits[lane] < .infinity { before[lane] = Angle.wrapped(before[lane]) }
    copy[0] = before
    for row in 1..<length {
      next += stride
      var here = next[0]
      if any((here - before).magnitudes .> limits) {
        for lane in here.indices where limits[lane] < .infinity {
          here[lane] = Angle.continued(here[lane], after: before[lane])
        }
      }
      copy[row] = here
      before = here
    }
    return UnsafePointer(copy)
  }

  private func run(_ part: FeaturePlan.Part, _ rows: LaneRows, sharing sorted: SortedBlocks?) {
    let entries = table + part.register
    let sums = RowSums(rows, count: length, part.needs, deviations: deviations)
    var findings = findings(of: rows, part.needs, sums)
    findLags(part, variance: findings.variance, into: entries)
    var shape = LaneSpectrum.Shape()
    let powers = (scratch + layout.powers).lanes
    if part.needs.contains(.spectrum), let fourier = plan.fourier {
      fourier.transform(
        UnsafeRawPointer(deviations).assumingMemoryBound(to: Float.self), stride: Lanes.scalarCount, into: powers,
        scratch: (scratch + layout.fourier).lanes)
      if part.needs.contains(.shape) { shape = plan.spectrum.shape(of: powers) }
    }
    withOrder(of: rows, part, sorted) { order in
      if let order { (findings.minimum, findings.maximum) = (order.least, order.greatest) }
      for index in part.outputs {
        let output = plan.outputs[index]
        entries[output.row &* stride] =
          switch output.kind {
          case .percentile: order?.value(at: output.rank) ?? .zero
          case .bandPower: plan.spectrum.power(powers, in: output.bins)
          case .bandRMS: plan.spectrum.power(powers, in: output.bins).roots
          case .dominantFrequency: shape.dominantFrequency
          case .spectralCentroid: shape.centroid
          case .spectralEntropy: shape.entropy
          case .spectralFlatness: shape.flatness
          case .correlation: correlation(sums.products, findings.variance)
          default: findings.value(of: output.kind, length: length) ?? .zero
          }
      }
    }
  }

  /// The findings of a window, from its sums and mean-removed rows.
  @inline(__always)
  private func findings(
    of rows: LaneRows, _ needs: FeaturePlan.Needs, _ sums: RowSums
  ) -> Findings<Lanes> {
    var findings = Findings<Lanes>()
    let share = 1 / Float(length)
    if needs.contains(.extrema) {
      (findings.minimum, findings.maximum) = LaneKernels.extrema(rows, count: length)
    }
    findings.meanAbsoluteDifference = sums.differences * (1 / Float(length - 1))
    findings.mean = sums.mean
    guard needs.contains(.deviations) else { return findings }
    findings.variance = sums.squares * share
    (findings.third, findings.fourth) = (sums.cubes * share, sums.fourths * share)
    if !needs.isDisjoint(with: [.crossings, .absoluteDeviations]) {
      let (absolute, crossings) =
        needs.contains(.absoluteDeviations)
        ? LaneKernels.deviationSums(deviations, count: length, absolute: true)
        : LaneKernels.deviationSums(deviations, count: length, absolute: false)
      findings.meanAbsoluteDeviation = absolute * share
      findings.meanCrossingRate = Lanes(LaneIntegers(truncatingIfNeeded: crossings)) / windowSeconds
    }
    clearConstantLanes(&findings)
    return findings
  }

  /// Sets the deviations of constant lanes to 0, because they are only rounding errors.
  private func clearConstantLanes(_ findings: inout Findings<Lanes>) {
    let isConstant = (findings.variance .<= findings.leastVariance) .& (findings.variance .> .zero)
    guard any(isConstant) else { return }
    for row in 0..<length { deviations[row].replace(with: Lanes.zero, where: isConstant) }
    findings.variance.replace(with: Lanes.zero, where: isConstant)
    findings.meanAbsoluteDeviation.replace(with: Lanes.zero, where: isConstant)
    findings.meanCrossingRate.replace(with: Lanes.zero, where: isConstant)
  }

  private func findLags(
    _ part: FeaturePlan.Part, variance: Lanes, into entries: UnsafeMutablePointer<Lanes>
  ) {
    guard !part.lags.isEmpty else { return }
    let sums = (scratch + layout.lags).lanes
    Autocorrelation.sumProducts(of: deviations, length: length, lags: part.summedLags, into: sums)
    for index in part.lags {
      let (search, lagRow, heightRow) = plan.lags[index]
      (entries[lagRow * stride], entries[heightRow * stride]) = search.peaks(
        of: sums + max(0, search.summedLags.lowerBound - part.summedLags.lowerBound), variance: variance,
        unbiased: plan.unbiasedLanes)
    }
  }

  /// Pearson's correlation of each channel with the next of its sensor, x → y → z → x.
  private func correlation(_ products: Lanes, _ variance: Lanes) -> Lanes {
    let spread = (variance * variance.nextOfSensor).roots * Float(length)
    return (products / spread).zeroUnlessPositive(spread)
  }

  /// Calls `body` with the part's sorted rows, or `nil` if they are not needed.
  @inline(__always)
  private func withOrder(
    of rows: LaneRows, _ part: FeaturePlan.Part, _ sorted: SortedBlocks?, _ body: (SortedRows?) -> Void
  ) {
    guard part.needs.contains(.order) else { return body(nil) }
    if let sorted { return sorted.withWindow(register: part.register) { body($0) } }
    let place = (scratch + layout.sorted).lanes
    LaneSort.sort(rows, count: length, into: place)
    body(SortedRows(first: place, second: nil, length: length))
  }
}

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

  /// - Parameter entries: the lane's first entry in the table.
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

  /// The lane's samples, contiguous. Angles are unwrapped; the first one is in −π…π.
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

  /// As in `LaneStatistics`: a constant lane's deviations are rounding errors.
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
      // `value` is not `nil`: the plan gives only such statistics to series along time.
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

/// The sums of a window, divided to means. `Value` is one lane, or several lanes side by side.
struct Findings<Value: LaneValue> {
  var mean = Value.zero
  /// The second, third and fourth central moments.
  var (variance, third, fourth) = (Value.zero, Value.zero, Value.zero)
  var meanAbsoluteDeviation = Value.zero
  var meanAbsoluteDifference = Value.zero
  var meanCrossingRate = Value.zero
  var (minimum, maximum) = (Value.zero, Value.zero)

  /// The largest variance of a constant lane. A smaller variance is rounding error.
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
