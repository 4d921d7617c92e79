import Gait

/// GyroData's JSON: one sensor, ten readings per second, and a start date.
///
///     {"sensor": 0, "date": 720000000.5, "time": 60, "axisValues": [{"x": 0.1, "y": 0.2, "z": -0.9}, …]}
///
/// Sensor 0 is the accelerometer, in g, including gravity; 1 is the gyroscope, in radians per second. `date` is in
/// seconds since 2001. One version writes `axisValue`. A file holds one such object, or an array of them.
enum GyroDataFile {
  /// Nanoseconds from reading to reading.
  static let period: Int64 = 100_000_000

  /// One sensor's readings.
  struct Reading {
    let file: String
    let quantity: Quantity
    let date: Double?
    let values: [SIMD3<Float>]
  }

  /// Whether a file that starts with `bytes` is JSON: its first character opens an object or an array.
  static func isJSON(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The readings in a file.
  static func readings(in source: any ByteSource, file: String) throws(RecordingError) -> [Reading] {
    var readings: [Reading] = []
    for content in try GyroDataReader.contents(of: source, file: file) {
      guard let quantity: Quantity = [0: .totalAcceleration, 1: .rotationRate][content.sensor] else {
        throw .notGyroData(file: file, reason: "its sensor is \(content.sensor), not 0 or 1")
      }
      guard !content.values.isEmpty else { throw .noRows(file: file) }
      readings.append(Reading(file: file, quantity: quantity, date: content.date, values: content.values))
    }
    return readings
  }

  /// Joins the readings of an accelerometer and, if there is one, of a gyroscope.
  static func table(
    of readings: [Reading], name: String, labelColumn: String?
  ) throws(RecordingError) -> RecordingTable {
    if let labelColumn {
      throw .missingColumn(labelColumn, file: name, found: ["sensor", "date", "time", "axisValues"])
    }
    let accelerometers = readings.filter { $0.quantity == .totalAcceleration }
    let gyroscopes = readings.filter { $0.quantity == .rotationRate }
    guard let accelerometer = accelerometers.first else {
      throw .noAcceleration(file: name, needed: "sensor 0", found: gyroscopes.map { _ in "sensor 1" })
    }
    guard accelerometers.count == 1, gyroscopes.count < 2 else {
      throw .severalRecordings(file: name, found: readings.map(\.file))
    }
    let leading = accelerometer.stream
    if !gyroscopes.isEmpty, let undated = readings.first(where: { $0.date == nil }) {
      throw .notGyroData(
        file: undated.file, reason: "date is missing, so its sensor cannot be joined to the other")
    }
    let join = try SensorJoin(leading: leading, others: gyroscopes.map(\.stream), file: name)
    let channels = AccelerationSource.total.channels(of: Set(readings.map(\.quantity)))
    return RecordingTable(
      name: name, format: .gyroData, channels: channels, rows: join.rows, statedPeriod: period,
      accelerationIncludesGravity: true,
      repairs: gyroscopes.isEmpty
        ? [] : [.joinedChannels(Set(Sensor.rotationRate.channels), droppedRows: join.droppedCount)],
      missingRows: join.rows.runs { row in channels.contains { row[$0.lane].isNaN } })
  }
}

extension GyroDataFile.Reading {
  /// The readings with their times since 2001.
  fileprivate var stream: SensorStream {
    let acceleration = AccelerationSource.total
    let lane = acceleration.firstLane(of: quantity)!
    var rows: [SIMD16<Float>] = []
    rows.reserveLongCapacity(values.count)
    var row = DelimitedRows.emptyRow
    for value in values {
      for component in 0..<3 { row[lane + component] = value[component] }
      rows.append(row)
    }
    let start = Int64(((date ?? 0) * 1e9).rounded())
    return SensorStream(
      file: file, sensors: [Sensor.allCases[lane / 4]], rows: rows,
      times: values.indices.map { start + Int64($0) * GyroDataFile.period })
  }
}
