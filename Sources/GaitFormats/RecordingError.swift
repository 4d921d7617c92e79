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
  /// The first line is blank or holds numbers where column names belong.
  case noHeader(file: String)
  /// Nothing follows the header.
  case noRows(file: String)
  /// The header lacks a column; `found` is what it has, in order.
  case missingColumn(String, file: String, found: [String])
  /// The header has a column that is needed once more than once; `columns` are the places of the first two.
  case duplicateColumn(String, file: String, columns: [Int])
  /// A field opens a quote and its line does not close it, or text follows the closing quote.
  case badQuote(file: String, line: Int, column: Int)
  /// A line has more or fewer fields than the header.
  case raggedRow(file: String, line: Int, fields: Int, expected: Int)
  /// A cell of the column `name` holds text that is not wholly a number. `found` has at most 40 characters of it.
  case notANumber(file: String, line: Int, column: Int, name: String, found: String)
  /// Nothing in the file says when its rows were taken, and no sample rate was given.
  case noSampleRate(file: String)
  /// No row has a time, though there is a column for it.
  case noTimes(file: String)
  /// The given sample rate is not that of the rows' times, `found` in hertz.
  case rateDisagrees(file: String, given: SampleRate, found: Double)
  /// The rows' times make a sample rate, in hertz, that no motion sensor has.
  case impossibleRate(file: String, found: Double)
  /// Most rows share their time with other rows: the clock ticks more slowly than the sensor.
  case coarseTimes(file: String, rows: Int, times: Int)
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
    case .noHeader(let file):
      "\(file):1: the first line does not name the columns; begin the file with a header such as \(Self.exampleHeader)."
    case .noRows(let file):
      "\(file) has a header but no rows; record or export it again."
    case .missingColumn(let name, let file, let found):
      "\(file):1: column \(name) is missing (found: \(Self.list(found))); add it, or give the column its proper name."
    case .duplicateColumn(let name, let file, let columns):
      "\(file):1: columns \(columns.map(String.init).joined(separator: " and ")) are both named \(name); "
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
    case .noSampleRate, .noTimes, .rateDisagrees, .impossibleRate, .coarseTimes: timingDescription
    }
  }

  /// What is wrong with the rows' times.
  private var timingDescription: String {
    switch self {
    case .noSampleRate(let file):
      "\(file) does not say when its rows were taken; give the sample rate, the number of rows in a second."
    case .noTimes(let file):
      "\(file) has a column for times, but no row has one; fill it, or remove it and give the sample rate."
    case .rateDisagrees(let file, let given, let found):
      "\(file) was said to have \(plain(given.hertz)) rows in a second, but by its times there are "
        + "\(plain(found)); give that rate, or none."
    case .impossibleRate(let file, let found):
      "\(file) has \(plain(found)) rows in a second by its times, and no motion is recorded so "
        + "\(found < 100 ? "slowly" : "fast"); check the unit of the times, or give the sample rate."
    case .coarseTimes(let file, let rows, let times):
      "\(file) has \(rows) rows but only \(times) different times, so their order is not known; export finer times, or "
        + "remove their column and give the sample rate."
    default: ""
    }
  }

  private static let exampleHeader = "gravity.x,gravity.y,gravity.z,userAcceleration.x,…"

  /// The names in a file's header; an empty one is shown as "".
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
