import Foundation

/// The line of a delimited file that names its columns.
struct Header {
  /// The names, blanks and quotes taken off, in the file's order. An empty name behind a last separator is left out.
  let names: [String]
  /// The names, taken apart.
  let columns: [ColumnName]
  /// How the file separates; how it writes numbers is known once its rows are read.
  var dialect: Dialect
  /// The line that it is, counted from 1.
  let line: Int
  /// The comment lines before it, in order, without their `#` and the blanks around them.
  let comments: [String]
  /// How many lines before it, or in its place, are neither comments nor rows.
  var skippedCount = 0
  /// The cells of the first row, which may tell what columns hold, and its line; before that is looked at, none, and the
  /// header's own.
  private(set) var firstRow: (cells: [String], line: Int)

  /// The header that starts at `cursor`, which moves behind the line feed at its end.
  init(
    _ cursor: inout UnsafePointer<UInt8>, line: Int, comments: [String], file: String
  ) throws(RecordingError) {
    if Self.hasCarriageReturnWithin(cursor) { throw .carriageReturns(file: file) }
    let dialect = Dialect(ofHeader: cursor)
    let cells = try Self.cells(&cursor, dialect: dialect, line: line, file: file)
    guard cells != [""] else { throw .blankHeader(file: file, line: line) }
    guard FirstLine(cells: cells).namesColumns else { throw .noHeader(file: file, line: line) }
    names = cells.last == "" ? cells.dropLast() : cells
    columns = names.map { ColumnName($0) }
    self.dialect = dialect
    self.line = line
    self.comments = comments
    firstRow = ([], line)
  }

  /// What stands for the header of a file without one, whose first row starts at `row`: `names`, and nothing for the columns
  /// behind them.
  ///
  /// - Parameter separator: what separates the names whose place they take; it counts where it separates as many cells.
  init(
    _ names: [String], aboveRow row: UnsafePointer<UInt8>, separator: UInt8?, line: Int, comments: [String],
    file: String
  ) throws(RecordingError) {
    let known = separator.map { Dialect(separator: $0) }.flatMap { dialect in
      FirstLine(at: row, dialect).cells.count >= names.count ? dialect : nil
    }
    dialect =
      known ?? Dialect(ofRow: row, columnCount: names.count) ?? Dialect(ofHeader: row, mayBeBlank: true)
    var cursor = row
    var cells = try Self.cells(&cursor, dialect: dialect, line: line + 1, file: file)
    if cells.last == "", cells.count > names.count { cells.removeLast() }
    guard cells.count >= names.count else {
      throw .raggedRow(file: file, line: line + 1, fields: cells.count, expected: names.count)
    }
    self.names = names + Array(repeating: "", count: cells.count - names.count)
    columns = self.names.map { ColumnName($0) }
    self.line = line
    self.comments = comments
    firstRow = ([], line)
  }

  /// Moves `cursor` to the first line before `end` that is neither blank nor a comment, and looks at it without judging it.
  ///
  /// - Returns: whether there is one.
  mutating func look(forRowAt cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    while cursor < end {
      if cursor.pointee == UInt8(ascii: "\n") {
        firstRow.line += 1
        cursor += 1
        continue
      }
      firstRow = (FirstLine(at: cursor, dialect).cells, firstRow.line + 1)
      // With as many cells as there are columns it is a row whose text begins so.
      let isComment = cursor.pointee == UInt8(ascii: "#") && firstRow.cells.count != names.count
      if !isComment, firstRow.cells != [""] { return true }
      cursor = Lines.next(after: cursor)
    }
    return false
  }

  /// Whether the first row has a date and time in a column.
  func showsDate(in column: Int) -> Bool {
    firstRow.cells.indices ~= column && CalendarTime.isDate(firstRow.cells[column])
  }

  /// What the first row has in a column, if that is neither empty nor a number.
  func textBelow(_ column: Int) -> String? {
    guard firstRow.cells.indices ~= column, case let cell = firstRow.cells[column], !cell.isEmpty,
      !FirstLine.isNumber(cell)
    else { return nil }
    return cell
  }

  /// Whether a carriage return stands before anything but the line's end.
  private static func hasCarriageReturnWithin(_ line: UnsafePointer<UInt8>) -> Bool {
    var p = line
    while p.pointee != UInt8(ascii: "\n") {
      if p.pointee == UInt8(ascii: "\r"), p[1] != UInt8(ascii: "\n"), !Cell.isBlank(p[1]) { return true }
      p += 1
    }
    return false
  }

  /// How many columns a file has at most; recorders write some 100.
  static let mostColumns = 10_000

  static func cells(
    _ cursor: inout UnsafePointer<UInt8>, dialect: Dialect, line: Int, file: String
  ) throws(RecordingError) -> [String] {
    var names: [String] = []
    while true {
      if dialect.separator == UInt8(ascii: " ") { cursor = Spaces.end(from: cursor) }
      guard let cell = Cell.scan(&cursor, dialect) else {
        throw .badQuote(file: file, line: line, column: names.count + 1)
      }
      guard let name = cell.text else { throw .notText(file: file, line: line) }
      guard names.count < mostColumns else { throw .tooManyColumns(file: file, line: line, most: mostColumns) }
      names.append(name)
      cursor += 1
      if cursor[-1] == UInt8(ascii: "\n") { return names }
    }
  }

  /// The text of the comment line that starts at `cursor`, which moves behind the line feed at its end.
  static func comment(_ cursor: inout UnsafePointer<UInt8>, line: Int, file: String) throws(RecordingError) -> String {
    let start = cursor + 1
    while cursor.pointee != UInt8(ascii: "\n") { cursor += 1 }
    let bytes = UnsafeBufferPointer(start: start, count: cursor - start)
    cursor += 1
    guard let text = Cell(bytes: bytes).text else { throw .notText(file: file, line: line) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
