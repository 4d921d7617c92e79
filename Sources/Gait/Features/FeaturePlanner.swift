/// Builds a `FeaturePlan`: the position of each value in the table, and the work that computes it.
struct FeaturePlanner {
  let packing: LanePacking
  let spectrum: LaneSpectrum
  let periodogram: Periodogram
  private var parts: [LanePart]
  private var series: [LaneSeries] = []
  /// The distinct statistics, one for each row of the table.
  private(set) var rows: [Statistic] = []
  private let length: Int
  private let sampleRate: SampleRate
  /// Whether bands and lags are computed along time even if the lanes are packed into rows.
  private let runsAlongTime: Bool

  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    packing = LanePacking(features: features)
    self.length = length
    self.sampleRate = sampleRate
    parts = Array(repeating: LanePart(), count: packing.isColumnar ? 0 : packing.groupCount * Lanes.perGroup)
    let temporal = features.filter(\.statistic.needsTime)
    runsAlongTime = Set(temporal.map(\.lane)).count <= 2 && !temporal.contains(where: \.statistic.needsWholeSpectrum)
    periodogram = Periodogram(
      length: length, sampleRate: sampleRate, bands: runsAlongTime ? temporal.flatMap(\.statistic.bands) : [])
    spectrum = LaneSpectrum(
      resolution: Float(periodogram.resolution), lastBin: Periodogram.transformLength(for: length) / 2)
  }

  // MARK: - Positions in the table

  /// How a feature is computed from the table; plans the work for it.
  mutating func read(for feature: Feature) -> FeaturePlan.Read {
    let slots = packing.slots(of: feature.lane)
    switch feature.statistic {
    case .bandLogRatio(let first, let second, let offset):
      return .logRatio(
        place(of: .bandRMS(first), slot: slots[0]), place(of: .bandRMS(second), slot: slots[0]), offset: Float(offset))
    case .interquartileRange:
      return .difference(place(of: .percentile(75), slot: slots[0]), place(of: .percentile(25), slot: slots[0]))
    case .sphericalVariance:
      let places = slots.map { place(of: .mean, slot: $0) }
      return .sphericalVariance(places[0], places[1], places[2])
    case .correlation(let other):
      return .place(
        place(of: feature.statistic, slot: correlationSlot(slots[0], packing.slots(of: .channel(other))[0])))
    default: return .place(place(of: feature.statistic, slot: slots[0]))
    }
  }

  /// The slot of the channel that precedes the other in its sensor, x → y → z → x.
  private func correlationSlot(_ first: Int, _ second: Int) -> Int {
    (first % 4 + 1) % 3 == second % 4 ? first : second
  }

  /// The position in the table of a statistic of the lane in `slot`; plans the work for it unless that is planned
  /// already.
  private mutating func place(of statistic: Statistic, slot: Int) -> Int {
    let row = row(of: statistic.tableStatistic)
    let place = row * packing.groupCount * 8 + slot
    if packing.isColumnar || statistic.needsTime && runsAlongTime {
      plan(statistic, alongTimeOf: slot, place: place)
    } else {
      plan(statistic, slot: slot, row: row)
    }
    return place
  }

  private mutating func row(of statistic: Statistic) -> Int {
    if let row = rows.firstIndex(of: statistic) { return row }
    rows.append(statistic)
    return rows.count - 1
  }

  // MARK: - Work

  private mutating func plan(_ statistic: Statistic, slot: Int, row: Int) {
    let part = slot / Lanes.scalarCount
    parts[part].needs.formUnion(statistic.needs)
    if statistic.needs != .moments { parts[part].busySlots.insert(slot) }
    if case .autocorrelationLag(let range) = statistic { return planLags(range, part: part) }
    if case .autocorrelationPeak(let range) = statistic { return planLags(range, part: part) }
    guard !parts[part].outputs.contains(where: { $0.row == row }) else { return }
    parts[part].outputs.append((output(of: statistic), row))
  }

  private mutating func planLags(_ range: ClosedRange<Double>, part: Int) {
    let (lagRow, heightRow) = (row(of: .autocorrelationLag(range)), row(of: .autocorrelationPeak(range)))
    guard !parts[part].lags.contains(where: { $0.lagRow == lagRow }) else { return }
    let search = Autocorrelation(length: length, sampleRate: sampleRate, range: range)
    parts[part].lags.append((search, lagRow, heightRow))
  }

  private func output(of statistic: Statistic) -> FeaturePlan.LaneOutput {
    switch statistic {
    case .mean: .mean
    case .standardDeviation: .standardDeviation
    case .minimum: .minimum
    case .maximum: .maximum
    case .range: .range
    case .rms: .rms
    case .meanAbsoluteDeviation: .meanAbsoluteDeviation
    case .meanAbsoluteDifference: .meanAbsoluteDifference
    case .meanCrossingRate: .meanCrossingRate
    case .skewness: .skewness
    case .kurtosis: .kurtosis
    case .energy: .energy
    case .percentile(let percent): .percentile(FeaturePlan.Rank(percent: percent, length: length))
    case .bandPower(let band): .bandPower(bins(of: band))
    case .bandRMS(let band): .bandRMS(bins(of: band))
    case .dominantFrequency: .dominantFrequency
    case .spectralCentroid: .centroid
    case .spectralEntropy: .entropy
    case .spectralFlatness: .flatness
    case .correlation: .correlationWithNext
    case .autocorrelationLag, .autocorrelationPeak, .bandLogRatio, .interquartileRange, .sphericalVariance:
      preconditionFailure("\(statistic) has no table row of its own")
    }
  }

  /// The band's bins, counted from bin 0 or, along time, from the periodogram's first bin.
  private func bins(of band: ClosedRange<Double>) -> Range<Int> {
    let bins = periodogram.bins(of: band)
    guard runsAlongTime else { return bins }
    let first = periodogram.bins.lowerBound
    return bins.isEmpty ? 0..<0 : bins.lowerBound - first..<bins.upperBound - first
  }
}

// MARK: - Parts of rows

extension FeaturePlanner {
  /// A part of the rows while it is being planned.
  private struct LanePart {
    var needs: FeaturePlan.Needs = []
    var outputs: [FeaturePlan.PartOutput] = []
    var lags: [FeaturePlan.PartLags] = []
    /// The slots that need more than the mean.
    var busySlots: Set<Int> = []

    /// The first of the two slots that contain all busy lanes; `nil` if the part cannot be deferred.
    var deferrableSlot: Int? {
      guard let first = busySlots.min().map({ $0 / 2 * 2 }), !needs.contains(.correlation) else { return nil }
      return busySlots.isSubset(of: [first, first + 1]) ? first : nil
    }
  }

  private func angleLimits(ofPart part: Int) -> Lanes {
    var limits = Lanes(repeating: .infinity)
    for slot in packing.angleSlots where slot / Lanes.scalarCount == part { limits[slot % Lanes.scalarCount] = .pi }
    return limits
  }

  /// The parts, the values and searches of all parts in flat lists (see `plannedSeries`), and the part that can be
  /// deferred.
  var plannedParts: ([FeaturePlan.Part], [FeaturePlan.PartOutput], [FeaturePlan.PartLags], FeaturePlan.Deferral?) {
    var planned: [FeaturePlan.Part] = []
    var outputs: [FeaturePlan.PartOutput] = []
    var lags: [FeaturePlan.PartLags] = []
    for (index, part) in parts.enumerated() {
      // Sorted samples already give the extrema.
      let needs = part.needs.contains(.order) ? part.needs.subtracting(.extrema) : part.needs
      planned.append(
        FeaturePlan.Part(
          register: index, needs: needs, angleLimits: angleLimits(ofPart: index),
          outputs: outputs.count..<outputs.count + part.outputs.count,
          lags: lags.count..<lags.count + part.lags.count))
      outputs += part.outputs
      lags += part.lags
    }
    let deferral = deferral(of: planned, &outputs)
    return (planned, outputs, lags, deferral)
  }

  /// The last part that can be deferred and the work that remains, whose outputs are added to `outputs`.
  private func deferral(
    of planned: [FeaturePlan.Part], _ outputs: inout [FeaturePlan.PartOutput]
  ) -> FeaturePlan.Deferral? {
    guard let index = parts.lastIndex(where: { $0.deferrableSlot != nil }), let slot = parts[index].deferrableSlot,
      !planned[index].hasAngles
    else { return nil }
    let first = outputs.count
    outputs += parts[index].outputs.filter { if case .mean = $0.output { true } else { false } }
    var others = planned
    others[index] = FeaturePlan.Part(
      register: index, needs: outputs.count > first ? .moments : [], angleLimits: planned[index].angleLimits,
      outputs: first..<outputs.count, lags: 0..<0)
    return FeaturePlan.Deferral(part: planned[index], slot: slot, others: others)
  }
}

// MARK: - Along time

extension FeaturePlanner {
  /// A lane along time while it is being planned.
  private struct LaneSeries {
    let slot: Int
    var needs: FeaturePlan.Needs = []
    var outputs: [FeaturePlan.SeriesOutput] = []
    var lags: [FeaturePlan.SeriesLags] = []
  }

  private mutating func plan(_ statistic: Statistic, alongTimeOf slot: Int, place: Int) {
    let index = indexOfSeries(slot)
    series[index].needs.formUnion(statistic.needs)
    switch statistic {
    case .autocorrelationLag(let range), .autocorrelationPeak(let range): planLags(range, series: index)
    default:
      guard !series[index].outputs.contains(where: { $0.place == place }) else { return }
      series[index].outputs.append((output(of: statistic), place))
    }
  }

  private mutating func indexOfSeries(_ slot: Int) -> Int {
    if let index = series.firstIndex(where: { $0.slot == slot }) { return index }
    series.append(LaneSeries(slot: slot))
    return series.count - 1
  }

  private mutating func planLags(_ range: ClosedRange<Double>, series index: Int) {
    let (lagRow, heightRow) = (row(of: .autocorrelationLag(range)), row(of: .autocorrelationPeak(range)))
    let (rowLength, slot) = (packing.groupCount * 8, series[index].slot)
    guard !series[index].lags.contains(where: { $0.lagPlace == lagRow * rowLength + slot }) else { return }
    let search = Autocorrelation(length: length, sampleRate: sampleRate, range: range)
    series[index].lags.append((search, lagRow * rowLength + slot, heightRow * rowLength + slot))
  }

  /// The lanes along time, and the values and searches of all lanes in flat lists.
  ///
  /// Flat lists of plain values avoid reference counting, which a list for each lane would need in every window.
  var plannedSeries: ([FeaturePlan.Series], [FeaturePlan.SeriesOutput], [FeaturePlan.SeriesLags]) {
    var lanes: [FeaturePlan.Series] = []
    var outputs: [FeaturePlan.SeriesOutput] = []
    var lags: [FeaturePlan.SeriesLags] = []
    for lane in series {
      lanes.append(
        FeaturePlan.Series(
          slot: lane.slot, isAngle: packing.angleSlots.contains(lane.slot), needs: lane.needs,
          outputs: outputs.count..<outputs.count + lane.outputs.count, lags: lags.count..<lags.count + lane.lags.count))
      outputs += lane.outputs
      lags += lane.lags
    }
    return (lanes, outputs, lags)
  }

  /// The highest rank that the lanes along time need; 0 without percentiles.
  var highestSeriesRank: Int {
    let ranks = series.flatMap(\.outputs).compactMap { output, _ -> Int? in
      if case .percentile(let rank) = output { min(rank.below + 1, length - 1) } else { nil }
    }
    return ranks.max() ?? 0
  }
}

extension Statistic {
  /// The statistic that identifies the table's row: all correlations of neighbouring channels share one row.
  fileprivate var tableStatistic: Statistic {
    if case .correlation = self { .correlation(.attitudeRoll) } else { self }
  }

  /// Whether it depends on the order of the samples in time, beyond direct neighbours.
  var needsTime: Bool {
    switch self {
    case .autocorrelationLag, .autocorrelationPeak: true
    default: !bands.isEmpty || needsWholeSpectrum
    }
  }

  /// Whether it depends on every bin of the spectrum.
  var needsWholeSpectrum: Bool {
    switch self {
    case .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness: true
    default: false
    }
  }

  /// Whether it needs the samples sorted by value.
  var needsOrder: Bool { needs.contains(.order) }

  fileprivate var needs: FeaturePlan.Needs {
    switch self {
    case .mean, .sphericalVariance: .moments
    case .standardDeviation, .rms, .energy: [.moments, .deviations]
    case .meanCrossingRate: [.moments, .deviations, .deviationSums]
    case .meanAbsoluteDeviation: [.moments, .deviations, .deviationSums, .absoluteDeviations]
    case .skewness, .kurtosis: [.moments, .deviations, .higherMoments]
    case .minimum, .maximum, .range: .extrema
    case .meanAbsoluteDifference: .differences
    case .percentile, .interquartileRange: .order
    case .correlation: [.moments, .deviations, .correlation]
    case .autocorrelationLag, .autocorrelationPeak: [.moments, .deviations]
    case .bandPower, .bandRMS, .bandLogRatio: [.moments, .deviations, .spectrum]
    case .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness:
      [.moments, .deviations, .spectrum, .shape]
    }
  }
}
