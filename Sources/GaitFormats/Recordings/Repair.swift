import Gait

/// A change made while reading a recording, or an assumption or warning about it, because the file's data are wrong or
/// incomplete.
public enum Repair: Hashable, Sendable, CustomStringConvertible {
  /// `count` lines before the rows that are neither header nor comments were skipped.
  case skippedLines(count: Int)
  /// The first row, which belongs to an earlier recording, was dropped.
  case droppedStaleFirstRow
  /// `count` rows that came after a row of a later time were moved to their place in time.
  case sortedRows(count: Int)
  /// `count` rows with the time of a previous row were dropped; `differing` of them have other values than that row.
  case droppedRepeatedTimes(count: Int, differing: Int)
  /// `count` rows without a time were dropped.
  case droppedRowsWithoutTime(count: Int)
  /// `count` rows that lack a value of acceleration or gravity were dropped. The rows around them are close enough in
  /// time that this leaves no gap.
  case droppedBrokenRows(count: Int)
  /// The clock was set back `count` times, by up to `seconds`. The later rows were moved after the earlier ones, with a
  /// gap between them.
  case movedRowsAfterClockSetBack(count: Int, seconds: Double)
  /// The recording has `count` gaps, the longest of `longestSeconds`; nothing is interpolated across them.
  case brokeAtGaps(count: Int, longestSeconds: Double)
  /// The sample rate changes; `hertz` are the rates of the parts, in order. Every row keeps its time, and the
  /// recording's rate is the slowest one.
  case changedRate(hertz: [Double])
  /// The magnitude of gravity, computed as total acceleration minus user acceleration, varies from `least` to
  /// `greatest` g, because the two are not simultaneous. Gravity and user acceleration were estimated from the total
  /// acceleration.
  case replacedGravity(least: Double, greatest: Double)
  /// The acceleration does not include gravity, which the file has in columns of its own. Therefore gravity was not
  /// subtracted from it.
  case keptAccelerationWithoutGravity
  /// No column has a known name of times. The name of `column` may mean times, but it was not read.
  case unreadTimes(column: String)
  /// The clock of the times ticks only every `tickSeconds`, with several rows in each tick; these rows were spread
  /// evenly.
  case spreadRows(tickSeconds: Double)
  /// Rows came in bursts: several rows with nearly the same time, then none until the next burst. They were spread
  /// evenly over the time between the bursts.
  case spreadBursts
  /// The counter of the times wrapped around to 0 `count` times; the later times were continued.
  case continuedCounter(count: Int)
  /// The file has no gravity; a `GravityEstimator` estimated it from the total acceleration.
  case estimatedGravity
  /// By its mean magnitude, `mean` g, the acceleration includes gravity or does not (`includesGravity`), although the
  /// names of the columns say the opposite.
  case assumedAcceleration(includesGravity: Bool, mean: Double)
  /// The file does not state the unit of the times in `column`; it was chosen because only this unit gives the rate of
  /// a sensor.
  case assumedTimeUnit(TimeUnit, column: String)
  /// Neither the file nor its format states a unit of the acceleration that fits it. It was read in this unit, in which
  /// its magnitude is that of gravity.
  case assumedUnit(AccelerationUnit)
  /// The mean magnitude of gravity is below 0.75 g or above 1.25 g, or that of an acceleration that should include
  /// gravity is below 0.5 g or above 8 g.
  case suspectGravity(mean: Double)
  /// A problem of the samples, which were not changed.
  case foundInSignal(SignalFinding)
  /// The last line, which was cut short, was dropped.
  case droppedTruncatedLastLine
  /// Sensors with times of their own were interpolated to the acceleration's times. `droppedRows` rows of the
  /// acceleration were dropped, because they are outside the time range of another sensor.
  case joinedChannels(Set<Channel>, droppedRows: Int)
  /// The source does not state the signs of its axes; Core Motion's were assumed.
  case assumedSigns
  /// The first row's date does not show whether the month or the day comes first. The month was assumed first if there
  /// are slashes, the day otherwise. A wrong assumption shifts the whole recording in the calendar.
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
      "the clock was set back \(Wording.counted(count, "time")), by up to \(Wording.rounded(seconds)) s; moved the "
        + "later rows after the earlier ones"
    case .brokeAtGaps(let count, let longest):
      "broke at \(Wording.counted(count, "gap")), the longest of \(Wording.rounded(longest)) s"
    case .changedRate(let hertz):
      "the rate changes: \(hertz.map(Wording.rounded).joined(separator: ", then ")) Hz; every row kept its time"
    case .replacedGravity(let least, let greatest):
      "gravity, total minus linear acceleration, varied from \(Wording.rounded(least)) to \(Wording.rounded(greatest)) "
        + "g, as the two are not simultaneous; estimated it from the total acceleration alone"
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
      "the mean acceleration is \(Wording.rounded(mean)) g, where gravity alone is 1 g: read as linear acceleration, "
        + "without gravity (--acceleration total decides otherwise)"
    case .assumedAcceleration(true, let mean):
      "the mean acceleration is \(Wording.rounded(mean)) g: read as total acceleration, with gravity (--acceleration "
        + "linear decides otherwise)"
    case .assumedTimeUnit(let unit, let column):
      "read column \(column) as times in \(unit.rawValue), as only this unit gives the rate of a sensor (--time-unit "
        + "decides otherwise)"
    case .assumedUnit(let unit):
      "read the acceleration in \(unit.rawValue), as only in this unit it has the length of gravity "
        + "(--acceleration-unit decides otherwise)"
    case .suspectGravity(let mean):
      "the mean acceleration is \(Wording.rounded(mean)) g, where gravity alone is 1 g; check the units, and that "
        + "gravity is included"
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
  /// A number and its noun, such as `1 row` and `2 rows`.
  static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  /// The value with at most three decimals.
  static func rounded(_ value: Double) -> String { plain((value * 1000).rounded() / 1000) }
}

extension Recording {
  /// The repairs made while reading the recording's file, in order; empty if there were none.
  public var repairs: [Repair] { readerNotes as? [Repair] ?? [] }
}

extension [Repair] {
  /// The repairs without `foundInSignal`, because each reader of the recording finds problems of the samples again.
  package var changes: [Repair] {
    filter { if case .foundInSignal = $0 { false } else { true } }
  }

  /// The rates of the recording's parts, in hertz; `nil` if the rate does not change.
  var changedRates: [Double]? {
    for case .changedRate(let hertz) in self { return hertz }
    return nil
  }

  /// The column that may hold times but was not read; `nil` if there is none.
  var unreadTimes: String? {
    for case .unreadTimes(let column) in self { return column }
    return nil
  }
}
