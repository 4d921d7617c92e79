import Gait

/// Sorts the rows of a table by time and repairs them; every recording from a file passes through it.
///
///     file order ─▶ RowOrder ─▶ rate ─▶ stale first row ─▶ broken rows ─▶ gaps ─▶ gravity ─▶ Recording
///
/// - **Order**: rows are sorted by time; repeats and rows without a time are dropped (`RowOrder`).
/// - **Rate**: the given one, else the format's own, else that of the timestamps (`RateEstimate`).
/// - **Stale first row**: the first row is dropped if it belongs to an earlier recording, by its orientation
///   (`StaleFirstRow`) or because a gap separates it from the next row. Files that Gait wrote have none.
/// - **Broken rows**: a row that lacks part of its acceleration is dropped, as if it had not been recorded, unless that
///   leaves a gap: otherwise it would invalidate whole windows. If there are many of them, they stay.
/// - **Gaps**: steps of more than `Resampler.longestStep` periods. They are counted, not changed.
/// - **Gravity**: estimated if the file has only the total acceleration (`GravityEstimator`).
///
/// `repairs` lists each change. Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  /// The rows, in order of time.
  private(set) var table: TableRows
  /// The channels that the rows have.
  private(set) var channels: Set<Channel>
  /// The repairs, in order.
  private(set) var repairs: [Repair]
  /// The sample rate, its source, and how evenly the rows are spaced.
  let timing: RowTiming

  private var longestStep: Int64 { Resampler.longestStep(at: timing.sampleRate) }

  /// Consumes the table, so that uniquely referenced rows are changed in place.
  ///
  /// - Throws: `RecordingError` if the rows cannot be placed in time, or the total acceleration lacks gravity.
  init(_ table: consuming RecordingTable, sampleRate: SampleRate?) throws(RecordingError) {
    let (name, isWrittenByGait) = (table.name, !table.comments.isEmpty)
    let gravityIsDifference = table.gravityIsDifference
    let (statedPeriod, format, includesGravity) = (table.statedPeriod, table.format, table.accelerationIncludesGravity)
    let (skipped, rowsBeforeSkipping) = (table.skippedLanes, table.rowsBeforeSkipping)
    channels = table.channels
    repairs = table.repairs
    var rows = TableRows(table)
    do throws(TimingProblem) {
      repairs += try Self.sort(&rows)
      timing = try RowTiming(of: rows.times, given: sampleRate, stated: statedPeriod)
    } catch {
      throw .timing(error, file: name)
    }
    self.table = consume rows
    // Files that Gait wrote are repaired already.
    if format != .gait { dropStaleFirstRow() }
    if !isWrittenByGait { dropBrokenRows() }
    countGaps()
    if !timing.parts.isEmpty { repairs.append(.changedRate(hertz: timing.parts.map(\.hertz))) }
    if includesGravity { try checkGravity(file: name) }
    // The units of this format come from column names or the caller, and may be wrong.
    if format == .accelerometer, includesGravity || channels.contains(.gravityX) {
      checkMagnitude(of: includesGravity ? .userAcceleration : .gravity)
    }
    let isReplaced = gravityIsDifference && restoreTotalIfGravityIsUneven()
    if includesGravity || isReplaced { estimateGravity() }
    removeChannels(of: skipped, presentInFirst: rowsBeforeSkipping)
  }

  /// The rows as samples in time.
  func recording(name: String) -> Recording {
    Recording(
      name: name, sampleRate: timing.sampleRate, start: SampleTime(nanoseconds: table.times.first ?? 0),
      channels: channels, rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)),
      gravityIsEstimated: repairs.contains(.estimatedGravity), sampleRates: repairs.changedRates, readerNotes: repairs)
  }

  private static func sort(_ table: inout TableRows) throws(TimingProblem) -> [Repair] {
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

  /// The largest share of broken rows that are dropped. A recording with more has a lower rate than its times show.
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

  /// Whether dropping these rows leaves no gap.
  private func isBridged(_ rows: Range<Int>) -> Bool {
    guard rows.lowerBound > 0, rows.upperBound < table.rows.count else { return false }
    guard !table.times.isEmpty else { return Double(rows.count + 1) <= Resampler.longestStep }
    return table.times[rows.upperBound] - table.times[rows.lowerBound - 1] <= longestStep
  }

  /// Whether a gap separates the first row from the others.
  private var isAloneAtStart: Bool {
    let times = table.times
    return times.count >= StaleFirstRow.rowsToJudge.lowerBound && times[1] - times[0] > longestStep
  }

  /// Removes channels that only the first `rows` rows of the file have.
  private mutating func removeChannels(of skipped: LaneSet, presentInFirst rows: Int) {
    guard !skipped.isEmpty else { return }
    let absent = Channel.allCases.filter { skipped.contains($0.lane) }
    channels.subtract(absent)
    let lanes = absent.map(\.lane)
    for row in table.rows.indices.prefix(rows) {
      for lane in lanes { table.rows[row][lane] = .nan }
    }
    table.updateMissing(of: channels, inFirst: rows)
  }

  private mutating func countGaps() {
    let longestStep = longestStep
    var count = 0
    var longest: Int64 = 0
    for (before, after) in zip(table.times, table.times.dropFirst()) where after - before > longestStep {
      count += 1
      longest = max(longest, after - before)
    }
    if count > 0 { repairs.append(.brokeAtGaps(count: count, longestSeconds: Double(longest) / 1e9)) }
  }

  /// Reports an acceleration whose mean magnitude cannot include gravity or has the wrong unit: it is near 1 g, and at
  /// most 8 g even at a sprinter's wrist.
  private mutating func checkMagnitude(of sensor: Sensor) {
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

  /// Throws if the total acceleration does not include gravity.
  private func checkGravity(file: String) throws(RecordingError) {
    guard let length = GravityCheck.steadyLength(of: table.rows, at: timing.sampleRate),
      length < GravityCheck.leastSteadyLength
    else { return }
    throw .withoutGravity(file: file, mean: length)
  }

  /// Restores the total acceleration if gravity, the difference of two accelerations, varies in magnitude.
  ///
  /// - Returns: whether it was restored.
  private mutating func restoreTotalIfGravityIsUneven() -> Bool {
    guard let range = GravityCheck.unevenRange(of: table.rows) else { return false }
    for row in table.rows.indices { table.rows[row].highHalf.highHalf += table.rows[row].lowHalf.highHalf }
    repairs.append(.replacedGravity(least: range.lowerBound, greatest: range.upperBound))
    return true
  }

  /// Splits the total acceleration, stored as user acceleration, into gravity and user acceleration.
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
    // Where the total is too small to have a direction, as in free fall, gravity is missing.
    if isLost { table.updateMissing(of: channels) }
    repairs.append(.estimatedGravity)
  }
}
