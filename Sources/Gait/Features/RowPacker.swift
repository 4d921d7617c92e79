/// Packs one sample's lanes into a row, and says whether everything needed is there.
///
/// Plain numbers only: it is run for every sample, and arrays would cost a count of their references each time.
struct RowPacker: Sendable {
  private typealias Mask = SIMDMask<SIMD8<Int32>>

  private let isGathered: Bool
  /// For a gathered row, where each slot's value stands in `DerivedLanes`; spare slots take a lane that is always 0.
  private let indices: SIMD8<Int32>
  /// For a row of whole groups, how many there are, which they are, and which of their slots are in use.
  private let groupCount: Int
  private let groups: SIMD4<Int32>
  private let isUsed: (Mask, Mask, Mask)
  /// Which values of a sample must be there.
  private let isNeeded: SIMDMask<SIMD16<Int32>>
  private let needsDirection: Bool
  private let wanted: DerivedLanes.Wanted
  private let rate: Float

  /// - Parameters:
  ///   - sources: for every slot its value's position in `DerivedLanes`.
  ///   - groups: the groups of `DerivedLanes` that rows are made of; `nil` for a gathered row.
  ///   - features: what the rows are for.
  ///   - sampleRate: the rate of the samples.
  init(sources: [Int?], groups: [Int]?, features: [Feature], sampleRate: SampleRate) {
    isGathered = groups == nil
    indices = SIMD8((0..<8).map { Int32(sources[$0] ?? DerivedLanes.alwaysZero) })
    groupCount = groups?.count ?? 1
    var whole = SIMD4<Int32>.zero
    for (index, group) in (groups ?? []).enumerated() { whole[index] = Int32(group) }
    self.groups = whole
    let masks = (0..<3).map { group in
      var mask = Mask()
      for slot in 0..<8 where group * 8 + slot < sources.count { mask[slot] = sources[group * 8 + slot] != nil }
      return mask
    }
    isUsed = (masks[0], masks[1], masks[2])
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
    rate = Float(sampleRate.hertz)
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
      let values = UnsafeRawPointer(lanes)
      if isGathered {
        let floats = values.assumingMemoryBound(to: Float.self)
        let slots = UnsafeMutableRawPointer(packed).assumingMemoryBound(to: Float.self)
        for slot in 0..<8 { slots[slot] = floats[Int(truncatingIfNeeded: indices[slot])] }
      } else {
        let whole = values.assumingMemoryBound(to: LaneGroup.self)
        packed[0] = LaneGroup.zero.replacing(with: whole[Int(groups[0])], where: isUsed.0)
        if groupCount > 1 { packed[1] = LaneGroup.zero.replacing(with: whole[Int(groups[1])], where: isUsed.1) }
        if groupCount > 2 { packed[2] = LaneGroup.zero.replacing(with: whole[Int(groups[2])], where: isUsed.2) }
      }
    }
    let zeros = SIMD16<Float>.zero.replacing(with: row * 0, where: isNeeded)
    let zero = zeros.lowHalf + zeros.highHalf
    let direction = needsDirection ? lanes.derived[3] * 0 : 0
    return (zero.lowHalf + zero.highHalf).sum() + direction == 0
  }
}
