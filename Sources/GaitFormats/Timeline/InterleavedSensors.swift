import Gait

extension RecordingTable {
  /// The largest share of the acceleration's rows with all sensors in a table whose rows hold one sensor each.
  private static let largestWholeShare = 0.1
  private static let fewestRows = 4

  /// The sensors whose readings are in rows of their own, with empty cells for the others; empty for usual tables.
  ///
  /// Some loggers write a row for each event of any sensor. If lanes were skipped, the rows before decide.
  var sensorsInOwnRows: [Sensor] {
    guard !times.isEmpty, !missingRows.isEmpty else { return [] }
    let judged = skippedChannels.isEmpty ? rows[...] : rows.prefix(rowsBeforeSkipping)
    guard judged.count >= Self.fewestRows else { return [] }
    let sensors = Sensor.allCases.filter { sensor in
      channels.isSuperset(of: sensor.channels) && judged.contains { $0.has(sensor) }
    }
    guard sensors.count > 1, sensors.contains(.userAcceleration) else { return [] }
    let wholeCount = judged.count { row in sensors.allSatisfy { row.has($0) } }
    // Only the acceleration's rows: it may be missing from most of a usual table.
    let accelerationCount = judged.count { $0.has(.userAcceleration) }
    return Double(wholeCount) <= Self.largestWholeShare * Double(accelerationCount) ? sensors : []
  }

  /// Joins the sensors that have rows of their own at the times of the acceleration; does nothing to usual tables, and
  /// if a sensor's times do not overlap with the acceleration's.
  mutating func joinSensorsInOwnRows() {
    let others = sensorsInOwnRows.filter { $0 != .userAcceleration }
    guard !others.isEmpty else { return }
    if let joined = joined(others) { self = joined }
  }

  /// The rows of the acceleration, with the readings of the others interpolated to their times; `nil` if a sensor's times
  /// do not overlap with the acceleration's.
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
