/// Which lanes a list of features needs, and where each stands in a packed row.
///
/// A packed row is a whole number of groups of eight lanes. Up to eight lanes are gathered into one group; more keep the
/// places that they have in `DerivedLanes`, which costs no gathering, and groups that nobody needs are left out.
struct LanePacking: Sendable {
  /// Where each slot's value comes from: its position in `DerivedLanes`; `nil` for a spare slot.
  let sources: [Int?]
  /// The slots that hold angles.
  let angleSlots: [Int]
  /// What packs one sample.
  let packer: RowPacker

  /// The number of groups in a packed row.
  var groupCount: Int { sources.count / 8 }

  init(features: [Feature], sampleRate: SampleRate) {
    let needed = Set(features.flatMap(\.positions)).sorted()
    let hasCorrelations = features.contains { if case .correlation = $0.statistic { true } else { false } }
    let isGathered = needed.count <= 8 && !hasCorrelations
    let groups = (0..<DerivedLanes.groupCount).filter { group in needed.contains { $0 / 8 == group } }
    sources =
      isGathered
      ? (0..<8).map { $0 < needed.count ? needed[$0] : nil }
      : groups.flatMap { group in (group * 8..<group * 8 + 8).map { needed.contains($0) ? $0 : nil } }
    angleSlots = sources.indices.filter { [sources] in sources[$0].map(DerivedLanes.angles.contains) ?? false }
    packer = RowPacker(
      sources: sources, groups: isGathered ? nil : groups, features: features, sampleRate: sampleRate)
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
  /// Where the feature's values stand in `DerivedLanes`.
  fileprivate var positions: [Int] {
    guard case .correlation(let other) = statistic else { return DerivedLanes.positions(of: lane) }
    return DerivedLanes.positions(of: lane) + DerivedLanes.positions(of: .channel(other))
  }
}
