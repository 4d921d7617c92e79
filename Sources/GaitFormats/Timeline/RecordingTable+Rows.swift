import Gait

extension RecordingTable {
  /// Keeps the rows at the indices `order`, in that order.
  mutating func keep(_ order: [Int]) {
    rows = order.map { rows[$0] }
    if !times.isEmpty { times = order.map { times[$0] } }
    missingRows = Self.runs(missingRows, in: order).reduce(into: []) { runs, part in
      if part.run != nil { runs.append(adjoining: part.rows) }
    }
    func reordered(_ runs: [LabelRun]) -> [LabelRun] {
      Self.runs(runs.map(\.rows), in: order).reduce(into: []) { result, part in
        result.append(part.run.flatMap { runs[$0].label }, part.rows)
      }
    }
    labelRuns = labelRuns.map(reordered)
    subjectRuns = subjectRuns.map(reordered)
  }

  /// Drops the first row in place.
  mutating func dropFirst() {
    rows.removeFirst()
    if !times.isEmpty { times.removeFirst() }
    func earlier(_ rows: Range<Int>) -> Range<Int> { max(rows.lowerBound - 1, 0)..<rows.upperBound - 1 }
    func earlier(_ runs: [LabelRun]) -> [LabelRun] {
      runs.map { LabelRun(label: $0.label, rows: earlier($0.rows)) }.filter { !$0.rows.isEmpty }
    }
    missingRows = missingRows.map { earlier($0) }.filter { !$0.isEmpty }
    labelRuns = labelRuns.map { earlier($0) }
    subjectRuns = subjectRuns.map { earlier($0) }
  }

  /// Finds where the rows of `runs` are after reordering: ranges of new rows, each with the index of the run that its
  /// rows come from, or `nil` if they come from none.
  private static func runs(_ runs: [Range<Int>], in order: [Int]) -> [(run: Int?, rows: Range<Int>)] {
    var result: [(run: Int?, rows: Range<Int>)] = []
    for (new, old) in order.enumerated() {
      var run = result.last?.run.flatMap { runs[$0].contains(old) ? $0 : nil }
      if run == nil {
        let next = runs.partitionIndex { $0.upperBound <= old }
        run = next < runs.count && runs[next].contains(old) ? next : nil
      }
      if let last = result.last, last.run == run {
        result[result.count - 1].rows = last.rows.lowerBound..<new + 1
      } else {
        result.append((run, new..<new + 1))
      }
    }
    return result
  }

  /// The rows at the indices in `range`.
  func rows(_ range: Range<Int>) -> RecordingTable {
    var part = self
    part.keep(Array(range))
    return part
  }

  /// Drops the rows in `runs`, which are in order and do not overlap.
  mutating func drop(_ runs: [Range<Int>]) {
    keep(zip([0..<0] + runs, runs + [count..<count]).flatMap { $0.upperBound..<$1.lowerBound })
  }

  /// The columns without rows.
  var withoutRows: RecordingTable {
    var columns = self
    (columns.rows, columns.times, columns.missingRows) = ([], [], [])
    (columns.labelRuns, columns.subjectRuns) = (labelRuns.map { _ in [] }, subjectRuns.map { _ in [] })
    return columns
  }

  /// The table with other rows, without labels: what a file of this format would hold.
  ///
  /// - Parameters:
  ///   - rows: the rows; values of channels that are not in `channels` become NaN.
  ///   - times: the rows' times in nanoseconds; empty if the file has none.
  ///   - channels: the channels that the file has; by default the same.
  ///   - includesGravity: whether user acceleration holds the total acceleration; by default the same.
  package func replacing(
    rows: [SIMD16<Float>], times: [Int64] = [], channels: Set<Channel>? = nil, includesGravity: Bool? = nil
  ) -> RecordingTable {
    var table = withoutRows
    table.channels = channels ?? self.channels
    table.accelerationIncludesGravity = includesGravity ?? accelerationIncludesGravity
    let absent = Channel.allCases.filter { !table.channels.contains($0) }
    table.rows = rows.map { row in absent.reduce(into: row) { $0[$1.lane] = .nan } }
    table.times = times
    table.missingRows = table.rows.runs(lacking: table.channels)
    (table.labelRuns, table.subjectRuns) = (nil, nil)
    return table
  }

  /// Adds the rows of `next`, which has the same columns.
  mutating func append(_ next: RecordingTable) {
    let first = count
    func add(_ runs: [LabelRun]?, to all: inout [LabelRun]?) {
      for run in runs ?? [] { all?.append(run.label, run.rows.lowerBound + first..<run.rows.upperBound + first) }
    }
    rows += next.rows
    times += next.times
    for run in next.missingRows { missingRows.append(adjoining: run.lowerBound + first..<run.upperBound + first) }
    add(next.labelRuns, to: &labelRuns)
    add(next.subjectRuns, to: &subjectRuns)
    skippedChannels = next.skippedChannels
    rowsBeforeSkipping = first + next.rowsBeforeSkipping
  }

  // MARK: Acceleration

  /// Whether the file's only acceleration includes gravity, and its unit, by its mean magnitudes.
  ///
  /// - Throws: `RecordingError.withoutGravity` if neither rest nor movement has these magnitudes in a unit that the
  ///   file may use; `RecordingError.missingUnits` if the unit of the first rows is not that of the others.
  func otherGravity(by length: SteadyAcceleration) throws(RecordingError) -> AccelerationChange {
    let judgement = length.judgement(isTotal: accelerationIncludesGravity, stated: statedGravity)
    switch (judgement, guessedUnit) {
    case (.gravity, let guess?), (.otherUnit, let guess?), (.impossible, let guess?):
      throw .missingUnits([.acceleration: guess.column], file: name, line: guess.line)
    case (.asNamed, _): return AccelerationChange(includesGravity: accelerationIncludesGravity)
    case (.gravity(let isIncluded, let mean), _):
      let repair = Repair.assumedAcceleration(includesGravity: isIncluded, mean: mean)
      return AccelerationChange(includesGravity: isIncluded, repairs: statedGravity == nil ? [repair] : [])
    case (.otherUnit(let factor, _), _) where assumesAccelerationUnit:
      return AccelerationChange(
        includesGravity: true, factor: Float(factor),
        repairs: [.assumedUnit(factor > 1 ? .gravity : .metersPerSecondSquared)])
    case (.otherScale(let rest), _):
      return AccelerationChange(includesGravity: true, repairs: [.foundInSignal(.otherScale(rest: rest))])
    case (.otherUnit(_, let mean), _), (.impossible(let mean), _): throw .withoutGravity(file: name, mean: mean)
    }
  }

  /// The ranges of rows that lack a value of acceleration or gravity, as far as the file has these channels.
  var runsLackingAcceleration: [Range<Int>] {
    rows.runs(lacking: (Sensor.gravity.channels + Sensor.userAcceleration.channels).filter(channels.contains))
  }

  /// Removes the channels that were skipped in later rows, with their values in the first rows.
  mutating func removeSkippedChannels() {
    guard !skippedChannels.isEmpty else { return }
    channels.subtract(skippedChannels)
    for row in rows.indices.prefix(rowsBeforeSkipping) {
      for channel in skippedChannels { rows[row][channel.lane] = .nan }
    }
    if !missingRows.isEmpty { missingRows = rows.runs(lacking: channels) }
  }

  /// Splits the total acceleration, stored as user acceleration, into gravity and user acceleration.
  ///
  /// - Parameters:
  ///   - estimator: the estimator, which has seen the rows of earlier blocks.
  ///   - time: gives the time of the row at an index, in nanoseconds, for a table without times.
  mutating func estimateGravity(by estimator: inout GravityEstimator, time: (Int) -> Int64) {
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
    // Where the total is too small to have a direction, as in free fall, gravity is missing.
    if isLost { missingRows = rows.runs(lacking: channels) }
  }
}

/// What the values of an acceleration show, which may contradict the names of its columns.
struct AccelerationChange: Equatable {
  var includesGravity: Bool
  /// The factor that converts the rows' values to g.
  var factor: Float = 1
  /// The repairs that report a contradiction.
  var repairs: [Repair] = []
}
