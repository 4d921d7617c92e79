import Foundation
import Gait

/// A motion known at every time, to write in a recorder's format and compare with what is read.
///
/// The phone swings and keeps turning, so that its yaw passes ±π. The user acceleration has downward peaks, like a
/// runner's.
struct SyntheticMotion {
  /// The rows' times, nanoseconds.
  let times: [Int64]

  /// `count` rows from `start`, one every `period` nanoseconds.
  init(count: Int = 120, period: Int64 = 20_000_000, start: Int64 = 0) {
    times = (0..<count).map { start + Int64($0) * period }
  }

  /// The value of `channel` at a time, in the channel's unit.
  static func value(_ channel: Channel, at time: Int64) -> Double {
    let t = Double(time % 1_000_000_000_000) / 1e9
    let angles = (roll: 0.3 * sin(2 * t), pitch: 0.2 + 0.2 * cos(3 * t), yaw: (2.5 * t).remainder(dividingBy: 2 * .pi))
    return switch channel {
    case .attitudeRoll: angles.roll
    case .attitudePitch: angles.pitch
    case .attitudeYaw: angles.yaw
    case .gravityX: cos(angles.pitch) * sin(angles.roll)
    case .gravityY: -sin(angles.pitch)
    case .gravityZ: -cos(angles.pitch) * cos(angles.roll)
    case .rotationRateX: 0.6 * cos(2 * t)
    case .rotationRateY: -0.6 * sin(3 * t)
    case .rotationRateZ: 2.5 + 0.1 * sin(5 * t)
    case .userAccelerationX: 0.2 * sin(9 * t)
    case .userAccelerationY: 0.1 * cos(11 * t)
    case .userAccelerationZ: -exp(2 * sin(8 * t)) / 7
    }
  }

  /// The value of `channel` in row `index`.
  func value(_ channel: Channel, _ index: Int) -> Double { Self.value(channel, at: times[index]) }

  /// The motion as a text table: the header, then the cells of each row.
  func table(_ header: String, separator: String = ",", row: (Int) -> [String]) -> String {
    ([header] + times.indices.map { row($0).joined(separator: separator) }).joined(separator: "\n") + "\n"
  }
}

/// Writes a motion in each recorder's format, from the recorder's specification.
enum RecorderFile {
  static let standardGravity = 9.80665

  /// Core Motion's names in MotionDataCollector's order, a row index before them.
  static func motionDataCollector(_ motion: SyntheticMotion) -> String {
    motion.table("," + names.joined(separator: ",")) { index in ["\(index)"] + coreMotion(motion, index) }
  }

  /// Sensor Logger's motion of a watch, with accelerations times `scale`.
  static func wristMotion(_ motion: SyntheticMotion, scale: Double) -> String {
    let names = ["rotationRate", "gravity", "acceleration"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }
    let rotation: [Channel] = [.rotationRateX, .rotationRateY, .rotationRateZ]
    let acceleration: [Channel] = [
      .gravityX, .gravityY, .gravityZ, .userAccelerationX, .userAccelerationY, .userAccelerationZ,
    ]
    return motion.table("time,seconds_elapsed,\(names.joined(separator: ",")),quaternionW") { index in
      ["\(motion.times[index])", "0"] + rotation.map { "\(motion.value($0, index))" }
        + acceleration.map { "\(scale * motion.value($0, index))" } + ["1"]
    }
  }

  /// A quoted date, seconds since 1970, and a magnetometer between the channels.
  static func sensingKit(_ motion: SyntheticMotion) -> String {
    let magnetic = ["magneticField.x", "magneticField.y", "magneticField.z", "magneticField.accuracy"]
    let header = ["timestamp", "timeIntervalSince1970"] + names[..<6] + magnetic + names[6...]
    return motion.table(header.joined(separator: ",")) { index in
      let values = coreMotion(motion, index)
      return ["\"01/05/2024, 12:00:00.000 +0200\"", seconds(motion.times[index])] + values[..<6]
        + ["1.5", "-20", "30.25", "2"] + values[6...]
    }
  }

  static func gait(_ motion: SyntheticMotion) -> String {
    "# gait recording: s, rad, g, rad/s\n"
      + motion.table("time," + names.joined(separator: ",") + ",label,subject") { index in
        [seconds(motion.times[index])] + coreMotion(motion, index) + [index < 10 ? "" : "running", "\"7, a\""]
      }
  }

  private static let names = Channel.allCases.map(\.rawValue)

  private static func coreMotion(_ motion: SyntheticMotion, _ index: Int) -> [String] {
    Channel.allCases.map { "\(Float(motion.value($0, index)))" }
  }

  /// SensorLog's motion block, yaw first, between other sensors' columns.
  static func sensorLog(
    _ motion: SyntheticMotion, separator: String = ",", decimal: String = ".", hasMotionTime: Bool = true,
    date: @escaping (Int64) -> String = { "\($0)" }
  ) -> String {
    var columns: [(name: String, value: (Int) -> String)] = [
      ("loggingTime(txt)", { date(motion.times[$0]) }), ("loggingSample(N)", { "\($0)" }),
      ("locationLatitude(WGS84)", { _ in "48.1" }), ("locationSpeed(m/s)", { _ in "2.5" }),
      ("accelerometerTimestamp_sinceReboot(s)", { _ in "1" }),
    ]
    func add(_ name: String, _ channel: Channel) {
      columns.append((name, { "\(Float(motion.value(channel, $0)))" }))
    }
    if hasMotionTime {
      columns.append(("motionTimestamp_sinceReboot(s)", { seconds(motion.times[$0]) }))
    } else {
      columns.remove(at: 4)
    }
    add("motionYaw(rad)", .attitudeYaw)
    add("motionRoll(rad)", .attitudeRoll)
    add("motionPitch(rad)", .attitudePitch)
    let axes = ["X", "Y", "Z"]
    for (axis, channel) in zip(axes, Sensor.rotationRate.channels) { add("motionRotationRate\(axis)(rad/s)", channel) }
    for (axis, channel) in zip(axes, Sensor.userAcceleration.channels) {
      add("motionUserAcceleration\(axis)(G)", channel)
    }
    columns.append(("motionAttitudeReferenceFrame(txt)", { _ in "XArbitraryZVertical" }))
    for name in ["X", "Y", "Z", "W"] { columns.append(("motionQuaternion\(name)(R)", { _ in "0.5" })) }
    for (axis, channel) in zip(axes, Sensor.gravity.channels) { add("motionGravity\(axis)(G)", channel) }
    let text = motion.table(columns.map(\.name).joined(separator: separator), separator: separator) { index in
      columns.map { $0.value(index) }
    }
    guard decimal != "." else { return text }
    // Names have no decimal points, and dates are in their final form.
    return text.replacing(/(\d)\.(\d)/) { "\($0.1)\(decimal)\($0.2)" }
  }

  /// phyphox: with gravity, without, and the gyroscope, in Android's signs.
  static func phyphox(
    _ motion: SyntheticMotion, separator: String = ",", decimal: String = ".", sensors: [String] = phyphoxSensors
  ) -> String {
    let columns = sensors.flatMap { sensor in
      ["x", "y", "z"].map { axis in "\"\(sensor) \(axis) (\(sensor == "Gyroscope" ? "rad/s" : "m/s^2"))\"" }
        + (sensor == "Acceleration" ? ["\"Absolute acceleration (m/s^2)\""] : [])
    }
    return motion.table((["\"Time (s)\""] + columns).joined(separator: separator), separator: separator) { index in
      let values = sensors.flatMap { sensor -> [Double] in
        let vector = phyphoxVector(sensor, motion, index)
        return vector + (sensor == "Acceleration" ? [sqrt(vector.reduce(0) { $0 + $1 * $1 })] : [])
      }
      return ([Double(motion.times[index]) / 1e9] + values).map { scientific($0, decimal: decimal) }
    }
  }

  static let phyphoxSensors = ["Acceleration", "Linear Acceleration", "Gyroscope"]

  private static func phyphoxVector(_ sensor: String, _ motion: SyntheticMotion, _ index: Int) -> [Double] {
    func values(_ sensor: Sensor) -> [Double] { sensor.channels.map { motion.value($0, index) } }
    let user = values(.userAcceleration).map { -standardGravity * $0 }
    switch sensor {
    case "Gyroscope": return values(.rotationRate)
    case "Linear Acceleration": return user
    case "Acceleration": return zip(user, values(.gravity)).map { $0 - standardGravity * $1 }
    default: return values(.gravity).map { -standardGravity * $0 }
    }
  }

  /// phyphox writes ten digits and an exponent: `3.820000000E-2`.
  private static func scientific(_ value: Double, decimal: String) -> String {
    String(format: "%.9E", value).replacingOccurrences(of: ".", with: decimal)
  }

  /// A Sensor Logger file of one sensor: nanoseconds, z before x.
  static func sensorLogger(_ quantity: String, _ motion: SyntheticMotion, signs: Double = 1) -> String {
    let isOrientation = quantity == "Orientation"
    let header = isOrientation ? "qz,qy,qx,qw,roll,pitch,yaw" : "z,y,x"
    return motion.table("time,seconds_elapsed," + header) { index in
      let elapsed = Double(motion.times[index] - motion.times[0]) / 1e9
      return ["\(motion.times[index])", "\(elapsed)"]
        + (isOrientation ? ["0", "0", "0", "1"] : []) + sensorLoggerVector(quantity, motion, index, signs)
    }
  }

  private static func sensorLoggerVector(
    _ quantity: String, _ motion: SyntheticMotion, _ index: Int, _ signs: Double
  ) -> [String] {
    func values(_ sensor: Sensor, _ factor: Double) -> [Double] {
      sensor.channels.reversed().map { factor * motion.value($0, index) }
    }
    let vector =
      switch quantity {
      case "Gravity": values(.gravity, signs * standardGravity)
      case "Accelerometer": values(.userAcceleration, signs * standardGravity)
      case "TotalAcceleration":
        zip(values(.gravity, signs * standardGravity), values(.userAcceleration, signs * standardGravity)).map(+)
      case "Orientation": Array(zip(values(.attitude, 1), [signs, signs, 1]).map(*).reversed())
      default: values(.rotationRate, 1)
      }
    return vector.map { "\($0)" }
  }

  /// Sensor Logger's metadata of a recording.
  static func sensorLoggerMetadata(platform: String = "ios", standardisation: String = "false") -> String {
    """
    version,device name,recording epoch time,recording time,recording timezone,platform,appVersion,device id,sensors,\
    sampleRateMs,standardisation,platform version
    3,"Ann's phone, old",1714557600000,2024-05-01_10-00-00,Europe/Berlin,\(platform),1.40,x-1,\
    Accelerometer|Gravity|Gyroscope|Orientation|Annotation,20|20|20|20|0,\(standardisation),17

    """
  }

  /// A GyroData object of one sensor.
  static func gyroData(sensor: Int, _ motion: SyntheticMotion, date: Double, key: String = "axisValues") -> String {
    let channels: [[Channel]] =
      sensor == 1
      ? Sensor.rotationRate.channels.map { [$0] }
      : zip(Sensor.gravity.channels, Sensor.userAcceleration.channels).map { [$0, $1] }
    let values = motion.times.indices.map { index in
      let axes = zip(["x", "y", "z"], channels).map { axis, sum in
        "\"\(axis)\": \(sum.reduce(0) { $0 + motion.value($1, index) })"
      }
      return "{\(axes.joined(separator: ", "))}"
    }
    return """
      {"sensor": \(sensor), "date": \(date), "time": \(Double(motion.times.count) / 10), \
      "\(key)": [\(values.joined(separator: ",\n"))]}
      """
  }

  /// Nanoseconds as decimal seconds.
  private static func seconds(_ time: Int64) -> String {
    String(format: "%lld.%09lld", time / 1_000_000_000, time % 1_000_000_000)
  }
}
