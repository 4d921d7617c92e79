/// The recorders whose files can be read.
///
/// A file's format is told by the names of its columns, a folder's or archive's by the files in it. The article
/// <doc:ReadingRecordings> has each format's header, units and signs.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// MotionDataCollector and the data set MotionSense: motion without times.
  case motionDataCollector
  /// SensingKit's motion, with epoch seconds.
  case sensingKit
  /// SensorLog on phone or watch.
  case sensorLog
  /// Sensor Logger: a folder or zip archive with a file for each sensor.
  case sensorLogger
  /// phyphox, as text: one file, or a folder or zip archive with a file for each sensor.
  case phyphox
  /// GyroData's JSON, ten readings a second.
  case gyroData
  /// Gait's own, which it also writes.
  case gait
  /// Any other logger's accelerometer, with or without a gyroscope.
  case accelerometer

  /// What the format is called in sentences.
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

  /// The formats of a text file whose columns have these names: one, or none where no names are known, or several where
  /// the names of several formats stand beside each other.
  ///
  /// A format is recognised by one of its names for acceleration, gravity, rotation rate or attitude. Three share Core
  /// Motion's names: `timeIntervalSince1970` tells SensingKit, else `time` tells Gait, else there are no times. phyphox
  /// has `Time (s)` besides. A single file of Sensor Logger is recognised too, though it is no whole recording.
  /// `accelerometer` is what fits where no other format does.
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
    // Sensor Logger calls what a watch's motion has by one name with what has gravity in it elsewhere.
    let isWristMotion = hasAll("time", "seconds_elapsed", "accelerationx", "gravityx", "rotationratex")
    if found.isEmpty, !isWristMotion, has(.accelerometer) || isAcceleration(columns) { found.append(.accelerometer) }
    return found
  }

  /// Whether names that tell nothing, such as `x` or `x-axis`, have units of acceleration.
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
