import Gait

/// The rows of a table in order of time: the one way from a file's rows to a recording.
///
///     file order ─▶ RowOrder ─▶ rate ─▶ stale first row ─▶ broken rows ─▶ gaps ─▶ gravity ─▶ Recording
///
/// - **Order**: rows are sorted by time, repeats and rows without a time are left out (`RowOrder`).
/// - **Rate**: the given one, else the format's own, else that of the times (`RateEstimate`).
/// - **Stale first row**: the first row is left out if it belongs to an earlier recording: by its pose
///   (`StaleFirstRow`), or because a gap parts it from the next row. Gait's own files have none any more.
/// - **Broken rows**: a row that lacks a part of its acceleration is left out, as if it had not been recorded, where the
///   rows around it are so near each other that no gap parts them: otherwise it would cost whole windows. Not where there
///   are many of them.
/// - **Gaps**: a step of more than `Resampler.longestStep` periods. They stay what they are; here they are only counted.
/// - **Gravity**: estimated where the file has total acceleration alone (`GravityEstimator`).
///
/// Each change is noted in `repairs`. Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  /// The rows, in order of time.
  private(set) var table: TableRows
  /// The channels that the rows have.
  private(set) var channels: Set<Channel>
  /// What was done, in order.
  private(set) var repairs: [Repair]
  /// How the rows lie in time.
  let timing: RowTiming

  private var longestStep: Int64 { Resampler.longestStep(at: timing.sampleRate) }

  /// Takes the table over: rows that nobody else holds are changed where they are.
  ///
  /// - Throws: `RecordingError` where the rows cannot be placed in time, or lack gravity that should be there.
  init(_ table: consuming RecordingTable, sampleRate: SampleRate?) throws(RecordingError) {
    let (name, isGaits, gravityIsDifference) = (table.name, !table.comments.isEmpty, table.gravityIsDifference)
    let (statedPeriod, format, includesGravity) = (table.statedPeriod, table.format, table.accelerationIncludesGravity)
    let (skipped, rowsBeforePassing) = (table.skippedLanes, table.rowsBeforePassing)
    channels = table.channels
    repairs = table.repairs
    var rows = TableRows(table)
    do throws(TimingProblem) {
      repairs += try Self.putInOrder(&rows)
      timing = try RowTiming(of: rows.times, given: sampleRate, stated: statedPeriod)
    } catch {
      throw .timing(error, file: name)
    }
    self.table = consume rows
    // What Gait wrote has been through this before.
    if format != .gait { dropStaleFirstRow() }
    if !isGaits { dropBrokenRows() }
    noteGaps()
    if !timing.parts.isEmpty { repairs.append(.changedRate(hertz: timing.parts.map(\.hertz))) }
    if includesGravity { try checkGravity(file: name) }
    // Where others state units, they may be mistaken.
    if format == .accelerometer, includesGravity || channels.contains(.gravityX) {
      noteGravity(in: includesGravity ? .userAcceleration : .gravity)
    }
    let isReplaced = gravityIsDifference && takeBackUnevenGravity()
    if includesGravity || isReplaced { estimateGravity() }
    leaveOut(skipped, rows: rowsBeforePassing)
  }

  /// The rows as samples in time.
  func recording(name: String) -> Recording {
    Recording(
      name: name, sampleRate: timing.sampleRate, start: SampleTime(nanoseconds: table.times.first ?? 0),
      channels: channels, rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)), repairs: repairs)
  }

  private static func putInOrder(_ table: inout TableRows) throws(TimingProblem) -> [Repair] {
    guard !RowOrder.isInOrder(table.times) else { return [] }
    let order = try RowOrder(times: table.times, content: table.rows)
    guard !order.rows.isEmpty else { throw .noTimes }
    guard 2 * order.contradictionCount <= table.rows.count else {
      throw .coarseTimes(rows: table.rows.count, times: order.rows.count)
    }
    table.keep(order.rows)
    table.times = order.times
    return order.repairs
  }

  private mutating func dropStaleFirstRow() {
    guard isAloneAtStart || StaleFirstRow.isStale(table.rows) else { return }
    table.dropFirst()
    repairs.append(.droppedStaleFirstRow)
  }

  /// With more broken rows than this share of all, a recording is slower than its times say, and they stay.
  private static let largestBrokenShare = 0.1

  private mutating func dropBrokenRows() {
    guard !table.missing.isEmpty else { return }
    let lanes = (Sensor.gravity.channels + Sensor.userAcceleration.channels).filter(channels.contains).map(\.lane)
    let broken = table.rows.runs { row in lanes.contains { row[$0].isNaN } }.filter(isBridged)
    let count = broken.reduce(0) { $0 + $1.count }
    guard count > 0, Double(count) <= Self.largestBrokenShare * Double(table.rows.count) else { return }
    var kept: [Int] = []
    for (before, after) in zip([0..<0] + broken, broken + [table.rows.count..<table.rows.count]) {
      kept += before.upperBound..<after.lowerBound
    }
    if table.times.isEmpty { table.times = table.rows.indices.map(timing.sampleRate.nanoseconds(ofSample:)) }
    table.keep(kept)
    repairs.append(.droppedBrokenRows(count: count))
  }

  /// Whether the rows before and after these are so near each other that no gap parts them.
  private func isBridged(_ rows: Range<Int>) -> Bool {
    guard rows.lowerBound > 0, rows.upperBound < table.rows.count else { return false }
    guard !table.times.isEmpty else { return Double(rows.count + 1) <= Resampler.longestStep }
    return table.times[rows.upperBound] - table.times[rows.lowerBound - 1] <= longestStep
  }

  /// Whether a gap parts the first row from the others.
  private var isAloneAtStart: Bool {
    let times = table.times
    return times.count >= StaleFirstRow.rowsToJudge.lowerBound && times[1] - times[0] > longestStep
  }

  /// Leaves out channels that only the first rows of the file have.
  private mutating func leaveOut(_ skipped: LaneSet, rows: Int) {
    guard !skipped.isEmpty else { return }
    let absent = Channel.allCases.filter { skipped.contains($0.lane) }
    channels.subtract(absent)
    let lanes = absent.map(\.lane)
    for row in table.rows.indices.prefix(rows) {
      for lane in lanes { table.rows[row][lane] = .nan }
    }
    table.noteMissing(of: channels, inFirst: rows)
  }

  private mutating func noteGaps() {
    let longestStep = longestStep
    var count = 0
    var longest: Int64 = 0
    for (before, after) in zip(table.times, table.times.dropFirst()) where after - before > longestStep {
      count += 1
      longest = max(longest, after - before)
    }
    if count > 0 { repairs.append(.brokeAtGaps(count: count, longestSeconds: Double(longest) / 1e9)) }
  }

  /// Looks whether an acceleration is as long as one with gravity in it: near 1 g, and not beyond 8 g even at a sprinter's
  /// wrist.
  private mutating func noteGravity(in sensor: Sensor) {
    var (sum, count) = (0.0, 0)
    for row in table.rows {
      let value = sensor == .gravity ? row.lowHalf.highHalf : row.highHalf.highHalf
      let length = (value * value).sum().squareRoot()
      guard length.isFinite else { continue }
      sum += Double(length)
      count += 1
    }
    guard count > 0, !(0.5...8 ~= sum / Double(count)) else { return }
    repairs.append(.suspectGravity(mean: sum / Double(count)))
  }

  /// Refuses what should be the total acceleration, but has no gravity in it.
  private func checkGravity(file: String) throws(RecordingError) {
    guard let length = GravityCheck.steadyLength(of: table.rows, at: timing.sampleRate),
      length < GravityCheck.leastSteadyLength
    else { return }
    throw .withoutGravity(file: file, mean: length)
  }

  /// Puts the total acceleration together again where gravity, the difference of two accelerations, is not equally long
  /// throughout; returns whether it did.
  private mutating func takeBackUnevenGravity() -> Bool {
    guard let swing = GravityCheck.swing(of: table.rows) else { return false }
    for row in table.rows.indices { table.rows[row].highHalf.highHalf += table.rows[row].lowHalf.highHalf }
    repairs.append(.replacedGravity(least: swing.lowerBound, greatest: swing.upperBound))
    return true
  }

  /// Takes the total acceleration, which stands for the user's, apart.
  private mutating func estimateGravity() {
    var isLost = false
    var estimator = GravityEstimator(sampleRate: timing.sampleRate)
    for row in table.rows.indices {
      let time = table.times.isEmpty ? timing.sampleRate.nanoseconds(ofSample: row) : table.times[row]
      let reading = MotionSample(time: SampleTime(nanoseconds: time), row: table.rows[row])
      let sample = estimator.sample(
        time: reading.time, totalAcceleration: reading.userAcceleration, rotationRate: reading.rotationRate,
        attitude: reading.attitude)
      table.rows[row] = sample.row
      if sample.gravity.x.isNaN, reading.userAcceleration.x.isFinite { isLost = true }
    }
    channels.formUnion(Sensor.gravity.channels)
    // Where the total is too short to have a direction, as in free fall, there is none.
    if isLost { table.noteMissing(of: channels) }
    repairs.append(.estimatedGravity)
  }
}
