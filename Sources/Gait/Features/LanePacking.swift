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
  /// Which values of a sample must be there.
  private let isNeeded: SIMDMask<SIMD16<Int32>>
  private let needsDirection: Bool
  /// Which derived lanes must be computed.
  private let wanted: DerivedLanes.Wanted

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
    var isNeeded = SIMDMask<SIMD16<Int32>>()
    for channel in features.flatMap(\.lane.neededChannels) { isNeeded[channel.lane] = true }
    for case .correlation(let channel) in features.map(\.statistic) { isNeeded[channel.lane] = true }
    self.isNeeded = isNeeded
    let lanes = Set(features.map(\.lane))
    needsDirection = !lanes.isDisjoint(with: [.vertical, .horizontal, .gravityDirection])
    var wanted: DerivedLanes.Wanted = []
    if lanes.contains(.jerk) { wanted.insert(.jerk) }
    if lanes.contains(.rotationRateMagnitude) { wanted.insert(.rotation) }
    if lanes.contains(.horizontal) { wanted.insert(.horizontal) }
    self.wanted = wanted
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
  ///   - row: the sample, laid out as `MotionSample.row`.
  ///   - previous: the user acceleration of the sample before; the sample's own at the start of a stream.
  ///   - packed: receives the row, shape `[groupCount]`.
  /// - Returns: whether every value that the features need is there. Gravity of length 0, as a sensor delivers that is not
  ///   ready, has no direction and counts as missing.
  @inline(__always)
  func pack(
    _ row: SIMD16<Float>, after previous: SIMD4<Float>, into packed: UnsafeMutablePointer<LaneGroup>
  ) -> Bool {
    let lanes = DerivedLanes(row, after: previous, rate: rate, wanted: wanted)
    withUnsafePointer(to: lanes) { lanes in
      if isGathered {
        let values = UnsafeRawPointer(lanes).assumingMemoryBound(to: Float.self)
        let slots = UnsafeMutableRawPointer(packed).assumingMemoryBound(to: Float.self)
        gathered.withUnsafeBufferPointer { for slot in $0.indices { slots[slot] = values[$0[slot]] } }
      } else {
        let values = UnsafeRawPointer(lanes).assumingMemoryBound(to: LaneGroup.self)
        for index in 0..<groups.count {
          packed[index] = LaneGroup.zero.replacing(with: values[groups[index]], where: isUsed[index])
        }
      }
    }
    let zeros = SIMD16<Float>.zero.replacing(with: row * 0, where: isNeeded)
    let zero = zeros.lowHalf + zeros.highHalf
    let direction = needsDirection ? lanes.derived[3] * 0 : 0
    return (zero.lowHalf + zero.highHalf).sum() + direction == 0
  }
}

extension Feature {
  /// Where the feature's values stand in `DerivedLanes`.
  fileprivate var positions: [Int] {
    guard case .correlation(let other) = statistic else { return DerivedLanes.positions(of: lane) }
    return DerivedLanes.positions(of: lane) + DerivedLanes.positions(of: .channel(other))
  }
}
