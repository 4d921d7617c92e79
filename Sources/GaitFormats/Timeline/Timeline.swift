import Gait

/// Repairs rows in time; every recording from a file passes through it, in blocks or as a single block.
///
///     rows in order ─▶ stale first row ─▶ broken rows ─▶ gaps ─▶ gravity ─▶ samples
///
/// - **Stale first row**: the first row is dropped if it belongs to an earlier recording, by its orientation
///   (`StaleFirstRow`) or because a gap separates it from the next row. Files that Gait wrote have none.
/// - **Broken rows**: a row that lacks part of its acceleration is dropped, unless this leaves a gap. A kept broken row
///   invalidates whole windows. If there are many broken rows, they stay.
/// - **Gaps**: steps of more than `Resampler.longestStep(at:)`. They are counted, not changed.
/// - **Gravity**: estimated if there is only the total acceleration (`GravityEstimator`).
///
/// The first block makes the decisions that depend on all rows (`Decisions`). `finish` returns those by all rows. If
/// the two differ, append the blocks again to a timeline with the latter. With a single block, the two are equal.
///
/// Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  /// What depends on all rows.
  struct Decisions: Equatable {
    var sampleRate: SampleRate
    /// Whether broken rows are so many that they are kept.
    var keepsBrokenRows = false
    /// Whether the only acceleration includes gravity.
    var includesGravity = false
    /// The factor from the unit of the acceleration to g, if it is not the format's.
    var factor: Float = 1
    /// Whether gravity, which was subtracted, is added to the acceleration again.
    var addsGravity = false
  }

  /// The sample rate of the first block, its source, and how evenly the rows are spaced.
  let timing: RowTiming
  private(set) var decisions: Decisions
  private var isDecided: Bool
  private let longestStep: Int64
  /// The columns, and what the caller states.
  private let columns: RecordingTable
  /// The number of rows before the next block, but for those in `rest`, and the latest time.
  private var rowCount = 0
  private var latest: Int64?
  /// Rows at the end of a block that may be dropped, depending on the next block.
  private var rest: RecordingTable?
  /// Whether the latest rows are in a run of broken rows that is too long to be dropped.
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

  /// The longest time between two rows of a recording: a year, nanoseconds. Longer ones are of a clock that was wrong.
  private static let longestGap: Int64 = 31_557_600_000_000_000
  /// The largest share of broken rows that are dropped. A recording with more has a lower rate than its times show.
  private static let largestBrokenShare = 0.1

  /// - Parameters:
  ///   - columns: the first block without its rows.
  ///   - timing: the timing of its rows, which are in order of time.
  ///   - decisions: the decisions by all rows; `nil` to decide by the first block.
  ///   - rate: the sample rate by all rows, if only that is known.
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

  /// The repaired rows of the next block; the last ones may follow with the block after it.
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

  /// The rows that are left, the decisions by all rows, and the repairs.
  ///
  /// - Parameter reading: the repairs of reading.
  /// - Throws: `RecordingError.withoutGravity` if the total acceleration lacks gravity.
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

  /// Throws `RecordingError.timing` if rows so far are impossibly far apart.
  func checkGaps() throws(RecordingError) {
    guard gaps.longest > Self.longestGap else { return }
    throw .timing(.farApart(seconds: Double(gaps.longest) / 1e9), file: columns.name)
  }

  // MARK: Decisions

  private var estimatesGravity: Bool {
    decisions.includesGravity || decisions.addsGravity && columns.gravityIsDifference
  }

  private var hasManyBrokenRows: Bool { Double(brokenCount) > Self.largestBrokenShare * Double(rowCount) }

  /// Decides whether the acceleration includes gravity, which `change` says if it is not as the columns say; and
  /// whether gravity is added: if it is the difference of two accelerations and uneven, or was subtracted from an
  /// acceleration without it.
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

  /// Measures the acceleration, and decides by the first block what it holds.
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

  /// Whether the caller still has to hear of a finding. Gravity in the acceleration was reported when the table was
  /// read. A sensor without any value matters only if the recording has acceleration; without it, the column was not
  /// read.
  private func isNew(_ finding: SignalFinding) -> Bool {
    switch finding {
    case .gravityIncluded: false
    case .missing(_, share: 1): columns.channels.contains(.userAccelerationX)
    default: true
    }
  }

  /// Adds the gravity that was subtracted, and splits a total acceleration into gravity and user acceleration.
  private mutating func repairGravity(_ table: inout RecordingTable, time: (Int) -> Int64) {
    if decisions.addsGravity {
      for row in table.rows.indices { table.rows[row].highHalf.highHalf += table.rows[row].lowHalf.highHalf }
    }
    if estimatesGravity { table.estimateGravity(by: &estimator, time: time) }
  }

  /// Drops the runs of broken rows that leave no gap. A run at the end of the table goes to `rest` until its end is
  /// known.
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
  ///   - sampleRates: the rates of the recording's parts, hertz, if its rate changes.
  ///   - repairs: the repairs of the whole recording.
  func recording(sampleRates: [Double]? = nil, repairs: [Repair]? = nil) -> Recording {
    Recording(
      name: table.name, sampleRate: sampleRate, start: SampleTime(nanoseconds: start), channels: table.channels,
      rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)),
      gravityIsEstimated: isEstimated || table.repairs.contains(.estimatedGravity), sampleRates: sampleRates,
      readerNotes: repairs)
  }
}
