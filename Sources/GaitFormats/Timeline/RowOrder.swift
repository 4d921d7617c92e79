import Gait

/// The order of a file's rows in time, and which rows are dropped.
///
/// Rows without a time are dropped. Rows after a clock that was set back are moved behind the rest (`ClockSetBack`).
/// Then rows are sorted by time. Of rows with the same time, the first in the file is kept.
struct RowOrder {
  /// The rows that are kept, in order of time.
  private(set) var rows: [Int]
  /// The rows' times, shape of `rows`; they rise strictly.
  private(set) var times: [Int64]
  /// The repairs, in the order above.
  private(set) var repairs: [Repair] = []
  /// The number of rows that were dropped although they differ from the kept row of the same time.
  private(set) var contradictionCount = 0

  /// Whether all rows have a time and times rise strictly.
  static func isInOrder(_ times: [Int64]) -> Bool {
    guard let first = times.first, first != .min else { return times.isEmpty }
    return times.withUnsafeBufferPointer { times in
      for index in 1..<times.count where times[index] <= times[index - 1] { return false }
      return true
    }
  }

  /// The order of rows with these times, `Int64.min` where a row has none.
  ///
  /// - Throws: `TimingProblem.tooLong` if moved times are out of range.
  init(times: [Int64], content: [SIMD16<Float>]) throws(TimingProblem) {
    rows = times.indices.filter { times[$0] != .min }
    if rows.count < times.count { repairs.append(.droppedRowsWithoutTime(count: times.count - rows.count)) }
    self.times = rows.map { times[$0] }
    if let setBack = try ClockSetBack(
      times: self.times, content: rows.count == times.count ? content : rows.map { content[$0] })
    {
      self.times = setBack.times
      repairs.append(.movedRowsAfterClockSetBack(count: setBack.count, seconds: setBack.longestSeconds))
    }
    sort(content)
  }

  private mutating func sort(_ content: [SIMD16<Float>]) {
    let (rows, times) = (rows, times)
    let order = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var isKept = Array(repeating: false, count: rows.count)
    var kept: [Int] = []
    kept.reserveCapacity(rows.count)
    for position in order {
      if let last = kept.last, times[last] == times[position] {
        if !content[rows[last]].hasSameBits(as: content[rows[position]]) { contradictionCount += 1 }
      } else {
        kept.append(position)
        isKept[position] = true
      }
    }
    noteSorted(isKept)
    if kept.count < rows.count {
      repairs.append(.droppedRepeatedTimes(count: rows.count - kept.count, differing: contradictionCount))
    }
    self.rows = kept.map { rows[$0] }
    self.times = kept.map { times[$0] }
  }

  /// Counts the kept rows that follow a row of a later time.
  private mutating func noteSorted(_ isKept: [Bool]) {
    var latest = Int64.min
    var count = 0
    for (position, time) in times.enumerated() where isKept[position] {
      if time < latest { count += 1 }
      latest = max(latest, time)
    }
    if count > 0 { repairs.append(.sortedRows(count: count)) }
  }
}

extension SIMD16<Float> {
  /// Whether both hold the same bits, so that a missing value equals a missing value.
  func hasSameBits(as other: Self) -> Bool {
    unsafeBitCast(self, to: SIMD16<UInt32>.self) == unsafeBitCast(other, to: SIMD16<UInt32>.self)
  }
}
