import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// GyroData's JSON: one sensor, ten readings per second, and a start date.
///
///     {"sensor": 0, "date": 720000000.5, "time": 60, "axisValues": [{"x": 0.1, "y": 0.2, "z": -0.9}, …]}
///
/// Sensor 0 is the accelerometer, in g, including gravity; 1 is the gyroscope, in radians per second. `date` is in
/// seconds since 2001. One version of GyroData writes `axisValue`. A file holds one such object, or an array of them.
/// An axis whose value is absent, null or too large for `Float` is missing. A gyroscope alone is a recording without
/// acceleration.
///
/// `JSONDecoder` reads the whole text at once. Memory: about five times the text, which has at most
/// `largestByteCount` bytes.
struct GyroData {
  /// Nanoseconds from reading to reading.
  static let period: Int64 = 100_000_000
  /// The longest text that is read: about 50 hours of one sensor.
  static let largestByteCount = 128 << 20

  /// The readings of the files, one entry for each sensor's object.
  private let readings: [Reading]

  /// One sensor's readings.
  fileprivate struct Reading {
    let file: String
    let quantity: Quantity
    let date: Double?
    let values: [SIMD3<Float>]
  }

  /// Whether a file that starts with `bytes` is JSON: its first character opens an object or an array.
  static func isJSON(_ bytes: some Collection<UInt8>) -> Bool {
    [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(firstCharacter(bytes))
  }

  /// Whether a file that starts with `bytes` is a JSON array.
  static func isArray(_ bytes: some Collection<UInt8>) -> Bool { firstCharacter(bytes) == UInt8(ascii: "[") }

  /// The first byte after a byte-order mark and blanks.
  private static func firstCharacter(_ bytes: some Collection<UInt8>) -> UInt8? {
    bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// Reads the files of one recording; `name` is a file's name in errors.
  init(_ files: [(source: any ByteSource, name: String)]) throws(RecordingError) {
    var readings: [Reading] = []
    for file in files {
      for content in try Self.contents(of: file.source, file: file.name) {
        guard let quantity: Quantity = [0: .totalAcceleration, 1: .rotationRate][content.sensor] else {
          throw .notGyroData(file: file.name, reason: "its sensor is \(content.sensor), not 0 or 1")
        }
        guard !content.values.isEmpty else { throw .noRows(file: file.name) }
        readings.append(
          Reading(file: file.name, quantity: quantity, date: content.date, values: content.values.map(\.value)))
      }
    }
    self.readings = readings
  }

  /// Joins the readings of an accelerometer and a gyroscope, or takes those of the only one. Throws if there are two of
  /// one kind, or if `labelColumn` is given, as the files have no labels.
  func table(name: String, labelColumn: String?) throws(RecordingError) -> RecordingTable {
    if let labelColumn {
      throw .missingColumn(labelColumn, file: name, found: ["sensor", "date", "time", "axisValues"])
    }
    let accelerometers = readings.filter { $0.quantity == .totalAcceleration }
    let gyroscopes = readings.filter { $0.quantity == .rotationRate }
    guard let leading = accelerometers.first ?? gyroscopes.first else {
      throw .noAcceleration(file: name, needed: "sensor 0", found: [])
    }
    guard accelerometers.count < 2, gyroscopes.count < 2 else {
      throw .severalRecordings(file: name, found: readings.map(\.file))
    }
    let others = accelerometers.isEmpty ? [] : gyroscopes
    if !others.isEmpty, let undated = readings.first(where: { $0.date == nil }) {
      throw .notGyroData(
        file: undated.file, reason: "date is missing, so its sensor cannot be joined to the other")
    }
    let join = try SensorJoin(leading: leading.stream, others: others.map(\.stream), file: name)
    let channels =
      accelerometers.isEmpty
      ? Set(Sensor.rotationRate.channels) : AccelerationSource.total.channels(of: Set(readings.map(\.quantity)))
    return RecordingTable(
      name: name, format: .gyroData, channels: channels, rows: join.rows, statedPeriod: Self.period,
      accelerationIncludesGravity: !accelerometers.isEmpty,
      repairs: others.isEmpty
        ? [] : [.joinedChannels(Set(Sensor.rotationRate.channels), droppedRows: join.droppedCount)],
      missingRows: join.rows.runs(lacking: channels))
  }

  // MARK: JSON

  /// One sensor's object.
  private struct Content: Decodable {
    let sensor: Int
    /// Seconds since 2001.
    let date: Double?
    let values: [Axes]

    private enum Key: String, CodingKey { case sensor, date, axisValue, axisValues }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      func misfit(_ key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: container, debugDescription: "out of range")
      }
      guard let sensor = Int(exactly: try container.decode(Double.self, forKey: .sensor)) else { throw misfit(.sensor) }
      self.sensor = sensor
      date = try container.decodeIfPresent(Double.self, forKey: .date)
      if let date, date.magnitude * 1e9 > Double(SampleTime.farthest) { throw misfit(.date) }
      values = try container.decode([Axes].self, forKey: container.contains(.axisValue) ? .axisValue : .axisValues)
    }
  }

  /// One reading; missing values are NaN.
  private struct Axes: Decodable {
    var value = SIMD3<Float>(repeating: .nan)

    private enum Key: String, CodingKey, CaseIterable { case x, y, z }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for (axis, key) in Key.allCases.enumerated() {
        let number = Float(try container.decodeIfPresent(Double.self, forKey: key) ?? .nan)
        if number.isFinite { value[axis] = number }
      }
    }
  }

  /// The objects in `source`, which is one object or an array of them.
  private static func contents(of source: any ByteSource, file: String) throws(RecordingError) -> [Content] {
    let text = Data(try source.readAll(upTo: largestByteCount + 1))
    guard !text.isEmpty else { throw .emptyFile(file: file) }
    guard text.count <= largestByteCount else {
      throw .notGyroData(file: file, reason: "it is longer than \(largestByteCount >> 20) MiB")
    }
    let isArray = isArray(text)
    do throws(JSONFault) {
      return try isArray
        ? JSONFault.decode([Content].self, from: text) : [JSONFault.decode(Content.self, from: text)]
    } catch {
      if let format = JSONFault.statedFormat(in: text), format.hasPrefix("gait.") {
        throw .notARecording(file: file, format: format)
      }
      throw .notGyroData(file: file, reason: reason(error))
    }
  }

  /// The reason why a text is not valid, with the entry or the line and column.
  static func reason(_ fault: JSONFault) -> String {
    switch fault {
    case .missing(let entry): entry.hasSuffix("axisValue") ? "\(entry)s is missing" : "\(entry) is missing"
    case .refused("", let reason): reason
    case .wrongType(let entry, _), .refused(let entry, _): "\(entry.isEmpty ? "it" : entry) is not valid"
    case .unexpected(let line, let column): "it is not valid JSON (line \(line), column \(column))"
    case .empty, .cutShort: "it ends before its last bracket or quotation mark is closed"
    }
  }

  /// The JSON of a recording: an array with an object for each sensor that the recording has.
  fileprivate static func text(of recording: Recording, date: Date?) -> String {
    let rate = SampleRate.hertz(10)
    let even = recording.sampleRate == rate ? recording : recording.resampled(to: rate)
    let date = date?.timeIntervalSinceReferenceDate ?? even.start.seconds
    func text(of sensor: Int, _ value: (MotionSample) -> SIMD3<Float>) -> String {
      var values: [String] = []
      for index in 0..<even.count {
        let place = Int(saturating: (even.time(at: index).seconds(since: even.start) * 10).rounded())
        while values.count < place { values.append("{}") }
        let value = value(even[index])
        let axes = zip(["x", "y", "z"], [value.x, value.y, value.z]).filter(\.1.isFinite)
        values.append("{\(axes.map { "\"\($0)\":\($1)" }.joined(separator: ","))}")
      }
      let list = values.joined(separator: ",\n")
      return "{\"sensor\":\(sensor),\"date\":\(date),\"time\":\(Double(values.count) / 10),\"axisValues\":[\n\(list)]}"
    }
    var sensors: [String] = []
    if recording.channels.contains(.userAccelerationX) {
      let hasGravity = recording.channels.contains(.gravityX)
      sensors.append(text(of: 0) { hasGravity ? $0.gravity + $0.userAcceleration : $0.userAcceleration })
    }
    if recording.channels.contains(.rotationRateX) { sensors.append(text(of: 1, \.rotationRate)) }
    return "[\(sensors.joined(separator: ",\n"))]\n"
  }
}

extension GyroData.Reading {
  /// The readings with their times since 2001; if there is no date, since the first reading.
  fileprivate var stream: SensorStream {
    let lane = AccelerationSource.total.firstLane(of: quantity)!
    var row = DelimitedRows.emptyRow
    let rows = values.map { value in
      for component in 0..<3 { row[lane + component] = value[component] }
      return row
    }
    let start = Int64(saturating: ((date ?? 0) * 1e9).rounded())
    return SensorStream(
      file: file, sensors: [Sensor.allCases[lane / 4]], rows: rows,
      times: values.indices.map { start + Int64($0) * GyroData.period })
  }
}

// MARK: Writing

extension Recording {
  /// Writes the recording as GyroData's JSON: total acceleration and rotation rate at 10 Hz.
  ///
  /// Attitude and the division of the acceleration into gravity and movement are lost; missing readings are `{}`.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - date: the date of the first sample; `nil` if the recording's `start` counts from 2001.
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  public func writeGyroData(to url: URL, startedAt date: Date? = nil) throws(FileWriteError) {
    try AtomicFile.write(GyroData.text(of: self, date: date), to: url)
  }
}
