import Gait

/// The rows of one file of a recording, with the values of its sensors and timestamps of its own.
struct SensorStream {
  /// The file's name in errors.
  let file: String
  /// The sensors whose values the rows hold.
  let sensors: Set<Sensor>
  /// The rows in the file's order.
  var rows: [SIMD16<Float>]
  /// The rows' times in nanoseconds, in the file's order; `Int64.min` where missing.
  var times: [Int64]
  /// The names of the file's columns.
  var columnNames: [String] = []
  /// Whether the last line was dropped because it was truncated.
  var isTruncated = false

  /// The rows that have a time, sorted by time. Of rows with the same time, only the first is kept.
  func sorted() -> SensorStream {
    guard !RowOrder.isInOrder(times) else { return self }
    let order = times.indices.filter { times[$0] != .min }.sorted { (times[$0], $0) < (times[$1], $1) }
    var sorted = SensorStream(file: file, sensors: sensors, rows: [], times: [])
    sorted.rows.reserveCapacity(order.count)
    sorted.times.reserveCapacity(order.count)
    for index in order where sorted.times.last != times[index] {
      sorted.rows.append(rows[index])
      sorted.times.append(times[index])
    }
    return sorted
  }

  /// The median step of sorted times, nanoseconds; 0 for fewer than two times.
  var typicalStep: Int64 {
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// The row at `time`, interpolated between the rows `index - 1` and `index`, whose times enclose it. If the row
  /// `index` has exactly this time, it is returned unchanged. Otherwise all values are missing if one of the two rows
  /// does not exist, or if they are more than `longestStep` nanoseconds apart.
  fileprivate func row(at time: Int64, before index: Int, longestStep: Double) -> SIMD16<Float> {
    guard index < times.count, times[index] != time else {
      return index < times.count ? rows[index] : DelimitedRows.emptyRow
    }
    guard index > 0, Double(times[index] - times[index - 1]) <= longestStep else {
      return DelimitedRows.emptyRow
    }
    let fraction = Double(time - times[index - 1]) / Double(times[index] - times[index - 1])
    var step = rows[index] - rows[index - 1]
    for lane in Self.angles { step[lane] = Self.normalised(step[lane]) }
    var row = rows[index - 1] + Float(fraction) * step
    for lane in Self.angles { row[lane] = Self.normalised(row[lane]) }
    return row
  }

  /// The lanes of attitude, whose values are angles.
  private static let angles = Channel.attitudeRoll.lane...Channel.attitudeYaw.lane

  /// The angle equivalent to `angle` within −π…π.
  private static func normalised(_ angle: Float) -> Float {
    abs(angle) <= .pi ? angle : angle.remainder(dividingBy: 2 * .pi)
  }
}

/// Joins the sensors of a recording, each of which has its own start time and sample times.
///
/// The result has the rows of the leading sensor, the acceleration, within the time that every other sensor covers:
/// from the latest first time to the earliest last time. Values of the other sensors are interpolated linearly between
/// the readings before and after each row, angles along the shorter arc. A reading at exactly the row's time is used
/// unchanged. If the two readings are more than `Resampler.longestStep` times the sensor's median step apart, the value
/// is missing.
///
/// Leading rows keep their order and their repeats; `Timeline` repairs them like those of any file.
struct SensorJoin {
  /// The joined rows, and their times.
  private(set) var rows: [SIMD16<Float>] = []
  private(set) var times: [Int64] = []
  /// The number of the leading sensor's rows that were dropped because another sensor has no readings there.
  let droppedCount: Int

  /// - Parameters:
  ///   - file: the recording's name in errors.
  ///   - keepsLeadingRows: whether to keep the leading sensor's rows outside of the time that all others cover, with
  ///     missing values.
  /// - Throws: `RecordingError.sensorsApart` if no time of the leading sensor is covered by all others.
  init(
    leading: SensorStream, others: [SensorStream], file: String, keepsLeadingRows: Bool = false
  ) throws(RecordingError) {
    let others = others.map { $0.sorted() }
    let first = others.compactMap(\.times.first).max() ?? .min
    let last = others.compactMap(\.times.last).min() ?? .max
    let common = first...max(first, last)
    let isKept = { common.contains($0) || $0 == .min }
    let hasCommon = leading.times.contains { $0 != .min && common.contains($0) }
    guard first <= last, hasCommon, !others.contains(where: \.times.isEmpty) else {
      throw .sensorsApart(file: file, sensors: ([leading] + others).map(\.file))
    }
    (rows, times) = (leading.rows, leading.times)
    if !keepsLeadingRows, !times.allSatisfy(isKept) {
      rows = zip(rows, times).filter { isKept($1) }.map(\.0)
      times.removeAll { !isKept($0) }
    }
    droppedCount = leading.rows.count - rows.count
    for other in others { fill(from: other) }
  }

  /// Sets the values of the sensors of `stream` in all rows.
  private mutating func fill(from stream: SensorStream) {
    var lanes = SIMDMask<SIMD16<Int32>>(repeating: false)
    for channel in stream.sensors.flatMap(\.channels) { lanes[channel.lane] = true }
    let longest = (Resampler.longestStep * Double(stream.typicalStep)).rounded(.up)
    var after = 0
    for index in rows.indices where times[index] != .min {
      // Times mostly rise, so the readings around a row are near those around the previous row.
      while after > 0, stream.times[after - 1] >= times[index] { after -= 1 }
      while after < stream.times.count, stream.times[after] < times[index] { after += 1 }
      rows[index].replace(with: stream.row(at: times[index], before: after, longestStep: longest), where: lanes)
    }
  }
}

extension RecordingTable {
  /// A table has one sensor in each row if at most this share of its rows with an acceleration has all sensors.
  private static let largestWholeShare = 0.1
  private static let fewestRows = 4

  /// The sensors of a table in which each row holds one sensor's reading and empty cells for the others; empty for
  /// usual tables.
  ///
  /// Some loggers write a row for each event of any sensor. If channels were skipped after the first rows, only the
  /// first rows are examined.
  var sensorsInOwnRows: [Sensor] {
    guard !times.isEmpty, !missingRows.isEmpty else { return [] }
    let judged = skippedChannels.isEmpty ? rows[...] : rows.prefix(rowsBeforeSkipping)
    guard judged.count >= Self.fewestRows else { return [] }
    let sensors = Sensor.allCases.filter { sensor in
      channels.isSuperset(of: sensor.channels) && judged.contains { $0.has(sensor) }
    }
    guard sensors.count > 1, sensors.contains(.userAcceleration) else { return [] }
    let wholeCount = judged.count { row in sensors.allSatisfy { row.has($0) } }
    // Count only rows with an acceleration, as most rows of a usual table may lack one.
    let accelerationCount = judged.count { $0.has(.userAcceleration) }
    return Double(wholeCount) <= Self.largestWholeShare * Double(accelerationCount) ? sensors : []
  }

  /// The rows of the acceleration, with the other sensors' readings interpolated to their times; `nil` if a sensor's
  /// times do not overlap with the acceleration's.
  func joined(_ others: [Sensor]) -> RecordingTable? {
    let streams = others.filter { skippedChannels.isDisjoint(with: $0.channels) }.map { sensor in
      let own = rows.indices.filter { rows[$0].has(sensor) && times[$0] != .min }
      return SensorStream(file: name, sensors: [sensor], rows: own.map { rows[$0] }, times: own.map { times[$0] })
    }
    var joined = acceleration
    let leading = SensorStream(
      file: name, sensors: [.userAcceleration], rows: joined.rows, times: joined.times)
    if !streams.isEmpty {
      guard let join = try? SensorJoin(leading: leading, others: streams, file: name, keepsLeadingRows: true) else {
        return nil
      }
      joined.rows = join.rows
    }
    joined.rowsBeforeSkipping = min(rowsBeforeSkipping, joined.count)
    joined.missingRows = joined.rows.runs(lacking: channels.subtracting(skippedChannels))
    joined.repairs.append(.joinedChannels(Set(others.flatMap(\.channels)), droppedRows: 0))
    return joined
  }

  /// The rows that have an acceleration.
  var acceleration: RecordingTable {
    var rows = self
    rows.keep(self.rows.indices.filter { self.rows[$0].has(.userAcceleration) })
    return rows
  }
}

extension SIMD16<Float> {
  /// Whether the row has a value of the sensor.
  func has(_ sensor: Sensor) -> Bool { sensor.channels.contains { self[$0.lane].isFinite } }
}
