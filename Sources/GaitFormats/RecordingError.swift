import Gait

/// What is wrong with a file that should hold a recording: where, what was found there, and what to do about it.
///
/// `file` is the path as it was given. Lines and columns count from 1; the header is line 1 and blank lines count.
/// A description is one sentence.
public enum RecordingError: Error, Equatable, Sendable {
  /// The file cannot be opened or read: it is absent, a folder, or not allowed.
  case cannotRead(file: String, reason: String)
  /// The file has no bytes.
  case emptyFile(file: String)
  /// A line holds zero bytes or is not UTF-8.
  case notText(file: String, line: Int)
  /// The first line that is no comment is blank: MotionDataCollector writes so when the sensor was not ready.
  case blankHeader(file: String, line: Int)
  /// The first line that is no comment holds numbers where column names belong, or there is none.
  case noHeader(file: String, line: Int = 1)
  /// Nothing follows the header.
  case noRows(file: String)
  /// The header lacks a column; `found` is what it has, in order.
  case missingColumn(String, file: String, line: Int = 1, found: [String])
  /// The header has a column that is needed once more than once; `columns` are the places of the first two.
  case duplicateColumn(String, file: String, line: Int = 1, columns: [Int])
  /// A field opens a quote and its line does not close it, or text follows the closing quote.
  case badQuote(file: String, line: Int, column: Int)
  /// A line has more or fewer fields than the header.
  case raggedRow(file: String, line: Int, fields: Int, expected: Int)
  /// A cell of the column `name` holds text that is not wholly a number. `found` has at most 40 characters of it.
  case notANumber(file: String, line: Int, column: Int, name: String, found: String)
  /// A cell of a column of times is more than 4 × 10⁹ seconds from 0 or from 1970. `found` has at most 40 characters of it.
  case timeOutOfRange(file: String, line: Int, column: Int, name: String, found: String)
  /// The file begins with the byte-order mark of UTF-16.
  case utf16(file: String)
  /// The lines of the file end with carriage returns alone, as no system has written them since 2001.
  case carriageReturns(file: String)
  /// The compressed data ends before its end.
  case cutCompression(file: String)
  /// The compressed data is not what its kind allows, or fails its checksum; `reason` is zlib's.
  case damagedCompression(file: String, reason: String)
  /// The compressed data expands further than that of any recording does.
  case expandsTooFar(file: String)
  /// A line is longer than any recorder writes.
  case longLine(file: String, line: Int, longestMebibytes: Int)
  /// A line has more columns than any recorder writes.
  case tooManyColumns(file: String, line: Int, most: Int)
  /// The names of the columns are those of no format; `found` is what they are.
  case unrecognizedFormat(file: String, line: Int, found: [String])
  /// The names of several formats' columns stand beside each other.
  case ambiguousFormat(file: String, line: Int = 1, formats: [RecordingFormat])
  /// Two columns, `found`, hold what one is needed for.
  case conflictingColumns(String, file: String, line: Int, found: [String])
  /// The column's name says what its numbers mean in a way that is not known.
  case unknownUnit(String, file: String, line: Int, of: RecordingUnits.Kind)
  /// Neither names, nor the format, nor the caller says what the numbers of some columns mean: the first of each kind.
  case missingUnits([RecordingUnits.Kind: String], file: String, line: Int)
  /// A cell of the column `name` is no date and time.
  case notADate(file: String, line: Int, column: Int, name: String, found: String)
  /// The file is one sensor's part of a recording in the format.
  case partOfRecording(file: String, format: RecordingFormat)
  /// The folder or archive holds no recording; `found` is what it holds.
  case noRecording(file: String, found: [String])
  /// The folder or archive holds several recordings.
  case severalRecordings(file: String, found: [String])
  /// Two files of a recording, `found`, hold the same sensor.
  case repeatedSensor(Sensor, file: String, found: [String])
  /// The recording has no acceleration; `needed` would hold it.
  case noAcceleration(file: String, needed: String, found: [String])
  /// What should be the total acceleration has no gravity in it: its mean over a second is usually `mean` g long, or,
  /// where that is `nil`, the file's name says so.
  case withoutGravity(file: String, mean: Double?)
  /// The sensors of a recording were at no time on together.
  case sensorsApart(file: String, sensors: [String])
  /// The file of one sensor among several does not say when its rows were taken.
  case noTimeColumn(file: String, found: [String])
  /// The archive cannot be read: it is encrypted, too large for its form, or damaged.
  case unreadableArchive(file: String, reason: String)
  /// The file is no JSON of GyroData.
  case notGyroData(file: String, reason: String)
  /// A file of label intervals does not say what was done when.
  case intervals(IntervalProblem, file: String)
  /// The rows cannot be placed in time.
  case timing(TimingProblem, file: String)
}

extension RecordingError: CustomStringConvertible {
  /// The error as one sentence with file, line, column and cure.
  public var description: String {
    switch self {
    case .cannotRead(let file, let reason):
      "cannot read \(file): \(reason); check the path and its permissions."
    case .emptyFile(let file):
      "\(file) is empty (0 bytes); record or export it again."
    case .notText(let file, let line):
      "\(file):\(line): the line holds bytes that are not UTF-8 text; export the recording as CSV in UTF-8."
    case .blankHeader(let file, let line):
      "\(file):\(line): the line that should name the columns is blank, as MotionDataCollector leaves it when the sensor was "
        + "not ready; write a header such as \(Self.exampleHeader) there, or record again."
    case .noHeader(let file, let line):
      "\(file):\(line): the first line does not name the columns; begin the file with a header such as \(Self.exampleHeader), "
        + "or state the columns' names."
    case .noRows(let file):
      "\(file) has a header but no rows; record or export it again."
    case .missingColumn(let name, let file, let line, let found):
      "\(file):\(line): column \(name) is missing (found: \(Self.list(found))); add it, or give the column its proper name."
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
      "\(file):\(line): the line has more than \(most) columns; give the file that a recorder wrote."
    case .intervals(let problem, let file): "\(file) \(problem)."
    case .timing(let problem, let file): "\(file) \(problem)."
    case .unrecognizedFormat, .ambiguousFormat, .conflictingColumns, .unknownUnit, .missingUnits, .notADate:
      headerDescription
    case .partOfRecording, .withoutGravity, .noRecording, .severalRecordings, .repeatedSensor, .noAcceleration,
      .sensorsApart, .noTimeColumn, .unreadableArchive, .notGyroData:
      containerDescription
    }
  }

  private static let exampleHeader = "gravity.x,gravity.y,gravity.z,userAcceleration.x,…"

  /// The names in a file's header; an empty one is shown as "".
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
