/// The last rows of a stream, always contiguous in memory.
///
/// Every row is written twice, one window length apart, so that some stretch of the storage holds the whole window in
/// order whatever its phase. Appending copies one row and allocates nothing.
struct WindowRing: Sendable {
  /// The number of rows in a window.
  let length: Int
  /// The number of groups of eight lanes in a row.
  let groupCount: Int

  private var storage: [LaneGroup]
  private var times: [Int64]
  private var next = 0

  init(length: Int, groupCount: Int) {
    self.length = length
    self.groupCount = groupCount
    self.storage = Array(repeating: .zero, count: 2 * length * groupCount)
    self.times = Array(repeating: 0, count: length)
  }

  /// Adds a row that `fill` writes, shape `[groupCount]`, and returns what `fill` returns.
  @inline(__always)
  mutating func append(time: SampleTime, _ fill: (UnsafeMutablePointer<LaneGroup>) -> Bool) -> Bool {
    let (length, groupCount, next) = (length, groupCount, next)
    times[next] = time.nanoseconds
    self.next = next + 1 == length ? 0 : next + 1
    return storage.withUnsafeMutableBufferPointer { storage in
      let row = storage.baseAddress! + next * groupCount
      let result = fill(row)
      (row + length * groupCount).update(from: row, count: groupCount)
      return result
    }
  }

  /// The time of the oldest row, once `length` rows are there.
  var start: SampleTime { SampleTime(nanoseconds: times[next]) }

  /// Calls `body` with the last `length` rows, oldest first, shape `[length × groupCount]`.
  @inline(__always)
  func withWindow(_ body: (UnsafePointer<LaneGroup>) -> Void) {
    storage.withUnsafeBufferPointer { body($0.baseAddress! + next * groupCount) }
  }
}
