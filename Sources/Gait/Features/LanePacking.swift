/// Which lanes a list of features needs, and where each stands in a packed row.
///
/// A packed row is a whole number of groups of eight lanes. Up to eight lanes are gathered into one group; more keep the
/// places that they have in `DerivedLanes`, which costs no gathering, and groups that nobody needs are left out.
struct LanePacking: Sendable {
  /// Where each slot's value comes from: its position in `DerivedLanes`; `nil` for a spare slot.
  let sources: [Int?]
  /// The slots that hold angles.
  let angleSlots: [Int]
  /// The sample rate, hertz, which turns differences into jerk.
  let rate: Float

  private let isGathered: Bool
  private let gathered: [Int]
  private let groups: [Int]
  /// For each group, which slots are in use; the others are stored as 0, whatever the sample holds.
  private let isUsed: [SIMDMask<SIMD8<Int32>>]

  /// The number of groups in a packed row.
  var groupCount: Int { isUsed.count }

  init(features: [Feature], sampleRate: SampleRate) {
    let needed = Set(features.flatMap(\.positions)).sorted()
    let hasCorrelations = features.contains { if case .correlation = $0.statistic { true } else { false } }
    isGathered = needed.count <= 8 && !hasCorrelations
    gathered = needed
    groups = isGathered ? [0] : (0..<DerivedLanes.groupCount).filter { group in needed.contains { $0 / 8 == group } }
    let sources: [Int?] =
      isGathered
      ? (0..<8).map { $0 < needed.count ? needed[$0] : nil }
      : groups.flatMap { group in (group * 8..<group * 8 + 8).map { needed.contains($0) ? $0 : nil } }
    self.sources = sources
    angleSlots = sources.indices.filter { sources[$0].map(DerivedLanes.angles.contains) ?? false }
    isUsed = (0..<sources.count / 8).map { group in
      var mask = SIMDMask<SIMD8<Int32>>()
      for slot in 0..<8 { mask[slot] = sources[group * 8 + slot] != nil }
      return mask
    }
    rate = Float(sampleRate.hertz)
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
  func pack(_ lanes: DerivedLanes, into packed: UnsafeMutablePointer<LaneGroup>) -> Bool {
    withUnsafePointer(to: lanes) { lanes in
      if isGathered {
        let values = UnsafeRawPointer(lanes).assumingMemoryBound(to: Float.self)
        let slots = UnsafeMutableRawPointer(packed).assumingMemoryBound(to: Float.self)
        packed[0] = .zero
        gathered.withUnsafeBufferPointer { for slot in $0.indices { slots[slot] = values[$0[slot]] } }
        return (packed[0] * 0).sum() == 0
      }
      let values = UnsafeRawPointer(lanes).assumingMemoryBound(to: LaneGroup.self)
      var zero = LaneGroup.zero
      for index in 0..<groups.count {
        packed[index] = LaneGroup.zero.replacing(with: values[groups[index]], where: isUsed[index])
        zero += packed[index] * 0
      }
      return zero.sum() == 0
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
