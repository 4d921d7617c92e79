import Gait

/// A change made to a recording while reading its file, as the file has wrong or insufficient data.
public enum Repair: Hashable, Sendable, CustomStringConvertible {
  /// `count` lines before the rows that are neither header nor comments were skipped.
  case skippedLines(count: Int)
  /// The first row, which belongs to an earlier recording, was dropped.
  case droppedStaleFirstRow
  /// `count` rows that followed a later one were sorted by time.
  case sortedRows(count: Int)
  /// `count` rows with the time of a previous row were dropped; `differing` of them have other values than that row.
  case droppedRepeatedTimes(count: Int, differing: Int)
  /// `count` rows without a time were dropped.
  case droppedRowsWithoutTime(count: Int)
  /// `count` rows with a part of the acceleration missing were dropped; the rows around them are close
  /// together.
  case droppedBrokenRows(count: Int)
  /// The clock was set back `count` times, by up to `seconds`. The later rows were moved after the earlier ones, with a
  /// gap between them.
  case movedRowsAfterClockSetBack(count: Int, seconds: Double)
  /// The recording was broken at `count` gaps, the longest of `longestSeconds`; nothing is interpolated across them.
  case brokeAtGaps(count: Int, longestSeconds: Double)
  /// The sample rate changes; `hertz` are the rates of the parts, in order. Every row keeps its time, and the recording
  /// has the slowest rate.
  case changedRate(hertz: [Double])
  /// The length of gravity, total acceleration minus user acceleration, varies from `least` to `greatest` g, as the two
  /// are not simultaneous. Both were estimated from the total acceleration.
  case replacedGravity(least: Double, greatest: Double)
  /// The acceleration does not include the gravity that the file has in columns of its own, so it was not subtracted.
  case keptAccelerationWithoutGravity
  /// The file has no times by the names of its columns, but the name of this one may mean times; it was not read.
  case unreadTimes(column: String)
  /// The clock of the times is coarse, with several rows in each tick; they were spread evenly.
  case spreadRows(tickSeconds: Double)
  /// Rows came in bursts, with one time or nearly one for each; they were spread evenly over the time between the
  /// bursts.
  case spreadBursts
  /// The counter of the times wrapped around to 0 `count` times; the later times were continued.
  case continuedCounter(count: Int)
  /// The source has no gravity; a `GravityEstimator` estimated it from the total acceleration.
  case estimatedGravity
  /// The acceleration does or does not include gravity by its mean magnitude, in g, otherwise than the names of the
  /// columns say.
  case assumedAcceleration(includesGravity: Bool, mean: Double)
  /// Only the steps of the times in a column show their unit.
  case assumedTimeUnit(TimeUnit, column: String)
  /// The format's unit does not fit the acceleration, whose length at rest is 1 in this unit.
  case assumedUnit(AccelerationUnit)
  /// The mean length of gravity, or of the acceleration that should include it, is below 0.5 g or above 8 g.
  case suspectGravity(mean: Double)
  /// What is wrong with the samples, unchanged.
  case foundInSignal(SignalFinding)
  /// The last line, which was cut short, was dropped.
  case droppedTruncatedLastLine
  /// Sensors with their own times were aligned with the acceleration's; `droppedRows` of its rows are outside the time
  /// range of another sensor.
  case joinedChannels(Set<Channel>, droppedRows: Int)
  /// The source does not state the signs of its axes; Core Motion's were assumed.
  case assumedSigns
  /// The dates may have the month or the day first; the month was assumed first between slashes, else the day. A wrong
  /// assumption shifts the whole recording in the calendar.
  case assumedDateOrder(monthFirst: Bool)

  /// A short description of the repair.
  public var description: String {
    switch self {
    case .skippedLines(let count): "skipped \(Wording.counted(count, "line")) before the rows"
    case .droppedStaleFirstRow: "dropped a stale first row"
    case .sortedRows(let count): "sorted \(Wording.counted(count, "row")) by time"
    case .droppedRepeatedTimes(let count, let differing):
      "dropped \(Wording.counted(count, "row")) with a repeated time"
        + (differing == 0 ? "" : ", \(differing) of them with other values than the first")
    case .droppedRowsWithoutTime(let count): "dropped \(Wording.counted(count, "row")) without a time"
    case .droppedBrokenRows(let count):
      "dropped \(Wording.counted(count, "row")) with a part of the acceleration missing"
    case .movedRowsAfterClockSetBack(let count, let seconds):
      "the clock was set back \(Wording.counted(count, "time")), by up to \(Wording.rounded(seconds)) s; moved the later rows after the "
        + "earlier ones"
    case .brokeAtGaps(let count, let longest):
      "broke at \(Wording.counted(count, "gap")), the longest of \(Wording.rounded(longest)) s"
    case .changedRate(let hertz):
      "the rate changes: \(hertz.map(Wording.rounded).joined(separator: ", then ")) Hz; every row kept its time"
    case .replacedGravity(let least, let greatest):
      "gravity, total minus linear acceleration, varied from \(Wording.rounded(least)) to \(Wording.rounded(greatest)) g, as the "
        + "two are not simultaneous; estimated it from the total acceleration alone"
    case .keptAccelerationWithoutGravity:
      "the acceleration does not include gravity, so the gravity of its own columns was not subtracted from it"
    case .unreadTimes(let column):
      "column \(column) was not read, though it may hold times; a name such as time (ms) states its unit"
    case .spreadRows(let tick):
      "the clock of the times ticks only every \(Wording.rounded(tick)) s; spread the rows of a tick evenly"
    case .spreadBursts: "rows came in bursts; spread them evenly over the time between the bursts"
    case .continuedCounter(let count):
      "the counter of the times wrapped around \(Wording.counted(count, "time")); continued the later times"
    case .estimatedGravity: "estimated gravity from the total acceleration"
    case .assumedAcceleration(false, let mean):
      "the mean acceleration is \(Wording.rounded(mean)) g, where gravity alone is 1 g: read as linear acceleration, without "
        + "gravity (--acceleration total decides otherwise)"
    case .assumedAcceleration(true, let mean):
      "the mean acceleration is \(Wording.rounded(mean)) g: read as total acceleration, with gravity (--acceleration linear "
        + "decides otherwise)"
    case .assumedTimeUnit(let unit, let column):
      "read column \(column) as times in \(unit.rawValue), as only this unit gives the rate of a sensor (--time-unit decides "
        + "otherwise)"
    case .assumedUnit(let unit):
      "read the acceleration in \(unit.rawValue), as it has the length of gravity in this unit, not in the format's "
        + "(--acceleration-unit decides otherwise)"
    case .suspectGravity(let mean):
      "the mean acceleration is \(Wording.rounded(mean)) g, where gravity alone is 1 g; check the units, and that gravity is "
        + "included"
    case .foundInSignal(let finding): finding.description
    case .droppedTruncatedLastLine: "dropped the last line, which was cut short"
    case .joinedChannels(let channels, let dropped):
      "aligned \(sensors(of: channels)) with the acceleration's times"
        + (dropped == 0 ? "" : ", and dropped \(Wording.counted(dropped, "row")) that not all sensors cover")
    case .assumedSigns: "assumed Core Motion's axis signs, as the source states none"
    case .assumedDateOrder(let monthFirst):
      "read dates as \(monthFirst ? "month/day/year" : "day, month and year"), as the first row fits both orders of month and day"
    }
  }

  private func sensors(of channels: Set<Channel>) -> String {
    Sensor.allCases.filter { !channels.isDisjoint(with: $0.channels) }.map(\.rawValue).joined(separator: ", ")
  }
}

/// Counts and values in sentences.
enum Wording {
  /// Such as `1 row` and `2 rows`.
  static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  /// The value with at most three decimals.
  static func rounded(_ value: Double) -> String { plain((value * 1000).rounded() / 1000) }
}

extension Recording {
  /// The repairs made while reading the recording's file, in order; empty if there were none.
  public var repairs: [Repair] { readerNotes as? [Repair] ?? [] }
}

extension [Repair] {
  /// The repairs without `foundInSignal`: each reader finds problems of the samples again.
  package var changes: [Repair] {
    filter { if case .foundInSignal = $0 { false } else { true } }
  }

  /// The rates of the recording's parts, hertz, if the rate changes.
  var changedRates: [Double]? {
    for case .changedRate(let hertz) in self { return hertz }
    return nil
  }

  /// The column that may hold times and was not read.
  var unreadTimes: String? {
    for case .unreadTimes(let column) in self { return column }
    return nil
  }
}
