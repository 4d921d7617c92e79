import Gait

/// Repairs the rows of a recording, in order of time. Every recording from a file passes through it, as one table or as
/// a series of tables (blocks).
///
///     rows in order ─▶ stale first row ─▶ broken rows ─▶ gaps ─▶ gravity ─▶ samples
///
/// - **Stale first row**: the first row is dropped if its orientation shows that it belongs to an earlier recording
///   (`StaleFirstRow`), or if a gap separates it from the next row. In files that Gait wrote, the first row is kept.
/// - **Broken rows**: a row that lacks part of its acceleration is dropped, unless a gap would remain. If more than a
///   tenth of the rows are broken (`largestBrokenShare`), they stay. Each window that contains a broken row is invalid.
/// - **Gaps**: steps of more than `Resampler.longestStep(at:)`. They are counted, not changed.
/// - **Gravity**: estimated if there is only the total acceleration (`GravityEstimator`).
///
/// Some decisions depend on all rows (`Decisions`). The first block makes them, and `finish` returns what they are by
/// all rows. If the two differ, append all blocks again to a second timeline, created with the decisions that `finish`
/// returned. With a single block, the two are equal.
///
/// Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  /// The decisions that depend on all rows.
  struct Decisions: Equatable {
    var sampleRate: SampleRate
    /// Whether broken rows are kept, because they are more than `largestBrokenShare` of all rows.
    var keepsBrokenRows = false
    /// Whether the only acceleration includes gravity.
    var includesGravity = false
    /// The factor that converts the acceleration to g; 1 if it is in the format's unit, which was converted on reading.
    var factor: Float = 1
    /// Whether gravity is added to the user acceleration again, because it was subtracted wrongly.
    var addsGravity = false
  }

  /// The sample rate of the first block, its source, and how evenly the rows are spaced.
  let timing: RowTiming
  private(set) var decisions: Decisions
  private var isDecided: Bool
  private let longestStep: Int64
  /// The columns, and what the caller states.
  private let columns: RecordingTable
  /// The number of rows in the blocks so far, without those in `rest`, and the time of the last row.
  private var rowCount = 0
  private var latest: Int64?
  /// The broken rows at the end of the last block, if the next block decides whether they are dropped.
  private var rest: RecordingTable?
  /// Whether the last block ended within a run of broken rows that is too long to be dropped.
  private var isInLongRun = false

  private var estimator: GravityEstimator
  private var steady: SteadyAcceleration
  private var lengths = GravityCheck.Lengths()
  private var spread = GravityCheck.Spread()
  private var subtraction = GravityCheck.Subtraction()
  private var review: SignalReview
  private var droppedFirstRow = false
  private var brokenCount = 0
  private var gaps = (count: 0, longest: Int64(0))
  /// The first and the last time of the samples, and their number.
  private(set) var span: (start: Int64, end: Int64, count: Int)?

  /// The longest possible time between two rows of a recording: a year, in nanoseconds. A longer one means that the
  /// clock was wrong.
  private static let longestGap: Int64 = 31_557_600_000_000_000
  /// The largest share of broken rows at which they are dropped. If more are broken, the sensor's rate is really lower
  /// than the rows' times show.
  private static let largestBrokenShare = 0.1

  /// - Parameters:
  ///   - columns: the first block without its rows.
  ///   - timing: the timing of its rows, which are in order of time.
  ///   - decisions: the decisions by all rows; `nil` to decide by the first block.
  ///   - rate: the sample rate by all rows, if `decisions` is `nil` and the rate is already known; `nil` to use that of
  ///     `timing`.
  init(_ columns: RecordingTable, _ timing: RowTiming, _ decisions: Decisions? = nil, rate: SampleRate? = nil) {
    self.columns = columns
    self.timing = timing
    self.decisions = decisions ?? Decisions(sampleRate: rate ?? timing.sampleRate)
    isDecided = decisions != nil
    let rate = self.decisions.sampleRate
    longestStep = Resampler.longestStep(at: rate)
    estimator = GravityEstimator(sampleRate: rate)
    steady = SteadyAcceleration(at: rate)
    review = SignalReview(sampleRate: rate, judgesGravity: false)
  }

  /// The repaired rows of the next block. Broken rows at its end may be returned with the block after it.
  mutating func append(_ table: consuming RecordingTable, isLast: Bool) -> TimedTable {
    if rowCount == 0, rest == nil, table.format != .gait, isAloneAtStart(table) || StaleFirstRow.isStale(table.rows) {
      table.dropFirst()
      droppedFirstRow = true
    }
    if var rows = rest {
      rest = nil
      rows.append(table)
      table = rows
    }
    return samples(of: consume table, isLast: isLast)
  }

  /// The rows not yet returned, or `nil` if there are none; the decisions by all rows; and the repairs.
  ///
  /// - Parameter reading: the repairs that were made when the file was read.
  /// - Throws: `RecordingError.timing` if two consecutive rows are more than `longestGap` apart;
  ///   `RecordingError.withoutGravity` if the acceleration is 0 throughout, or has a magnitude that neither rest nor
  ///   movement has.
  mutating func finish(
    _ reading: [Repair]
  ) throws(RecordingError) -> (rows: TimedTable?, decisions: Decisions, repairs: [Repair]) {
    let rows = rest.map { samples(of: $0, isLast: true) }
    try checkGaps()
    let gravity = try columns.hasOneAcceleration ? columns.otherGravity(by: steady) : nil
    if !decisions.includesGravity, let mean = lengths.mean, mean > SteadyAcceleration.largestLength {
      throw .withoutGravity(file: columns.name, mean: mean)
    }
    var repairs = reading
    if droppedFirstRow { repairs.append(.droppedStaleFirstRow) }
    if brokenCount > 0, !decisions.keepsBrokenRows { repairs.append(.droppedBrokenRows(count: brokenCount)) }
    if gaps.count > 0 { repairs.append(.brokeAtGaps(count: gaps.count, longestSeconds: Double(gaps.longest) / 1e9)) }
    if !timing.parts.isEmpty { repairs.append(.changedRate(hertz: timing.parts.map(\.hertz))) }
    repairs += gravity?.repairs ?? []
    repairs += lengths.repairs
    repairs += review.findings.filter(isNew).map(Repair.foundInSignal)
    if decisions.addsGravity {
      repairs += spread.unevenRange.map { [.replacedGravity(least: $0.lowerBound, greatest: $0.upperBound)] } ?? []
      if columns.accelerationIsDifference { repairs.append(.keptAccelerationWithoutGravity) }
    }
    if estimatesGravity { repairs.append(.estimatedGravity) }
    var found = decisions
    found.keepsBrokenRows = hasManyBrokenRows
    decideGravity(gravity, &found)
    return (rows, found, repairs)
  }

  /// Throws `RecordingError.timing` if two consecutive rows so far are more than `longestGap` apart.
  func checkGaps() throws(RecordingError) {
    guard gaps.longest > Self.longestGap else { return }
    throw .timing(.farApart(seconds: Double(gaps.longest) / 1e9), file: columns.name)
  }

  // MARK: Decisions

  private var estimatesGravity: Bool {
    decisions.includesGravity || decisions.addsGravity && columns.gravityIsDifference
  }

  private var hasManyBrokenRows: Bool { Double(brokenCount) > Self.largestBrokenShare * Double(rowCount) }

  /// Sets the decisions about gravity.
  ///
  /// - `includesGravity` and `factor` are those of `change`; without a change, they are as the columns' names say.
  /// - `addsGravity` is true in two cases: gravity is the difference of two accelerations and its magnitude varies too
  ///   much, or gravity was subtracted from an acceleration that did not include it.
  private func decideGravity(_ change: AccelerationChange?, _ decisions: inout Decisions) {
    decisions.includesGravity = change?.includesGravity ?? columns.accelerationIncludesGravity
    decisions.factor = change?.factor ?? 1
    decisions.addsGravity = spread.unevenRange != nil || subtraction.isWrong
  }

  /// Whether a gap separates the first row from the others.
  private func isAloneAtStart(_ table: borrowing RecordingTable) -> Bool {
    table.times.count >= StaleFirstRow.rowsToJudge.lowerBound && table.times[1] - table.times[0] > longestStep
  }

  // MARK: Rows

  private mutating func samples(of table: consuming RecordingTable, isLast: Bool) -> TimedTable {
    rest = nil
    let (rate, first) = (decisions.sampleRate, rowCount)
    // Gait's own files are repaired already.
    if table.comments.isEmpty, !table.missingRows.isEmpty || isInLongRun {
      dropBrokenRows(&table, isLast: isLast)
    } else {
      rowCount += table.count
      isInLongRun = false
    }
    if table.times.isEmpty, first > 0, rate.periodNanoseconds != rate.periodNanoseconds.rounded() {
      table.times = table.rows.indices.map { rate.nanoseconds(ofSample: first + $0) }
    }
    let start = table.times.first ?? rate.nanoseconds(ofSample: first)
    if table.count > 0 {
      countGaps(table.times, after: start)
      let end = table.times.last ?? rate.nanoseconds(ofSample: first + table.count - 1)
      (latest, span) = (end, (span?.start ?? start, end, (span?.count ?? 0) + table.count))
    }
    measureGravity(&table)
    if estimatesGravity || decisions.addsGravity { repairGravity(&table) { rate.nanoseconds(ofSample: first + $0) } }
    table.removeSkippedChannels()
    review.append(table.rows[...])
    return TimedTable(table: table, start: start, sampleRate: rate, isEstimated: estimatesGravity)
  }

  private mutating func countGaps(_ times: [Int64], after start: Int64) {
    var before = latest ?? start
    for time in times {
      if time - before > longestStep { gaps = (gaps.count + 1, max(gaps.longest, time - before)) }
      before = time
    }
  }

  /// Measures the acceleration. The first block decides whether it includes gravity, and its unit.
  private mutating func measureGravity(_ table: inout RecordingTable) {
    if columns.hasOneAcceleration { steady.append(table.rows) }
    if columns.gravityIsDifference { spread.append(table.rows) }
    if columns.accelerationIsDifference { subtraction.append(table.rows) }
    if !isDecided {
      decideGravity(columns.hasOneAcceleration ? try? columns.otherGravity(by: steady) : nil, &decisions)
      isDecided = true
    }
    if decisions.factor != 1 {
      for row in table.rows.indices { table.rows[row].highHalf.highHalf *= decisions.factor }
    }
    let includesGravity = decisions.includesGravity
    if GravityCheck.checkedFormats.contains(columns.format), includesGravity || columns.channels.contains(.gravityX) {
      lengths.append(table.rows, of: includesGravity ? .userAcceleration : .gravity)
    }
  }

  /// Whether a finding is reported as a repair. Gravity in the acceleration is not, because `otherGravity(by:)` checks
  /// it. A sensor without any value is reported only if the recording has acceleration; otherwise its column was not
  /// read.
  private func isNew(_ finding: SignalFinding) -> Bool {
    switch finding {
    case .gravityIncluded: false
    case .missing(_, share: 1): columns.channels.contains(.userAccelerationX)
    default: true
    }
  }

  /// Adds gravity to the user acceleration if it was subtracted wrongly, and splits a total acceleration into gravity
  /// and user acceleration.
  private mutating func repairGravity(_ table: inout RecordingTable, time: (Int) -> Int64) {
    if decisions.addsGravity {
      for row in table.rows.indices { table.rows[row].highHalf.highHalf += table.rows[row].lowHalf.highHalf }
    }
    if estimatesGravity { table.estimateGravity(by: &estimator, time: time) }
  }

  /// Drops each run of broken rows after which no gap remains. A run at the end of the table moves to `rest`, because
  /// only the next block shows where it ends.
  private mutating func dropBrokenRows(_ table: inout RecordingTable, isLast: Bool) {
    let (rate, first) = (decisions.sampleRate, rowCount)
    func time(_ row: Int) -> Int64 { table.times.isEmpty ? rate.nanoseconds(ofSample: first + row) : table.times[row] }
    func isShort(_ rows: Range<Int>, before end: Int) -> Bool {
      guard rows.lowerBound > 0 || latest != nil else { return false }
      // The rows before a run are never dropped.
      let start = rows.lowerBound > 0 ? time(rows.lowerBound - 1) : latest ?? 0
      return table.times.isEmpty
        ? rate.nanoseconds(ofSample: rows.count + 1) <= longestStep : time(end) - start <= longestStep
    }
    var runs = table.runsLackingAcceleration
    if isInLongRun, runs.first?.lowerBound == 0 {
      guard runs[0].count < table.count else {
        rowCount += table.count
        return
      }
      runs.removeFirst()
    }
    isInLongRun = false
    if !isLast, let last = runs.last, last.upperBound == table.count {
      if isShort(last, before: last.upperBound - 1) {
        rest = table.rows(last)
        table = table.rows(0..<last.lowerBound)
      } else {
        isInLongRun = true
      }
      runs.removeLast()
    }
    rowCount += table.count
    let broken = runs.filter { $0.upperBound < table.count && isShort($0, before: $0.upperBound) }
    brokenCount += broken.reduce(0) { $0 + $1.count }
    if !isDecided { decisions.keepsBrokenRows = hasManyBrokenRows }
    guard !broken.isEmpty, !decisions.keepsBrokenRows else { return }
    if table.times.isEmpty { table.times = table.rows.indices.map { rate.nanoseconds(ofSample: first + $0) } }
    table.drop(broken)
  }
}

/// Repaired rows in order of time.
struct TimedTable {
  let table: RecordingTable
  /// The time of the first row, nanoseconds.
  let start: Int64
  let sampleRate: SampleRate
  /// Whether gravity was estimated.
  let isEstimated: Bool

  /// The rows as samples.
  ///
  /// - Parameters:
  ///   - sampleRates: the rates of the recording's parts, in hertz; `nil` if the rate does not change.
  ///   - repairs: the repairs of the whole recording; `nil` if they are not known yet.
  func recording(sampleRates: [Double]? = nil, repairs: [Repair]? = nil) -> Recording {
    Recording(
      name: table.name, sampleRate: sampleRate, start: SampleTime(nanoseconds: start), channels: table.channels,
      rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)),
      gravityIsEstimated: isEstimated || table.repairs.contains(.estimatedGravity), sampleRates: sampleRates,
      readerNotes: repairs)
  }
}
