import Gait

/// Reads a table of GPS points, in any dialect that `DelimitedFile` reads.
///
/// Rows without a time, or without both coordinates, have no GPS point: loggers that write all sensors into one table
/// leave these cells empty between GPS fixes. A point with one coordinate, with text as a coordinate, or off the globe
/// is invalid: it is skipped and counted. A negative speed or speed accuracy counts as missing. A negative accuracy of
/// position or altitude is kept: it is the mark of an invalid point or altitude.
struct LocationTable {
  let samples: LocationList
  /// The number of points with invalid coordinates.
  let invalidCount: Int
  /// A second column of times, and the nanoseconds to add to the points' times to get its clock; `nil` if there is
  /// none.
  let otherTime: (column: OtherTime, shift: Int64)?

  /// A column of times that files of motion have too.
  enum OtherTime: String {
    /// Sensor Logger's seconds since the start of the recording.
    case elapsed = "seconds_elapsed"
    /// SensorLog's seconds since the phone's boot, at which the row's motion was measured.
    case reboot = "motiontimestamp_sincereboot"
  }

  /// The names of number columns (`ColumnName.base`): Gait's, then SensorLog's, Sensor Logger's and phyphox's.
  private static let names: [(field: LocationField, names: Set<String>)] = [
    (.latitude, ["latitude", "locationlatitude", "lat"]),
    (.longitude, ["longitude", "locationlongitude", "lon", "lng", "long"]),
    (.altitude, ["altitude", "locationaltitude", "height", "elevation", "ele", "alt"]),
    (.speed, ["speed", "locationspeed", "velocity"]),
    (
      .accuracy,
      [
        "horizontalaccuracy", "locationhorizontalaccuracy", "horizontal accuracy", "horizontal_accuracy", "hacc",
      ]
    ),
    (
      .verticalAccuracy,
      ["verticalaccuracy", "locationverticalaccuracy", "vertical accuracy", "vertical_accuracy", "vacc"]
    ),
    (.speedAccuracy, ["speedaccuracy", "locationspeedaccuracy", "speed accuracy"]),
  ]

  /// The names of time columns, preferred ones first.
  private static let timeNames = ["locationtimestamp_since1970", "time", "timestamp", "seconds_elapsed"]

  init(_ source: any ByteSource, file: String) throws(LocationFileError) {
    var headerLine = 0
    var other: OtherTime?
    let rows: DelimitedRows
    do {
      let table = try DelimitedFile(source, file: file)
      headerLine = table.header.line
      other = Self.otherTime(table.header.columns)
      rows = try table.rows(as: Self.roles(table.header, file: file))
    } catch {
      throw .table(error)
    }
    var samples = LocationList()
    var shift: Int64?
    var invalidCount = 0
    var firstInvalidRow: Int?
    for row in rows.rows.indices {
      func value(_ field: LocationField) -> Double? {
        guard rows.numbers.indices ~= field.rawValue else { return nil }
        let value = rows.numbers[field.rawValue][row]
        return value.isNaN || [.speed, .speedAccuracy].contains(field) && value < 0 ? nil : value
      }
      guard rows.times[row] != .min, value(.latitude) != nil || value(.longitude) != nil else { continue }
      guard var sample = LocationSample(of: value) else {
        invalidCount += 1
        firstInvalidRow = firstInvalidRow ?? row
        continue
      }
      // The motion in a row is measured after its GPS fix. The smallest difference of all rows is therefore the nearest
      // to the offset of the clocks.
      if let seconds = value(.otherTime), abs(seconds) < 4e9 {
        let found = Int64(saturating: (seconds * 1e9).rounded()).subtractingReportingOverflow(rows.times[row])
        if !found.overflow { shift = min(shift ?? .max, found.partialValue) }
      }
      sample.time = SampleTime(nanoseconds: rows.times[row])
      samples.append(sample)
    }
    if samples.samples.isEmpty, let row = firstInvalidRow {
      if let error = rows.firstInvalidCoordinate { throw .table(error) }
      let coordinates = [LocationField.latitude, .longitude].map { rows.numbers[$0.rawValue][row] }
      throw .malformed("\(coordinates[0]), \(coordinates[1])", file: file, line: headerLine + 1 + row)
    }
    self.samples = samples
    self.invalidCount = invalidCount
    if let other, let shift { otherTime = (other, shift) } else { otherTime = nil }
  }

  /// A second column of times, besides the one that gives the points' times; `nil` if there is none.
  private static func otherTime(_ names: [ColumnName]) -> OtherTime? {
    let time = timeNames.first { name in names.contains { $0.base == name } }
    return [OtherTime.elapsed, .reboot].first { other in
      other.rawValue != time && names.contains { $0.base == other.rawValue }
    }
  }

  private static func roles(_ header: Header, file: String) throws(RecordingError) -> [ColumnRole] {
    let names = header.columns
    var roles = [ColumnRole](repeating: .ignored, count: names.count)
    let clocks = RecordingFormat.accelerometer.profile.times
    if let time = timeNames.lazy.compactMap({ name in names.firstIndex { $0.base == name } }).first {
      roles[time] = timeRole(time, header, names)
    } else if let (time, unit) = clocks.lazy.compactMap({ name, form in
      if case .named(let unit) = form { names.firstIndex { $0.base == name }.map { ($0, unit) } } else { nil }
    }).first {
      roles[time] = .time(unit)
    } else {
      throw .missingColumn("time", file: file, line: header.line, found: header.names)
    }
    // Each field has a number column of its own, even if the file lacks the field.
    for (field, known) in self.names {
      guard let column = names.firstIndex(where: { known.contains($0.base) }) else { continue }
      let isCoordinate = field == .latitude || field == .longitude
      roles[column] = isCoordinate ? .coordinate(field.rawValue) : .number(field.rawValue)
    }
    if let other = otherTime(names), let column = names.firstIndex(where: { $0.base == other.rawValue }) {
      roles[column] = .number(LocationField.otherTime.rawValue)
    }
    for (field, name) in [(LocationField.latitude, "latitude"), (.longitude, "longitude")]
    where !roles.contains(.coordinate(field.rawValue)) {
      throw .missingColumn(name, file: file, line: header.line, found: header.names)
    }
    return roles
  }

  /// The role of the time column. Numbers without a stated unit are nanoseconds in Sensor Logger's files, which also
  /// have `seconds_elapsed`, and seconds in all others.
  private static func timeRole(_ column: Int, _ header: Header, _ names: [ColumnName]) -> ColumnRole {
    if let date = header.dateOrder(in: column) { return .date(date.order) }
    let isSensorLogger = names[column].base == "time" && names.contains { $0.base == "seconds_elapsed" }
    return .time(
      names[column].unit.flatMap { TimeUnit(inName: $0) } ?? (isSensorLogger ? .nanoseconds : .seconds))
  }
}

/// The fields of a GPS point in a file. The raw value of a number's field is the index of its column in
/// `LocationTable`; `time` is not a number.
enum LocationField: Int {
  case latitude, longitude, altitude, speed, accuracy, verticalAccuracy, speedAccuracy, otherTime, time
}

/// GPS points in a file's order. Of consecutive points with the same time, only the first is kept.
struct LocationList {
  private(set) var samples: [LocationSample] = []
  /// The times of the first points of segments.
  var segmentStarts: Set<SampleTime> = []
  private var isInOrder = true

  mutating func append(_ sample: LocationSample) {
    if let last = samples.last {
      guard sample.time != last.time else { return }
      isInOrder = isInOrder && last.time < sample.time
    }
    samples.append(sample)
  }

  /// The points sorted by time. Of points with the same time, only the first is kept.
  var inOrder: [LocationSample] {
    guard !isInOrder else { return samples }
    var list = LocationList()
    for sample in samples.sorted(by: { $0.time < $1.time }) { list.append(sample) }
    return list.samples
  }
}
