/// The recording formats that can be read.
///
/// A file's format is detected from its column names; that of a folder or archive from the names and the columns of the
/// files in it. The article <doc:ReadingRecordings> lists each format's header, units and signs.
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
}
