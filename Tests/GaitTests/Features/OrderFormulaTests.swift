import GaitTestSupport
import Testing

@testable import Gait

/// Sorting networks and shared sorted blocks against the standard library's sort, for every size at which another path
/// begins.
@Suite struct OrderFormulaTests {
  /// Numbers with ties, and infinities of neither sign.
  private static func values(_ count: Int, seed: Int) -> [Float] {
    var random = SplitMix64(seed: UInt64(seed))
    let isCoarse = seed % 2 == 0
    return (0..<count).map { _ in
      let value = Float.random(in: -4...4, using: &random)
      return isCoarse ? value.rounded() : value
    }
  }

  @Test func `Sizes are padded to powers of two from 8 on`() {
    for (count, padded) in [(0, 8), (1, 8), (8, 8), (9, 16), (16, 16), (17, 32), (64, 64), (65, 128)] {
      #expect(LaneSort.paddedCount(count) == padded)
    }
  }

  @Test(arguments: Array(1...34) + [63, 64, 65, 128, 130, 256])
  func `Rows are sorted lane by lane`(count: Int) {
    let lanes = (0..<Lanes.scalarCount).map { Self.values(count, seed: 3 * count + $0) }
    let rows = (0..<count).flatMap { row in [Lanes(lanes.map { $0[row] }), Lanes(repeating: -50)] }
    let padded = LaneSort.paddedCount(count)
    var sorted = [Lanes](repeating: .zero, count: padded + 1)
    rows.withUnsafeBufferPointer {
      LaneSort.sort(LaneRows(first: $0.baseAddress!, stride: 2), count: count, into: &sorted)
    }
    var groups = (0..<padded).map { LaneGroup(repeating: $0 < count ? lanes[0][$0] : 0) }
    LaneSort.sort(&groups, count: count)
    for (lane, values) in lanes.enumerated() {
      let expected = values.sorted() + Array(repeating: .infinity, count: padded - count)
      #expect(sorted[..<padded].map { $0[lane] } == expected)
      #expect(sorted[padded] == .zero)
      if lane == 0 { #expect(groups.map { $0[3] } == expected) }
    }
  }

  @Test(arguments: [8, 16, 32, 64, 128, 256])
  func `Two sorted runs are merged`(half: Int) {
    for seed in 0..<4 {
      let (first, second) = (
        Self.values(half, seed: seed).sorted(), Self.values(half, seed: seed + 9).sorted()
      )
      let (a, b) = (first.map { Lanes(repeating: $0) }, second.map { Lanes(repeating: $0) })
      var merged = [Lanes](repeating: .zero, count: 2 * half)
      LaneSort.merge(a, b, count: half, into: &merged)
      #expect(merged.map { $0[0] } == (first + second).sorted())
      var inPlace = a + b
      LaneSort.merge(&inPlace, count: 2 * half)
      #expect(inPlace == merged)
    }
  }

  @Test func `The eight smallest of two sorted eights are kept`() {
    for seed in 0..<20 {
      let (first, second) = (Self.values(8, seed: seed).sorted(), Self.values(8, seed: seed + 50).sorted())
      var rows = first.map { Lanes(repeating: $0) }
      LaneSort.mergeEight(&rows) { Lanes(repeating: second[$0]) }
      #expect(rows.map { $0[1] } == Array((first + second).sorted().prefix(8)))
    }
  }

  @Test func `The smallest samples of one lane are found up to the highest rank`() {
    for length in Array(1...40) + [63, 64, 65, 100, 129] {
      for rank in [0, 1, 6, 7, 8, 9, 14, 15, 16, 17, 31, 32, 33, 62, 63, 64, 99, 128] where rank < length {
        let order = OrderStatistics(length: length, highestRank: rank)
        let lane = Self.values(length, seed: 7 * length + rank)
        let padded = lane + Array(repeating: -99, count: 40)
        var rows = [LaneGroup](repeating: .zero, count: max(16, order.scratchCount))
        order.arrange(padded, in: &rows)
        let found = rows[...rank].map { $0[0] }
        #expect(found == Array(lane.sorted().prefix(rank + 1)), "\(length) samples, rank \(rank)")
      }
      #expect(
        OrderStatistics(length: length, highestRank: 0).scratchCount == 8 * LaneSort.paddedCount((length + 7) / 8))
    }
  }

  @Test func `A percentile is between the two ranks around it`() {
    let cases: [(percent: Double, length: Int, below: Int, fraction: Float)] = [
      (0, 64, 0, 0), (100, 64, 63, 0), (50, 64, 31, 0.5), (50, 65, 32, 0), (25, 5, 1, 0), (30, 6, 1, 0.5),
      (10, 64, 6, 0.3), (99, 2, 0, 0.99),
    ]
    for (percent, length, below, fraction) in cases {
      let rank = FeaturePlan.Rank(percent: percent, length: length)
      #expect(rank.below == below)
      #expect((rank.fraction - fraction).magnitude < 1e-6)
    }
  }

  // MARK: - Shared blocks

  @Test func `Blocks are shared for a hop of 8 or more and a larger window, both powers of two`() {
    let cases: [(length: Int, hop: Int, isSupported: Bool)] = [
      (16, 8, true), (64, 8, true), (64, 32, true), (64, 64, false), (64, 128, false), (8, 8, false), (8, 4, false),
      (64, 4, false), (64, 7, false), (64, 12, false), (60, 16, false), (48, 16, false), (33, 16, false),
      (65, 64, false), (128, 64, true), (96, 32, false), (64, 17, false), (63, 16, false), (64, 9, false),
    ]
    for (length, hop, isSupported) in cases {
      #expect(SortedBlocks.supports(length: length, hop: hop) == isSupported, "\(length) every \(hop)")
    }
  }

  @Test(arguments: [(16, 8), (32, 8), (32, 16), (64, 8), (64, 16), (64, 32), (128, 8), (128, 16), (128, 64)])
  func `Every rank of every window is that of its sorted samples`(length: Int, hop: Int) {
    var parts = [FeaturePlan.Part(slot: 0), FeaturePlan.Part(slot: Lanes.scalarCount)]
    parts.append(FeaturePlan.Part(slot: 2 * Lanes.scalarCount))
    parts[0].needs = [.order, .moments]
    parts[2].needs = .order
    var blocks = SortedBlocks(length: length, hop: hop, parts: parts.count)
    // Enough windows that every ring begins again, and a restart among them.
    let windowCount = 2 * length / hop + 5
    let count = length + hop * windowCount
    let lanes = [0, 2].map { Self.values(count, seed: length + hop + $0 / 2) }
    let rows = (0..<count).flatMap { row in
      [Lanes(repeating: lanes[0][row]), Lanes(repeating: 0), Lanes(repeating: lanes[1][row])]
    }
    for window in 0..<windowCount {
      var first = window * hop
      if window == windowCount - 3 { blocks.restart() }
      if window >= windowCount - 3 { first += hop / 2 }
      rows.withUnsafeBufferPointer { blocks.append($0.baseAddress! + 3 * first, parts) }
      for (register, values) in [(0, lanes[0]), (2, lanes[1])] {
        let sorted = values[first..<first + length].sorted()
        blocks.withWindow(register: register) { rows in
          #expect(rows.least[0] == sorted[0])
          #expect(rows.greatest[0] == sorted[length - 1])
          let ranks = window % 5 == 0 || window > windowCount - 4 ? Array(0..<length) : [0, 1, length / 2, length - 1]
          for rank in ranks {
            let (lower, upper) = rows.values(atRank: rank)
            #expect(lower[0] == sorted[rank], "\(length) every \(hop), window \(window), rank \(rank)")
            #expect(
              upper[1] == sorted[min(rank + 1, length - 1)],
              "\(length) every \(hop), window \(window), rank \(rank)")
          }
        }
      }
    }
  }

  @Test func `One sorted run has its own ends and ranks`() {
    let values = (0..<5).map { Lanes(repeating: Float(2 * $0)) }
    values.withUnsafeBufferPointer { values in
      let rows = SortedRows(first: values.baseAddress!, second: nil, length: 5)
      #expect(rows.least[0] == 0)
      #expect(rows.greatest[0] == 8)
      #expect((0..<5).map { rows.values(atRank: $0).0[0] } == [0, 2, 4, 6, 8])
      #expect((0..<5).map { rows.values(atRank: $0).1[0] } == [2, 4, 6, 8, 8])
      #expect(rows.value(at: FeaturePlan.Rank(percent: 30, length: 5))[0] == 2.4)
      #expect(rows.value(at: FeaturePlan.Rank(percent: 100, length: 5))[0] == 8)
    }
  }
}
