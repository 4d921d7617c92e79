/// Sorting of eight lanes at a time, each on its own, by comparisons that do not depend on the values.
enum LaneSort {
  /// Sorts each lane, ascending.
  ///
  /// Batcher's merge exchange: Knuth, *The Art of Computer Programming* 3, §5.2.2, algorithm M.
  static func sort(_ rows: UnsafeMutablePointer<LaneGroup>, count: Int) {
    guard count > 1 else { return }
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = top
    while p > 0 {
      var (q, r, d) = (top, 0, p)
      while true {
        var start = r
        while start < count - d {
          exchange(rows + start, distance: d, count: min(p, count - d - start))
          start += 2 * p
        }
        if q == p { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
  }

  /// Merges two sorted halves of `count` rows, a power of two: Batcher's odd-even merge.
  static func merge(_ rows: UnsafeMutablePointer<LaneGroup>, count: Int) {
    var distance = count / 2
    exchange(rows, distance: distance, count: distance)
    while distance > 1 {
      distance /= 2
      var start = distance
      while start < count - distance {
        exchange(rows + start, distance: distance, count: distance)
        start += 2 * distance
      }
    }
  }

  /// Puts the lesser of each pair `distance` apart first.
  @inline(__always)
  private static func exchange(_ rows: UnsafeMutablePointer<LaneGroup>, distance: Int, count: Int) {
    for low in 0..<count {
      let (a, b) = (rows[low], rows[low + distance])
      rows[low] = a.lesser(b)
      rows[low + distance] = b.greater(a)
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
    for taken in max(0, rank + 1 - length)...min(rank + 1, length) {
      var greatest = taken > 0 ? first[taken - 1] : second[rank]
      if taken > 0, taken <= rank { greatest = greatest.greater(second[rank - taken]) }
      least = least.lesser(greatest)
    }
    return least
  }
}
