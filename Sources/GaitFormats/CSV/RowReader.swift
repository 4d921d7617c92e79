/// Reads the rows of a delimited file, line by line.
struct RowReader {
  /// The rows that were read and not yet taken by `takeContent()`.
  private(set) var content = DelimitedRows()
  /// The number of lines read so far, including the header and the lines before it.
  private(set) var line: Int
  /// The file's dialect. Decimal commas are detected from the first number with a fraction.
  private(set) var dialect: Dialect

  let file: String
  let names: [String]
  private(set) var roles: [ColumnRole]
  private var fastRow: FastRowParser
  private var delimiters: DelimiterIndex
  private let hasTimes: Bool
  /// The decimal mark, or 0 while unknown.
  private(set) var mark: UInt8
  /// The initial value of a row.
  private var emptyRow = DelimitedRows.emptyRow
  /// The time, numbers and texts of the current line, and whether a value of its row is missing. The row itself is the
  /// last in `content.rows`.
  private var time = Int64.min
  private var rowNumbers: [Double]
  private var rowTexts: [String?]
  private var isMissing = false

  init(header: Header, roles: [ColumnRole], file: String) {
    precondition(roles.count == header.names.count, "a column without a role, or a role without a column")
    precondition(
      roles.allSatisfy { if case .lane(let lane) = $0 { 0..<16 ~= lane } else { true } }, "a lane beyond the row's 16")
    self.file = file
    self.names = header.names
    self.roles = roles
    self.fastRow = FastRowParser(roles: roles, separator: header.dialect.separator)
    self.delimiters = DelimiterIndex(separator: header.dialect.separator)
    self.hasTimes = roles.contains(where: \.isTime)
    let numberCount = roles.reduce(0) { max($0, ($1.numberColumn ?? -1) + 1) }
    self.content.numbers = Array(repeating: [], count: numberCount)
    self.rowNumbers = Array(repeating: .nan, count: numberCount)
    let textCount = roles.reduce(0) { if case .text(let index) = $1 { max($0, index + 1) } else { $0 } }
    self.content.texts = Array(repeating: [], count: textCount)
    self.rowTexts = Array(repeating: nil, count: textCount)
    self.dialect = header.dialect
    self.line = max(header.line, header.firstRow.line - 1)
    self.mark = header.dialect.separator == UInt8(ascii: ",") ? UInt8(ascii: ".") : 0
  }

  var rowCount: Int { content.rows.count }

  /// Removes the rows read so far from the reader, and returns them.
  mutating func takeContent() -> DelimitedRows {
    var taken = DelimitedRows()
    taken.numbers = content.numbers.map { _ in [] }
    taken.texts = content.texts.map { _ in [] }
    taken.skippedLanes = content.skippedLanes
    taken.hasTruncatedLastLine = content.hasTruncatedLastLine
    swap(&content, &taken)
    return taken
  }

  /// A reader of rows after those of this one, with memory for `rowCount` of them.
  func following(reserving rowCount: Int) -> RowReader {
    var reader = self
    _ = reader.takeContent()
    reader.delimiters = DelimiterIndex(separator: dialect.separator)
    reader.content.rows.reserveCapacity(rowCount)
    if hasTimes { reader.content.times.reserveCapacity(rowCount) }
    return reader
  }

  /// Adds the rows of `next`, a reader that followed this one at `line`. Returns `false`, without a change, if it does
  /// not read as this reader does now.
  mutating func append(_ next: consuming RowReader, from line: Int) -> Bool {
    guard next.mark == mark, next.roles == roles else { return false }
    self.line += next.line - line
    content.append(next.takeContent())
    return true
  }

  /// Skips the columns that fill `lanes` in later rows, except the last column, which shows whether a line was
  /// truncated.
  mutating func skip(_ lanes: Set<Int>) {
    for column in roles.indices.dropLast() {
      guard case .lane(let lane) = roles[column], lanes.contains(lane) else { continue }
      roles[column] = .ignored
      emptyRow[lane] = .nan
      content.skippedLanes.insert(lane)
    }
    fastRow = FastRowParser(roles: roles, separator: dialect.separator)
    content.completeRowCount = rowCount
  }

  /// Reserves capacity for the rows in `byteCount` more bytes, assuming lines as long as those in the `read` bytes
  /// before.
  mutating func reserve(byteCount: Int, read: Int) {
    let expected = rowCount + Int(saturating: 1.02 * Double(rowCount) * Double(byteCount) / Double(max(read, 1)))
    content.rows.reserveCapacity(expected)
    if hasTimes { content.times.reserveCapacity(expected) }
  }

  /// Reads the lines from `start` to `end`, each of which ends with a line feed.
  ///
  /// A truncated last line is dropped, and noted in `content.hasTruncatedLastLine`.
  ///
  /// - Parameter mayBeTruncated: whether the last line has no line feed in the file.
  mutating func append(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, mayBeTruncated: Bool
  ) throws(RecordingError) {
    var cursor = start
    delimiters.reset()
    while cursor < end {
      line += 1
      if skipLineWithoutRow(&cursor) { continue }
      let lineStart = cursor
      // Cells are written in place: assembling a row and copying it would stall until its last cell.
      content.rows.append(emptyRow)
      do throws(RecordingError) {
        try readRow(&cursor, to: end)
      } catch {
        content.rows.removeLast()
        // A crash may leave zero bytes at the end of a file.
        guard mayBeTruncated, Lines.next(after: lineStart) == end, isExplainedByTruncation(error) || end[-2] == 0
        else { throw secondHeader(at: lineStart) ?? error }
        return content.hasTruncatedLastLine = true
      }
      if mayBeTruncated, cursor == end, endsWithinNumber(end) {
        content.rows.removeLast()
        return content.hasTruncatedLastLine = true
      }
      storeRow()
    }
  }

  /// Skips a blank line or a comment; returns whether it did.
  private func skipLineWithoutRow(_ cursor: inout UnsafePointer<UInt8>) -> Bool {
    guard cursor.pointee <= UInt8(ascii: "#") else { return false }
    var p = cursor
    if p.pointee == UInt8(ascii: "#") {
      // In a text column, `#` may begin the text.
      if case .text = roles[0] { return false }
      cursor = Lines.next(after: p)
      return true
    }
    while dialect.isBlank(p.pointee) { p += 1 }
    guard p.pointee == UInt8(ascii: "\n") else { return false }
    cursor = p + 1
    return true
  }

  /// Stores the current line's texts, numbers and time, and whether a value is missing. Its row is already in
  /// `content.rows`.
  private mutating func storeRow() {
    let row = rowCount - 1
    if isMissing { content.missing.append(adjoining: row..<row + 1) }
    for index in rowTexts.indices { content.texts[index].append(rowTexts[index], row..<row + 1) }
    for index in rowNumbers.indices { content.numbers[index].append(rowNumbers[index]) }
    if hasTimes { content.times.append(time) }
  }

  // MARK: Cells

  /// Reads the row at `cursor`, on the fast path where possible, and moves `cursor` to the next line.
  private mutating func readRow(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) {
    let start = cursor
    isMissing = false
    var column = 0
    while true {
      if delimiters.advance(from: cursor, to: end) {
        let (fastRow, mark) = (fastRow, mark)
        var (isMissing, next) = (isMissing, delimiters.next)
        let (limit, last) = (delimiters.limit, rowCount - 1)
        var time = time
        column = content.rows.withUnsafeMutableBufferPointer { rows in
          fastRow.read(
            from: column, at: &cursor, delimiters: &next, to: limit, mark: mark, into: rows.baseAddress! + last,
            time: &time, isMissing: &isMissing)
        }
        self.isMissing = isMissing
        self.time = time
        delimiters.next = next
      }
      if column == roles.count { return }
      guard try readCell(&cursor, column: column) else { throw fault(inRow: start, column: column) }
      column += 1
      if column == roles.count { break }
      guard cursor.pointee == dialect.separator else { throw fault(inRow: start, column: column - 1) }
      cursor += 1
    }
    guard skipLineEnd(&cursor) else { throw fault(inRow: start, column: roles.count - 1) }
  }

  /// Skips the line feed after the last cell, and a trailing separator before it; returns `false` if something else
  /// follows.
  private func skipLineEnd(_ cursor: inout UnsafePointer<UInt8>) -> Bool {
    var p = cursor
    if p.pointee == dialect.separator {
      p += 1
      while dialect.isBlank(p.pointee) { p += 1 }
      // In comma-separated files, a semicolon may end the line.
      if p.pointee == UInt8(ascii: ";"), dialect.separator == UInt8(ascii: ",") {
        repeat { p += 1 } while dialect.isBlank(p.pointee)
      }
    }
    guard p.pointee == UInt8(ascii: "\n") else { return false }
    cursor = p + 1
    return true
  }

  /// Reads the cell at `cursor` on the slow path and moves `cursor` to its end; returns `false` if it does not fit its
  /// column's role.
  private mutating func readCell(
    _ cursor: inout UnsafePointer<UInt8>, column: Int
  ) throws(RecordingError) -> Bool {
    guard let cell = Cell.scan(&cursor, dialect) else { return false }
    switch roles[column] {
    case .lane(let lane):
      guard let value = number(in: cell).map({ Float($0) }) else { return false }
      content.rows[rowCount - 1][lane] = value.isFinite ? value : .nan
      isMissing = isMissing || !value.isFinite
    case .number(let index):
      guard let value = number(in: cell) else { return false }
      rowNumbers[index] = value.isFinite ? value : .nan
    case .coordinate(let index): return readCoordinate(cell, into: index, column: column)
    case .time(let unit): return try readTime(cell, unit: unit, column: column)
    case .date(let order): try readDate(cell, order, column: column)
    case .text(let index):
      guard let text = cell.text else { return false }
      rowTexts[index] = text.isEmpty ? nil : text
    case .ignored: break
    }
    return true
  }
  private mutating func number(in cell: Cell) -> Double? {
    detectMark(in: cell)
    return cell.isMissing ? .nan : DecimalNumber.parse(cell.bytes, mark: markInCell)
  }

  /// Reads a number. Any other text and a number too large for `Double` are stored as infinity. Returns `false` if the
  /// cell is not UTF-8.
  private mutating func readCoordinate(_ cell: Cell, into index: Int, column: Int) -> Bool {
    if let value = number(in: cell) {
      rowNumbers[index] = value.isInfinite ? .infinity : value
    } else {
      guard cell.text != nil else { return false }
      rowNumbers[index] = .infinity
      content.firstInvalidCoordinate =
        content.firstInvalidCoordinate
        ?? .notANumber(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    }
    return true
  }
  private mutating func readTime(_ cell: Cell, unit: TimeUnit, column: Int) throws(RecordingError) -> Bool {
    time = .min
    if cell.isMissing { return true }
    detectMark(in: cell)
    guard let number = DecimalDigits(cell.bytes, mark: markInCell) else { return false }
    guard let nanoseconds = DecimalTime.nanoseconds(number, unit: unit) else {
      throw .timeOutOfRange(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    }
    time = nanoseconds
    return true
  }

  private mutating func readDate(_ cell: Cell, _ order: DateOrder, column: Int) throws(RecordingError) {
    switch cell.isMissing ? .nanoseconds(.min) : CalendarTime.reading(cell.bytes, order) {
    case .nanoseconds(let nanoseconds)?: time = nanoseconds
    case .outOfRange?:
      throw .timeOutOfRange(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    case nil: throw .notADate(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    }
  }

  /// The decimal mark for parsing a cell after `detectMark(in:)`. If the mark is unknown even then, the cell has no
  /// mark.
  private var markInCell: UInt8 { mark == 0 ? UInt8(ascii: ".") : mark }

  /// Detects the file's decimal mark from the first number with a comma or point.
  private mutating func detectMark(in cell: Cell) {
    guard mark == 0 else { return }
    for candidate in [UInt8(ascii: "."), UInt8(ascii: ",")]
    where cell.bytes.contains(candidate) && DecimalNumber.parse(cell.bytes, mark: candidate) != nil {
      mark = candidate
      dialect.decimalComma = candidate == UInt8(ascii: ",")
    }
  }

  // MARK: Errors

  /// The error of the row at `start`, where parsing stopped in `column`. It is about the row if that has an unclosed
  /// quote, a zero byte or a wrong number of cells; otherwise it is about the cell in `column`.
  @inline(never)
  func fault(inRow start: UnsafePointer<UInt8>, column: Int) -> RecordingError {
    var cursor = start
    var cells: [Cell] = []
    while true {
      guard let cell = Cell.scan(&cursor, dialect) else {
        return .badQuote(file: file, line: line, column: cells.count + 1)
      }
      cells.append(cell)
      cursor += 1
      if cursor[-1] == UInt8(ascii: "\n") { break }
    }
    if cells.contains(where: { $0.bytes.contains(0) }) { return .notText(file: file, line: line) }
    if cells.count == roles.count + 1, cells[roles.count].bytes.isEmpty { cells.removeLast() }
    guard cells.count == roles.count else {
      return .raggedRow(file: file, line: line, fields: cells.count, expected: roles.count)
    }
    guard cells[column].text != nil else { return .notText(file: file, line: line) }
    return .notANumber(
      file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cells[column]))
  }

  /// The error of a line that is not a row but the header of a second table: it names more than two columns, or one of
  /// this table's. `nil` for any other line.
  private func secondHeader(at start: UnsafePointer<UInt8>) -> RecordingError? {
    let texts = FirstLine(at: start, dialect)
    guard texts.isHeader, texts.cells.count > 2 || texts.cells.contains(where: names.contains) else { return nil }
    return .invalid(
      file: file, line: line,
      "the line is a second header (\(RecordingError.list(texts.cells.trimmingEmptyEnd))), so the file holds several "
        + "tables; split it before this line, and give the part with the acceleration")
  }

  /// A cell's text, truncated to 40 characters.
  static func shown(_ cell: Cell) -> String {
    let text = cell.text ?? ""
    return text.count > 40 ? text.prefix(39) + "…" : text
  }

  /// Whether `error`, found in a last line without a line feed, can come from truncation.
  func isExplainedByTruncation(_ error: RecordingError) -> Bool {
    switch error {
    case .raggedRow(_, _, let fields, let expected): fields < expected
    case .notANumber(_, _, let column, _, _), .notADate(_, _, let column, _, _): column == roles.count
    case .notText: if case .text = roles.last { true } else { false }
    case .badQuote: true
    default: false
    }
  }

  /// Whether the line that ends at `end` stops after a number's decimal mark, which loggers never write.
  func endsWithinNumber(_ end: UnsafePointer<UInt8>) -> Bool {
    switch roles.last {
    case .lane, .time, .number, .coordinate: mark != 0 && end[-2] == mark
    default: false
    }
  }
}
