#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The line of a delimited file that names its columns.
struct Header {
  /// The names in the file's order, without surrounding blanks and quotes. An empty name after a trailing separator is
  /// dropped.
  let names: [String]
  /// The parsed names. A unit that a name does not state comes from the line of units below the names, if there is one.
  private(set) var columns: [ColumnName]
  /// The dialect. Its decimal mark is known only after the rows are read.
  var dialect: Dialect
  /// The header's line, counted from 1.
  let line: Int
  /// The comment lines before the header, in order, without `#` and surrounding blanks.
  let comments: [String]
  /// The number of skipped lines: those before the header, or in its place if the caller names the columns, and a line
  /// of units below it. The lines in `comments` do not count.
  var skippedCount = 0
  /// Facts from the skipped lines.
  var preamble = Preamble()
  /// The cells and line of the first row, from which column contents are detected. Before `readFirstRow`: no cells, and
  /// the header's line.
  private(set) var firstRow: (cells: [String], line: Int)
  /// The cells of the first rows, from which contents of columns are detected; empty unless
  /// `DelimitedFile.readSample()` read them.
  var sample: [[String]] = []
  /// Whether a line of units was read below the names.
  private var hasUnitsBelow = false

  /// Reads the header at `cursor` and moves `cursor` past its line feed.
  ///
  /// - Throws: `RecordingError.noHeader` if the line is blank or does not name columns; another `RecordingError` if it
  ///   cannot be split into cells.
  init(
    _ cursor: inout UnsafePointer<UInt8>, line: Int, comments: [String], file: String
  ) throws(RecordingError) {
    if Self.hasCarriageReturnWithin(cursor) {
      throw .invalid(
        file: file, "has lines that end with carriage returns alone; export it again, or save it with line feeds")
    }
    let dialect = Dialect(ofHeader: cursor)
    let cells = try Self.cells(&cursor, dialect: dialect, line: line, file: file)
    guard cells != [""] else { throw .noHeader(file: file, line: line, isBlank: true) }
    guard FirstLine(cells: cells).namesColumns else { throw .noHeader(file: file, line: line) }
    names = cells.last == "" ? cells.dropLast() : cells
    columns = names.map { ColumnName($0) }
    self.dialect = dialect
    self.line = line
    self.comments = comments
    firstRow = ([], line)
  }

  /// Creates the header of a file that has none from `names`. The first row starts at `row`; its columns after the
  /// named ones have empty names.
  ///
  /// - Parameter separator: the separator of the header line that `names` replace. It is used if it splits the first
  ///   row into at least as many cells as there are names.
  /// - Throws: `RecordingError.raggedRow` if the first row has fewer cells than there are names.
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

  /// Moves `cursor` to the first line before `end` that is neither blank, a comment nor a line of units, and splits it
  /// into cells without checking them. A column whose name states no unit gets its unit from the line of units.
  ///
  /// - Returns: `false` if there is no such line before `end`.
  mutating func readFirstRow(at cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    while cursor < end {
      if cursor.pointee == UInt8(ascii: "\n") {
        firstRow.line += 1
        cursor += 1
        continue
      }
      firstRow = (FirstLine(at: cursor, dialect).cells, firstRow.line + 1)
      // A line with one cell for each column is a row, even if its text begins with `#`.
      let isComment = cursor.pointee == UInt8(ascii: "#") && firstRow.cells.count != names.count
      if !isComment, firstRow.cells != [""] {
        guard !hasUnitsBelow, FirstLine(cells: firstRow.cells).isOnlyUnits else { return true }
        columns = zip(columns, firstRow.cells + names.map { _ in "" }).map { $0.defaulting(toUnit: $1) }
        (hasUnitsBelow, skippedCount) = (true, skippedCount + 1)
      }
      cursor = Lines.next(after: cursor)
    }
    return false
  }

  /// A role for each column, chosen by its name and unit, as in `["time (s)": .number(0)]`. If several columns have the
  /// name, the first one gets the role. All other columns are ignored.
  func roles(_ known: [String: ColumnRole]) -> [ColumnRole] {
    var roles = [ColumnRole](repeating: .ignored, count: names.count)
    for (name, role) in known {
      if let column = columns.firstIndex(of: ColumnName(name)) { roles[column] = role }
    }
    return roles
  }

  /// The column names that may mean times, whether or not a format knows them.
  var namesLikeTimes: [String] {
    zip(names, columns).filter { _, column in
      ["time", "stamp", "epoch", "elapsed", "unix"].contains { column.base.contains($0) }
        || ["date", "seconds", "milliseconds", "ms"].contains(column.base)
    }.map(\.0)
  }

  /// Whether a column has no value in any row of `sample`; if there is no sample, as when rows arrive one by one, in
  /// the first row.
  func isEmpty(_ column: Int) -> Bool {
    let rows = sample.isEmpty ? [firstRow.cells] : sample
    return rows.allSatisfy { $0.indices.contains(column) && $0[column].isEmpty }
  }

  /// The order of the date's parts in the first row's cell of a column, and whether it is a guess; `nil` if the cell is
  /// not a date and time. An order that the preamble states replaces a guess.
  func dateOrder(in column: Int) -> (order: DateOrder, isAssumed: Bool)? {
    guard firstRow.cells.indices ~= column, let date = CalendarTime.order(of: firstRow.cells[column]) else {
      return nil
    }
    guard date.isAssumed, let stated = preamble.dateOrder else { return date }
    return (stated, false)
  }

  /// The unit of the time in the first row's cell of a column, if the number is a time since 1970 in the years 2005 to
  /// 2039 in that unit; `nil` if it is not in any unit.
  ///
  /// The number could also be a time since the device's start in a finer unit. Then the steps between rows seem a
  /// thousand times as long or more, and `RowTiming` rejects their rate.
  func epochUnit(in column: Int) -> TimeUnit? {
    guard firstRow.cells.indices ~= column, let value = Double(firstRow.cells[column]) else { return nil }
    return zip(TimeUnit.allCases, [1, 1e3, 1e6, 1e9]).first { 1.1e9...2.2e9 ~= value / $0.1 }?.0
  }

  /// The first row's cell in a column, if it is neither empty nor a number.
  func textBelow(_ column: Int) -> String? {
    guard firstRow.cells.indices ~= column, case let cell = firstRow.cells[column], !cell.isEmpty,
      !FirstLine.isNumber(cell)
    else { return nil }
    return cell
  }

  /// Whether the line has a carriage return that is not followed by a line feed or a blank.
  private static func hasCarriageReturnWithin(_ line: UnsafePointer<UInt8>) -> Bool {
    var p = line
    while p.pointee != UInt8(ascii: "\n") {
      if p.pointee == UInt8(ascii: "\r"), p[1] != UInt8(ascii: "\n"), !Cell.isBlank(p[1]) { return true }
      p += 1
    }
    return false
  }

  /// The most columns in a file; recorders write about 100.
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
      guard names.count < mostColumns else {
        throw .invalid(
          file: file, line: line,
          "the line has more than \(mostColumns) columns; check that the file is a recording")
      }
      names.append(name)
      cursor += 1
      if cursor[-1] == UInt8(ascii: "\n") { return names }
    }
  }

  /// Reads the text of the comment line at `cursor` and moves `cursor` past its line feed.
  static func comment(_ cursor: inout UnsafePointer<UInt8>, line: Int, file: String) throws(RecordingError) -> String {
    let start = cursor + 1
    while cursor.pointee != UInt8(ascii: "\n") { cursor += 1 }
    let bytes = UnsafeBufferPointer(start: start, count: cursor - start)
    cursor += 1
    guard let text = Cell(bytes: bytes).text else { throw .notText(file: file, line: line) }
    return text.trimmed
  }
}

/// Facts from the lines before the rows in files of ActiGraph and Empatica.
struct Preamble {
  /// The order of the dates' parts, as in `date format M/d/yyyy`.
  private(set) var dateOrder: DateOrder?
  /// The unit of accelerations: g for ActiGraph's devices, `nil` for files of others.
  private(set) var acceleration: AccelerationUnit?
  /// The rows per second, as in `at 30 Hz`; `nil` if not stated. Files without times have no other source of the rate.
  var hertz: Double?

  /// The rate in hertz from the first two lines of an Empatica file; `nil` if a file does not begin with them. The
  /// first line has the start time three times, in seconds since 1970; the second has the rate three times, once for
  /// each axis.
  static func empaticaHertz(_ start: some Collection<UInt8>) -> Double? {
    // Most files begin with a name. Bytes that are not ASCII may be blanks.
    guard let first = start.first(where: { $0 > UInt8(ascii: " ") }),
      "+.0123456789".utf8.contains(first) || first >= 0x80
    else { return nil }
    let lines = start.split(separator: UInt8(ascii: "\n"), maxSplits: 2).map { line in
      String(decoding: line.prefix(200), as: UTF8.self).split(separator: ",").map { Double($0.trimmed) }
    }
    guard lines.count > 2, lines[0].count == 3, lines[1].count == 3, let time = lines[0][0], let hertz = lines[1][0],
      1.1e9...2.2e9 ~= time, lines[0].allSatisfy({ $0 == time }), lines[1].allSatisfy({ $0 == hertz })
    else { return nil }
    return hertz
  }

  /// Reads what the line at `start` states, if it is from ActiGraph.
  mutating func read(_ start: UnsafePointer<UInt8>) {
    let line = UnsafeBufferPointer(start: start, count: Lines.next(after: start) - start)
    let text = String(decoding: line.prefix(1000), as: UTF8.self).lowercased()
    if text.contains("created by actigraph") { acceleration = .gravity }
    guard let format = text.firstRange(of: "date format ") else { return }
    let words = text[format.upperBound...].split(separator: " ")
    hertz = zip(words, words.dropFirst()).first { $1 == "hz" }.flatMap { Double($0.0) }
    switch text[format.upperBound...].first {
    case "m": dateOrder = .monthFirst
    case "d": dateOrder = .dayFirst
    default: break
    }
  }
}

/// How the cells of one column are read.
enum ColumnRole: Equatable {
  /// Skipped.
  case ignored
  /// Numbers for the row's element with this index, `0..<16` (its lane). They are rounded correctly to `Double`, then
  /// to `Float`. Missing (NaN): an empty cell, `nan`, `inf`, and a number too large for `Float`.
  case lane(Int)
  /// The row's timestamp as a number in this unit, read to whole nanoseconds.
  case time(TimeUnit)
  /// The row's timestamp as a date and time that `CalendarTime` reads, with its parts in this order.
  case date(DateOrder)
  /// Numbers as correctly rounded `Double`, stored in the number column with this index, counted from 0. Missing values
  /// are NaN, and so is a number column that no file column fills.
  case number(Int)
  /// Numbers as in `number`, except that a number too large for `Double` and a cell with any other text are infinity:
  /// an invalid coordinate makes one row unusable, not the whole file.
  case coordinate(Int)
  /// Text, stored as runs of equal cells in the text column with this index, counted from 0. Texts that no file
  /// column fills are missing.
  case text(Int)

  /// The index of the number column that the role fills, if any.
  var numberColumn: Int? {
    switch self {
    case .number(let index), .coordinate(let index): index
    default: nil
    }
  }

  /// Whether the column holds timestamps.
  var isTime: Bool {
    switch self {
    case .time, .date: true
    default: false
    }
  }
}
