import Gait

extension RecordingError {
  /// What is wrong with a header, or a cell of one format.
  var headerDescription: String {
    switch self {
    case .unrecognizedFormat(let file, let line, let found):
      "\(file):\(line): the columns (\(Self.list(found))) are those of no known format; state the format, one of "
        + "\(Self.formats(RecordingFormat.allCases)), or state the columns' names."
    case .ambiguousFormat(let file, let line, let formats):
      "\(file):\(line): the columns are those of \(Self.titles(formats)); state the format, one of "
        + "\(Self.formats(formats))."
    case .conflictingColumns(let channel, let file, let line, let found):
      "\(file):\(line): columns \(found.joined(separator: " and ")) could both be \(channel); rename or remove one, or state "
        + "the columns' names."
    case .unknownUnit(let name, let file, let line, let kind):
      "\(file):\(line): the unit in the name of column \(name) is not known; give the column another name, with one of "
        + "\(kind.choices.joined(separator: ", "))."
    case .missingUnits(let columns, let file, let line):
      Self.missingUnits(columns, at: "\(file):\(line)")
    case .notADate(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", which is no date and time such as "
        + "2024-05-01T12:00:00.123+02:00; correct the cell, or state the columns' names without it and the sample rate."
    default: ""
    }
  }

  /// What is wrong with a folder, an archive, or a file that belongs to one.
  var containerDescription: String {
    switch self {
    case .partOfRecording(let file, let format):
      "\(file) is one sensor of a recording by \(format.title); give the folder or archive that holds all of them."
    case .withoutGravity(let file, nil):
      "\(file) is phyphox's acceleration without gravity; give the folder or archive with Accelerometer.csv too, or, where "
        + "gravity is not needed, name the columns \(withoutGravityColumns)."
    case .withoutGravity(let file, let mean?):
      "\(file) has an acceleration with a mean of \(plain((mean * 1000).rounded() / 1000)) g over a second, where "
        + "gravity alone is 1 g; record the acceleration with gravity, state its unit, or, where gravity is not needed, "
        + "name the columns \(withoutGravityColumns)."
    case .noRecording(let file, let found):
      "\(file) holds no recording (found: \(found.isEmpty ? "nothing" : Self.list(found))); give the file, folder or "
        + "archive that a recorder wrote."
    case .severalRecordings(let file, let found):
      "\(file) holds several recordings (\(Self.list(found))); give one of them."
    case .repeatedSensor(let sensor, let file, let found):
      "\(file) has \(sensor.rawValue) in both \(found.joined(separator: " and ")); remove one."
    case .noAcceleration(let file, let needed, let found):
      "\(file) has no acceleration: \(needed) is missing (found: \(Self.list(found))); record or export it too."
    case .sensorsApart(let file, let sensors):
      "\(file) has no time at which \(sensors.joined(separator: ", ")) were on together; export one recording, not parts "
        + "of several."
    case .noTimeColumn(let file, let found):
      "\(file):1: no column tells the time (found: \(Self.list(found))), so that the sensor cannot be joined to the others; "
        + "export it again."
    case .unreadableArchive(let file, let reason):
      "cannot read \(file): \(reason); unpack it and give the folder, or export it again."
    case .notGyroData(let file, let reason):
      "\(file) is not the JSON of GyroData: \(reason); export it again, or as CSV if another recorder wrote it."
    default: ""
    }
  }

  private var withoutGravityColumns: String {
    "linear_acceleration_x, linear_acceleration_y, linear_acceleration_z"
  }

  private static func missingUnits(_ columns: [RecordingUnits.Kind: String], at place: String) -> String {
    let kinds = RecordingUnits.Kind.allCases.filter { columns[$0] != nil }
    let names = kinds.compactMap { columns[$0] }
    let list = (names.count < 2 ? [] : [names.dropLast().joined(separator: ", ")]) + names.suffix(1)
    let cures = kinds.map { "that of \(plural($0)), one of \($0.choices.joined(separator: ", "))" }
    return "\(place): nothing tells the \(kinds.count == 1 ? "unit of column" : "units of columns") "
      + "\(list.joined(separator: " and ")); state \(cures.joined(separator: "; "))."
  }

  private static func titles(_ formats: [RecordingFormat]) -> String {
    formats.map(\.title).joined(separator: " and of ")
  }

  private static func formats(_ formats: [RecordingFormat]) -> String {
    formats.map(\.rawValue).joined(separator: ", ")
  }

  private static func plural(_ kind: RecordingUnits.Kind) -> String {
    switch kind {
    case .acceleration: "accelerations"
    case .angle: "angles"
    case .time: "times"
    }
  }
}
