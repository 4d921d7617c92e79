/// The computation of a list of features, planned once for a window length and rate. It is immutable, so copies of a
/// stream share it.
///
/// Results go to a table with one row of packed lanes for each distinct statistic. A feature is an entry of the table,
/// or a formula of a few entries. Statistics of many lanes are computed several lanes at a time. Statistics of a few
/// lanes, and bands and lags of one or two lanes, are computed along time, eight samples at a time.
final class FeaturePlan: Sendable {
  /// The statistics of one part of the packed rows: the lanes of one register.
  struct Part: Sendable {
    /// The index of the register in a packed row.
    let register: Int
    let needs: Needs
    /// π for lanes that are angles, infinity for others.
    let angleLimits: Lanes
    /// Whether any lane is an angle.
    var hasAngles: Bool { any(angleLimits .< Lanes(repeating: .infinity)) }
    /// The part's range in `partOutputs`.
    let outputs: Range<Int>
    /// The part's range in `partLags`.
    let lags: Range<Int>
  }

  /// A value of a part and its row in the table.
  typealias PartOutput = (output: LaneOutput, row: Int)
  /// An autocorrelation search and the table rows for the lag and the height of its peak.
  typealias PartLags = (search: Autocorrelation, lagRow: Int, heightRow: Int)

  /// The passes that a part needs.
  struct Needs: OptionSet, Sendable {
    let rawValue: Int
    static let moments = Needs(rawValue: 1)
    static let higherMoments = Needs(rawValue: 2)
    static let extrema = Needs(rawValue: 4)
    static let order = Needs(rawValue: 8)
    static let spectrum = Needs(rawValue: 16)
    static let shape = Needs(rawValue: 32)
    static let correlation = Needs(rawValue: 64)
    static let differences = Needs(rawValue: 128)
    /// The mean-removed samples.
    static let deviations = Needs(rawValue: 256)
    /// The deviation and mean-crossing sums.
    static let deviationSums = Needs(rawValue: 512)
    /// Σ of the absolute deviations from the mean.
    static let absoluteDeviations = Needs(rawValue: 1024)
  }

  /// A value for each lane of a part.
  enum LaneOutput: Sendable {
    case mean, standardDeviation, minimum, maximum, range, rms, meanAbsoluteDeviation, meanAbsoluteDifference
    case meanCrossingRate, skewness, kurtosis, energy
    case percentile(Rank)
    case bandPower(Range<Int>), bandRMS(Range<Int>)
    case dominantFrequency, centroid, entropy, flatness
    case correlationWithNext
  }

  /// A position among the sorted samples, between the ranks `below` and `below` + 1.
  struct Rank: Sendable {
    let below: Int
    let fraction: Float

    init(percent: Double, length: Int) {
      let position = percent / 100 * Double(length - 1)
      below = Int(position)
      fraction = Float(position - Double(below))
    }
  }

  /// The statistics of one lane along time.
  struct Series: Sendable {
    let slot: Int
    let isAngle: Bool
    let needs: Needs
    /// The lane's range in `seriesOutputs`.
    let outputs: Range<Int>
    /// The lane's range in `seriesLags`.
    let lags: Range<Int>
  }

  /// A value of a lane and its position in the table.
  typealias SeriesOutput = (output: LaneOutput, place: Int)
  /// An autocorrelation search and the table positions for the lag and the height of its peak.
  typealias SeriesLags = (search: Autocorrelation, lagPlace: Int, heightPlace: Int)

  /// How a feature is computed from the table, before its transform.
  enum Read: Sendable {
    case place(Int)
    case difference(Int, Int)
    case logRatio(Int, Int, offset: Float)
    case sphericalVariance(Int, Int, Int)
  }

  let length: Int
  let packing: LanePacking
  /// The FFT of a part; `nil` if no part needs a spectrum.
  let fourier: BatchedRealFFT?
  let spectrum: LaneSpectrum
  /// The order statistics of one lane along time.
  let order: OrderStatistics
  /// The periodogram of one lane along time, for the bins of the bands.
  let periodogram: Periodogram
  let parts: [Part]
  let partOutputs: [PartOutput]
  let partLags: [PartLags]
  /// See `Autocorrelation.unbiased(length:)`.
  let unbiased: [Float]
  let series: [Series]
  let seriesOutputs: [SeriesOutput]
  let seriesLags: [SeriesLags]
  /// The position of each feature in the table; unused for those in `otherReads`.
  let places: [Int32]
  /// The features that take a formula or a transform.
  let otherReads: [(feature: Int, read: Read, transform: Transform)]
  /// The number of rows of the table, one for each distinct statistic.
  let rowCount: Int

  /// A plan for `features` over windows of `length` samples at `sampleRate`.
  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    var planner = FeaturePlanner(features: features, length: length, sampleRate: sampleRate)
    let reads = features.map { planner.read(for: $0) }
    self.length = length
    packing = planner.packing
    periodogram = planner.periodogram
    spectrum = planner.spectrum
    (parts, partOutputs, partLags) = planner.plannedParts
    (series, seriesOutputs, seriesLags) = planner.plannedSeries
    rowCount = planner.rows.count
    order = OrderStatistics(length: length, highestRank: planner.highestSeriesRank)
    fourier = parts.contains { $0.needs.contains(.spectrum) } ? BatchedRealFFT(length: length) : nil
    unbiased = Autocorrelation.unbiased(length: length)
    var places: [Int32] = []
    var otherReads: [(Int, Read, Transform)] = []
    for (index, (read, feature)) in zip(reads, features).enumerated() {
      if case .place(let place) = read, feature.transform == .identity {
        places.append(Int32(place))
      } else {
        places.append(0)
        otherReads.append((index, read, feature.transform))
      }
    }
    (self.places, self.otherReads) = (places, otherReads)
  }

  /// Whether all statistics of a window can be combined from those of its halves.
  var canJoinHalves: Bool { !parts.isEmpty && partLags.allSatisfy { $0.search.canJoinBlocks(of: length / 2) } }

  /// The variance up to which a lane counts as constant, as the rest is rounding error.
  ///
  /// A deviation of 4e-7, relative to the mean or in g or rad/s, is a few units in the last place of a Float and far
  /// below any sensor's resolution.
  @inline(__always)
  static func leastVariance(mean: Float) -> Float { 1.6e-13 * (1 + mean * mean) }

  /// The same for several lanes.
  @inline(__always)
  static func leastVariance(mean: Lanes) -> Lanes { 1.6e-13 * (1 + mean * mean) }
}

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
  }

  private func angleLimits(ofPart part: Int) -> Lanes {
    var limits = Lanes(repeating: .infinity)
    for slot in packing.angleSlots where slot / Lanes.scalarCount == part { limits[slot % Lanes.scalarCount] = .pi }
    return limits
  }

  /// The parts, and the values and searches of all parts in flat lists (see `plannedSeries`).
  var plannedParts: ([FeaturePlan.Part], [FeaturePlan.PartOutput], [FeaturePlan.PartLags]) {
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
    return (planned, outputs, lags)
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
