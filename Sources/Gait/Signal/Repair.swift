/// Something that was done to a recording on the way from its file, because the file said what cannot be, or not enough.
public enum Repair: Hashable, Sendable, CustomStringConvertible {
  /// Lines before the rows that are neither the header nor comments were passed over; `count` is how many.
  case skippedLines(count: Int)
  /// The first row belonged to an earlier recording and was dropped.
  case droppedStaleFirstRow
  /// Rows that stood behind a later one were put in order of time; `count` is how many.
  case sortedRows(count: Int)
  /// Rows with the time of a row before them were dropped; `differing` of them said something else than that row.
  case droppedRepeatedTimes(count: Int, differing: Int)
  /// Rows whose time is missing were dropped.
  case droppedRowsWithoutTime(count: Int)
  /// Rows that lack a part of their acceleration were dropped, as the rows around them are near each other; `count` is how
  /// many.
  case droppedBrokenRows(count: Int)
  /// The clock was set back `count` times, by up to `seconds`: what follows was moved behind what came before, with a
  /// gap between the two.
  case movedRowsAfterClockSetBack(count: Int, seconds: Double)
  /// The recording was broken at `count` gaps, the longest of `longestSeconds`: nothing is made up inside them.
  case brokeAtGaps(count: Int, longestSeconds: Double)
  /// The rate changes: `hertz` are those of the parts, in order. Every row keeps its time, and the recording counts as one of
  /// the slowest rate.
  case changedRate(hertz: [Double])
  /// The length of gravity, which is total acceleration less acceleration without gravity, swings from `least` to
  /// `greatest` g, as the two are not of one moment: both are made anew from the total acceleration.
  case replacedGravity(least: Double, greatest: Double)
  /// The source has no gravity of its own: it was estimated from the total acceleration, by `GravityEstimator`.
  case estimatedGravity
  /// What should be gravity, or have it in it, is not: its mean length over the recording, in g, is below 0.5 or above 8.
  case suspectGravity(mean: Double)
  /// The last line was cut short, and was dropped.
  case droppedTruncatedLastLine
  /// Sensors with times of their own were brought to those of the acceleration; `droppedRows` of its rows lay before or
  /// after what another sensor recorded.
  case joinedSensors(Set<Sensor>, droppedRows: Int)
  /// Nothing says which way the source's axes count: they were taken for Core Motion's.
  case assumedSigns

  /// The repair in a few words.
  public var description: String {
    switch self {
    case .skippedLines(let count): "passed over \(counted(count, "line")) before the rows"
    case .droppedStaleFirstRow: "dropped a stale first row"
    case .sortedRows(let count): "put \(counted(count, "row")) in order of time"
    case .droppedRepeatedTimes(let count, let differing):
      "dropped \(counted(count, "row")) with a repeated time"
        + (differing == 0 ? "" : ", \(differing) of them with other values than the first")
    case .droppedRowsWithoutTime(let count): "dropped \(counted(count, "row")) without a time"
    case .droppedBrokenRows(let count): "dropped \(counted(count, "row")) with a part of the acceleration missing"
    case .movedRowsAfterClockSetBack(let count, let seconds):
      "the clock was set back \(counted(count, "time")), by up to \(rounded(seconds)) s: moved what follows behind the rest"
    case .brokeAtGaps(let count, let longest): "broke at \(counted(count, "gap")), the longest of \(rounded(longest)) s"
    case .changedRate(let hertz):
      "the rate changes: \(hertz.map(rounded).joined(separator: ", then ")) Hz; every row kept its time"
    case .replacedGravity(let least, let greatest):
      "gravity, total acceleration less linear acceleration, was \(rounded(least))–\(rounded(greatest)) g long, as the two "
        + "are not of one moment: took it from the total acceleration alone"
    case .estimatedGravity: "estimated gravity from the total acceleration"
    case .suspectGravity(let mean):
      "left an acceleration as it is that is \(rounded(mean)) g on average, where gravity alone is 1 g: check its unit, and "
        + "whether gravity is in it"
    case .droppedTruncatedLastLine: "dropped the last line, which was cut short"
    case .joinedSensors(let sensors, let dropped):
      "brought \(Sensor.allCases.filter(sensors.contains).map(\.rawValue).joined(separator: ", ")) to the acceleration's "
        + "times" + (dropped == 0 ? "" : ", and dropped \(counted(dropped, "row")) that not all sensors cover")
    case .assumedSigns: "took the axes' signs for Core Motion's, as nothing says otherwise"
    }
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// To three decimals.
  private func rounded(_ seconds: Double) -> String {
    plain((seconds * 1000).rounded() / 1000)
  }
}
