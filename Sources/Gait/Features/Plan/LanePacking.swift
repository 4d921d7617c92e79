/// The lanes that a list of features needs, and their layout in memory.
///
/// A few lanes are stored one after another, each contiguous in time, and processed eight samples at a time. Many
/// lanes, or those whose features need a whole spectrum or a correlation, are packed into rows of whole groups of eight
/// lanes and processed eight lanes at a time. Up to eight lanes are gathered into one group; more keep their columns in
/// `DerivedLanes`, without the unused groups.
struct LanePacking: Sendable {
  /// The column in `DerivedLanes` of each slot's value; `nil` for an unused slot.
  let sources: [Int?]
  /// Whether each lane is contiguous in time.
  let isColumnar: Bool
  /// The slots of angles.
  let angleSlots: [Int]

  /// The number of groups in a packed row.
  var groupCount: Int { (sources.count + 7) / 8 }

  init(features: [Feature]) {
    let needed = Set(features.flatMap(\.positions)).sorted()
    let hasCorrelations = features.contains { if case .correlation = $0.statistic { true } else { false } }
    let isGathered = needed.count <= 8 && !hasCorrelations
    isColumnar = isGathered && Self.runsAlongTime(features)
    if isColumnar {
      sources = needed
    } else if isGathered {
      sources = (0..<8).map { $0 < needed.count ? needed[$0] : nil }
    } else {
      let groups = (0..<DerivedLanes.count / 8).filter { group in needed.contains { $0 / 8 == group } }
      sources = groups.flatMap { group in (group * 8..<group * 8 + 8).map { needed.contains($0) ? $0 : nil } }
    }
    angleSlots = sources.indices.filter { [sources] in sources[$0].map(DerivedLanes.angles.contains) ?? false }
  }

  /// Whether one lane at a time costs less than eight: always for sums, for up to two lanes for bands, lags and
  /// sorting.
  private static func runsAlongTime(_ features: [Feature]) -> Bool {
    func lanes(_ isMeant: (Statistic) -> Bool) -> Set<Lane> {
      Set(features.filter { isMeant($0.statistic) }.map(\.lane))
    }
    return lanes(\.needsWholeSpectrum).isEmpty && lanes(\.needsTime).count <= 2 && lanes(\.needsOrder).count <= 2
  }

  /// The slots of a lane: one, or three for the direction of gravity.
  func slots(of lane: Lane) -> [Int] {
    DerivedLanes.positions(of: lane).map { position in
      guard let slot = sources.firstIndex(of: position) else { preconditionFailure("\(lane) was not packed") }
      return slot
    }
  }
}

extension Feature {
  /// The columns in `DerivedLanes` that the feature is computed from.
  fileprivate var positions: [Int] {
    guard case .correlation(let other) = statistic else { return DerivedLanes.positions(of: lane) }
    return DerivedLanes.positions(of: lane) + DerivedLanes.positions(of: .channel(other))
  }
}
