import Foundation
import Gait

/// A problem with the file of a recording: what is wrong, where, and the cure.
///
/// `file` is the path as it was given. Lines and columns count from 1; the header is line 1 and blank lines count.
/// A description has one or two sentences.
public enum RecordingError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file cannot be opened or read: it is absent, a folder, or not allowed.
  case cannotRead(file: String, reason: String)
  /// The file has no bytes.
  case emptyFile(file: String)
  /// A line holds zero bytes or is not UTF-8.
  case notText(file: String, line: Int)
  /// The first line that is not a comment is blank. MotionDataCollector writes such files when the sensor is not ready.
  case blankHeader(file: String, line: Int)
  /// The first line that is not a comment holds numbers instead of column names, or does not exist.
  case noHeader(file: String, line: Int = 1)
  /// Nothing follows the header.
  case noRows(file: String)
  /// The header lacks a column; `found` lists its columns, in order.
  case missingColumn(String, file: String, line: Int = 1, found: [String])
  /// Two or more columns have a name that must be unique; `columns` are the positions of the first two.
  case duplicateColumn(String, file: String, line: Int = 1, columns: [Int])
  /// The line of a field does not close its quote, or text follows the closing quote.
  case badQuote(file: String, line: Int, column: Int)
  /// A line has more or fewer fields than the header.
  case raggedRow(file: String, line: Int, fields: Int, expected: Int)
  /// A cell of the column `name` is not entirely a number. `found` has at most 40 characters of it.
  case notANumber(file: String, line: Int, column: Int, name: String, found: String)
  /// A time is more than 4 × 10⁹ seconds from 0 or from 1970. `found` has at most 40 characters of the cell.
  case timeOutOfRange(file: String, line: Int, column: Int, name: String, found: String)
  /// The file begins with the byte-order mark of UTF-16.
  case utf16(file: String)
  /// The lines of the file end with carriage returns alone, which no system has written since 2001.
  case carriageReturns(file: String)
  /// The compressed data is truncated.
  case cutCompression(file: String)
  /// The compressed data is invalid or fails its checksum; `reason` is zlib's.
  case damagedCompression(file: String, reason: String)
  /// The compressed data expands further than a recording's does.
  case expandsTooFar(file: String)
  /// A line is longer than any recorder writes.
  case longLine(file: String, line: Int, longestMebibytes: Int)
  /// A line has more columns than any recorder writes.
  case tooManyColumns(file: String, line: Int, most: Int)
  /// The column names, `found`, match no format.
  case unrecognizedFormat(file: String, line: Int, found: [String])
  /// The column names match several formats.
  case ambiguousFormat(file: String, line: Int = 1, formats: [RecordingFormat])
  /// Two columns, `found`, could both be the same channel.
  case conflictingColumns(String, file: String, line: Int, found: [String])
  /// A stated column name is that of another column in the file's header; both are positions, counted from 1.
  case misplacedColumn(String, file: String, line: Int, stated: Int, found: Int)
  /// The column's name states an unknown unit.
  case unknownUnit(String, file: String, line: Int, of: RecordingUnits.Kind)
  /// Neither the column names, nor the format, nor the caller states the units of some columns: the first of each kind.
  case missingUnits([RecordingUnits.Kind: String], file: String, line: Int)
  /// A cell of the column `name` is not a date and time.
  case notADate(file: String, line: Int, column: Int, name: String, found: String)
  /// The file holds only one sensor of a recording in this format.
  case partOfRecording(file: String, format: RecordingFormat)
  /// The folder or archive holds no recording; `found` lists its files.
  case noRecording(file: String, found: [String])
  /// The folder or archive holds several recordings.
  case severalRecordings(file: String, found: [String])
  /// Two files of a recording, `found`, hold the same sensor, such as `rotationRate`.
  case repeatedSensor(String, file: String, found: [String])
  /// The recording has no acceleration; the file `needed` would hold it.
  case noAcceleration(file: String, needed: String, found: [String])
  /// The acceleration is 0 throughout, or gravity has the wrong unit. The magnitude of its mean over one second is
  /// typically `mean` g.
  case withoutGravity(file: String, mean: Double)
  /// The sensors of a recording do not overlap in time.
  case sensorsApart(file: String, sensors: [String])
  /// The rows belong to several sensors, `found`, by the text in the column.
  case severalSensors(String, file: String, line: Int, found: [String])
  /// The file of one sensor among several has no time column.
  case noTimeColumn(file: String, found: [String])
  /// The archive cannot be read: it is encrypted, too large for its form, or damaged.
  case unreadableArchive(file: String, reason: String)
  /// The file is not GyroData's JSON.
  case notGyroData(file: String, reason: String)
  /// A file of label intervals is invalid.
  case intervals(TimingProblem, file: String)
  /// The rows cannot be placed in time.
  case timing(TimingProblem, file: String)

  /// The largest ratio of decompressed to compressed bytes. Sensor text has a ratio of 3 to 20, zeros up to 1,032.
  static let largestExpansion = 200

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
    let cures = kinds.map { "of \($0.rawValue)s, one of \($0.choices.joined(separator: ", "))" }
    let verb = kinds.count == 1 ? "is" : "are"
    return "\(place): \(problem) \(verb) not known; state the unit \(cures.joined(separator: "; "))."
  }

  /// Whether the names that were found are the beginning of an XML document.
  package static func isXML(_ found: [String]) -> Bool { found.first?.hasPrefix("<") == true }

  /// The file and the line of its header, unless the caller names the columns.
  private static func place(_ file: String, _ line: Int) -> String { line == 0 ? file : "\(file):\(line)" }

  private static func values(of formats: [RecordingFormat]) -> String {
    formats.map(\.rawValue).joined(separator: ", ")
  }

  /// The names in a file's header, 20 at most; an empty one is shown as "".
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { name in
      name.isEmpty ? "\"\"" : name.count > 40 ? "\(name.prefix(40))…" : name
    }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  /// The sentence of `description`.
  public var errorDescription: String? { description }

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
      Self.missingColumn(name, at: Self.place(file, line), found: found)
    case .duplicateColumn(let name, let file, let line, let columns):
      "\(Self.place(file, line)): columns \(columns.map(String.init).joined(separator: " and ")) are both named \(name); "
        + "rename or remove one."
    case .badQuote(let file, let line, let column):
      "\(file):\(line): column \(column) has a quote that is not closed at the end of the field; "
        + "close it, or remove it."
    case .raggedRow(let file, let line, let fields, let expected):
      "\(file):\(line): the row has \(Wording.counted(fields, "field")) where the header has \(expected); "
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
      "\(file) holds compressed data that expands more than \(Self.largestExpansion) times, as no recording does; "
        + "export it again, or unpack it first if it is sound."
    case .longLine(let file, let line, let longest):
      "\(file):\(line): the line is longer than \(longest) MiB; write each row on a line of its own."
    case .tooManyColumns(let file, let line, let most):
      "\(file):\(line): the line has more than \(most) columns; check that the file is a recording."
    case .unrecognizedFormat(let file, _, let found) where Self.isXML(found):
      "\(file) is XML, as tracks of GPS points are, and no recording of motion; supply it beside the recording."
    case .unrecognizedFormat(let file, let line, let found):
      "\(Self.place(file, line)): the columns (\(Self.list(found))) match no known format; state the column names, in order, "
        + "such as time_s, acc_x_g, acc_y_g, acc_z_g and skip, or the format, one of \(Self.values(of: RecordingFormat.allCases))."
    case .ambiguousFormat(let file, let line, let formats):
      "\(Self.place(file, line)): the columns match \(formats.map(\.title).joined(separator: " and ")); state the format, one of "
        + "\(Self.values(of: formats))."
    case .conflictingColumns(let channel, let file, let line, let found):
      "\(Self.place(file, line)): columns \(found.joined(separator: " and ")) could both be \(channel); rename or remove one, or "
        + "state the column names."
    case .misplacedColumn(let name, let file, let line, let stated, let found):
      "\(file):\(line): the stated names have \(name) as column \(stated), but the header has it as column \(found); state a "
        + "name for every column up to the last one needed, such as skip for those that are not."
    case .unknownUnit(let name, let file, let line, let kind):
      "\(Self.place(file, line)): the unit in the name of column \(name) is not known; use one of "
        + "\(kind.choices.joined(separator: ", ")) in the name."
    case .missingUnits(let columns, let file, let line):
      Self.missingUnits(columns, at: Self.place(file, line))
    case .notADate(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", which is not a date and time such as "
        + "2024-05-01T12:00:00.123+02:00; correct the cell, or state column names that call this one "
        + "skip, and the sample rate."
    case .partOfRecording(let file, let format):
      "\(file) holds one sensor of a recording by \(format.title); give the folder or archive with all its sensors."
    case .withoutGravity(let file, let mean):
      "\(file) has a mean acceleration of \(Wording.rounded(mean)) g over one second, where gravity "
        + "alone is 1 g; record the acceleration with gravity, state its unit or, if gravity is not needed, name the "
        + "columns \(Self.namesWithoutGravity)."
    case .noRecording(let file, let found):
      "\(file) holds no recording (found: \(found.isEmpty ? "nothing" : Self.list(found))); give the CSV file, folder or "
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
    case .severalSensors(let column, let file, let line, let found):
      "\(file):\(line): the rows are of several sensors, by column \(column) (\(Self.list(found))); keep only the rows of "
        + "one acceleration."
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
  /// The number of columns whose names the error lists as found; 0 for other errors.
  var foundNames: Int {
    switch self {
    case .unrecognizedFormat(_, _, let found), .missingColumn(_, _, _, let found): found.count
    default: 0
    }
  }
}

extension [String] {
  /// The names without the empty ones at the end, which stand for columns that the caller did not name.
  var trimmingEmptyEnd: [String] { Array(self[..<((lastIndex { !$0.isEmpty }).map { $0 + 1 } ?? 0)]) }
}

// MARK: Problems of timing and labels

/// Why the rows of a file, or its label intervals, cannot be placed in time.
public enum TimingProblem: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file has no timestamps that give a sample rate, and the caller gave none.
  case noSampleRate
  /// The file has a time column, and all its cells are empty.
  case noTimes
  /// The file has no column of times by the names, and no rate is given, but this column's name may mean times.
  case unreadTimes(column: String)
  /// The given sample rate contradicts that of the timestamps, `found` in hertz.
  case rateDisagrees(given: SampleRate, found: Double)
  /// The timestamps give a sample rate, in hertz, that no motion sensor has.
  case impossibleRate(found: Double)
  /// Most rows share their time with a different row: the clock ticks more slowly than the sensor.
  case coarseTimes(rows: Int, times: Int)
  /// The clock was set back, and the rows after that, moved behind those before, would be more than 126 years from 0.
  case tooLong
  /// The timestamps of a live stream are too uneven to measure the sample rate: their root mean square deviation from
  /// even spacing, and that spacing, in seconds.
  case unevenTimes(jitter: Double, period: Double)
  /// A row of label intervals has a cell that is not a time. Rows count from 1 below the header.
  case notATime(row: Int, column: String, found: String)
  /// The label interval of a row does not end after its start.
  case endsBeforeStart(row: Int)
  /// The label intervals of two rows overlap.
  case overlap(rows: [Int])
  /// The label interval of a row lies outside the recording, whether its times are relative or those of the recording's clock.
  case outside(row: Int, recording: String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// The problem and its cure, to follow the name of the file, and for label intervals a colon.
  public var description: String {
    switch self {
    case .noSampleRate:
      "has no timestamps that give a sample rate; state the sample rate"
    case .noTimes:
      "has a time column without times; fill it, or remove it and state the sample rate"
    case .unreadTimes(let column):
      "has no timestamps that give a sample rate, unless column \(column) holds them; give that column a name such as time (ms), or "
        + "state the sample rate"
    case .rateDisagrees(let given, let found):
      "has a stated sample rate of \(plain(given.hertz)) Hz, but its timestamps give \(plain(found)) Hz; "
        + "state that rate, or none"
    case .impossibleRate(let found):
      "has timestamps that give a sample rate of \(plain(found)) Hz, which no motion sensor has; "
        + "check the unit of the timestamps"
    case .coarseTimes(let rows, let times):
      "has \(rows) rows but only \(times) different timestamps, so the order of its rows is not known; "
        + "export finer timestamps, or remove their column and state the sample rate"
    case .tooLong:
      "has a clock that was set back so far that its later rows, moved behind the others, would be more than 126 years "
        + "from 0; correct the timestamps, or remove their column and state the sample rate"
    case .unevenTimes(let jitter, let period):
      "has timestamps that deviate \(plain((jitter * 1000).rounded())) ms from even steps of "
        + "\(plain((period * 1000).rounded())) ms, too much to measure the sample rate; state the sample rate"
    case .notATime(let row, let column, let found):
      "row \(row) has \"\(found)\" in column \(column), which is not a time within 126 years; write seconds such as "
        + "12.5"
    case .endsBeforeStart(let row):
      "the interval in row \(row) does not end after its start; correct its start or end"
    case .overlap(let rows):
      "the intervals in rows \(rows.map(String.init).joined(separator: " and ")) overlap; end one where the other "
        + "starts"
    case .outside(let row, let recording):
      "the interval in row \(row) lies outside \(recording); give seconds from the recording's start, or times of the "
        + "recording's own clock"
    }
  }
}
