import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite("Binned columns")
struct BinnedColumnsTests {
  @Test("radix sort sorts by the upper half and keeps the order of equal keys, at all small sizes")
  func radixSort() {
    var generator = SplitMix64(seed: 1)
    for count in 0...70 {
      for range: ClosedRange<UInt64> in [0...3, 0...0xFFFF_FFFF] {
        var source = (0..<count).map { UInt64.random(in: range, using: &generator) << 32 | UInt64($0) }
        // The lower half is ascending, so sorting whole words equals a stable sort by the upper half.
        let expected = source.sorted()
        var target = [UInt64](repeating: 0, count: count)
        source.withUnsafeMutableBufferPointer { source in
          target.withUnsafeMutableBufferPointer { RadixSort.sortByUpperHalf(source, into: $0) }
        }
        #expect(target == expected, "\(count) keys")
      }
    }
  }

  @Test(
    "bins ascend with the values, and equal values share a bin", .requiresOptimization, arguments: [1, 3, 8, 9, 70])
  func bins(columns: Int) {
    for (rows, values) in [(1, 1), (2, 2), (40, 7), (700, 1000), (5000, 100_000)] {
      let data = FittingSamples.noise(
        rows: rows, features: columns, labels: 2, values: values, seed: UInt64(columns * rows))
      let bins = BinnedColumns(data.matrix)
      for column in 0..<columns {
        let sorted = (0..<rows).map { (data.matrix.values[$0 * columns + column], bins.bin(row: $0, column: column)) }
          .sorted { $0.0 < $1.0 }
        for (lower, upper) in zip(sorted, sorted.dropFirst()) {
          #expect(lower.1 <= upper.1, "bins rise with the values")
          if lower.0 == upper.0 { #expect(lower.1 == upper.1, "equal values share a bin") }
        }
        let distinct = Set(sorted.map(\.0)).count
        let used = Set(sorted.map(\.1)).count
        #expect(distinct <= 256 ? used == distinct : used > 200, "\(distinct) values in \(used) bins")
      }
    }
  }

  @Test("a value in half of the windows has its own bin, and the others fill the rest evenly")
  func heavyValue() {
    var generator = SplitMix64(seed: 3)
    let values = (0..<4000).map { $0 % 2 == 0 ? Float(0) : Float.random(in: -1...1, using: &generator) }
    let bins = BinnedColumns(FeatureMatrix(columnCount: 1, values: values))
    var counts = [Int](repeating: 0, count: 256)
    for row in 0..<4000 { counts[bins.bin(row: row, column: 0)] += 1 }
    let heavy = bins.bin(row: 0, column: 0)
    #expect(counts[heavy] == 2000)
    #expect(counts.enumerated().allSatisfy { $0.offset == heavy || $0.element <= 20 }, "\(counts)")
  }
}
