import Gait

/// A problem with the file of a recording: what is wrong, where, and the cure.
///
/// `file` is the path as it was given. Lines and columns count from 1; the header is line 1 and blank lines count.
/// A description has one or two sentences.
public enum RecordingError: Error, Equatable, Sendable {
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
  /// The total acceleration lacks gravity. The magnitude of its mean over one second is typically `mean` g; `nil` if
  /// the file's name alone shows it.
  case withoutGravity(file: String, mean: Double?)
  /// The sensors of a recording do not overlap in time.
  case sensorsApart(file: String, sensors: [String])
  /// The file of one sensor among several has no time column.
  case noTimeColumn(file: String, found: [String])
  /// The archive cannot be read: it is encrypted, too large for its form, or damaged.
  case unreadableArchive(file: String, reason: String)
  /// The file is not GyroData's JSON.
  case notGyroData(file: String, reason: String)
  /// A file of label intervals is invalid.
  case intervals(IntervalProblem, file: String)
  /// The rows cannot be placed in time.
  case timing(TimingProblem, file: String)
}
