/// The recording formats that can be read.
///
/// A file's format is detected from its column names, a folder's or archive's from the files in it. The article
/// <doc:ReadingRecordings> lists each format's header, units and signs.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// MotionDataCollector and the MotionSense data set: motion without timestamps.
  case motionDataCollector
  /// SensingKit's motion, with seconds since 1970.
  case sensingKit
  /// SensorLog on phone or watch.
  case sensorLog
  /// Sensor Logger: a folder or zip archive with a file for each sensor.
  case sensorLogger
  /// phyphox, as text: one file, or a folder or zip archive with a file for each sensor.
  case phyphox
  /// GyroData's JSON, ten readings per second.
  case gyroData
  /// Gait's own format, which it also writes.
  case gait
  /// Any other logger's accelerometer, with or without a gyroscope.
  case accelerometer

  /// The name of the format in sentences.
  public var title: String {
    switch self {
    case .motionDataCollector: "MotionDataCollector"
    case .sensingKit: "SensingKit"
    case .sensorLog: "SensorLog"
    case .sensorLogger: "Sensor Logger"
    case .phyphox: "phyphox"
    case .gyroData: "GyroData"
    case .gait: "Gait"
    case .accelerometer: "an accelerometer's table"
    }
  }

  /// The formats that match the column names of a text file: one, none if no name is known, or several if the names of
  /// several formats occur.
  ///
  /// A format is recognised by one of its names for acceleration, gravity, rotation rate or attitude. Three formats
  /// share Core Motion's names: with `timeIntervalSince1970` it is SensingKit, else with `time` Gait, else
  /// MotionDataCollector. phyphox must also have `Time (s)`. A single file of Sensor Logger is recognised too, although
  /// it is not a whole recording. `accelerometer` matches only if no other format does.
  public static func recognized(in columnNames: [String]) -> [RecordingFormat] {
    recognized(in: columnNames.map { ColumnName($0) })
  }

  static func recognized(in columns: [ColumnName]) -> [RecordingFormat] {
    func has(_ format: RecordingFormat) -> Bool {
      let known = format.profile.names
      return columns.contains { known[$0.base] != nil }
    }
    func hasAll(_ names: String...) -> Bool {
      names.allSatisfy { name in columns.contains { $0.base == name } }
    }
    var found: [RecordingFormat] = []
    if has(.motionDataCollector) {
      found.append(hasAll("timeintervalsince1970") ? .sensingKit : hasAll("time") ? .gait : .motionDataCollector)
    }
    if has(.sensorLog) { found.append(.sensorLog) }
    if columns.contains(where: PhyphoxFile.isTime), has(.phyphox) { found.append(.phyphox) }
    if hasAll("time", "seconds_elapsed"), hasAll("x", "y", "z") || hasAll("roll", "pitch", "yaw") {
      found.append(.sensorLogger)
    }
    // In Sensor Logger's watch motion, `accelerationX` excludes gravity; elsewhere the name means the total
    // acceleration.
    let isWristMotion = hasAll("time", "seconds_elapsed", "accelerationx", "gravityx", "rotationratex")
    if found.isEmpty, !isWristMotion, has(.accelerometer) || isAcceleration(columns) { found.append(.accelerometer) }
    return found
  }

  /// Whether names without a quantity, such as `x` or `x-axis`, have units of acceleration.
  private static func isAcceleration(_ columns: [ColumnName]) -> Bool {
    let substitutes = RecordingFormat.accelerometer.profile.substitutes
    return columns.contains { name in
      substitutes[name.base] != nil && name.unit.flatMap { AccelerationUnit(inName: $0) } != nil
    }
  }

  /// The format of a text file with this header.
  static func recognized(
    in header: Header, stated: RecordingFormat?, file: String
  ) throws(RecordingError) -> RecordingFormat {
    if let stated { return stated }
    let found = recognized(in: header.columns)
    if found.count > 1 { throw .ambiguousFormat(file: file, line: header.line, formats: found) }
    guard let format = found.first else {
      throw .unrecognizedFormat(file: file, line: header.line, found: header.names)
    }
    return format
  }
}
