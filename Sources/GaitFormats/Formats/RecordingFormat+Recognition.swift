#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RecordingFormat {
  /// The formats that match the column names of a text file: usually one, none if no name is known, and several if
  /// names of several formats occur.
  ///
  /// A format is recognised by one of its names for acceleration, gravity, rotation rate or attitude. Three formats
  /// share Core Motion's names: the file is SensingKit's if it has `timeIntervalSince1970`, Gait's if it has `time`,
  /// and MotionDataCollector's otherwise. Names without a point, such as `userAcceleration_x`, are never Gait's, and
  /// are recognised only if both gravity and user acceleration have columns. phyphox must also have `Time (s)`. A
  /// single file of Sensor Logger is recognised too. `accelerometer` matches only if no other format does; it also
  /// matches three columns `x`, `y` and `z`.
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
    // Three formats share these names.
    let coreMotion = RecordingFormat.gait.profile.names
    let properties = columns.filter { coreMotion[$0.base] != nil }
    // Loggers of Android's sensors also write gravity.x, but their acceleration has another name.
    let isDotted =
      properties.contains { $0.base.contains(".") }
      && (properties.contains { coreMotion[$0.base]?.quantity == .userAcceleration }
        || !columns.contains { isAccelerometer($0) })
    if isDotted || Set(properties.map { coreMotion[$0.base]?.quantity }).isSuperset(of: [.gravity, .userAcceleration]) {
      let isByGait = isDotted && hasAll("time")
      found.append(hasAll("timeintervalsince1970") ? .sensingKit : isByGait ? .gait : .motionDataCollector)
    }
    if has(.sensorLog) { found.append(.sensorLog) }
    // Other loggers write a rotation rate as phyphox does, but their acceleration has another name.
    if columns.contains(where: PhyphoxFile.isTime), has(.phyphox) {
      let phyphox = columns.compactMap { RecordingFormat.phyphox.profile.names[$0.base]?.quantity }
      let isPhyphox = phyphox.contains(where: \.isAcceleration) || !columns.contains { isAccelerometer($0) }
      if isPhyphox { found.append(.phyphox) }
    }
    // In Sensor Logger's watch motion, `accelerationX` excludes gravity; elsewhere the name means the total
    // acceleration.
    let isWristMotion = hasAll("accelerationx", "gravityx", "rotationratex")
    let isSensorLogger = isWristMotion || hasAll("x", "y", "z") || hasAll("roll", "pitch", "yaw")
    if hasAll("time", "seconds_elapsed"), isSensorLogger { found.append(.sensorLogger) }
    if found.isEmpty, has(.accelerometer) || isAcceleration(columns) { found.append(.accelerometer) }
    return found
  }

  /// Whether a name is that of an acceleration in the format `accelerometer`.
  private static func isAccelerometer(_ name: ColumnName) -> Bool {
    let quantity = RecordingFormat.accelerometer.profile.names[name.base]?.quantity
    return quantity == .userAcceleration || quantity == .totalAcceleration
  }

  /// Whether columns named only by axes, such as `x` or `x-axis`, are an acceleration: one of them has a unit of
  /// acceleration, or there are three and none has a unit.
  private static func isAcceleration(_ columns: [ColumnName]) -> Bool {
    let axes = columns.filter {
      RecordingFormat.accelerometer.profile.substitutes[$0.base]?.quantity == .totalAcceleration
    }
    return axes.count == 3 && axes.allSatisfy { $0.unit == nil }
      || axes.contains { $0.unit.flatMap { AccelerationUnit(inName: $0) } != nil }
  }

  /// The format of a text file with this header: `stated`, or the only one that is recognised.
  ///
  /// - Throws: `RecordingError.ambiguousFormat` if several are recognised, `RecordingError.unrecognizedFormat` if none
  ///   is.
  static func recognized(
    in header: Header, stated: RecordingFormat?, file: String
  ) throws(RecordingError) -> RecordingFormat {
    if let stated { return stated }
    let found = recognized(in: header.columns)
    if found.count > 1 { throw .ambiguousFormat(file: file, line: header.line, formats: found) }
    guard let format = found.first,
      format != .accelerometer || !SensorRows.isOther(file.lastPathComponent, header.columns)
    else {
      throw .unrecognizedFormat(file: file, line: header.line, found: header.names.trimmingEmptyEnd)
    }
    return format
  }
}

/// Recognises recordings by their file names.
package enum RecordingNames {
  private static let endings: Set<String> = ["csv", "txt", "tsv", "json", "zip"]
  private static let accelerationFiles: Set<String> = [
    "accelerometer", "totalacceleration", "wristmotion", "linear acceleration", "linear accelerometer",
  ]

  /// Whether a file has the extension of a recording: text, gzipped or not, JSON, or an archive.
  package static func isRecording(file path: String) -> Bool {
    endings.contains(PartName(path.lastPathComponent).ending)
  }

  /// Whether a file is named as `gait label` names the label intervals of a recording: `walk.labels.csv`, or
  /// `labels.csv` in a recording that is a folder.
  package static func isIntervals(file path: String) -> Bool {
    let name = PartName(path.lastPathComponent)
    return name.ending == "csv" && (name.stem == "labels" || name.stem.hasSuffix(".labels"))
  }

  /// Whether a folder is one recording with a file for each sensor: it contains a file of acceleration, or a table
  /// beside phyphox's `Location.csv` or folder `meta`.
  package static func isRecording(folderOf names: [String]) -> Bool {
    let tables = names.map { PartName($0) }.filter { endings.contains($0.ending) }
    if tables.contains(where: { accelerationFiles.contains($0.stem) }) { return true }
    return names.contains("meta") && !tables.isEmpty
      || tables.count > 1 && tables.contains { $0.stem == "location" && $0.ending == "csv" }
  }

  /// Whether `url` is a folder that is one recording.
  package static func isRecordingFolder(_ url: URL) -> Bool {
    isRecording(folderOf: (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
  }
}
