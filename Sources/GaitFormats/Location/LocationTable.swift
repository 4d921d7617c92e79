import Gait

/// Reads a table of GPS points, in any dialect that `DelimitedFile` reads.
///
/// Rows without time, latitude or longitude are skipped: loggers that write all sensors into one table leave these
/// cells empty between GPS fixes. A negative accuracy or speed, Core Location's mark of an invalid value, counts as
/// missing.
struct LocationTable {
  let samples: LocationList

  /// The names of number columns (`ColumnName.base`): Gait's, then SensorLog's, Sensor Logger's and phyphox's.
  private static let names: [(field: Field, names: Set<String>)] = [
    (.latitude, ["latitude", "locationlatitude", "lat"]),
    (.longitude, ["longitude", "locationlongitude", "lon", "lng"]),
    (.altitude, ["altitude", "locationaltitude", "height", "elevation"]),
    (.speed, ["speed", "locationspeed", "velocity"]),
    (.accuracy, ["horizontalaccuracy", "locationhorizontalaccuracy", "horizontal accuracy"]),
  ]

  /// The names of time columns, preferred ones first.
  private static let timeNames = ["locationtimestamp_since1970", "time", "timestamp", "seconds_elapsed"]

  private enum Field: Int, CaseIterable { case latitude, longitude, altitude, speed, accuracy }

  init(_ source: any ByteSource, file: String) throws(LocationFileError) {
    var headerLine = 0
    let rows: DelimitedRows
    do {
      rows = try DelimitedFile.read(source, file: file) { header throws(RecordingError) in
        headerLine = header.line
        return try Self.roles(header, file: file)
      }.rows
    } catch {
      throw .table(error)
    }
    var samples = LocationList()
    for row in rows.rows.indices {
      func value(_ field: Field) -> Double? {
        guard rows.numbers.indices ~= field.rawValue else { return nil }
        let value = rows.numbers[field.rawValue][row]
        return value.isNaN || (field == .speed || field == .accuracy) && value < 0 ? nil : value
      }
      guard rows.times[row] != .min, let latitude = value(.latitude), let longitude = value(.longitude) else {
        continue
      }
      guard -90...90 ~= latitude, -180...180 ~= longitude else {
        throw .malformed("\(latitude), \(longitude)", file: file, line: headerLine + 1 + row)
      }
      samples.append(
        LocationSample(
          time: SampleTime(nanoseconds: rows.times[row]), latitude: latitude, longitude: longitude,
          altitude: value(.altitude), speed: value(.speed), horizontalAccuracy: value(.accuracy)))
    }
    self.samples = samples
  }

  private static func roles(_ header: Header, file: String) throws(RecordingError) -> [ColumnRole] {
    let names = header.columns
    var roles = [ColumnRole](repeating: .ignored, count: names.count)
    guard let time = timeNames.lazy.compactMap({ name in names.firstIndex { $0.base == name } }).first else {
      throw .missingColumn("time", file: file, line: header.line, found: header.names)
    }
    roles[time] = timeRole(time, header, names)
    // Each field has a fixed number column, even if the file lacks it.
    for (field, known) in self.names {
      guard let column = names.firstIndex(where: { known.contains($0.base) }) else { continue }
      roles[column] = .number(field.rawValue)
    }
    for (field, name) in [(Field.latitude, "latitude"), (.longitude, "longitude")]
    where !roles.contains(.number(field.rawValue)) {
      throw .missingColumn(name, file: file, line: header.line, found: header.names)
    }
    return roles
  }

  /// The role of the time column. Without a unit: nanoseconds in Sensor Logger's files, which also have
  /// `seconds_elapsed`; else seconds.
  private static func timeRole(_ column: Int, _ header: Header, _ names: [ColumnName]) -> ColumnRole {
    if header.showsDate(in: column) { return .date }
    let isSensorLogger = names[column].base == "time" && names.contains { $0.base == "seconds_elapsed" }
    return .time(
      names[column].unit.flatMap { TimeUnit(inName: $0) } ?? (isSensorLogger ? .nanoseconds : .seconds))
  }
}
