import Foundation
import Gait

/// A run as loggers write it: motion, location and barometer, each on its clock, in Sensor Logger's or phyphox's files.
///
///     var run = LoggedRun.straight(seconds: 300)
///     run.locationOffset = 3600                         // the receiver's clock is an hour ahead
///     run.holes = [100..<160]                           // no motion for a minute
///     let folder = try run.write(.sensorLogger, to: "run", in: directory)
public struct LoggedRun {
  /// The motion, evenly or unevenly spaced; its first sample is second 0 of the run.
  public var motion: [MotionSample]
  /// The locations on the clock of the motion; cached ones have times before the first sample.
  public var locations: [LocationSample]
  /// The readings of the barometer, on the clock of the motion.
  public var altitudes: [AltitudeSample]

  /// The date of second 0, nanoseconds since 1970.
  public var date: Int64 = 1_714_557_600_123_456_789
  /// Seconds added to the times of all locations: the clock of the receiver against that of the motion.
  public var locationOffset = 0.0
  /// Seconds since the phone was switched on at second 0, if locations are dated on that clock in Sensor Logger's
  /// files.
  public var locationUptime: Double?
  /// Seconds of the run without motion; locations go on.
  public var holes: [Range<Double>] = []
  /// Seconds of the run in which a phyphox experiment is paused: nothing is recorded, and experiment time stands still.
  public var pauses: [Range<Double>] = []
  /// Seconds by which phyphox's times of linear acceleration are later than those of acceleration; 4–8 ms occur.
  public var accelerationDelay = 0.0

  /// The logger whose files are written.
  public enum Logger: Sendable, CaseIterable {
    /// A file for each sensor, nanoseconds since 1970, m/s².
    case sensorLogger
    /// A file for each sensor, seconds of experiment time, and `meta/time.csv`.
    case phyphox
  }

  /// A run from what was recorded.
  public init(motion: [MotionSample], locations: [LocationSample], altitudes: [AltitudeSample] = []) {
    self.motion = motion
    self.locations = locations
    self.altitudes = altitudes
  }

  /// Metres in a second of `straight`.
  public static let speed = 3.0

  /// A run due north at 3 m/s with exact locations, 50 Hz and 2.7 steps a second, after two cached locations 400 m away
  /// that are 170 and 12 s older than the motion, the later one with a good accuracy.
  public static func straight(seconds: Double) -> LoggedRun {
    let origin = SampleTime.seconds(1000)
    let motion = (0..<Int(seconds * 50)).map { index in
      let phase = 2 * Double.pi * 2.7 * Double(index) / 50
      return MotionSample(
        time: origin.advanced(bySeconds: Double(index) / 50), gravity: SIMD3(0, 0, -1),
        rotationRate: SIMD3(Float(2 * sin(phase / 2)), 0, 0), userAcceleration: SIMD3(0, 0, Float(sin(phase))))
    }
    // A degree of latitude is 111.2 km here; tests that need metres compare with speed × seconds within 1 %.
    func location(_ second: Double, meters: Double, accuracy: Double) -> LocationSample {
      LocationSample(
        time: origin.advanced(bySeconds: second), latitude: 48 + meters / 111_200, longitude: 11, altitude: 500,
        speed: speed, horizontalAccuracy: accuracy, verticalAccuracy: 6, speedAccuracy: 0.3)
    }
    let cached = [location(-170, meters: -400, accuracy: 65), location(-12, meters: -400, accuracy: 8)]
    let fixes = stride(from: 0.5, to: seconds, by: 1).map { location($0, meters: speed * $0, accuracy: 5) }
    return LoggedRun(motion: motion, locations: cached + fixes)
  }

  /// Writes a folder with the files of a logger.
  ///
  /// - Returns: the folder.
  public func write(_ logger: Logger, to folder: String, in directory: TemporaryDirectory) throws -> URL {
    for (name, text) in files(logger) { try directory.write(text, to: "\(folder)/\(name)") }
    return URL(filePath: folder, relativeTo: directory.url)
  }

  /// The files of a logger, by name.
  public func files(_ logger: Logger) -> [(name: String, text: String)] {
    switch logger {
    case .sensorLogger: sensorLoggerFiles
    case .phyphox: phyphoxFiles
    }
  }

  private static let standardGravity = 9.80665

  /// Nanoseconds since second 0.
  private func nanoseconds(_ time: SampleTime) -> Int64 {
    time.nanoseconds - (motion.first?.time.nanoseconds ?? time.nanoseconds)
  }

  private func isRecorded(_ time: SampleTime) -> Bool {
    let seconds = Double(nanoseconds(time)) / 1e9
    return !(holes + pauses).contains { $0.contains(seconds) }
  }

  private static func table(_ header: String, _ rows: [[String]]) -> String {
    ([header] + rows.map { $0.joined(separator: ",") }).joined(separator: "\n") + "\n"
  }
}

extension LoggedRun {
  private var sensorLoggerFiles: [(name: String, text: String)] {
    var files = [
      ("Accelerometer.csv", vectors { $0.userAcceleration * Float(Self.standardGravity) }),
      ("Gravity.csv", vectors { $0.gravity * Float(Self.standardGravity) }),
      ("Gyroscope.csv", vectors { $0.rotationRate }), ("Location.csv", sensorLoggerLocations),
      ("Metadata.csv", sensorLoggerMetadata),
    ]
    if !altitudes.isEmpty { files.append(("Barometer.csv", sensorLoggerAltitudes)) }
    return files
  }

  /// `time` in nanoseconds since 1970 and `seconds_elapsed`.
  private func times(_ time: SampleTime, offset: Double = 0, origin: Int64? = nil) -> [String] {
    let elapsed = nanoseconds(time) + Int64((offset * 1e9).rounded())
    return ["\((origin ?? date) + elapsed)", "\(Double(elapsed) / 1e9)"]
  }

  private func vectors(_ value: (MotionSample) -> SIMD3<Float>) -> String {
    let rows = motion.filter { isRecorded($0.time) }.map { sample in
      let value = value(sample)
      return times(sample.time) + [value.z, value.y, value.x].map { "\($0)" }
    }
    return Self.table("time,seconds_elapsed,z,y,x", rows)
  }

  private var sensorLoggerLocations: String {
    let origin = locationUptime.map { Int64(($0 * 1e9).rounded()) }
    let rows = locations.map { sample in
      times(sample.time, offset: locationOffset, origin: origin)
        + [
          -1, sample.speedAccuracy ?? -1, sample.verticalAccuracy ?? -1, sample.horizontalAccuracy ?? -1,
          sample.speed ?? -1, -1, sample.altitude ?? 0, sample.longitude, sample.latitude,
        ].map { "\($0)" }
    }
    return Self.table(
      "time,seconds_elapsed,bearingAccuracy,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,bearing,altitude,"
        + "longitude,latitude", rows)
  }

  private var sensorLoggerAltitudes: String {
    let rows = altitudes.map { sample in
      // 12 Pa a metre near the ground.
      times(sample.time) + ["\(sample.relativeAltitude)", "\(1013.25 - 0.12 * sample.relativeAltitude)"]
    }
    return Self.table("time,seconds_elapsed,relativeAltitude,pressure", rows)
  }

  private var sensorLoggerMetadata: String {
    """
    version,device name,recording epoch time,recording time,recording timezone,platform,appVersion,device id,sensors,\
    sampleRateMs,standardisation,platform version
    3,phone,\(date / 1_000_000),2024-05-01_10-00-00,Europe/Berlin,ios,1.40,x-1,\
    Accelerometer|Gravity|Gyroscope|Location,20|20|20|1000,false,17

    """
  }
}

extension LoggedRun {
  /// Signs are Android's, as phyphox has them on every phone.
  private var phyphoxFiles: [(name: String, text: String)] {
    let gravity = Float(Self.standardGravity)
    return [
      ("Accelerometer.csv", phyphoxVectors("m/s^2") { ($0.gravity + $0.userAcceleration) * -gravity }),
      ("Linear Accelerometer.csv", phyphoxVectors("m/s^2", accelerationDelay) { $0.userAcceleration * -gravity }),
      ("Gyroscope.csv", phyphoxVectors("rad/s") { $0.rotationRate }), ("Location.csv", phyphoxLocations),
      ("meta/time.csv", phyphoxTimes),
      ("meta/device.csv", "\"property\",\"value\"\n\"deviceModel\",\"phone\"\n\"version\",\"1.2.0\"\n"),
    ]
  }

  /// Experiment time of a second of the run: without the pauses before it.
  private func experimentTime(_ seconds: Double) -> Double {
    pauses.reduce(seconds) { $0 - max(0, min(seconds, $1.upperBound) - $1.lowerBound) }
  }

  private func phyphoxVectors(
    _ unit: String, _ delay: Double = 0, _ value: (MotionSample) -> SIMD3<Float>
  ) -> String {
    let rows = motion.filter { isRecorded($0.time) }.map { sample in
      let value = value(sample)
      let time = experimentTime(Double(nanoseconds(sample.time)) / 1e9) + delay
      return ([time] + [value.x, value.y, value.z].map(Double.init)).map(Self.scientific)
    }
    return Self.table("\"Time (s)\",\"X (\(unit))\",\"Y (\(unit))\",\"Z (\(unit))\"", rows)
  }

  private var phyphoxLocations: String {
    let rows = locations.compactMap { sample -> [String]? in
      let seconds = Double(nanoseconds(sample.time)) / 1e9
      guard !pauses.contains(where: { $0.contains(seconds) }) else { return nil }
      return [
        experimentTime(seconds) + locationOffset, sample.latitude, sample.longitude, sample.altitude ?? 0,
        sample.speed ?? -1, 0, sample.horizontalAccuracy ?? -1, sample.verticalAccuracy ?? -1,
      ].map(Self.scientific)
    }
    return Self.table(
      "\"Time (s)\",\"Latitude (°)\",\"Longitude (°)\",\"Height (m)\",\"Velocity (m/s)\",\"Direction (°)\","
        + "\"Horizontal Accuracy (m)\",\"Vertical Accuracy (m)\"", rows)
  }

  /// phyphox's clock: experiment time and system time at every start and pause.
  private var phyphoxTimes: String {
    let last = motion.last.map { Double(nanoseconds($0.time)) / 1e9 } ?? 0
    let changes = [("START", 0.0)] + pauses.flatMap { [("PAUSE", $0.lowerBound), ("START", $0.upperBound)] }
    let rows = (changes + [("PAUSE", last)]).map { event, seconds in
      let system = Double(date) / 1e9 + seconds
      return [
        "\"\(event)\"", Self.scientific(experimentTime(seconds)), String(format: "%.3f", system),
        "\"\(Self.dateText(system)) UTC+00:00\"",
      ]
    }
    return Self.table("\"event\",\"experiment time\",\"system time\",\"system time text\"", rows)
  }

  private static func dateText(_ seconds: Double) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, includingFractionalSeconds: true)
      .year().month().day().time(includingFractionalSeconds: true)
    return Date(timeIntervalSince1970: seconds).formatted(style)
  }

  /// phyphox writes ten digits and an exponent: `3.820000000E-2`.
  private static func scientific(_ value: Double) -> String {
    let parts = String(format: "%.9E", value).split(separator: "E")
    return "\(parts[0])E\(Int(parts[1]) ?? 0)"
  }
}
