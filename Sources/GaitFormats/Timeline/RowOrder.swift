import Gait

/// Sorts a file's rows by time, and chooses which rows are dropped.
///
/// In this order: rows without a time are dropped. Times of a counter that wrapped around are continued
/// (`CounterWrap`). Rows that share the times of a coarse clock (`CoarseClock`) or come in bursts (`Bursts`) are
/// spread. Rows after a clock that was set back are moved behind the rows before (`ClockSetBack`). Rows are sorted by
/// time. Of rows with the same time, the first in the file is kept.
struct RowOrder {
  /// The indices of the rows that are kept, in order of time.
  private(set) var rows: [Int]
  /// The times of `rows`, which rise strictly.
  private(set) var times: [Int64]
  /// The repairs, in the order in which they were made.
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
  /// - Throws: `TimingProblem.tooLong` if rows moved by `ClockSetBack` would be later than `SampleTime.farthest`.
  init(times: [Int64], content: RowContent) throws(TimingProblem) {
    rows = times.indices.filter { times[$0] != .min }
    if rows.count < times.count { repairs.append(.droppedRowsWithoutTime(count: times.count - rows.count)) }
    self.times = rows.map { times[$0] }
    if let wrapped = CounterWrap(times: self.times) {
      self.times = wrapped.times
      repairs.append(.continuedCounter(count: wrapped.count))
    }
    if let coarse = CoarseClock(times: self.times, content: content.keeping(rows)) {
      self.times = coarse.times
      repairs.append(.spreadRows(tickSeconds: Double(coarse.tick) / 1e9))
    }
    if let bursts = Bursts(times: self.times, content: content.keeping(rows)) {
      self.times = bursts.times
      repairs.append(.spreadBursts)
    }
    if let setBack = try ClockSetBack(times: self.times, content: content.keeping(rows)) {
      self.times = setBack.times
      repairs.append(.movedRowsAfterClockSetBack(count: setBack.count, seconds: setBack.longestSeconds))
    }
    sort(content)
  }

  private mutating func sort(_ content: RowContent) {
    let (rows, times) = (rows, times)
    let order = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var isKept = Array(repeating: false, count: rows.count)
    var kept: [Int] = []
    kept.reserveCapacity(rows.count)
    for position in order {
      if let last = kept.last, times[last] == times[position] {
        if !content.areSame(rows[last], rows[position]) { contradictionCount += 1 }
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

  /// Notes a repair if kept rows follow a row of a later time in the file, with their number.
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

/// The rows of a file, for comparing their values. Channels that were skipped in later rows do not count.
struct RowContent {
  private var rows: [SIMD16<Float>]
  private let isSkipped: SIMDMask<SIMD16<Int32>>

  /// - Parameter skipped: the channels that were skipped after the first rows.
  init(_ rows: [SIMD16<Float>], skipped: Set<Channel> = []) {
    self.rows = rows
    var isSkipped = SIMDMask<SIMD16<Int32>>(repeating: false)
    for channel in skipped { isSkipped[channel.lane] = true }
    self.isSkipped = isSkipped
  }

  /// The content of the rows at `indices`.
  func keeping(_ indices: [Int]) -> RowContent {
    guard indices.count < rows.count else { return self }
    var kept = self
    kept.rows = indices.map { rows[$0] }
    return kept
  }

  /// Whether the rows at two indices have the same bits, so that two missing values are equal.
  func areSame(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (unsafeBitCast(rows[one], to: SIMD16<Int32>.self), unsafeBitCast(rows[other], to: SIMD16<Int32>.self))
    return all((a .== b) .| isSkipped)
  }
}

// MARK: A clock that was set back

/// Continues the times of a counter that wrapped around: of 16 bits in milliseconds, of 32 bits, or a time of day.
///
/// When it wraps around, time steps back by the counter's range less one step. A step back counts as such if adding the
/// range makes it a forward step of at most four periods. If time steps back in more than
/// `ClockSetBack.mostBackwardSteps` rows, nothing is detected.
struct CounterWrap {
  /// The times in the file's order; those after each wrap are continued.
  private(set) var times: [Int64]
  /// The number of times that the counter wrapped around.
  private(set) var count = 0

  /// The ranges of counters of milliseconds, microseconds and nanoseconds, and a day, in nanoseconds.
  private static let ranges: [Int64] = [
    (1 << 16) * 1_000_000, (1 << 32) * 1_000_000, (1 << 32) * 1000, 1 << 32, 86_400 * 1_000_000_000,
  ]

  /// - Returns: `nil` if no counter wrapped around, or if continued times would be out of range.
  init?(times: [Int64]) {
    let runs = ClockSetBack.risingRuns(times)
    guard ClockSetBack.examines(runs, of: times), let period = RateEstimate(stepsOf: runs.map { times[$0] })?.period
    else { return nil }
    self.times = times
    var shift: Int64 = 0
    for run in runs.dropFirst() {
      let step = times[run.lowerBound] - times[run.lowerBound - 1]
      if let range = Self.ranges.first(where: { step > -$0 && Double(step + $0) <= Resampler.longestStep * period }) {
        shift += range
        count += 1
      }
      guard times[run].allSatisfy({ $0 <= SampleTime.farthest - shift }) else { return nil }
      for row in run { self.times[row] += shift }
    }
    if count == 0 { return nil }
  }
}

/// Detects a clock that was set back during a recording: by the network, by the user, or because a recording was
/// appended to another.
///
/// Rows that are merely out of order fit among the rows before them: sorted, they are as dense as elsewhere. After a
/// clock was set back, times occur twice, and sorted rows are twice as dense. Therefore, at each backward step in time,
/// the rows up to the next backward step are compared with the rows before. The clock was set back if the time that
/// both cover holds more than 1.5 times (`densest`) the rows that the sample rate allows. Rows that repeat an earlier
/// row exactly do not count.
///
/// From the backward step on, all times are moved behind the latest one so far. The step between them is a gap
/// (`gapPeriods`): its true length is unknown, so no window may span it.
///
/// If time steps back in more rows than `mostBackwardSteps` allows, the file's order carries no information and nothing
/// is detected.
struct ClockSetBack {
  /// The times in the file's order, moved after each point where the clock was set back.
  private(set) var times: [Int64]
  /// The number of times that the clock was set back.
  private(set) var count = 0
  /// The longest time by which it was set back, seconds.
  private(set) var longestSeconds = 0.0

  /// The step from the row before the clock was set back to the row after, in periods: longer than
  /// `Resampler.longestStep(at:)`.
  static let gapPeriods: Int64 = 8
  /// The shortest step at that place, nanoseconds: the resampler would bridge a shorter one.
  static let shortestGap: Int64 = 400_000_000
  /// The density of sorted rows, relative to the sample rate, above which a clock was set back.
  static let densest = 1.5
  /// The most backward steps that are examined: their number, and their share of the rows, which always allows three.
  static let mostBackwardSteps = (count: 1000, share: 0.01)

  /// Examines the rows at `times`, in the file's order; `nil` if the clock was not set back.
  ///
  /// - Throws: `TimingProblem.tooLong` if the moved times would be later than `SampleTime.farthest`.
  init?(times: [Int64], content: RowContent) throws(TimingProblem) {
    let runs = Self.risingRuns(times)
    guard Self.examines(runs, of: times), let estimate = RateEstimate(stepsOf: runs.map { times[$0] })
    else { return nil }
    self.times = times
    let period = estimate.period
    for (index, run) in runs.enumerated().dropFirst() {
      let latest = runs[..<index].map { self.times[$0.upperBound - 1] }.max()!
      let overlap = Overlap(of: run, with: runs[..<index], times: self.times, content: content)
      guard Double(overlap.rowCount) > Self.densest * (Double(overlap.length) / period + 1) else { continue }
      let gap = max(Double(Self.shortestGap), Double(Self.gapPeriods) * period)
      let latestMoved = self.times[run.lowerBound...].max()! - self.times[run.lowerBound]
      guard Double(latest) + gap + Double(latestMoved) <= Double(SampleTime.farthest) else { throw .tooLong }
      let shift = latest + Int64(saturating: gap) - self.times[run.lowerBound]
      longestSeconds = max(longestSeconds, Double(latest - self.times[run.lowerBound]) / 1e9)
      for row in run.lowerBound..<times.count { self.times[row] += shift }
      count += 1
    }
    guard count > 0 else { return nil }
  }

  /// Whether time steps back, but in no more rows than `mostBackwardSteps` allows.
  fileprivate static func examines(_ runs: [Range<Int>], of times: [Int64]) -> Bool {
    runs.count > 1 && runs.count - 1 <= mostBackwardSteps.count
      && Double(runs.count - 1) <= max(3, mostBackwardSteps.share * Double(times.count))
  }

  /// The ranges of consecutive rows in which time does not step back.
  fileprivate static func risingRuns(_ times: [Int64]) -> [Range<Int>] {
    var starts = [0]
    for index in times.indices.dropFirst() where times[index] < times[index - 1] { starts.append(index) }
    return zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  /// The time that a run of rows and the runs before it both cover.
  private struct Overlap {
    /// The shared nanoseconds.
    var length: Int64 = 0
    /// The number of rows in that time, without those of the run that repeat an earlier row exactly.
    var rowCount = 0

    init(of run: Range<Int>, with earlier: ArraySlice<Range<Int>>, times: [Int64], content: RowContent) {
      let (first, last) = (times[run.lowerBound], times[run.upperBound - 1])
      let inside = earlier.map { Self.rows(of: $0, from: first, through: last, times) }.filter { !$0.isEmpty }
      guard let start = inside.map({ times[$0.lowerBound] }).min(),
        let end = inside.map({ times[$0.upperBound - 1] }).max()
      else { return }
      length = end - start
      let own = Self.rows(of: run, from: start, through: end, times)
      let repeats = own.count { row in
        inside.contains { other in
          let same = Self.rows(of: other, from: times[row], through: times[row], times)
          return same.contains { content.areSame($0, row) }
        }
      }
      rowCount = inside.reduce(0) { $0 + $1.count } + own.count - repeats
    }

    /// The rows of a run with times from `first` through `last`.
    private static func rows(
      of run: Range<Int>, from first: Int64, through last: Int64, _ times: [Int64]
    ) -> Range<Int> {
      let lower = run.partitionIndex { times[$0] < first }
      return lower..<max(lower, run.partitionIndex { times[$0] <= last })
    }
  }
}

/// Spreads rows that share the times of a coarse clock, such as one of whole seconds, or one time for each packet.
///
/// Conditions:
///
/// - Times do not step back, and more than a third of the rows have the time of the row before but other values.
/// - The clock is regular. A tick is the group of rows with one time. The median tick has more than one row. In nine of
///   ten ticks, the number of rows is within a fifth, or one row, of the median, and the tick's length within a fifth
///   of the median length. The first and the last tick do not count.
///
/// The rows of a tick are spread evenly until the next tick. In the first and the last tick and before a gap, they are
/// spaced by the mean period.
struct CoarseClock {
  /// The rows' times, which rise strictly.
  private(set) var times: [Int64]
  /// The median length of a tick, nanoseconds.
  let tick: Int64

  private static let fewestTicks = 5
  private static let differingShare = 1.0 / 3
  private static let regularShare = 0.9
  private static let tolerance = 0.2

  /// - Returns: `nil` if the clock is not coarse, is not regular, or would give times out of range.
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
    (self.times, tick) = (times, Int64(saturating: length))
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : times.count
      let isWhole = index > 0 && index < lengths.count && lengths[index] <= (1 + Self.tolerance) * length
      let step = isWhole ? lengths[index] / Double(end - start) : period
      let isBeforeSecond = index == 0 && lengths[0] <= (1 + Self.tolerance) * length
      let first = isBeforeSecond ? Double(starts[1]) * -period : 0
      let origin = isBeforeSecond ? times[starts[1]] : times[start]
      for row in start..<end {
        self.times[row] = origin + Int64(saturating: (first + Double(row - start) * step).rounded())
      }
    }
    guard RowOrder.isInOrder(self.times), self.times[0] >= -SampleTime.farthest,
      self.times[times.count - 1] <= SampleTime.farthest
    else { return nil }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
