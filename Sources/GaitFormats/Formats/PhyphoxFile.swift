import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of a custom phyphox experiment, whose columns are `X (m/s^2)` or `X (rad/s)` without the sensor's name.
///
/// Source: `SimpleExperimentData.swift` of phyphox for iOS, which defines the export sets.
enum PhyphoxFile {
  /// The quantity in the file with this name and header; `nil` if the columns are not those of a custom experiment, or
  /// the name is not that of a sensor.
  static func quantity(named name: String, columns: [ColumnName]) -> Quantity? {
    guard unit(of: columns) != nil else { return nil }
    return switch PartName(name).stem {
    case "accelerometer": .totalAcceleration
    case let stem where stem.hasPrefix("linear"): .userAcceleration
    case "gravity": .gravity
    case "gyroscope": .rotationRate
    default: nil
    }
  }

  /// The quantity in a file of a folder or archive; `nil` if the columns are not those of a custom experiment. If the
  /// name is not that of a sensor, the unit shows whether the file holds an acceleration or a rotation rate. Whether an
  /// acceleration includes gravity is decided later, by its values.
  static func quantity(ofPart name: String, columns: [ColumnName]) -> Quantity? {
    if let known = quantity(named: name, columns: columns) { return known }
    guard let unit = unit(of: columns) else { return nil }
    if AccelerationUnit(inName: unit) != nil { return .totalAcceleration }
    return AngleUnit(perSecondInName: unit) != nil ? .rotationRate : nil
  }

  /// The unit of the columns `x`, `y` and `z`; `nil` if one of them has no unit, or if there is no column of phyphox's
  /// times.
  private static func unit(of columns: [ColumnName]) -> String? {
    guard columns.contains(where: isTime) else { return nil }
    let units = ["x", "y", "z"].compactMap { axis in columns.first { $0.base == axis && $0.unit != nil }?.unit }
    return units.count == 3 ? units[0] : nil
  }

  /// Whether a column is phyphox's time column.
  static func isTime(_ name: ColumnName) -> Bool { name.base == "time" && name.unit == "s" }
}

/// The clock of a phyphox recording: when the recording was started and paused, from `meta/time.csv`.
///
/// Experiment time, the time of phyphox's files, stands still while the recording is paused:
///
///     event   experiment time (s)   system time (s since 1970)
///     START     0                   1700000000
///     PAUSE   600                   1700000600
///     START   600                   1700000900        // a pause of 300 s
///
/// Source: `ExperimentTimeReference` of phyphox for iOS and Android.
package struct PhyphoxClock {
  /// The phone's time at experiment time 0, in nanoseconds since 1970.
  let start: Int64
  /// The pauses in order: the experiment time after which times are shifted, and the shift, which is the sum of all
  /// pauses up to then; both in nanoseconds.
  private let pauses: [(experiment: Int64, shift: Int64)]

  /// The clock in a folder or archive of phyphox; `nil` if it has none, or an invalid one.
  init?(in url: URL) {
    guard let file = Self.file(in: url), let events = try? Self.events(in: file) else { return nil }
    guard let first = events.first(where: \.isStart) else { return nil }
    var pauses: [(experiment: Int64, shift: Int64)] = []
    var (shift, stopped): (Int64, Int64?) = (0, nil)
    for event in events {
      if event.isStart, let stopped {
        shift = min(SampleTime.farthest, shift + max(0, event.system - stopped))
        pauses.append((event.experiment, shift))
      }
      stopped = event.isStart ? nil : event.system
    }
    start = first.system - first.experiment
    self.pauses = pauses
  }

  /// Converts experiment time to the time since the start with the pauses, both in nanoseconds.
  func elapsed(_ experiment: Int64) -> Int64 {
    guard let pause = pauses.last(where: { $0.experiment < experiment }) else { return experiment }
    let (sum, overflows) = experiment.addingReportingOverflow(pause.shift)
    return overflows ? experiment : sum
  }

  private static func file(in url: URL) -> ContainedFile? {
    guard ContainedFile.isFolder(url) else {
      return (try? ZipArchive(in: url))?.file(endingWith: "meta/time.csv")
    }
    let files = try? ContainedFile.files(inFolder: url.appending(path: "meta"), label: url.relativePath + "/meta")
    return files?.first { $0.name.lowercased() == "time.csv" }
  }

  /// The largest number of events. A file with more is not used.
  private static let largestCount = 10_000

  private static func events(
    in file: ContainedFile
  ) throws(RecordingError) -> [(isStart: Bool, experiment: Int64, system: Int64)] {
    let table = try DelimitedFile(file.open(), file: file.label)
    let rows = try table.rows(
      as: table.header.roles(["event": .text(0), "experiment time": .number(0), "system time": .number(1)]))
    guard rows.numbers.count == 2, let texts = rows.texts.first, rows.rows.count <= largestCount else { return [] }
    let names = texts.flatMap { run in run.rows.map { _ in run.label?.uppercased() } }
    return zip(names, zip(rows.numbers[0], rows.numbers[1])).compactMap { name, times in
      guard name == "START" || name == "PAUSE" else { return nil }
      guard abs(times.0) < 1e9, abs(times.1) < 4e9 else { return nil }
      return (
        name == "START", Int64(saturating: (times.0 * 1e9).rounded()), Int64(saturating: (times.1 * 1e9).rounded())
      )
    }
  }

  /// The date of the first sample of a recording in a folder or archive of phyphox; `nil` if it is unknown.
  package static func date(ofStartOf recording: Recording, at url: URL) -> Date? {
    guard let clock = PhyphoxClock(in: url) else { return nil }
    return Date(timeIntervalSince1970: Double(clock.start) / 1e9 + recording.start.seconds)
  }
}

/// The names of Sensor Logger's files, and the signs of their axes.
enum SensorLoggerFile {
  /// The quantity in the file with this name, which may be gzipped; `nil` for files of other sensors.
  static func quantity(named name: String) -> Quantity? {
    [
      "accelerometer": .userAcceleration, "totalacceleration": .totalAcceleration, "gravity": .gravity,
      "gyroscope": .rotationRate, "orientation": .attitude,
    ][PartName(name).stem]
  }

  /// Whether the file is one of several of a recording: it has the name of a sensor, and the same folder contains
  /// another file with the name of a sensor.
  static func isPart(_ url: URL) -> Bool {
    guard quantity(named: url.lastPathComponent) != nil else { return false }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    return names.contains { $0 != url.lastPathComponent && quantity(named: $0) != nil }
  }

  /// The columns of a Sensor Logger file that is not part of several; `nil` if it holds no acceleration. A file with an
  /// unknown name counts as an acceleration, whose values show whether it includes gravity. The signs are those that
  /// `Metadata.csv` in the same folder states.
  static func profile(
    ofSingle file: String, _ header: Header, _ units: RecordingUnits, beside url: URL?
  ) throws(RecordingError) -> FormatProfile? {
    let (columns, name) = (header.columns, file.lastPathComponent)
    let beside = try url.flatMap { url throws(RecordingError) in
      try ContainedFile.files(
        inFolder: url.deletingLastPathComponent(), label: url.deletingLastPathComponent().relativePath
      )
      .first { isMetadata($0.name) }
    }
    let (signs, unit) = try conventions(in: beside)
    func assuming(_ profile: FormatProfile) -> FormatProfile {
      var profile = profile
      profile.assumesSigns = signs == nil
      return profile
    }
    if columns.contains(where: { $0.base == "accelerationx" }) {
      return assuming(.wristMotion(in: units.acceleration ?? unit, signs: signs ?? .coreMotion))
    }
    guard columns.contains(where: { $0.base == "x" }), !SensorRows.isOther(name, columns) else { return nil }
    let quantity = quantity(named: name) ?? .totalAcceleration
    return quantity == .gravity ? nil : assuming(.sensorLogger(quantity, signs: signs ?? .coreMotion))
  }

  /// Whether a file is the motion of a watch, which has all sensors. It is read only if there is no file of a phone's
  /// acceleration.
  static func isWristMotion(_ name: String) -> Bool { PartName(name).stem == "wristmotion" }

  /// Whether a file is the metadata of a recording.
  static func isMetadata(_ name: String) -> Bool { PartName(name).stem == "metadata" }

  /// The sign convention, and the unit of a watch's acceleration, according to `Metadata.csv`; `nil` where the file
  /// does not state them.
  ///
  /// - Android, and any platform whose recording is standardised (an option of the app): Android's signs. A
  ///   standardised watch acceleration is in m/s².
  /// - iOS without standardisation: Core Motion's signs, and g.
  ///
  /// Source: UNITS.md of the repository awesome-sensor-logger.
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

  /// The time at which `seconds_elapsed` is 0 in the motion files of a folder or archive, in nanoseconds since 1970;
  /// `nil` if unknown.
  static func origin(in url: URL) -> Int64? {
    guard let files = try? ContainedFile.files(in: url) else { return nil }
    let motion = files.filter { quantity(named: $0.name) != nil || isWristMotion($0.name) }
    return motion.lazy.compactMap { try? origin(in: $0) }.first
  }

  /// The same for one file, from its first row.
  private static func origin(in file: ContainedFile) throws(RecordingError) -> Int64? {
    let start = try PeekedBytes.unpacked(file.open(), file: file.label).next(4096)
    let table = try DelimitedFile(MemoryBytes(start[...]), file: file.label)
    let rows = try table.rows(as: table.header.roles(["seconds_elapsed": .number(0), "time": .time(.nanoseconds)]))
    guard let time = rows.times.first, time != .min, let elapsed = rows.numbers.first?.first, abs(elapsed) < 4e9
    else { return nil }
    let (origin, overflows) = time.subtractingReportingOverflow(Int64(saturating: (elapsed * 1e9).rounded()))
    return overflows ? nil : origin
  }
}
