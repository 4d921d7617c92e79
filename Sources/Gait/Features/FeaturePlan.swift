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

  /// One or two lanes that leave most of a register empty, and are therefore computed for several windows at a time.
  struct Deferral: Sendable {
    /// The number of windows that fill a register.
    static let windowCount = Lanes.scalarCount / 2
    /// The statistics of these lanes.
    let part: Part
    /// The first of the two slots of these lanes.
    let slot: Int
    /// What is computed window by window: other parts, and the means of this part's other lanes.
    let others: [Part]
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
  /// The part that can be computed for several windows at a time; `nil` if there is none.
  let deferral: Deferral?
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
    (parts, partOutputs, partLags, deferral) = planner.plannedParts
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
