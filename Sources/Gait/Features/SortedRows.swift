/// The sorted rows of a window: one sorted run, or two from which ranks are selected without merging.
struct SortedRows {
  let first: UnsafePointer<Lanes>
  let second: UnsafePointer<Lanes>?
  /// The number of rows in a run.
  let length: Int

  var least: Lanes { second.map { first[0].lesser($0[0]) } ?? first[0] }
  var greatest: Lanes { second.map { first[length - 1].greater($0[length - 1]) } ?? first[length - 1] }

  /// The same rows with `firstTurns` added to the first run and `secondTurns` to the second; `copy` has room for both.
  func adding(turns firstTurns: Lanes, _ secondTurns: Lanes, into copy: UnsafeMutablePointer<Lanes>) -> SortedRows {
    guard let second else { return self }
    for row in 0..<length {
      copy[row] = first[row] + firstTurns
      copy[length + row] = second[row] + secondTurns
    }
    return SortedRows(first: copy, second: copy + length, length: length)
  }

  /// The value at a rank, interpolated between two rows.
  func value(at rank: FeaturePlan.Rank) -> Lanes {
    let (lower, upper) = values(atRank: rank.below)
    return lower + (upper - lower) * rank.fraction
  }

  /// The values of ranks `rank` and `rank` + 1 (from 0); for the last rank its value twice.
  func values(atRank rank: Int) -> (Lanes, Lanes) {
    guard let second else { return (first[rank], first[min(rank + 1, length - 1)]) }
    return Self.select(rank, first, second, length: length)
  }

  /// Selects a rank of the runs a and b. If i of the smallest rank + 1 values come from a, the greatest of them is
  /// max(a[i−1], b[rank−i]); the correct i minimises it.
  private static func select(
    _ rank: Int, _ first: UnsafePointer<Lanes>, _ second: UnsafePointer<Lanes>, length: Int
  ) -> (Lanes, Lanes) {
    let infinity = Lanes(repeating: .infinity)
    // All values from one run, if it is long enough; then some from each.
    var lower = rank < length ? first[rank].lesser(second[rank]) : infinity
    var upper = rank + 1 < length ? first[rank + 1].lesser(second[rank + 1]) : infinity
    var taken = max(1, rank + 1 - length)
    let most = min(rank, length)
    var above = rank + 1 - taken < length ? second[rank + 1 - taken] : infinity
    while taken < most {
      let (mine, other) = (first + taken, second + (rank &- taken))
      lower = lower.lesser(mine[-1].greater(other[0])).lesser(mine[0].greater(other[-1]))
      upper = upper.lesser(mine[-1].greater(above)).lesser(mine[0].greater(other[0]))
      above = other[-1]
      taken &+= 2
    }
    if taken == most {
      let (mine, other) = (first[taken - 1], second[rank - taken])
      lower = lower.lesser(mine.greater(other))
      upper = upper.lesser(mine.greater(above))
      above = other
    }
    if rank < length { upper = upper.lesser(first[rank].greater(above)) }
    return (lower, rank + 1 < 2 * length ? upper : lower)
  }
}
