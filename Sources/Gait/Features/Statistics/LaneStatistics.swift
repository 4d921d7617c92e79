/// Computes the statistics of a window from its packed rows and writes them to the table, for several lanes at a time.
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
  /// - Parameter sorted: the sorted blocks that the window shares with the previous ones; `nil` to sort each part.
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

  /// The rows of a part, with its angles unwrapped: those of the first row are in −π…π.
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

  /// The means and moments of a window, from its sums and mean-removed rows.
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

  /// Sets the deviations of constant lanes to 0, because they are only rounding errors. A lane is constant if its
  /// variance is at most `Findings.leastVariance`.
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

/// The offsets of the scratch buffers, in groups of eight lanes.
struct ScratchLayout: Sendable {
  /// The rows of a part after its angles are unwrapped.
  let unwrapped: Int
  /// Scratch for one part: its mean-removed rows, zero-padded; its sorted rows; its powers; the FFT's scratch; its sums
  /// of lagged products.
  let (deviations, sorted, powers, fourier, lags): (Int, Int, Int, Int, Int)
  /// The sorted samples of one lane.
  let seriesOrder: Int
  /// The copy of one lane that is not contiguous or has angles to unwrap.
  let seriesLane: Int
  /// The mean-removed lane, the scratch of its spectrum, its powers and autocorrelation.
  let (series, seriesSpectrum, seriesPowers, seriesLags): (Int, Int, Int, Int)
  let table: Int
  let count: Int

  init(_ plan: FeaturePlan) {
    let (length, parts, series) = (plan.length, plan.parts, plan.series)
    var next = 0
    func take(_ groups: Int, if isNeeded: Bool = true) -> Int {
      defer { next += isNeeded ? groups : 0 }
      return next
    }
    func take(lanes: Int) -> Int { take((lanes + Lanes.perGroup - 1) / Lanes.perGroup, if: !parts.isEmpty) }
    func take(floats: Int) -> Int { take((floats + 7) / 8, if: !series.isEmpty) }
    let searches = plan.lags.map(\.search)
    unwrapped = take(lanes: plan.packing.angleSlots.isEmpty ? 0 : length)
    deviations = take(lanes: length + Autocorrelation.block)
    sorted = take(lanes: parts.contains { $0.needs.contains(.order) } ? LaneSort.paddedCount(length) : 0)
    powers = take(lanes: plan.fourier?.binCount ?? 0)
    fourier = take(lanes: plan.fourier?.scratchCount ?? 0)
    lags = take(lanes: parts.map { Autocorrelation.sumCount($0.summedLags) }.max() ?? 0)
    seriesOrder = take(plan.order.scratchCount, if: series.contains { $0.needs.contains(.order) })
    seriesLane = take(floats: length + 8)
    self.series = take(floats: length + SeriesKernels.padding)
    seriesSpectrum = take(floats: plan.periodogram.scratchCount * Lanes.scalarCount)
    seriesPowers = take(floats: plan.periodogram.powerCount)
    seriesLags = take(floats: searches.map(\.seriesScratchCount).max() ?? 0)
    table = take(plan.rowCount * plan.rowWidth / 8)
    count = next
  }
}
