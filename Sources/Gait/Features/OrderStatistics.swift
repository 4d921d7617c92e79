/// Picks samples of given ranks from one lane, without sorting more than it takes.
///
/// The window is laid out as rows of several samples and every column is sorted for itself, all columns at a time. Then
/// columns are merged in pairs, each with the one four, two and at last one place away, and of every merged column only as
/// many samples are kept as the highest wanted rank needs. Columns that have been merged hold the same, so work is done
/// twice; it costs less than taking the rows apart.
struct OrderStatistics: Sendable {
  /// The number of samples in a window.
  private let length: Int
  private let rowCount: Int
  /// How many samples of a column are ever of use, a power of two.
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

  /// How many groups of scratch a window needs.
  var scratchCount: Int { max(SortingNetwork.count, 8 * LaneSort.paddedCount(rowCount)) }

  /// Makes the first column of `rows` hold the lane's least samples in order, up to the highest wanted rank.
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

  /// Columns change places with those four, two or one place away.
  @inline(__always)
  private static func exchanged(_ row: LaneGroup, _ step: Int) -> LaneGroup {
    switch step {
    case 0: LaneGroup(lowHalf: row.highHalf, highHalf: row.lowHalf)
    case 1: LaneGroup(row[2], row[3], row[0], row[1], row[6], row[7], row[4], row[5])
    default: LaneGroup(row[1], row[0], row[3], row[2], row[5], row[4], row[7], row[6])
    }
  }

  /// Keeps the least of each pair of columns: they rise and then fall, or the other way round.
  @inline(__always)
  private static func keepLesser(_ rows: UnsafeMutablePointer<LaneGroup>, _ count: Int, _ step: Int) {
    for row in 0..<count / 2 {
      let (first, last) = (rows[row], rows[count - 1 - row])
      rows[row] = first.lesser(exchanged(last, step))
      rows[count - 1 - row] = last.lesser(exchanged(first, step))
    }
  }

  /// Sorts columns that rise and then fall, or the other way round.
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

  // MARK: - A few

  /// Up to eight of the least, four columns at a time in the processor's registers.
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
