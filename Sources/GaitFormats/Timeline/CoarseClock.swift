import Gait

/// Spreads rows that share the times of a coarse clock, such as one of whole seconds, or one time for each packet.
///
/// Times must not step back, and more than a third of the rows must differ from the row before but have its time. The
/// clock must be regular: the median number of rows in a tick is above one, and in nine of ten ticks the number is within
/// a fifth of it, or one, and the length within a fifth of the median. The first and the last tick do not count. The rows
/// of a tick are spread evenly until the next; before the second tick, in the last one and before a gap they have the
/// mean period.
struct CoarseClock {
  /// The rows' times, which rise strictly.
  private(set) var times: [Int64]
  /// The median length of a tick, nanoseconds.
  let tick: Int64

  private static let fewestTicks = 5
  private static let differingShare = 1.0 / 3
  private static let regularShare = 0.9
  private static let tolerance = 0.2

  /// - Returns: `nil` if the clock is not coarse, or not regular.
  init?(times: [Int64], content: RowContent) {
    let repeats = times.indices.dropFirst().filter { times[$0] == times[$0 - 1] }
    let differing = repeats.count { !content.areSame($0, $0 - 1) }
    guard Double(differing) > Self.differingShare * Double(times.count),
      zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    let starts = [0] + times.indices.dropFirst().filter { times[$0] != times[$0 - 1] }
    guard starts.count >= Self.fewestTicks else { return nil }
    let counts = zip(starts, starts.dropFirst()).map { Double($1 - $0) }
    let lengths = zip(starts, starts.dropFirst()).map { Double(times[$1] - times[$0]) }
    let inner = Array(counts.dropFirst())
    let (count, length) = (Self.median(inner), Self.median(lengths))
    let regular = zip(inner, lengths.dropFirst()).filter {
      abs($0 - count) <= max(1, Self.tolerance * count) && abs($1 - length) <= Self.tolerance * length
    }
    guard count > 1, Double(regular.count) >= Self.regularShare * Double(inner.count) else { return nil }
    let period = regular.reduce(0) { $0 + $1.1 } / regular.reduce(0) { $0 + $1.0 }
    let most = max(counts.max() ?? 0, Double(times.count - starts[starts.count - 1]))
    guard most * period < Double(SampleTime.farthest) else { return nil }
    (self.times, tick) = (times, Int64(length))
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : times.count
      let isWhole = index > 0 && index < lengths.count && lengths[index] <= (1 + Self.tolerance) * length
      let step = isWhole ? lengths[index] / Double(end - start) : period
      let isBeforeSecond = index == 0 && lengths[0] <= (1 + Self.tolerance) * length
      let first = isBeforeSecond ? Double(starts[1]) * -period : 0
      let origin = isBeforeSecond ? times[starts[1]] : times[start]
      for row in start..<end { self.times[row] = origin + Int64((first + Double(row - start) * step).rounded()) }
    }
    guard RowOrder.isInOrder(self.times), self.times[0] >= -SampleTime.farthest,
      self.times[times.count - 1] <= SampleTime.farthest
    else { return nil }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
