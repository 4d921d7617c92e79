import Gait

/// `Timeline` for a file that is read in blocks of rows: the same samples, in memory that does not grow with the file.
///
/// What depends on the whole file is assumed from its first block, and checked at the end: the sample rate, whether rows
/// with a part of the acceleration missing are dropped, and whether gravity has a constant magnitude.
struct BlockTimeline {
  /// Why the blocks differ from the rows of the whole file.
  enum Failure: Error, Equatable {
    /// The file needs to be read as a whole: its rows are not in order, or its rate or gravity changes.
    case needsWhole
    /// The file needs to be read again, with this assumption.
    case wrong(Assumption)
  }

  /// What is assumed of the rows to come.
  struct Assumption: Equatable {
    /// The sample rate; by default that of the first block.
    var sampleRate: SampleRate?
    /// Whether broken rows are so many that they are kept.
    var keepsBrokenRows = false
    /// Whether the only acceleration includes gravity; by default as the first block shows.
    var includesGravity: Bool?
  }

  let sampleRate: SampleRate
  private let options: ReadingOptions
  private let assumption: Assumption
  private let statedPeriod: Int64?
  private let longestStep: Int64
  /// The rows of the file, but for those that `rest` has, and their latest time.
  private var rowCount = 0
  private var latest: Int64?
  /// Rows at the end of a block that may be dropped, depending on the next block.
  private var rest: RecordingTable?
  /// Whether the latest rows are in a run of broken rows that is too long to be dropped.
  private var isInLongRun = false

  private var steps: StepTotals?
  private var firstBlock: Bool { rowCount == 0 && rest == nil }
  private var firstPart = RateChanges.FirstPart()
  /// The times from the start of the current block of `RateChanges`.
  private var recentTimes: [Int64] = []
  private var estimator: GravityEstimator
  private var steadyLength: GravityCheck.SteadyLength
  private var meanLength = GravityCheck.MeanLength()
  private var spread = GravityCheck.Spread()
  private var subtraction = GravityCheck.Subtraction()
  private var repairs: [Repair] = []
  private var brokenCount = 0
  private var gaps = (count: 0, longest: Int64(0))
  /// The first and the last time of the samples, and their number.
  private(set) var span: (start: Int64, end: Int64, count: Int)?

  /// A timeline of the file that begins with the rows of `table`; they are not yet appended.
  ///
  /// - Throws: `Failure.needsWhole` if the first rows have no steady rate.
  init(_ table: RecordingTable, options: ReadingOptions, _ assumption: Assumption) throws(Failure) {
    guard RowOrder.isInOrder(table.times), table.sensorsInOwnRows.isEmpty,
      let timing = try? RowTiming(of: table.times, given: options.sampleRate, stated: table.statedPeriod),
      timing.parts.isEmpty
    else { throw .needsWhole }
    (self.options, self.assumption, statedPeriod) = (options, assumption, table.statedPeriod)
    sampleRate = assumption.sampleRate ?? timing.sampleRate
    longestStep = Resampler.longestStep(at: sampleRate)
    if !table.times.isEmpty { steps = StepTotals(period: 1e9 / (timing.measuredHertz ?? sampleRate.hertz)) }
    estimator = GravityEstimator(sampleRate: sampleRate)
    steadyLength = GravityCheck.SteadyLength(at: sampleRate)
    guard table.hasOneAcceleration else {
      includesGravity = nil
      return
    }
    var length = GravityCheck.SteadyLength(at: sampleRate)
    length.append(table.rows)
    guard let other = try? table.otherGravity(by: length)?.includesGravity else {
      includesGravity = assumption.includesGravity ?? table.accelerationIncludesGravity
      return
    }
    includesGravity = assumption.includesGravity ?? other
  }

  /// Whether the only acceleration includes gravity; `nil` if the file has gravity.
  private let includesGravity: Bool?

  /// The samples of the next rows; the last ones may follow with the next block.
  ///
  /// - Throws: `Failure.needsWhole` if rows are not in order, or the rate changes.
  mutating func append(_ table: consuming RecordingTable) throws(Failure) -> RecordingBlock {
    if let includesGravity { table.accelerationIncludesGravity = includesGravity }
    try takeTimes(table.times)
    if firstBlock, table.format != .gait, isStale(table) {
      table.dropFirst()
      repairs.append(.droppedStaleFirstRow)
    }
    if let rest { table = rest.followed(by: table) }
    return samples(of: table, isLast: false)
  }

  /// The last samples, and the repairs made.
  ///
  /// - Parameter end: the table after the last rows, which has the repairs of reading.
  /// - Throws: `Failure` if an assumption was wrong; `RecordingError` if the acceleration lacks gravity.
  mutating func finish(_ end: RecordingTable) throws -> (block: RecordingBlock?, repairs: [Repair]) {
    var other = assumption
    if let rate = try measuredRate(), rate != sampleRate {
      other.sampleRate = rate
      throw Failure.wrong(other)
    }
    other.sampleRate = sampleRate
    let block = rest.map { samples(of: $0, isLast: true) }
    if Double(brokenCount) > Timeline.largestBrokenShare * Double(rowCount) {
      other.keepsBrokenRows = true
      throw Failure.wrong(other)
    }
    var repairs = end.repairs + repairs
    if brokenCount > 0 { repairs.append(.droppedBrokenRows(count: brokenCount)) }
    if gaps.count > 0 {
      repairs.append(.brokeAtGaps(count: gaps.count, longestSeconds: Double(gaps.longest) / 1e9))
    }
    let found = try includesGravity.flatMap { _ in try end.otherGravity(by: steadyLength) }
    if let includesGravity, case let right = found?.includesGravity ?? end.accelerationIncludesGravity,
      right != includesGravity
    {
      other.includesGravity = right
      throw Failure.wrong(other)
    }
    repairs += found?.repair ?? []
    repairs += meanLength.repair
    if spread.unevenRange != nil || subtraction.isWrong { throw Failure.needsWhole }
    if includesGravity == true { repairs.append(.estimatedGravity) }
    return (block, repairs)
  }

  /// Whether the rate of all rows is probably not exactly that of the first ones: it is measured, and not a nominal rate.
  var rateMayDiffer: Bool {
    steps != nil && options.sampleRate == nil && statedPeriod == nil && !RateEstimate.isNominal(sampleRate)
  }

  /// The sample rate by the times of all rows; `nil` without times.
  func measuredRate() throws(Failure) -> SampleRate? {
    guard let steps else { return nil }
    guard let estimate = RateEstimate(steps), options.sampleRate.map(estimate.agrees) ?? true,
      let rate = try? RowTiming.rate(given: options.sampleRate, stated: statedPeriod, hertz: estimate.hertz).0
    else { throw .needsWhole }
    return rate
  }

  /// Checks that times increase at a steady rate.
  mutating func takeTimes(_ times: [Int64]) throws(Failure) {
    guard let first = times.first, var steps else { return }
    guard RowOrder.isInOrder(times), latestRead.map({ $0 < first }) ?? true else { throw .needsWhole }
    self.steps = nil
    for (before, after) in zip(
      [latestRead].compactMap { $0 } + times, latestRead == nil ? times.dropFirst() : times[...])
    {
      steps.append(after - before)
    }
    self.steps = steps
    // More gaps than this are not gaps; they would need more and more memory.
    guard steps.gaps.count < 1 << 20 else { throw .needsWhole }
    latestRead = times[times.count - 1]
    recentTimes += times
    let length = RateChanges.blockLength
    let starts = stride(from: 0, to: recentTimes.count - length, by: length)
    for start in starts where !firstPart.append(recentTimes, from: start) { throw .needsWhole }
    if let last = starts.reversed().first { recentTimes.removeFirst(last + length) }
  }

  /// The latest time that was read.
  private var latestRead: Int64?

  private func isStale(_ table: RecordingTable) -> Bool {
    let times = table.times
    let isAlone = times.count >= StaleFirstRow.rowsToJudge.lowerBound && times[1] - times[0] > longestStep
    return isAlone || StaleFirstRow.isStale(table.rows)
  }

  // MARK: Samples

  private mutating func samples(of table: consuming RecordingTable, isLast: Bool) -> RecordingBlock {
    rest = nil
    let first = rowCount
    // Gait's own files are repaired already.
    let mayDrop = table.comments.isEmpty && !assumption.keepsBrokenRows
    if mayDrop, !table.missingRows.isEmpty || isInLongRun {
      dropBrokenRows(&table, isLast: isLast)
    } else {
      rowCount += table.count
      isInLongRun = false
    }
    let rate = sampleRate
    if table.times.isEmpty, rate.periodNanoseconds != rate.periodNanoseconds.rounded() {
      table.times = table.rows.indices.map { rate.nanoseconds(ofSample: first + $0) }
    }
    let start = table.times.first ?? rate.nanoseconds(ofSample: first)
    note(table, start: start, end: table.times.last ?? rate.nanoseconds(ofSample: first + max(1, table.count) - 1))
    if table.accelerationIncludesGravity {
      // Where the total is too small to have a direction, as in free fall, gravity is missing.
      let isLost = table.estimateGravity(by: &estimator) { rate.nanoseconds(ofSample: first + $0) }
      if isLost { table.missingRows = table.rows.runs(lacking: table.channels) }
    }
    table.blankSkippedChannels()
    if !table.skippedChannels.isEmpty, !table.missingRows.isEmpty {
      table.missingRows = table.rows.runs(lacking: table.channels)
    }
    return RecordingBlock(
      recording: Recording(
        name: table.name, sampleRate: rate, start: SampleTime(nanoseconds: start), channels: table.channels,
        rows: table.rows, times: table.times.map(SampleTime.init(nanoseconds:)),
        gravityIsEstimated: table.accelerationIncludesGravity || table.repairs.contains(.estimatedGravity)),
      missingRows: table.missingRows, labels: table.labelRuns, subjects: table.subjectRuns)
  }

  /// Counts samples and gaps, and checks gravity.
  private mutating func note(_ table: borrowing RecordingTable, start: Int64, end: Int64) {
    guard table.count > 0 else { return }
    for (before, after) in zip([latest ?? start] + table.times, table.times) where after - before > longestStep {
      gaps = (gaps.count + 1, max(gaps.longest, after - before))
    }
    latest = end
    span = (span?.start ?? start, end, (span?.count ?? 0) + table.count)
    if includesGravity != nil { steadyLength.append(table.rows) }
    if table.gravityIsDifference { spread.append(table.rows) }
    if table.accelerationIsDifference { subtraction.append(table.rows) }
    if GravityCheck.checksLength(of: table.format),
      table.accelerationIncludesGravity || table.channels.contains(.gravityX)
    {
      meanLength.append(table.rows, of: table.accelerationIncludesGravity ? .userAcceleration : .gravity)
    }
  }

  /// Drops the runs of broken rows that leave no gap. A run at the end of the table goes to `rest` until its end is known.
  private mutating func dropBrokenRows(_ table: inout RecordingTable, isLast: Bool) {
    let (rate, first) = (sampleRate, rowCount)
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
    guard !broken.isEmpty else { return }
    brokenCount += broken.reduce(0) { $0 + $1.count }
    if table.times.isEmpty { table.times = table.rows.indices.map { rate.nanoseconds(ofSample: first + $0) } }
    table.drop(broken)
  }
}

/// Consecutive samples of a recording, with their labels.
package struct RecordingBlock: Sendable {
  /// The samples.
  package let recording: Recording
  /// The runs of samples in which a value of the recording's channels is missing, in order.
  package let missingRows: [Range<Int>]
  /// The samples' labels and subjects as runs that cover `0..<recording.count` in order; `nil` if there are none.
  package let labels: [LabelRun]?
  package let subjects: [LabelRun]?
}

extension RecordingBlock {
  /// A whole recording.
  package init(_ annotated: AnnotatedRecording) {
    self.init(
      recording: annotated.recording, missingRows: annotated.missingRows, labels: annotated.labels,
      subjects: annotated.subjects)
  }
}

extension RecordingTable {
  /// The rows at the indices in `range`.
  fileprivate func rows(_ range: Range<Int>) -> RecordingTable {
    var part = self
    part.keep(Array(range))
    return part
  }

  /// The rows, followed by those of `next`.
  fileprivate func followed(by next: RecordingTable) -> RecordingTable {
    var both = next
    func shifted(_ runs: [LabelRun]?, after first: [LabelRun]?) -> [LabelRun]? {
      runs.map { runs in
        runs.reduce(into: first ?? []) { $0.append($1.label, $1.rows.lowerBound + count..<$1.rows.upperBound + count) }
      }
    }
    both.rows = rows + next.rows
    both.times = times + next.times
    both.missingRows = next.missingRows.reduce(into: missingRows) {
      $0.append(adjoining: $1.lowerBound + count..<$1.upperBound + count)
    }
    both.labelRuns = shifted(next.labelRuns, after: labelRuns)
    both.subjectRuns = shifted(next.subjectRuns, after: subjectRuns)
    return both
  }
}
