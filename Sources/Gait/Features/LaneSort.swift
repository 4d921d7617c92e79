/// Sorting of eight lanes at a time, each on its own, by comparisons that do not depend on the values.
///
/// The comparisons are listed once for a number of rows; running the list costs less than working it out each time.
struct LaneSort: Sendable {
  /// The pairs of rows to compare, in order; the lesser value goes to the first of each.
  private let pairs: [(first: Int32, second: Int32)]

  /// A sort of `count` rows: Batcher's merge exchange (Knuth, *The Art of Computer Programming* 3, §5.2.2, algorithm M).
  init(sorting count: Int) {
    var pairs: [(Int32, Int32)] = []
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = count > 1 ? top : 0
    while p > 0 {
      var (q, r, d) = (top, 0, p)
      while true {
        for row in 0..<count - d where row & p == r { pairs.append((Int32(row), Int32(row + d))) }
        if q == p { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
    self.pairs = pairs
  }

  /// A merge of two sorted halves of `count` rows, a power of two: Batcher's odd-even merge.
  init(merging count: Int) {
    var pairs = (0..<count / 2).map { (Int32($0), Int32($0 + count / 2)) }
    var distance = count / 4
    while distance > 0 {
      for start in stride(from: distance, to: count - distance, by: 2 * distance) {
        pairs += (start..<start + distance).map { (Int32($0), Int32($0 + distance)) }
      }
      distance /= 2
    }
    self.pairs = pairs
  }

  /// Runs the comparisons on `rows`.
  func callAsFunction(_ rows: UnsafeMutablePointer<LaneGroup>) {
    pairs.withUnsafeBufferPointer { pairs in
      for pair in pairs {
        let (first, second) = (rows + Int(pair.first), rows + Int(pair.second))
        let (a, b) = (first.pointee, second.pointee)
        first.pointee = a.lesser(b)
        second.pointee = b.greater(a)
      }
    }
  }

  /// The value of rank `rank` (from 0) among two sorted runs of `length` rows each, without merging them.
  ///
  /// If i of the smallest rank + 1 values come from the first run, the greatest of them is max(a[i−1], b[rank−i]); the
  /// right i is the one that makes it least.
  static func select(
    _ rank: Int, _ first: UnsafePointer<LaneGroup>, _ second: UnsafePointer<LaneGroup>, length: Int
  ) -> LaneGroup {
    var least = LaneGroup(repeating: .infinity)
    // All from one run, where it is long enough; then some from each.
    if rank < length { least = first[rank].lesser(second[rank]) }
    var taken = max(1, rank + 1 - length)
    let most = min(rank, length)
    while taken <= most {
      least = least.lesser(first[taken - 1].greater(second[rank - taken]))
      taken += 1
    }
    return least
  }
}
