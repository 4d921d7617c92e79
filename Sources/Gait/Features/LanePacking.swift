/// Which lanes a list of features needs, and where each stands in a packed row.
///
/// A packed row is a whole number of `SIMD4<Float>` groups. Lanes that need the same work stand together, so that a
/// kernel runs over as few groups as possible.
struct LanePacking: Sendable {
  /// The work that a lane needs beyond being there.
  struct Work: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// Mean and the sums of squares about it.
    static let moments = Work(rawValue: 1)
    /// Smallest and largest value.
    static let extrema = Work(rawValue: 2)
    /// Crossings of the mean.
    static let crossings = Work(rawValue: 4)
    /// The values in order.
    static let order = Work(rawValue: 8)
  }

  /// For every slot of the packed row, the position of its value in `DerivedLanes`.
  let sources: [Int]
  /// For every group of four slots, the work that any of its lanes needs.
  let work: [Work]
  /// The slots that hold angles.
  let angleSlots: [Int]
  /// The sample rate, hertz, which turns differences into jerk.
  let rate: Float

  /// The number of `SIMD4` groups in a packed row.
  var groupCount: Int { work.count }

  init(features: [Feature], sampleRate: SampleRate) {
    var workOfSource: [Int: Work] = [:]
    for feature in features {
      for source in DerivedLanes.positions(of: feature.lane) {
        workOfSource[source, default: []].formUnion(feature.statistic.work)
      }
    }
    let ordered = workOfSource.sorted { ($0.value.rawValue, $0.key) < ($1.value.rawValue, $1.key) }
    let groupCount = (ordered.count + 3) / 4
    var work = [Work](repeating: [], count: groupCount)
    for (slot, entry) in ordered.enumerated() { work[slot / 4].formUnion(entry.value) }
    self.sources = ordered.map(\.key)
    self.work = work
    self.angleSlots = ordered.indices.filter { DerivedLanes.angles.contains(ordered[$0].key) }
    self.rate = Float(sampleRate.hertz)
  }

  /// The slots of a lane: one, or three for the direction of gravity.
  func slots(of lane: Lane) -> [Int] {
    DerivedLanes.positions(of: lane).map { position in
      guard let slot = sources.firstIndex(of: position) else { preconditionFailure("\(lane) was not packed") }
      return slot
    }
  }

  /// Packs a sample's lanes.
  ///
  /// - Parameters:
  ///   - lanes: the sample's lanes.
  ///   - packed: receives the row, shape `[groupCount]`.
  /// - Returns: whether every packed value is finite.
  @inline(__always)
  func pack(_ lanes: DerivedLanes, into packed: UnsafeMutablePointer<SIMD4<Float>>) -> Bool {
    for group in 0..<groupCount { packed[group] = .zero }
    sources.withUnsafeBufferPointer { sources in
      withUnsafePointer(to: lanes) { lanes in
        let values = UnsafeRawPointer(lanes).assumingMemoryBound(to: Float.self)
        let slots = UnsafeMutableRawPointer(packed).assumingMemoryBound(to: Float.self)
        for slot in sources.indices { slots[slot] = values[sources[slot]] }
      }
    }
    var zero = SIMD4<Float>.zero
    for group in 0..<groupCount { zero += packed[group] * 0 }
    return zero == .zero
  }
}

extension Statistic {
  /// The lane-parallel work that the statistic is made from.
  var work: LanePacking.Work {
    switch self {
    case .mean, .standardDeviation, .rms, .sphericalVariance: .moments
    case .minimum, .maximum: .extrema
    case .meanCrossingRate: [.moments, .crossings]
    case .percentile: .order
    case .bandRMS, .bandLogRatio, .autocorrelationLag: .moments
    }
  }
}
