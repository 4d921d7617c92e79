/// The recorders whose files can be read.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// MotionDataCollector and the data set MotionSense: motion without times.
  case motionDataCollector
  /// SensingKit's motion, with epoch seconds.
  case sensingKit
  /// SensorLog on phone or watch.
  case sensorLog
  /// Sensor Logger: a folder or zip archive with a file for each sensor.
  case sensorLogger
  /// phyphox, as text.
  case phyphox
  /// GyroData's JSON, ten readings a second.
  case gyroData
  /// Gait's own, which it also writes.
  case gait
}
