import Gait

extension RecordingError: CustomStringConvertible {
  /// The error in one or two sentences: file, line and column, what is wrong there, and the cure.
  public var description: String {
    switch self {
    case .cannotRead(let file, let reason):
      "cannot read \(file): \(reason); check the path and its permissions."
    case .emptyFile(let file):
      "\(file) is empty (0 bytes); record or export it again."
    case .notText(let file, let line):
      "\(file):\(line): the line holds bytes that are not UTF-8 text; export the recording as CSV in UTF-8."
    case .blankHeader(let file, let line):
      "\(file):\(line): the header line is blank, as MotionDataCollector writes it when the sensor is not ready; "
        + "write a header such as \(Self.exampleHeader) there, or record again."
    case .noHeader(let file, let line):
      "\(file):\(line): the first line does not name the columns; begin the file with a header such as "
        + "\(Self.exampleHeader), or state the column names."
    case .noRows(let file):
      "\(file) has a header but no rows; record or export it again."
    case .missingColumn(let name, let file, let line, let found):
      Self.missingColumn(name, at: "\(file):\(line)", found: found)
    case .duplicateColumn(let name, let file, let line, let columns):
      "\(file):\(line): columns \(columns.map(String.init).joined(separator: " and ")) are both named \(name); "
        + "rename or remove one."
    case .badQuote(let file, let line, let column):
      "\(file):\(line): column \(column) has a quote that is not closed at the end of the field; "
        + "close it, or remove it."
    case .raggedRow(let file, let line, let fields, let expected):
      "\(file):\(line): the row has \(Self.count(fields, "field")) where the header has \(expected); "
        + "complete the row, or remove it."
    case .notANumber(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", which is not a number; "
        + "correct the cell, or leave it empty if the value is missing."
    case .timeOutOfRange(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", a time that is more than 126 years "
        + "from 0 or 1970; correct the cell, or state the column's unit."
    case .utf16(let file):
      "\(file) is text in UTF-16; save or export it as CSV in UTF-8."
    case .carriageReturns(let file):
      "\(file) has lines that end with carriage returns alone; export it again, or save it with line feeds."
    case .cutCompression(let file):
      "\(file) ends in the middle of its compressed data; copy or export it again, whole."
    case .damagedCompression(let file, let reason):
      "\(file) holds damaged compressed data (\(reason)); copy or export it again."
    case .expandsTooFar(let file):
      "\(file) holds compressed data that expands more than \(Inflater.largestRatio) times, as no recording does; "
        + "export it again, or unpack it first if it is sound."
    case .longLine(let file, let line, let longest):
      "\(file):\(line): the line is longer than \(longest) MiB; write each row on a line of its own."
    case .tooManyColumns(let file, let line, let most):
      "\(file):\(line): the line has more than \(most) columns; check that the file is a recording."
    case .unrecognizedFormat(let file, let line, let found):
      "\(file):\(line): the columns (\(Self.list(found))) match no known format; state the format, one of "
        + "\(Self.values(of: RecordingFormat.allCases)), or state the column names."
    case .ambiguousFormat(let file, let line, let formats):
      "\(file):\(line): the columns match \(formats.map(\.title).joined(separator: " and ")); state the format, one of "
        + "\(Self.values(of: formats))."
    case .conflictingColumns(let channel, let file, let line, let found):
      "\(file):\(line): columns \(found.joined(separator: " and ")) could both be \(channel); rename or remove one, or "
        + "state the column names."
    case .unknownUnit(let name, let file, let line, let kind):
      "\(file):\(line): the unit in the name of column \(name) is not known; use one of "
        + "\(kind.choices.joined(separator: ", ")) in the name."
    case .missingUnits(let columns, let file, let line):
      Self.missingUnits(columns, at: "\(file):\(line)")
    case .notADate(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", which is not a date and time such as "
        + "2024-05-01T12:00:00.123+02:00; correct the cell, or state column names without this one and the sample rate."
    case .partOfRecording(let file, let format):
      "\(file) holds one sensor of a recording by \(format.title); give the folder or archive with all its sensors."
    case .withoutGravity(let file, nil):
      "\(file) holds phyphox's acceleration without gravity; give the folder or archive that also has "
        + "Accelerometer.csv or, if gravity is not needed, name the columns \(Self.namesWithoutGravity)."
    case .withoutGravity(let file, let mean?):
      "\(file) has a mean acceleration of \(plain((mean * 1000).rounded() / 1000)) g over one second, where gravity "
        + "alone is 1 g; record the acceleration with gravity, state its unit or, if gravity is not needed, name the "
        + "columns \(Self.namesWithoutGravity)."
    case .noRecording(let file, let found):
      "\(file) holds no recording (found: \(found.isEmpty ? "nothing" : Self.list(found))); give the file, folder or "
        + "archive that a recorder wrote."
    case .severalRecordings(let file, let found):
      "\(file) holds several recordings (\(Self.list(found))); give one of them."
    case .repeatedSensor(let sensor, let file, let found):
      "\(file) has \(sensor) in both \(found.joined(separator: " and ")); remove one."
    case .noAcceleration(let file, let needed, let found):
      "\(file) has no acceleration: \(needed) is missing (found: \(Self.list(found))); record or export it too."
    case .sensorsApart(let file, let sensors):
      "\(file) has sensors that do not overlap in time (\(sensors.joined(separator: ", "))); export the sensors of one "
        + "recording."
    case .noTimeColumn(let file, let found):
      "\(file):1: no column holds the time (found: \(Self.list(found))), so the sensor cannot be joined to the others; "
        + "export it again."
    case .unreadableArchive(let file, let reason):
      "cannot read \(file): \(reason); unpack it and give the folder, or export it again."
    case .notGyroData(let file, let reason):
      "\(file) is not GyroData's JSON: \(reason); export it again, or as CSV if another recorder wrote it."
    case .intervals(let problem, let file):
      "\(file): \(problem)."
    case .timing(let problem, let file):
      "\(file) \(problem)."
    }
  }
}

extension RecordingError {
  private static let exampleHeader = "gravity.x,gravity.y,gravity.z,userAcceleration.x,…"
  private static let namesWithoutGravity = "linear_acceleration_x, linear_acceleration_y, linear_acceleration_z"

  private static func missingColumn(_ name: String, at place: String, found: [String]) -> String {
    let problem = "\(place): column \(name) is missing (found: \(list(found)))"
    guard let near = nearestColumn(to: name, among: found) else { return "\(problem); add it, or correct its name." }
    return "\(problem); did you mean \(near)? Correct the name, or add the column."
  }

  /// The column that `name` may misspell. A column of another axis does not count: `gravity.x` is not a misspelt
  /// `gravity.z`.
  private static func nearestColumn(to name: String, among found: [String]) -> String? {
    func axis(_ name: String) -> Character? { ColumnName(name).base.last.flatMap { "xyz".contains($0) ? $0 : nil } }
    let candidates = found.filter { axis($0) == nil || axis(name) == nil || axis($0) == axis(name) }
    return EditDistance.suggestion(for: name, among: candidates)
  }

  private static func missingUnits(_ columns: [RecordingUnits.Kind: String], at place: String) -> String {
    let kinds = RecordingUnits.Kind.allCases.filter { columns[$0] != nil }
    let names = kinds.compactMap { columns[$0] }
    let list = (names.count < 2 ? [] : [names.dropLast().joined(separator: ", ")]) + names.suffix(1)
    let problem = (kinds.count == 1 ? "the unit of column " : "the units of columns ") + list.joined(separator: " and ")
    let cures = kinds.map { "of \(plural($0)), one of \($0.choices.joined(separator: ", "))" }
    let verb = kinds.count == 1 ? "is" : "are"
    return "\(place): \(problem) \(verb) not known; state the unit \(cures.joined(separator: "; "))."
  }

  private static func plural(_ kind: RecordingUnits.Kind) -> String {
    switch kind {
    case .acceleration: "accelerations"
    case .angle: "angles"
    case .time: "times"
    }
  }

  private static func values(of formats: [RecordingFormat]) -> String {
    formats.map(\.rawValue).joined(separator: ", ")
  }

  /// The names in a file's header, 20 at most; an empty one is shown as "".
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
