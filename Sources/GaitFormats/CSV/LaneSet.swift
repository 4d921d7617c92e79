/// A set of lanes of a row, which has sixteen.
struct LaneSet: Equatable {
  private var bits: UInt16 = 0

  /// The lanes with these indices, `0..<16`.
  init(_ lanes: some Sequence<Int> = []) {
    for lane in lanes { insert(lane) }
  }

  var isEmpty: Bool { bits == 0 }

  func contains(_ lane: Int) -> Bool { bits >> UInt16(lane) & 1 == 1 }

  mutating func insert(_ lane: Int) { bits |= 1 << UInt16(lane) }
}
