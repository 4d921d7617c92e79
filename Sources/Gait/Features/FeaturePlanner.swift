/// Works out a `FeaturePlan`: where each value stands in the table, and what work puts it there.
struct FeaturePlanner {
  let packing: LanePacking
  let spectrum: LaneSpectrum
  let periodogram: Periodogram
  private(set) var groups: [FeaturePlan.Group]
  private(set) var series: [FeaturePlan.Series] = []
  /// The distinct statistics, one for each row of the table.
  private(set) var rows: [Statistic] = []
  private let length: Int
  private let sampleRate: SampleRate
  /// Whether what needs time is computed for one lane at a time.
  private let runsAlongTime: Bool

  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    packing = LanePacking(features: features, sampleRate: sampleRate)
    self.length = length
    self.sampleRate = sampleRate
    groups = Array(repeating: FeaturePlan.Group(), count: packing.groupCount)
    let temporal = features.filter(\.statistic.needsTime)
    runsAlongTime = Set(temporal.map(\.lane)).count <= 2 && !temporal.contains(where: \.statistic.needsWholeSpectrum)
    periodogram = Periodogram(
      length: length, sampleRate: sampleRate, bands: runsAlongTime ? temporal.flatMap(\.statistic.bands) : [])
    spectrum = LaneSpectrum(
      resolution: Float(periodogram.resolution), lastBin: Periodogram.transformLength(for: length) / 2)
  }

  // MARK: - Places

  /// How a feature is read off the table; plans the work for it.
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

  /// Of two channels of a sensor, the one that the other follows: x → y → z → x.
  private func correlationSlot(_ first: Int, _ second: Int) -> Int {
    (first % 4 + 1) % 3 == second % 4 ? first : second
  }

  /// Where the statistic of the lane in `slot` stands in the table; plans the work for it where nobody has asked yet.
  private mutating func place(of statistic: Statistic, slot: Int) -> Int {
    let row = row(of: statistic.tableStatistic)
    let place = row * packing.groupCount * 8 + slot
    if statistic.needsTime, runsAlongTime {
      plan(statistic, alongTimeOf: slot, place: place)
    } else {
      plan(statistic, group: slot / 8, row: row)
    }
    return place
  }

  private mutating func row(of statistic: Statistic) -> Int {
    if let row = rows.firstIndex(of: statistic) { return row }
    rows.append(statistic)
    return rows.count - 1
  }

  // MARK: - Work

  private mutating func plan(_ statistic: Statistic, alongTimeOf slot: Int, place: Int) {
    groups[slot / 8].needs.insert(.moments)
    if !series.contains(where: { $0.slot == slot }) { series.append(FeaturePlan.Series(slot: slot)) }
    let index = series.firstIndex { $0.slot == slot }!
    switch statistic {
    case .bandPower(let band), .bandRMS(let band):
      guard !series[index].bands.contains(where: { $0.place == place }) else { return }
      var isRMS = false
      if case .bandRMS = statistic { isRMS = true }
      let bins = periodogram.bins(of: band)
      let first = periodogram.bins.lowerBound
      series[index].bands.append(
        (bins.isEmpty ? 0..<0 : bins.lowerBound - first..<bins.upperBound - first, isRMS, place))
    case .autocorrelationLag(let range), .autocorrelationPeak(let range):
      let rowLength = packing.groupCount * 8
      let (lagPlace, heightPlace) = (
        row(of: .autocorrelationLag(range)) * rowLength + slot, row(of: .autocorrelationPeak(range)) * rowLength + slot
      )
      guard !series[index].lags.contains(where: { $0.lagPlace == lagPlace }) else { return }
      let search = Autocorrelation(length: length, sampleRate: sampleRate, range: range)
      series[index].lags.append((search, lagPlace, heightPlace))
    default: preconditionFailure("\(statistic) is not computed along time")
    }
  }

  private mutating func plan(_ statistic: Statistic, group: Int, row: Int) {
    groups[group].needs.formUnion(statistic.needs)
    if case .autocorrelationLag(let range) = statistic { return planLags(range, group: group) }
    if case .autocorrelationPeak(let range) = statistic { return planLags(range, group: group) }
    guard !groups[group].outputs.contains(where: { $0.row == row }) else { return }
    groups[group].outputs.append((output(of: statistic), row))
  }

  private mutating func planLags(_ range: ClosedRange<Double>, group: Int) {
    let (lagRow, heightRow) = (row(of: .autocorrelationLag(range)), row(of: .autocorrelationPeak(range)))
    guard !groups[group].lags.contains(where: { $0.lagRow == lagRow }) else { return }
    let search = Autocorrelation(length: length, sampleRate: sampleRate, range: range)
    groups[group].lags.append((search, lagRow, heightRow))
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
      preconditionFailure("\(statistic) is no row of the table by itself")
    }
  }

  private func bins(of band: ClosedRange<Double>) -> Range<Int> {
    periodogram.bins(of: band)
  }
}

extension Statistic {
  /// The statistic that heads the table's row: all correlations of neighbours share one.
  fileprivate var tableStatistic: Statistic {
    if case .correlation = self { .correlation(.attitudeRoll) } else { self }
  }

  /// Whether the order of the samples in time matters to it, beyond neighbours.
  fileprivate var needsTime: Bool {
    switch self {
    case .autocorrelationLag, .autocorrelationPeak: true
    default: needsSpectrum
    }
  }

  fileprivate var needsSpectrum: Bool { !bands.isEmpty || needsWholeSpectrum }

  fileprivate var needsWholeSpectrum: Bool {
    switch self {
    case .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness: true
    default: false
    }
  }

  fileprivate var needs: FeaturePlan.Needs {
    switch self {
    case .mean, .standardDeviation, .rms, .energy, .sphericalVariance, .meanCrossingRate: .moments
    case .meanAbsoluteDeviation, .skewness, .kurtosis: [.moments, .higherMoments]
    case .minimum, .maximum, .range: .extrema
    case .meanAbsoluteDifference: []
    case .percentile, .interquartileRange: .order
    case .correlation: [.moments, .correlation]
    case .autocorrelationLag, .autocorrelationPeak: .moments
    case .bandPower, .bandRMS, .bandLogRatio: [.moments, .spectrum]
    case .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness: [.moments, .spectrum, .shape]
    }
  }
}
