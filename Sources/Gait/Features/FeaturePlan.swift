/// What has to be computed for a list of features, worked out once for a window length and rate. It never changes, so
/// copies of a stream share it.
///
/// Results stand in a table with one row of packed lanes for each distinct statistic; a feature is a place in the table, or
/// a few places and a formula. Statistics that many lanes need are computed several lanes at a time; those of a few lanes, and
/// bands and lags of one or two, are computed along time, eight samples at a time.
final class FeaturePlan: Sendable {
  /// Work on one part of the packed rows, as many lanes as a register holds.
  struct Part: Sendable {
    /// Which register of a packed row it is.
    let register: Int
    let needs: Needs
    /// π in lanes that are angles, infinity in others.
    let angleLimits: Lanes
    /// Whether some lane of it is an angle.
    var hasAngles: Bool { any(angleLimits .< Lanes(repeating: .infinity)) }
    /// Which of `partOutputs` are the part's.
    let outputs: Range<Int>
    /// Which of `partLags` are the part's.
    let lags: Range<Int>
  }

  /// Work on one or two lanes that leave most of a register empty: it waits until as many windows have come as fill one.
  struct Fold: Sendable {
    /// How many windows fill a register.
    static let windowCount = Lanes.scalarCount / 2
    /// The work on these lanes.
    let part: Part
    /// The first of two slots that hold them.
    let slot: Int
    /// The work that does not wait: other parts, and the means of other lanes of this one.
    let others: [Part]
  }

  /// What to put into which row of the table.
  typealias PartOutput = (output: LaneOutput, row: Int)
  /// Which lags to look for, and the rows for the lag and the height.
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
    /// What is left without the mean.
    static let deviations = Needs(rawValue: 256)
    /// What lies above the mean, and what below.
    static let sides = Needs(rawValue: 512)
    /// Σ of the distances from the mean.
    static let distances = Needs(rawValue: 1024)
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

  /// A place among the sorted samples.
  struct Rank: Sendable {
    let below: Int
    let fraction: Float

    init(percent: Double, length: Int) {
      let position = percent / 100 * Double(length - 1)
      below = Int(position)
      fraction = Float(position - Double(below))
    }
  }

  /// Work on one lane along time.
  struct Series: Sendable {
    let slot: Int
    let isAngle: Bool
    let needs: Needs
    /// Which of `seriesOutputs` are the lane's.
    let outputs: Range<Int>
    /// Which of `seriesLags` are the lane's.
    let lags: Range<Int>
  }

  /// What to put where in the table.
  typealias SeriesOutput = (output: LaneOutput, place: Int)
  /// Which lags to look for, and where the lag and the height go.
  typealias SeriesLags = (search: Autocorrelation, lagPlace: Int, heightPlace: Int)

  /// How a feature is read off the table, before its transform.
  enum Read: Sendable {
    case place(Int)
    case difference(Int, Int)
    case logRatio(Int, Int, offset: Float)
    case sphericalVariance(Int, Int, Int)
  }

  let length: Int
  let packing: LanePacking
  /// Transforms a part; `nil` where none needs a spectrum.
  let fourier: BatchedRealFFT?
  let spectrum: LaneSpectrum
  /// Picks ranks of one lane.
  let order: OrderStatistics
  /// Transforms one lane, for the bins that some band needs.
  let periodogram: Periodogram
  let parts: [Part]
  let partOutputs: [PartOutput]
  let partLags: [PartLags]
  /// What may wait for other windows; `nil` where all lanes fill their registers.
  let fold: Fold?
  /// See `Autocorrelation.unbiased(length:)`.
  let unbiased: [Float]
  let series: [Series]
  let seriesOutputs: [SeriesOutput]
  let seriesLags: [SeriesLags]
  /// Where in the table each feature stands; for `otherReads` any place.
  let places: [Int32]
  /// The features that are more than a place in the table.
  let otherReads: [(feature: Int, read: Read, transform: Transform)]
  /// How many rows the table has, one for each distinct statistic.
  let rowCount: Int

  /// A plan for `features` over windows of `length` samples at `sampleRate`.
  init(features: [Feature], length: Int, sampleRate: SampleRate) {
    var planner = FeaturePlanner(features: features, length: length, sampleRate: sampleRate)
    let reads = features.map { planner.read(for: $0) }
    self.length = length
    packing = planner.packing
    periodogram = planner.periodogram
    spectrum = planner.spectrum
    (parts, partOutputs, partLags, fold) = planner.plannedParts
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

  /// Whether what is computed of a window follows from what is known of its halves.
  var canJoinHalves: Bool { !parts.isEmpty && partLags.allSatisfy { $0.search.canJoinBlocks(of: length / 2) } }

  /// A lane that never changes leaves nothing but rounding behind; that is no signal. A spread of 4e-7, of the mean or of a
  /// g or rad/s, is a few units in a Float's last place and far below what any sensor resolves.
  @inline(__always)
  static func leastVariance(mean: Float) -> Float { 1.6e-13 * (1 + mean * mean) }

  /// The same of several lanes.
  @inline(__always)
  static func leastVariance(mean: Lanes) -> Lanes { 1.6e-13 * (1 + mean * mean) }
}
