/// Selects samples of given ranks from one lane by a partial sort.
///
/// The window is laid out as rows of eight samples, and all eight columns are sorted at the same time. Each column is
/// then merged with the one four, two and finally one position away. A merged column keeps only as many samples as the
/// highest rank needs. Both columns of a pair compute the same merge, which costs less than splitting the rows.
struct OrderStatistics: Sendable {
  /// The number of samples in a window.
  private let length: Int
  private let rowCount: Int
  /// The number of samples kept of a column, a power of two.
  private let kept: Int

  /// A plan for windows of `length` samples and ranks up to `highestRank`, from 0.
  init(length: Int, highestRank: Int) {
    let kept = max(SortingNetwork.count, Self.powerOfTwo(from: highestRank + 1))
    let rowCount = kept == SortingNetwork.count ? 0 : (length + 7) / 8
    self.length = length
    self.rowCount = rowCount
    self.kept = kept
  }

  private static func powerOfTwo(from count: Int) -> Int {
    var power = 1
    while power < count { power *= 2 }
    return power
  }

  /// The scratch that a window needs, in groups.
  var scratchCount: Int { max(SortingNetwork.count, 8 * LaneSort.paddedCount(rowCount)) }

  /// Writes the lane's smallest samples, sorted and up to the highest rank, to the first column of `rows`.
  func arrange(_ lane: UnsafePointer<Float>, in rows: UnsafeMutablePointer<LaneGroup>) {
    guard kept > SortingNetwork.count else { return arrangeFew(lane, in: rows) }
    var row = 0
    SeriesKernels.forEachGroup(lane, count: length, filler: .infinity) {
      rows[row] = $0
      row += 1
    }
    LaneSort.sort(rows, count: rowCount)
    var count = min(LaneSort.paddedCount(rowCount), kept)
    for step in 0..<3 {
      if 2 * count <= kept {
        for row in 0..<count { rows[count + row] = Self.exchanged(rows[row], step) }
        count *= 2
        LaneSort.merge(rows, count: count)
      } else {
        Self.keepLesser(rows, count, step)
        Self.sortBitonic(rows, count)
      }
    }
  }

  /// Swaps columns with those four, two or one position away.
  @inline(__always)
  private static func exchanged(_ row: LaneGroup, _ step: Int) -> LaneGroup {
    switch step {
    case 0: LaneGroup(lowHalf: row.highHalf, highHalf: row.lowHalf)
    case 1: LaneGroup(row[2], row[3], row[0], row[1], row[6], row[7], row[4], row[5])
    default: LaneGroup(row[1], row[0], row[3], row[2], row[5], row[4], row[7], row[6])
    }
  }

  /// Keeps the smaller half of each pair of columns, which leaves bitonic columns.
  @inline(__always)
  private static func keepLesser(_ rows: UnsafeMutablePointer<LaneGroup>, _ count: Int, _ step: Int) {
    for row in 0..<count / 2 {
      let (first, last) = (rows[row], rows[count - 1 - row])
      rows[row] = first.lesser(exchanged(last, step))
      rows[count - 1 - row] = last.lesser(exchanged(first, step))
    }
  }

  /// Sorts bitonic columns.
  @inline(__always)
  private static func sortBitonic(_ rows: UnsafeMutablePointer<LaneGroup>, _ count: Int) {
    var distance = count / 2
    while distance > 0 {
      for start in stride(from: 0, to: count, by: 2 * distance) {
        for row in start..<start + distance {
          let (a, b) = (rows[row], rows[row + distance])
          rows[row] = a.lesser(b)
          rows[row + distance] = b.greater(a)
        }
      }
      distance /= 2
    }
  }

  // MARK: - Few samples

  /// Selects up to eight of the smallest samples, four columns at a time in registers.
  private func arrangeFew(_ lane: UnsafePointer<Float>, in rows: UnsafeMutablePointer<LaneGroup>) {
    var least = SortingNetwork(lane, count: length).sorted()
    for start in stride(from: SortingNetwork.sampleCount, to: length, by: SortingNetwork.sampleCount) {
      least = least.lesser(SortingNetwork(lane + start, count: length - start).sorted())
    }
    least = least.lesser(least.map { SIMD4(lowHalf: $0.highHalf, highHalf: $0.lowHalf) })
    least = least.lesser(least.map { SIMD4($0.y, $0.x, $0.w, $0.z) })
    least.store(to: rows)
  }
}

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
