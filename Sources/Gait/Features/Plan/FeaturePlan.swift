/// The computation of a list of features, planned once for a window length and rate. It is immutable, so copies of a
/// stream share it.
///
/// Results go to a table with a row for each distinct statistic and a column (slot) for each lane. A feature is an
/// entry of the table, or a formula of a few entries. Statistics of many lanes are computed several lanes at a time.
/// Statistics of a few lanes, and bands and lags of one or two lanes, are computed one lane at a time, eight samples
/// together.
final class FeaturePlan: Sendable {
  /// The statistics that are computed together: those of one lane along time, or those of one register's lanes side by
  /// side.
  struct Part: Sendable {
    /// The column in the table of the lane, or of the register's first lane.
    let slot: Int
    var needs: Needs = []
    /// The largest change of an angle from sample to sample: π for lanes that are angles, infinity for others.
    var angleLimits = Lanes(repeating: .infinity)
    /// The part's range in `outputs`.
    var outputs = 0..<0
    /// The part's range in the plan's `lags`.
    var lags = 0..<0
    /// All lags from the first to the last one that any of the searches reads. The searches share one set of sums.
    var summedLags = 0..<0

    /// The index of the register in a packed row.
    var register: Int { slot / Lanes.scalarCount }
    var hasAngles: Bool { any(angleLimits .< Lanes(repeating: .infinity)) }
  }

  /// A statistic of a part's lanes and its row in the table.
  struct Output: Sendable {
    let kind: Kind
    let row: Int
    /// The bins of a band, counted from bin 0 or, along time, from the periodogram's first bin.
    let bins: Range<Int>
    /// The position of a percentile.
    let rank: Rank
  }

  /// A statistic without its arguments. A window's `switch` over it is one jump instead of a chain of comparisons.
  enum Kind: UInt8, Sendable {
    case mean, standardDeviation, minimum, maximum, range, rms, energy
    case meanAbsoluteDeviation, meanAbsoluteDifference, meanCrossingRate, skewness, kurtosis
    case percentile, bandPower, bandRMS
    case dominantFrequency, spectralCentroid, spectralEntropy, spectralFlatness, correlation
  }

  /// An autocorrelation search and the table rows for the lag and the height of its peak.
  typealias Lags = (search: Autocorrelation, lagRow: Int, heightRow: Int)

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
    /// The number of mean crossings.
    static let crossings = Needs(rawValue: 512)
    /// Σ of the absolute deviations from the mean.
    static let absoluteDeviations = Needs(rawValue: 1024)
  }

  /// A percentile's position among the sorted samples: `fraction` of the way from rank `below` to the next one.
  struct Rank: Sendable {
    let below: Int
    let fraction: Float

    init(percent: Double, length: Int) {
      let position = percent / 100 * Double(length - 1)
      below = Int(saturating: position)
      fraction = Float(position - Double(below))
    }
  }

  /// How a feature follows from the table, before its transform.
  enum Read: Sendable {
    case place(Int)
    case difference(Int, Int)
    case logRatio(Int, Int, offset: Float)
    case sphericalVariance(Int, Int, Int)
  }

  /// A transform and its argument, in the form in which it is applied.
  enum Curve: Sendable {
    case identity
    case log(offset: Float)
    case signedLog(scale: Float)

    init(_ transform: Transform) {
      self =
        switch transform {
        case .identity: .identity
        case .log(let offset): .log(offset: Float(offset))
        case .signedLog(let scale): .signedLog(scale: Float(scale))
        }
    }

    /// The transformed value.
    @inline(__always)
    func apply(_ value: Float) -> Float {
      switch self {
      case .identity: value
      case .log(let offset): logarithm(offset + value)
      case .signedLog(let scale): value < 0 ? -logarithm(1 - value / scale) : logarithm(1 + value / scale)
      }
    }
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
  /// The lanes that are computed side by side: one part for each register of a packed row, or none.
  let parts: [Part]
  /// The lanes that are computed along time, one in each part.
  let series: [Part]
  /// The lanes of which only the mean is needed, such as the components of ĝ: the slot of each, and the position of
  /// its mean in the table. Computing them as series would cost more.
  let means: [(slot: Int, entry: Int)]
  /// The statistics of all parts and series. They are one flat list, because a list for each part would need reference
  /// counting in every window.
  let outputs: [Output]
  /// The autocorrelation searches of all parts and series.
  let lags: [Lags]
  /// 1 ÷ (N − k) for each lag k; see `Autocorrelation.unbiased(length:)`. The second list is for several lanes side by
  /// side.
  let (unbiased, unbiasedLanes): ([Float], [Factor])
  /// The position of each feature in the table; unused for those in `otherReads`.
  let places: [Int32]
  /// The features that are not a plain entry of the table: those with a transform or a formula of several entries.
  let otherReads: [(feature: Int, read: Read, curve: Curve)]
  /// The number of rows of the table, one for each distinct statistic, and the number of Floats in a row.
  let (rowCount, rowWidth): (Int, Int)

  /// A plan for `features` over windows of `length` samples at `sampleRate`.
  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    var planner = FeaturePlanner(features: features, length: length, sampleRate: sampleRate)
    let reads = features.map { planner.read(for: $0) }
    self.length = length
    packing = planner.packing
    periodogram = planner.periodogram
    spectrum = LaneSpectrum(
      resolution: Float(periodogram.resolution), lastBin: Periodogram.transformLength(for: length) / 2)
    let (isColumnar, rowWidth) = (packing.isColumnar, packing.groupCount * 8)
    let (parts, series, outputs, lags) = planner.planned
    func isMean(_ part: Part) -> Bool { isColumnar && part.needs == .moments && !part.hasAngles }
    (self.parts, self.series, self.outputs, self.lags) = (parts, series.filter { !isMean($0) }, outputs, lags)
    means = series.filter(isMean).map { ($0.slot, outputs[$0.outputs.lowerBound].row * rowWidth + $0.slot) }
    (rowCount, self.rowWidth) = (planner.rows.count, rowWidth)
    order = OrderStatistics(length: length, highestRank: planner.highestSeriesRank)
    fourier = parts.contains { $0.needs.contains(.spectrum) } ? BatchedRealFFT(length: length) : nil
    let unbiased = Autocorrelation.unbiased(length: length)
    (self.unbiased, unbiasedLanes) = (unbiased, parts.isEmpty ? [] : unbiased.map { Factor(Double($0)) })
    var places: [Int32] = []
    var otherReads: [(Int, Read, Curve)] = []
    for (index, (read, feature)) in zip(reads, features).enumerated() {
      if case .place(let place) = read, feature.transform == .identity {
        places.append(Int32(place))
      } else {
        places.append(0)
        otherReads.append((index, read, Curve(feature.transform)))
      }
    }
    (self.places, self.otherReads) = (places, otherReads)
  }
}

/// Builds a `FeaturePlan`: the position of each statistic in the table, and the passes that compute it.
private struct FeaturePlanner {
  /// A part while it is being planned.
  struct Draft {
    var part: FeaturePlan.Part
    var outputs: [FeaturePlan.Output] = []
    var lags: [FeaturePlan.Lags] = []
  }

  let packing: LanePacking
  let periodogram: Periodogram
  /// First the parts of several lanes side by side, `partCount` of them, then those of one lane along time.
  private var drafts: [Draft] = []
  private let partCount: Int
  /// The distinct statistics, one for each row of the table.
  private(set) var rows: [Statistic] = []
  private var latestRow = 0
  private let length: Int
  private let sampleRate: SampleRate
  /// Whether bands and lags are computed along time even if the lanes are packed into rows.
  private let runsAlongTime: Bool

  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    packing = LanePacking(features: features)
    self.length = length
    self.sampleRate = sampleRate
    let temporal = features.filter(\.statistic.needsTime)
    runsAlongTime = temporal.haveFewLanes && !temporal.contains(where: \.statistic.needsWholeSpectrum)
    periodogram = Periodogram(
      length: length, sampleRate: sampleRate, bands: runsAlongTime ? temporal.flatMap(\.statistic.bands) : [])
    partCount = packing.isColumnar ? 0 : packing.groupCount * Lanes.perGroup
    let width = Lanes.scalarCount
    drafts = (0..<partCount).map { Self.draft(slots: $0 * width..<($0 + 1) * width, packing) }
  }

  private static func draft(slots: Range<Int>, _ packing: LanePacking) -> Draft {
    var part = FeaturePlan.Part(slot: slots.lowerBound)
    for slot in packing.angleSlots where slots.contains(slot) { part.angleLimits[slot - slots.lowerBound] = .pi }
    return Draft(part: part)
  }

  // MARK: - Positions in the table

  /// Plans the work for a feature, and returns how the feature follows from the table.
  mutating func read(for feature: Feature) -> FeaturePlan.Read {
    let slot = packing.firstSlot(of: feature.lane)
    switch feature.statistic {
    case .bandLogRatio(let first, let second, let offset):
      return .logRatio(
        place(of: .bandRMS(first), slot: slot), place(of: .bandRMS(second), slot: slot), offset: Float(offset))
    case .interquartileRange:
      return .difference(place(of: .percentile(75), slot: slot), place(of: .percentile(25), slot: slot))
    case .sphericalVariance:
      let places = packing.slots(of: feature.lane).map { place(of: .mean, slot: $0) }
      return .sphericalVariance(places[0], places[1], places[2])
    case .correlation(let other):
      return .place(
        place(of: feature.statistic, slot: correlationSlot(slot, packing.firstSlot(of: .channel(other)))))
    default: return .place(place(of: feature.statistic, slot: slot))
    }
  }

  /// The slot of the channel that precedes the other in its sensor, x → y → z → x.
  private func correlationSlot(_ first: Int, _ second: Int) -> Int {
    (first % 4 + 1) % 3 == second % 4 ? first : second
  }

  /// The position in the table of a statistic of the lane in `slot`. If the work for it is not planned yet, plans it.
  private mutating func place(of statistic: Statistic, slot: Int) -> Int {
    let row = row(of: statistic.tableStatistic)
    let isSeries = packing.isColumnar || statistic.needsTime && runsAlongTime
    plan(statistic, row: row, in: isSeries ? indexOfSeries(slot) : slot / Lanes.scalarCount)
    return row * packing.groupCount * 8 + slot
  }

  private mutating func indexOfSeries(_ slot: Int) -> Int {
    if let index = drafts[partCount...].firstIndex(where: { $0.part.slot == slot }) { return index }
    drafts.append(Self.draft(slots: slot..<slot + 1, packing))
    return drafts.count - 1
  }

  /// The row of a statistic; appends one if the statistic has none yet. It tries the row after the latest one first,
  /// because lists of features often repeat the same statistics in the same order for every lane.
  private mutating func row(of statistic: Statistic) -> Int {
    let expected = latestRow + 1 < rows.count ? latestRow + 1 : 0
    if expected < rows.count, rows[expected] == statistic {
      latestRow = expected
    } else if let row = rows.firstIndex(of: statistic) {
      latestRow = row
    } else {
      latestRow = rows.count
      rows.append(statistic)
    }
    return latestRow
  }

  // MARK: - Work

  private mutating func plan(_ statistic: Statistic, row: Int, in index: Int) {
    drafts[index].part.needs.formUnion(statistic.needs)
    switch statistic {
    case .autocorrelationLag(let range), .autocorrelationPeak(let range):
      let (lagRow, heightRow) = (self.row(of: .autocorrelationLag(range)), self.row(of: .autocorrelationPeak(range)))
      guard !drafts[index].lags.contains(where: { $0.lagRow == lagRow }) else { return }
      let search = Autocorrelation(length: length, sampleRate: sampleRate, range: range)
      drafts[index].lags.append((search, lagRow, heightRow))
    default:
      guard !drafts[index].outputs.contains(where: { $0.row == row }) else { return }
      var rank = FeaturePlan.Rank(percent: 0, length: length)
      if case .percentile(let percent) = statistic { rank = FeaturePlan.Rank(percent: percent, length: length) }
      drafts[index].outputs.append(
        FeaturePlan.Output(kind: statistic.kind, row: row, bins: statistic.bands.first.map(bins) ?? 0..<0, rank: rank))
    }
  }

  private func bins(of band: ClosedRange<Double>) -> Range<Int> {
    let bins = periodogram.bins(of: band)
    guard runsAlongTime else { return bins }
    let first = periodogram.bins.lowerBound
    return bins.isEmpty ? 0..<0 : bins.lowerBound - first..<bins.upperBound - first
  }

  /// The parts, the series, and the flat lists of their statistics and of their autocorrelation searches.
  var planned: (parts: [FeaturePlan.Part], series: [FeaturePlan.Part], [FeaturePlan.Output], [FeaturePlan.Lags]) {
    var (parts, outputs, lags) = ([FeaturePlan.Part](), [FeaturePlan.Output](), [FeaturePlan.Lags]())
    for draft in drafts {
      var part = draft.part
      part.outputs = outputs.count..<outputs.count + draft.outputs.count
      part.lags = lags.count..<lags.count + draft.lags.count
      let summed = draft.lags.map(\.search.summedLags).filter { !$0.isEmpty }
      let firstLag = summed.map(\.lowerBound).min() ?? 0
      part.summedLags = firstLag..<(summed.map(\.upperBound).max() ?? 0)
      // Sorted rows contain the extrema, so no separate pass is needed.
      if parts.count < partCount, part.needs.contains(.order) { part.needs.remove(.extrema) }
      parts.append(part)
      outputs += draft.outputs
      lags += draft.lags
    }
    return (Array(parts[..<partCount]), Array(parts[partCount...]), outputs, lags)
  }

  /// The highest rank that the lanes along time need; 0 without percentiles.
  var highestSeriesRank: Int {
    let percentiles = drafts[partCount...].flatMap(\.outputs).filter { $0.kind == .percentile }
    return percentiles.map { min($0.rank.below + 1, length - 1) }.max() ?? 0
  }
}

extension Statistic {
  /// The statistic that identifies the table's row. All correlations of neighbouring channels share one row.
  fileprivate var tableStatistic: Statistic {
    if case .correlation = self { .correlation(.attitudeRoll) } else { self }
  }

  /// The statistic without its arguments.
  ///
  /// - Precondition: the statistic is computed as one entry of the table, not from several and not by a search.
  fileprivate var kind: FeaturePlan.Kind {
    switch self {
    case .mean: .mean
    case .standardDeviation: .standardDeviation
    case .minimum: .minimum
    case .maximum: .maximum
    case .range: .range
    case .rms: .rms
    case .energy: .energy
    case .meanAbsoluteDeviation: .meanAbsoluteDeviation
    case .meanAbsoluteDifference: .meanAbsoluteDifference
    case .meanCrossingRate: .meanCrossingRate
    case .skewness: .skewness
    case .kurtosis: .kurtosis
    case .percentile: .percentile
    case .bandPower: .bandPower
    case .bandRMS: .bandRMS
    case .dominantFrequency: .dominantFrequency
    case .spectralCentroid: .spectralCentroid
    case .spectralEntropy: .spectralEntropy
    case .spectralFlatness: .spectralFlatness
    case .correlation: .correlation
    case .interquartileRange, .autocorrelationLag, .autocorrelationPeak, .bandLogRatio, .sphericalVariance:
      preconditionFailure("\(self) is not one value of the table")
    }
  }

  /// Whether the statistic depends on the order of the samples in time, beyond direct neighbours.
  var needsTime: Bool {
    switch self {
    case .autocorrelationLag, .autocorrelationPeak: true
    default: needs.contains(.spectrum)
    }
  }

  /// Whether the statistic depends on every bin of the spectrum.
  var needsWholeSpectrum: Bool { needs.contains(.shape) }

  /// Whether the statistic needs the samples sorted by value.
  var needsOrder: Bool { needs.contains(.order) }

  fileprivate var needs: FeaturePlan.Needs {
    switch self {
    case .mean, .sphericalVariance: .moments
    case .standardDeviation, .rms, .energy: [.moments, .deviations]
    case .meanCrossingRate: [.moments, .deviations, .crossings]
    case .meanAbsoluteDeviation: [.moments, .deviations, .absoluteDeviations]
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
