import Gait

/// The rows of a table in order of time, with what is written beside them: the one way from a file's rows to a recording.
///
///     file order ─▶ RowOrder ─▶ stale first row ─▶ rate ─▶ gravity ─▶ Recording
///
/// - **Order**: rows are sorted by time, repeats and rows without a time are left out (`RowOrder`).
/// - **Stale first row**: the first row is left out if it belongs to an earlier recording: by its pose
///   (`StaleFirstRow`), or because a gap parts it from the next row.
/// - **Rate**: the given one, else the format's own, else that of the times (`RateEstimate`).
/// - **Gaps**: a step of more than `Resampler.longestStep` periods. They stay what they are; they are only counted here.
/// - **Gravity**: estimated where the file has total acceleration alone (`GravityEstimator`).
///
/// Each change is noted in `repairs`. Rows without times keep the file's order and are evenly spaced.
struct Timeline {
  private(set) var rows: [SIMD16<Float>]
  /// Strictly rising, or empty.
  private(set) var times: [Int64]
  private(set) var missing: [Range<Int>]
  private(set) var labels: [LabelRun]?
  private(set) var subjects: [LabelRun]?
  private(set) var channels: Set<Channel>
  private(set) var repairs: [Repair]
  let timing: RowTiming

  /// - Throws: `RecordingError` where there is no rate, or an impossible one.
  init(_ table: RecordingTable, sampleRate: SampleRate?) throws(RecordingError) {
    rows = table.rows
    times = table.times
    missing = table.missingRows
    labels = table.labelRuns
    subjects = table.subjectRuns
    channels = table.channels
    repairs = table.repairs
    if !RowOrder.isInOrder(times) { try Self.reorder(table, &rows, &times, &missing, &labels, &subjects, &repairs) }
    timing = try RowTiming(of: times, table: table, given: sampleRate)
    dropStaleFirstRow()
    noteGaps()
    if table.accelerationIncludesGravity { estimateGravity() }
  }

  /// The rows as samples in time.
  func recording(name: String) -> Recording {
    Recording(
      name: name, sampleRate: timing.sampleRate, start: SampleTime(nanoseconds: times.first ?? 0), channels: channels,
      rows: rows, times: times.map(SampleTime.init(nanoseconds:)), repairs: repairs)
  }

  private func time(at row: Int) -> Int64 {
    times.isEmpty ? timing.sampleRate.nanoseconds(ofSample: row) : times[row]
  }

  // MARK: - Stale first row

  private mutating func dropStaleFirstRow() {
    guard isAloneAtStart || StaleFirstRow.isStale(rows) else { return }
    let kept = Array(1..<rows.count)
    missing = missing.reordered(by: kept)
    labels = labels?.reordered(by: kept)
    subjects = subjects?.reordered(by: kept)
    rows.removeFirst()
    if !times.isEmpty { times.removeFirst() }
    repairs.append(.droppedStaleFirstRow)
  }

  /// Whether a gap parts the first row from the next.
  private var isAloneAtStart: Bool {
    times.count > StaleFirstRow.rowsToJudge.lowerBound
      && times[1] - times[0] > Resampler.longestStep(at: timing.sampleRate)
  }

  // MARK: - Gaps and gravity

  private mutating func noteGaps() {
    let longestStep = Resampler.longestStep(at: timing.sampleRate)
    var count = 0
    var longest: Int64 = 0
    for (before, after) in zip(times, times.dropFirst()) where after - before > longestStep {
      count += 1
      longest = max(longest, after - before)
    }
    if count > 0 { repairs.append(.brokeAtGaps(count: count, longestSeconds: Double(longest) / 1e9)) }
  }

  private mutating func estimateGravity() {
    var estimator = GravityEstimator(sampleRate: timing.sampleRate)
    for row in rows.indices {
      let reading = MotionSample(time: SampleTime(nanoseconds: time(at: row)), row: rows[row])
      rows[row] =
        estimator.sample(
          time: reading.time, totalAcceleration: reading.userAcceleration, rotationRate: reading.rotationRate,
          attitude: reading.attitude
        ).row
    }
    channels.formUnion(Sensor.gravity.channels)
    repairs.append(.estimatedGravity)
  }
}

extension Timeline {
  // The compiler wants every stored property set before a method of `self` may be called.
  private static func reorder(
    _ table: RecordingTable, _ rows: inout [SIMD16<Float>], _ times: inout [Int64], _ missing: inout [Range<Int>],
    _ labels: inout [LabelRun]?, _ subjects: inout [LabelRun]?, _ repairs: inout [Repair]
  ) throws(RecordingError) {
  }
}
