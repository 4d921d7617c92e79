import Foundation

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

  /// Whether a file is the metadata of a recording.
  static func isMetadata(_ name: String) -> Bool { PartName(name).stem == "metadata" }

  /// The sign convention according to Metadata.csv: Core Motion's on iOS, unless the user chose to standardise all
  /// platforms; then, and on Android, Android's. `nil` if the file does not state it.
  static func signs(in metadata: ContainedFile?) throws(RecordingError) -> SignConvention? {
    guard let metadata else { return nil }
    let (header, rows) = try DelimitedFile.read(metadata.open(), file: metadata.label) { header in
      var texts = 0
      return header.names.map { name in
        guard columns.contains(ColumnName(name).base) else { return .ignored }
        texts += 1
        return .text(texts - 1)
      }
    }
    let names = header.names.map { ColumnName($0).base }.filter(columns.contains)
    let values = zip(names, rows.texts.map { $0.first?.text?.lowercased() })
    let fields = Dictionary(values.map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    switch (fields["platform"] ?? nil, fields["standardisation"] ?? nil) {
    case ("android", _), (_, "true"): return .android
    case ("ios", "false"), ("ios", nil): return .coreMotion
    default: return nil
    }
  }

  /// The time at which `seconds_elapsed` is 0 in the motion files of a folder or archive, nanoseconds; `nil` if unknown.
  static func origin(in url: URL) -> Int64? {
    guard let files = try? ContainedFile.files(in: url) else { return nil }
    let motion = files.filter { quantity(named: $0.name) != nil }
    return motion.lazy.compactMap { try? origin(in: $0) }.first
  }

  /// The same of one file, by its first rows.
  private static func origin(in file: ContainedFile) throws(RecordingError) -> Int64? {
    let start = try RecordingReader.peeked(file.open(), file: file.label).next(4096)
    let (_, rows) = try DelimitedFile.read(MemoryBytes(start[...]), file: file.label) { header in
      header.columns.map {
        $0.base == "seconds_elapsed" ? .number(0) : $0.base == "time" && $0.unit == nil ? .time(.nanoseconds) : .ignored
      }
    }
    guard let time = rows.times.first, time != .min, let elapsed = rows.numbers.first?.first, abs(elapsed) < 4e9
    else { return nil }
    let (origin, overflows) = time.subtractingReportingOverflow(Int64((elapsed * 1e9).rounded()))
    return overflows ? nil : origin
  }

  private static let columns: Set = ["platform", "standardisation"]
}
