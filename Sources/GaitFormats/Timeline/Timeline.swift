import Gait

/// Sorts the rows of a table by time and repairs them; every recording from a file passes through it.
///
///     file order ─▶ joined sensors ─▶ RowOrder ─▶ rate ─▶ stale first row ─▶ broken rows ─▶ gaps ─▶ gravity ─▶ Recording
///
/// - **Joined sensors**: if each row holds one sensor, the others are interpolated at the times of the acceleration.
/// - **Order**: rows are sorted by time; repeats and rows without a time are dropped (`RowOrder`).
/// - **Rate**: the given one, else the format's own, else that of the timestamps (`RateEstimate`).
/// - **Stale first row**: the first row is dropped if it belongs to an earlier recording, by its orientation
///   (`StaleFirstRow`) or because a gap separates it from the next row. Files that Gait wrote have none.
/// - **Broken rows**: a row that lacks part of its acceleration is dropped, as if it had not been recorded, unless that
///   leaves a gap: otherwise it would invalidate whole windows. If there are many of them, they stay.
/// - **Gaps**: steps of more than `Resampler.longestStep(at:)`. They are counted, not changed.
/// - **Gravity**: estimated if the file has only the total acceleration (`GravityEstimator`).
///
/// `repairs` lists each change. Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  /// The rows in order of time, with their channels and the repairs, in order.
  private(set) var table: RecordingTable
  /// The sample rate, its source, and how evenly the rows are spaced.
  let timing: RowTiming

  private var longestStep: Int64 { Resampler.longestStep(at: timing.sampleRate) }

  /// Consumes the table, so that uniquely referenced rows are changed in place.
  ///
  /// - Throws: `RecordingError` if the rows cannot be placed in time, or the total acceleration lacks gravity.
  init(_ table: consuming RecordingTable, sampleRate: SampleRate?) throws(RecordingError) {
    do throws(TimingProblem) {
      try Self.sort(&table)
      timing = try RowTiming(of: table.times, given: sampleRate, stated: table.statedPeriod)
    } catch {
      throw .timing(error, file: table.name)
    }
    self.table = consume table
    // Files that Gait wrote are repaired already.
    if self.table.format != .gait { dropStaleFirstRow() }
    if self.table.comments.isEmpty { dropBrokenRows() }
    countGaps()
    if !timing.parts.isEmpty { self.table.repairs.append(.changedRate(hertz: timing.parts.map(\.hertz))) }
    try decideGravity()
    let includesGravity = self.table.accelerationIncludesGravity
    if GravityCheck.checksLength(of: self.table.format), includesGravity || self.table.channels.contains(.gravityX) {
      var length = GravityCheck.MeanLength()
      length.append(self.table.rows, of: includesGravity ? .userAcceleration : .gravity)
      self.table.repairs += length.repair
    }
    if self.table.accelerationIsDifference { restoreAccelerationWithoutGravity() }
    let isReplaced = self.table.gravityIsDifference && restoreTotalIfGravityIsUneven()
    if includesGravity || isReplaced { estimateGravity() }
    removeSkippedChannels()
  }

  /// The rows as samples in time.
  var recording: Recording {
    Recording(
      name: table.name, sampleRate: timing.sampleRate, start: SampleTime(nanoseconds: table.times.first ?? 0),
      channels: table.channels, rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)),
      gravityIsEstimated: table.repairs.contains(.estimatedGravity), sampleRates: table.repairs.changedRates,
      readerNotes: table.repairs)
  }

  private static func sort(_ table: inout RecordingTable) throws(TimingProblem) {
    table.joinSensorsInOwnRows()
    guard !RowOrder.isInOrder(table.times) else { return }
    let order = try RowOrder(times: table.times, content: RowContent(table.rows, skipped: table.skippedChannels))
    guard !order.rows.isEmpty else { throw .noTimes }
    guard 2 * order.contradictionCount <= table.rows.count else {
      throw .coarseTimes(rows: table.rows.count, times: order.rows.count)
    }
    table.keep(order.rows)
    table.times = order.times
    table.repairs += order.repairs
  }

  private mutating func dropStaleFirstRow() {
    guard isAloneAtStart || StaleFirstRow.isStale(table.rows) else { return }
    table.dropFirst()
    table.repairs.append(.droppedStaleFirstRow)
  }

  /// The largest share of broken rows that are dropped. A recording with more has a lower rate than its times show.
  static let largestBrokenShare = 0.1

  private mutating func dropBrokenRows() {
    guard !table.missingRows.isEmpty else { return }
    let broken = table.runsLackingAcceleration.filter(isBridged)
    let count = broken.reduce(0) { $0 + $1.count }
    guard count > 0, Double(count) <= Self.largestBrokenShare * Double(table.rows.count) else { return }
    if table.times.isEmpty { table.times = table.rows.indices.map(timing.sampleRate.nanoseconds(ofSample:)) }
    table.drop(broken)
    table.repairs.append(.droppedBrokenRows(count: count))
  }

  /// Whether dropping these rows leaves no gap.
  private func isBridged(_ rows: Range<Int>) -> Bool {
    guard rows.lowerBound > 0, rows.upperBound < table.rows.count else { return false }
    guard !table.times.isEmpty else { return timing.sampleRate.nanoseconds(ofSample: rows.count + 1) <= longestStep }
    return table.times[rows.upperBound] - table.times[rows.lowerBound - 1] <= longestStep
  }

  /// Whether a gap separates the first row from the others.
  private var isAloneAtStart: Bool {
    let times = table.times
    return times.count >= StaleFirstRow.rowsToJudge.lowerBound && times[1] - times[0] > longestStep
  }

  /// Removes the channels that only the first rows of the file have.
  private mutating func removeSkippedChannels() {
    guard !table.skippedChannels.isEmpty else { return }
    table.blankSkippedChannels()
    if !table.missingRows.isEmpty { table.missingRows = table.rows.runs(lacking: table.channels) }
  }

  private mutating func countGaps() {
    let longestStep = longestStep
    var count = 0
    var longest: Int64 = 0
    for (before, after) in zip(table.times, table.times.dropFirst()) where after - before > longestStep {
      count += 1
      longest = max(longest, after - before)
    }
    if count > 0 { table.repairs.append(.brokeAtGaps(count: count, longestSeconds: Double(longest) / 1e9)) }
  }

  /// Decides by the numbers whether the only acceleration includes gravity, unless the caller states it.
  private mutating func decideGravity() throws(RecordingError) {
    guard table.hasOneAcceleration else { return }
    var length = GravityCheck.SteadyLength(at: timing.sampleRate)
    length.append(table.rows)
    if let (includesGravity, repair) = try table.otherGravity(by: length) {
      table.accelerationIncludesGravity = includesGravity
      table.repairs += repair
    }
  }

  /// Restores the total acceleration if gravity, the difference of two accelerations, varies in magnitude.
  ///
  /// - Returns: whether it was restored.
  private mutating func restoreTotalIfGravityIsUneven() -> Bool {
    var spread = GravityCheck.Spread()
    spread.append(table.rows)
    guard let range = spread.unevenRange else { return false }
    addGravity()
    table.repairs.append(.replacedGravity(least: range.lowerBound, greatest: range.upperBound))
    return true
  }

  /// Adds gravity, which was subtracted, to an acceleration that did not include it.
  private mutating func restoreAccelerationWithoutGravity() {
    var subtraction = GravityCheck.Subtraction()
    subtraction.append(table.rows)
    guard subtraction.isWrong else { return }
    addGravity()
    table.repairs.append(.keptAccelerationWithoutGravity)
  }

  /// Adds gravity to the user acceleration.
  private mutating func addGravity() {
    for row in table.rows.indices { table.rows[row].highHalf.highHalf += table.rows[row].lowHalf.highHalf }
  }

  /// Splits the total acceleration, stored as user acceleration, into gravity and user acceleration.
  private mutating func estimateGravity() {
    var estimator = GravityEstimator(sampleRate: timing.sampleRate)
    let rate = timing.sampleRate
    let isLost = table.estimateGravity(by: &estimator) { rate.nanoseconds(ofSample: $0) }
    // Where the total is too small to have a direction, as in free fall, gravity is missing.
    if isLost { table.missingRows = table.rows.runs(lacking: table.channels) }
    table.repairs.append(.estimatedGravity)
  }
}

extension RecordingTable {
  /// Whether the only acceleration includes gravity, and the repair that says so; `nil` if it is as the columns say.
  func otherGravity(
    by length: GravityCheck.SteadyLength
  ) throws(RecordingError) -> (includesGravity: Bool, repair: [Repair])? {
    if let statedGravity { return statedGravity == accelerationIncludesGravity ? nil : (statedGravity, []) }
    guard let found = try length.otherwise(named: accelerationIncludesGravity, file: name) else { return nil }
    return (found.includesGravity, [.assumedAcceleration(includesGravity: found.includesGravity, mean: found.mean)])
  }

  /// The runs of rows that lack a part of the acceleration.
  var runsLackingAcceleration: [Range<Int>] {
    rows.runs(lacking: (Sensor.gravity.channels + Sensor.userAcceleration.channels).filter(channels.contains))
  }

  /// Drops runs of rows, which are in order.
  mutating func drop(_ runs: [Range<Int>]) {
    keep(zip([0..<0] + runs, runs + [count..<count]).flatMap { $0.upperBound..<$1.lowerBound })
  }

  /// Removes the values of channels that only the first rows of the file have.
  mutating func blankSkippedChannels() {
    channels.subtract(skippedChannels)
    for row in rows.indices.prefix(rowsBeforeSkipping) {
      for channel in skippedChannels { rows[row][channel.lane] = .nan }
    }
  }

  /// Splits the total acceleration, stored as user acceleration, into gravity and user acceleration.
  ///
  /// - Parameters:
  ///   - estimator: the estimator, which continues after the rows before.
  ///   - time: the time of a row by its index, if the table has no times.
  /// - Returns: whether gravity is missing in a row that has an acceleration.
  mutating func estimateGravity(by estimator: inout GravityEstimator, time: (Int) -> Int64) -> Bool {
    var isLost = false
    for row in rows.indices {
      let time = times.isEmpty ? time(row) : times[row]
      let reading = MotionSample(time: SampleTime(nanoseconds: time), row: rows[row])
      let sample = estimator.sample(
        time: reading.time, totalAcceleration: reading.userAcceleration, rotationRate: reading.rotationRate,
        attitude: reading.attitude)
      rows[row] = sample.row
      if sample.gravity.x.isNaN, reading.userAcceleration.x.isFinite { isLost = true }
    }
    channels.formUnion(Sensor.gravity.channels)
    return isLost
  }
}
