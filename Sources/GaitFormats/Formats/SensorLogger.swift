#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The names of Sensor Logger's files, and the signs of their axes.
enum SensorLoggerFile {
  /// The quantity in the file with this name, which may be gzipped; `nil` for files of other sensors.
  static func quantity(named name: String) -> Quantity? {
    switch PartName(name).stem {
    case "accelerometer": .userAcceleration
    case "totalacceleration": .totalAcceleration
    case "gravity": .gravity
    case "gyroscope": .rotationRate
    case "orientation": .attitude
    default: nil
    }
  }

  /// Whether a file is the motion of a watch, with all sensors; it is read if the phone's acceleration is absent.
  static func isWristMotion(_ name: String) -> Bool { PartName(name).stem == "wristmotion" }

  /// Whether a file is the metadata of a recording.
  static func isMetadata(_ name: String) -> Bool { PartName(name).stem == "metadata" }

  /// The sign convention and the unit of a watch's acceleration according to Metadata.csv: Core Motion's signs on iOS,
  /// and g, unless the user chose to standardise all platforms; then Android's, as on Android, and m/s². `nil` if the
  /// file does not state it. Source: UNITS.md of the repository awesome-sensor-logger.
  static func conventions(
    in metadata: ContainedFile?
  ) throws(RecordingError) -> (signs: SignConvention?, wristUnit: AccelerationUnit?) {
    guard let metadata else { return (nil, nil) }
    let table = try DelimitedFile(metadata.open(), file: metadata.label)
    let texts = try table.rows(as: table.header.roles(["platform": .text(0), "standardisation": .text(1)])).texts
    let fields = texts.map { $0.first?.label?.lowercased() } + [nil, nil]
    let unit: AccelerationUnit? = ["true": .metersPerSecondSquared, "false": .gravity][fields[1]]
    switch (fields[0], fields[1]) {
    case ("android", _), (_, "true"): return (.android, unit)
    case ("ios", "false"), ("ios", nil): return (.coreMotion, unit ?? .gravity)
    default: return (nil, unit)
    }
  }

  /// The time at which `seconds_elapsed` is 0 in the motion files of a folder or archive, nanoseconds; `nil` if unknown.
  static func origin(in url: URL) -> Int64? {
    guard let files = try? ContainedFile.files(in: url) else { return nil }
    let motion = files.filter { quantity(named: $0.name) != nil || isWristMotion($0.name) }
    return motion.lazy.compactMap { try? origin(in: $0) }.first
  }

  /// The same of one file, by its first rows.
  private static func origin(in file: ContainedFile) throws(RecordingError) -> Int64? {
    let start = try PeekedBytes.unpacked(file.open(), file: file.label).next(4096)
    let table = try DelimitedFile(MemoryBytes(start[...]), file: file.label)
    let rows = try table.rows(as: table.header.roles(["seconds_elapsed": .number(0), "time": .time(.nanoseconds)]))
    guard let time = rows.times.first, time != .min, let elapsed = rows.numbers.first?.first, abs(elapsed) < 4e9
    else { return nil }
    let (origin, overflows) = time.subtractingReportingOverflow(Int64((elapsed * 1e9).rounded()))
    return overflows ? nil : origin
  }
}
