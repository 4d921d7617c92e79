import Gait

// Imports FoundationEssentials where it exists. With all of Foundation, searches in texts would use its functions, and
// Gait's C library would be larger by Foundation's tables of languages.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A problem with the file of a recording: what is wrong, where, and the cure.
///
/// `file` is the path as it was given. Lines and columns count from 1; blank lines and comments count, too.
public enum RecordingError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file cannot be opened or read: it does not exist, is a folder, or its permissions forbid it.
  case cannotRead(file: String, reason: String)
  /// The file has no bytes.
  case emptyFile(file: String)
  /// A line holds zero bytes or is not UTF-8.
  case notText(file: String, line: Int)
  /// The first line that is not a comment holds numbers instead of column names, or there is none; or, with `isBlank`,
  /// the line is blank. MotionDataCollector writes a blank one when the sensor is not ready.
  case noHeader(file: String, line: Int = 1, isBlank: Bool = false)
  /// Nothing follows the header.
  case noRows(file: String)
  /// The header lacks a required column, the first value; `found` lists the columns that it has, in order.
  case missingColumn(String, file: String, line: Int = 1, found: [String])
  /// A quoted field does not end in its line, or text follows its closing quote.
  case badQuote(file: String, line: Int, column: Int)
  /// A line has more or fewer fields than the header.
  case raggedRow(file: String, line: Int, fields: Int, expected: Int)
  /// A cell of the column `name` is not entirely a number. `found` has at most 40 characters of it.
  case notANumber(file: String, line: Int, column: Int, name: String, found: String)
  /// A time is more than 4 × 10⁹ seconds from 0 or, if it is a date, from 1970. `found` has at most 40 characters of
  /// the cell.
  case timeOutOfRange(file: String, line: Int, column: Int, name: String, found: String)
  /// The column names, `found`, match no format.
  case unrecognizedFormat(file: String, line: Int, found: [String])
  /// The column names match several formats.
  case ambiguousFormat(file: String, line: Int = 1, formats: [RecordingFormat])
  /// The names of two columns, `found`, could both mean the same channel, the first value.
  case conflictingColumns(String, file: String, line: Int, found: [String])
  /// Neither the column names, nor the format, nor the caller states some units. The first value has, for each kind of
  /// unit, the first column that lacks it. With `needsRate`, no column is named as times, so the sample rate is missing
  /// too.
  case missingUnits([RecordingUnits.Kind: String], file: String, line: Int, needsRate: Bool = false)
  /// A cell of the column `name` is not a date and time.
  case notADate(file: String, line: Int, column: Int, name: String, found: String)
  /// The acceleration is 0 throughout, or it has a magnitude that neither rest nor movement has: gravity is missing or
  /// the unit is wrong. `mean`, in g, is the mean magnitude.
  case withoutGravity(file: String, mean: Double)
  /// The rows are of several sensors or devices; `column` names the one of each row, and `found` lists them.
  case severalSensors(column: String, file: String, line: Int, found: [String])
  /// The sensors of a recording do not overlap in time.
  case sensorsApart(file: String, sensors: [String])
  /// The file is not GyroData's JSON.
  case notGyroData(file: String, reason: String)
  /// The rows cannot be placed in time.
  case timing(TimingProblem, file: String)
  /// The archive cannot be read: it is encrypted, damaged, a pipe, or of a kind that is not supported (zip64, or a
  /// compression other than deflate).
  case unreadableArchive(file: String, reason: String)
  /// Any other problem; the text states the problem and its cure. Without a line, the text continues a sentence that
  /// begins with the file's name. With a line, it is a clause of its own; line 0 means that the line is unknown.
  case invalid(file: String, line: Int? = nil, String)

  /// The largest ratio of decompressed to compressed bytes. Sensor text has a ratio of 3 to 20, zeros up to 1,032.
  static let largestExpansion = 200

  private static let exampleHeader = "gravity.x,gravity.y,gravity.z,userAcceleration.x,…"
  private static let namesWithoutGravity = "linear_acceleration_x, linear_acceleration_y, linear_acceleration_z"

  private static func missingColumn(_ name: String, at place: String, found: [String]) -> String {
    let problem = "\(place): column \(name) is missing (found: \(list(found)))"
    guard let near = nearestColumn(to: name, among: found) else { return "\(problem); add it, or correct its name." }
    return "\(problem); did you mean \(near)? Correct the name, or add the column."
  }

  /// The column in `found` that may be a misspelling of `name`; `nil` if none is similar. A column of another axis does
  /// not count: `gravity.x` is not a misspelt `gravity.z`.
  private static func nearestColumn(to name: String, among found: [String]) -> String? {
    func axis(_ name: String) -> Character? { ColumnName(name).base.last.flatMap { "xyz".contains($0) ? $0 : nil } }
    let candidates = found.filter { axis($0) == nil || axis(name) == nil || axis($0) == axis(name) }
    return EditDistance.suggestion(for: name, among: candidates)
  }

  private static func missingUnits(
    _ columns: [RecordingUnits.Kind: String], needsRate: Bool, at place: String
  ) -> String {
    let kinds = RecordingUnits.Kind.allCases.filter { columns[$0] != nil }
    let names = kinds.compactMap { columns[$0] }
    let list = (names.count < 2 ? [] : [names.dropLast().joined(separator: ", ")]) + names.suffix(1)
    let problem = (kinds.count == 1 ? "the unit of column " : "the units of columns ") + list.joined(separator: " and ")
    let cures = kinds.map { "of \($0.rawValue)s, one of \($0.choices.joined(separator: ", "))" }
    let verb = kinds.count == 1 ? "is" : "are"
    let rate = needsRate ? "; state the sample rate too, as no column has the name of times" : ""
    return "\(place): \(problem) \(verb) not known; state the unit \(cures.joined(separator: "; "))\(rate)."
  }

  /// Whether the column names in `found` are the beginning of an XML document.
  package static func isXML(_ found: [String]) -> Bool { found.first?.hasPrefix("<") == true }

  /// The file and the line of its header; only the file if `line` is 0, as it is where the caller names the columns.
  static func place(_ file: String, _ line: Int) -> String { line == 0 ? file : "\(file):\(line)" }

  static func values(of formats: [RecordingFormat]) -> String {
    formats.map(\.rawValue).joined(separator: ", ")
  }

  /// The names in a file's header, 20 at most; an empty one is shown as "".
  static func list(_ names: [String]) -> String {
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
    case .noHeader(let file, let line, isBlank: true):
      "\(file):\(line): the header line is blank, as MotionDataCollector writes it when the sensor is not ready; "
        + "write a header such as \(Self.exampleHeader) there, or record again."
    case .noHeader(let file, let line, isBlank: false):
      "\(file):\(line): the first line does not name the columns; begin the file with a header such as "
        + "\(Self.exampleHeader), or state the column names, and the sample rate if none is of times."
    case .noRows(let file):
      "\(file) has a header but no rows; record or export it again."
    case .missingColumn(let name, let file, let line, let found):
      Self.missingColumn(name, at: Self.place(file, line), found: found)
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
    case .unrecognizedFormat(let file, _, let found) where Self.isXML(found):
      "\(file) is XML, as tracks of GPS points are, and no recording of motion; supply it beside the recording."
    case .unrecognizedFormat(let file, let line, let found):
      "\(Self.place(file, line)): the columns (\(Self.list(found))) match no known format; state the column names, in "
        + "order, such as time_s, acc_x_g, acc_y_g, acc_z_g and skip, and the sample rate if none is of times; or the "
        + "format, one of \(Self.values(of: RecordingFormat.allCases))."
    case .ambiguousFormat(let file, let line, let formats):
      "\(Self.place(file, line)): the columns match \(formats.map(\.title).joined(separator: " and ")); state the "
        + "format, one of \(Self.values(of: formats))."
    case .conflictingColumns(let channel, let file, let line, let found):
      "\(Self.place(file, line)): columns \(found.joined(separator: " and ")) could both be \(channel); rename or "
        + "remove one, or state the column names."
    case .missingUnits(let columns, let file, let line, let needsRate):
      Self.missingUnits(columns, needsRate: needsRate, at: Self.place(file, line))
    case .notADate(let file, let line, let column, let name, let found):
      "\(file):\(line): column \(column) (\(name)) holds \"\(found)\", which is not a date and time such as "
        + "2024-05-01T12:00:00.123+02:00; correct the cell, or state column names that call this one "
        + "skip, and the sample rate."
    case .withoutGravity(let file, let mean) where mean > SteadyAcceleration.largestLength:
      "\(file) has a mean acceleration of \(Wording.rounded(mean)) g over one second, which neither rest nor movement "
        + "has, as gravity alone is 1 g; state the unit of the numbers, such as m/s2, mg or, for counts, x (1/64 g)."
    case .withoutGravity(let file, let mean):
      "\(file) has a mean acceleration of \(Wording.rounded(mean)) g over one second, where gravity "
        + "alone is 1 g; record the acceleration with gravity, state its unit or, if gravity is not needed, name the "
        + "columns \(Self.namesWithoutGravity)."
    case .severalSensors(let column, let file, let line, let found):
      "\(Self.place(file, line)): the rows are of several sensors or devices, by column \(column) "
        + "(\(Self.list(found))); state the one of the acceleration."
    case .sensorsApart(let file, let sensors):
      "\(file) has sensors that do not overlap in time (\(sensors.joined(separator: ", "))); export the sensors of one "
        + "recording."
    case .notGyroData(let file, let reason):
      "\(file) is not GyroData's JSON: \(reason); export it again, or as CSV if another recorder wrote it."
    case .timing(let problem, let file):
      "\(file) \(problem)."
    case .unreadableArchive(let file, let reason):
      "cannot read \(file): \(reason); unpack it and give the folder, or export it again."
    case .invalid(let file, nil, let problem): "\(file) \(problem)."
    case .invalid(let file, let line?, let problem): "\(Self.place(file, line)): \(problem)."
    }
  }
}

// Sentences that several files throw.
extension RecordingError {
  /// The file holds only one sensor of a recording in this format.
  static func partOfRecording(file: String, format: RecordingFormat) -> RecordingError {
    let problem = "holds one sensor of a recording by \(format.title)"
    return .invalid(file: file, "\(problem); give the folder or archive with all its sensors")
  }

  /// The folder or archive holds no recording; `found` lists its files.
  static func noRecording(file: String, found: [String]) -> RecordingError {
    let problem = "holds no recording (found: \(found.isEmpty ? "nothing" : list(found)))"
    return .invalid(file: file, "\(problem); give the CSV file, folder or archive that a recorder wrote")
  }

  /// The file is one that Gait writes, such as a model or a collection, and holds no samples.
  static func notARecording(file: String, format: String) -> RecordingError {
    .invalid(file: file, "holds \"format\": \"\(format)\" and no samples; give the files or folders of recordings")
  }

  /// The folder or archive holds several recordings.
  static func severalRecordings(file: String, found: [String]) -> RecordingError {
    .invalid(file: file, "holds several recordings (\(list(found))); give one of them")
  }

  /// The recording has no acceleration; the file `needed` would hold it.
  static func noAcceleration(file: String, needed: String, found: [String]) -> RecordingError {
    .invalid(
      file: file, "has no acceleration: \(needed) is missing (found: \(list(found))); record or export it too")
  }

  /// The file of one sensor among several has no time column.
  static func noTimeColumn(file: String, found: [String]) -> RecordingError {
    let problem = "no column holds the time (found: \(list(found))), so the sensor cannot be joined to the others"
    return .invalid(file: file, line: 1, "\(problem); export it again")
  }

  /// A line is longer than any recorder writes.
  static func longLine(file: String, line: Int, longestMebibytes: Int) -> RecordingError {
    .invalid(
      file: file, line: line, "the line is longer than \(longestMebibytes) MiB; write each row on a line of its own")
  }

  /// Two columns have a name that must be unique; `columns` are their positions.
  static func duplicateColumn(_ name: String, file: String, line: Int = 1, columns: [Int]) -> RecordingError {
    let positions = columns.map(String.init).joined(separator: " and ")
    return .invalid(
      file: file, line: line, "columns \(positions) are both named \(name); rename or remove one")
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
  /// The names up to the last that is not empty. The empty ones after it are of columns that the caller did not name.
  var trimmingEmptyEnd: [String] { Array(self[..<((lastIndex { !$0.isEmpty }).map { $0 + 1 } ?? 0)]) }
}

// MARK: Problems of timing

/// Why the rows of a file cannot be placed in time.
public enum TimingProblem: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file has no timestamps that give a sample rate, and the caller gave none.
  case noSampleRate
  /// The file has a time column, and all its cells are empty.
  case noTimes
  /// The file has no timestamps that give a rate, and the caller gave none. The name of `column` may mean times, but no
  /// format knows it.
  case unreadTimes(column: String)
  /// The given sample rate contradicts that of the timestamps, `found` in hertz.
  case rateDisagrees(given: SampleRate, found: Double)
  /// The timestamps give a sample rate, in hertz, outside `RowTiming.possibleHertz`: no motion sensor has it.
  case impossibleRate(found: Double)
  /// More than half of the rows were dropped because an earlier row has the same time and different values: the clock
  /// ticks more slowly than the sensor. `rows` is the number of rows, `times` that of different times.
  case coarseTimes(rows: Int, times: Int)
  /// The clock was set back, and the rows after that would end more than 126 years from 0 if they were moved behind
  /// those before.
  case tooLong
  /// Two rows, one after the other, are more than a year apart: the clock of some rows is wrong.
  case farApart(seconds: Double)
  /// The timestamps of a live stream are too uneven to measure the sample rate. `period` is the mean step, and `jitter`
  /// the root mean square deviation of the steps from it, both in seconds.
  case unevenTimes(jitter: Double, period: Double)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// The rates, in hertz, that are too slow for motion but possible for a logger. A lower rate rather means that the
  /// unit of the timestamps is wrong.
  private static let tooSlowHertz = 0.2..<2

  /// The problem and its cure, to follow the name of the file.
  public var description: String {
    switch self {
    case .noSampleRate:
      "has no timestamps that give a sample rate; state the sample rate"
    case .noTimes:
      "has a time column without times; fill it, or remove it and state the sample rate"
    case .unreadTimes(let column):
      "has no timestamps that give a sample rate, unless column \(column) holds them; give that column a name such as "
        + "time (ms), or state the sample rate"
    case .rateDisagrees(let given, let found):
      "has a stated sample rate of \(plain(given.hertz)) Hz, but its timestamps give \(plain(found)) Hz; "
        + "state that rate, or none"
    case .impossibleRate(let found) where Self.tooSlowHertz.contains(found):
      "has timestamps that give a sample rate of \(plain(found)) Hz, too slow for motion, which needs at least 2 "
        + "samples a second and 10 to count steps; record faster, or state the unit of the timestamps if it is another"
    case .impossibleRate(let found):
      "has timestamps that give a sample rate of \(plain(found)) Hz, which no motion sensor has; "
        + "check the unit of the timestamps"
    case .coarseTimes(let rows, let times):
      "has \(rows) rows but only \(times) different timestamps, so the order of its rows is not known; "
        + "export finer timestamps, or remove their column and state the sample rate"
    case .tooLong:
      "has a clock that was set back so far that its later rows, moved behind the others, would be more than 126 years "
        + "from 0; correct the timestamps, or remove their column and state the sample rate"
    case .farApart(let seconds):
      "has rows that follow each other but are \(plain(seconds.rounded())) s apart, more than a year; correct the "
        + "times before or after that, or split the file there"
    case .unevenTimes(let jitter, let period):
      "has timestamps that deviate \(plain((jitter * 1000).rounded())) ms from even steps of "
        + "\(plain((period * 1000).rounded())) ms, too much to measure the sample rate; state the sample rate"
    }
  }
}
