/// Reads the rows of a delimited file, line by line.
struct RowReader {
  private(set) var rows: [SIMD16<Float>] = []
  private(set) var times: [Int64] = []
  private(set) var missing: [Range<Int>] = []
  private(set) var numbers: [[Double]]
  private(set) var texts: [TextColumn]
  /// Whether the last line was cut off within its row, and dropped.
  private(set) var hasTruncatedLastLine = false
  /// The lines read so far, the header and what stood before it among them.
  private(set) var line: Int
  /// How the file writes; that its numbers have commas is known when the first is read.
  private(set) var dialect: Dialect

  let file: String
  let names: [String]
  private(set) var roles: [ColumnRole]
  private var fastRow: FastRowParser
  private var ends: DelimiterIndex
  private var skippedLanes = LaneSet()
  private var rowsBeforePassing = 0
  private let hasTimes: Bool
  /// Whether rows have anything but lanes.
  private let keepsMore: Bool
  /// The byte before a number's fraction, or 0 while that is not known.
  private(set) var mark: UInt8
  /// A row before its cells are read.
  private var emptyRow = DelimitedRows.emptyRow
  /// What the line being read holds, whose row is the last.
  private var time = Int64.min
  private var rowNumbers: [Double]
  private var isMissing = false
  /// Whether all cells of the row before were usual, as those of the next ones may be then.
  private var followsFastRow = true

  init(header: Header, roles: [ColumnRole], file: String) {
    precondition(roles.count == header.names.count, "a column without a role, or a role without a column")
    precondition(
      roles.allSatisfy { if case .lane(let lane) = $0 { 0..<16 ~= lane } else { true } }, "a lane beyond the row's 16")
    self.file = file
    self.names = header.names
    self.roles = roles
    self.fastRow = FastRowParser(roles: roles, separator: header.dialect.separator)
    self.ends = DelimiterIndex(separator: header.dialect.separator)
    self.hasTimes = roles.contains(where: \.isTime)
    let numberCount = roles.reduce(0) { if case .number(let index) = $1 { max($0, index + 1) } else { $0 } }
    self.numbers = Array(repeating: [], count: numberCount)
    self.rowNumbers = Array(repeating: .nan, count: numberCount)
    self.texts = roles.filter { if case .text = $0 { true } else { false } }.map { _ in TextColumn() }
    self.keepsMore = hasTimes || !texts.isEmpty || numberCount > 0
    self.dialect = header.dialect
    self.line = max(header.line, header.firstRow.line - 1)
    self.mark = header.dialect.separator == UInt8(ascii: ",") ? UInt8(ascii: ".") : 0
  }

  /// Whether the rows so far stand in the order of their times.
  var isInOrder: Bool { zip(times, times.dropFirst()).allSatisfy(<) }

  /// What was read.
  var result: DelimitedRows {
    DelimitedRows(
      rows: rows, times: times, numbers: numbers, texts: texts.map(\.runs), missing: missing,
      hasTruncatedLastLine: hasTruncatedLastLine,
      skippedLanes: skippedLanes, rowsBeforePassing: rowsBeforePassing)
  }

  /// Passes over the columns of some lanes from here on, but for the last column, which tells a line that was cut off.
  mutating func skip(_ lanes: LaneSet) {
    for column in roles.indices.dropLast() {
      guard case .lane(let lane) = roles[column], lanes.contains(lane) else { continue }
      roles[column] = .ignored
      emptyRow[lane] = .nan
      skippedLanes.insert(lane)
    }
    fastRow = FastRowParser(roles: roles, separator: dialect.separator)
    rowsBeforePassing = rows.count
  }

  /// Makes room for the rows of `byteCount` more bytes, if their lines are as long as those of the `read` bytes before.
  mutating func reserve(byteCount: Int, read: Int) {
    let expected = rows.count + Int(1.02 * Double(rows.count) * Double(byteCount) / Double(max(read, 1)))
    rows.reserveLongCapacity(expected)
    if hasTimes { times.reserveLongCapacity(expected) }
  }

  /// Reads the lines from `start` to `end`, each of which ends with a line feed.
  ///
  /// - Parameter isCut: whether the last line had no line feed of its own, so that it may have been cut off.
  mutating func append(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, isCut: Bool
  ) throws(RecordingError) {
    var cursor = start
    ends.forget()
    let lastLine = isCut ? Lines.last(from: start, to: end) : end
    while cursor < end {
      if followsFastRow, readFastRows(&cursor, before: lastLine, to: end) { continue }
      line += 1
      if skipLineWithoutRow(&cursor) { continue }
      let lineStart = cursor
      // Cells are written where they stay: a row that is put together and copied waits for the last of them.
      rows.append(emptyRow)
      do throws(RecordingError) {
        try readRow(&cursor, to: end)
      } catch {
        rows.removeLast()
        guard isCut, Lines.next(after: lineStart) == end, isOfCutLine(error) else { throw error }
        return hasTruncatedLastLine = true
      }
      if isCut, cursor == end, endsWithinNumber(end) {
        rows.removeLast()
        return hasTruncatedLastLine = true
      }
      keepRow()
    }
  }

  /// Reads the rows that follow as long as all their cells are usual; returns whether there are any.
  private mutating func readFastRows(
    _ cursor: inout UnsafePointer<UInt8>, before stop: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> Bool {
    guard fastRow.fillRows, ends.reach(from: cursor, to: end) else { return false }
    let first = rows.count
    let isMissing = fastRow.readRows(
      at: &cursor, ends: &ends.next, to: ends.limit, before: stop, mark: mark, emptyRow: emptyRow, into: &rows,
      &times)
    line += rows.count - first
    if isMissing { noteMissing(rows.count - 1) }
    return rows.count > first
  }

  /// Passes over a blank line or a comment.
  private func skipLineWithoutRow(_ cursor: inout UnsafePointer<UInt8>) -> Bool {
    guard cursor.pointee <= UInt8(ascii: "#") else { return false }
    var p = cursor
    if p.pointee == UInt8(ascii: "#") {
      // In a column of text it may be text.
      if case .text = roles[0] { return false }
      cursor = Lines.next(after: p)
      return true
    }
    while dialect.isBlank(p.pointee) { p += 1 }
    guard p.pointee == UInt8(ascii: "\n") else { return false }
    cursor = p + 1
    return true
  }

  /// Adds what was read of a line to what else is kept than its row, which is the last.
  private mutating func keepRow() {
    let row = rows.count - 1
    if isMissing { noteMissing(row) }
    guard keepsMore else { return }
    for index in texts.indices { texts[index].keep(row: row) }
    for index in numbers.indices { numbers[index].append(rowNumbers[index]) }
    if hasTimes { times.append(time) }
  }

  /// Extends the last run of missing rows by `row`, or begins one.
  private mutating func noteMissing(_ row: Int) {
    if let last = missing.last, last.upperBound == row {
      missing[missing.count - 1] = last.lowerBound..<row + 1
    } else {
      missing.append(row..<row + 1)
    }
  }
}

// MARK: Cells

extension RowReader {
  /// Reads the row at `cursor`, which moves to the next line.
  private mutating func readRow(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) {
    let start = cursor
    isMissing = false
    followsFastRow = true
    var column = 0
    while true {
      if ends.reach(from: cursor, to: end) {
        let (usual, mark) = (fastRow, mark)
        var (isMissing, next) = (isMissing, ends.next)
        let (limit, last) = (ends.limit, rows.count - 1)
        var time = time
        column = rows.withUnsafeMutableBufferPointer { rows in
          usual.read(
            from: column, at: &cursor, ends: &next, to: limit, mark: mark, into: rows.baseAddress! + last,
            time: &time, isMissing: &isMissing)
        }
        self.isMissing = isMissing
        self.time = time
        ends.next = next
      }
      if column == roles.count { return }
      followsFastRow = false
      guard try readCell(&cursor, column: column) else { throw fault(inRow: start, column: column) }
      column += 1
      if column == roles.count { break }
      guard cursor.pointee == dialect.separator else { throw fault(inRow: start, column: column - 1) }
      cursor += 1
    }
    guard skipLineEnd(&cursor) else { throw fault(inRow: start, column: roles.count - 1) }
  }

  /// Passes over the line feed behind the last cell, and over a separator with nothing behind it before that.
  private func skipLineEnd(_ cursor: inout UnsafePointer<UInt8>) -> Bool {
    var p = cursor
    if p.pointee == dialect.separator {
      p += 1
      while dialect.isBlank(p.pointee) { p += 1 }
      // Where commas separate, a semicolon may end the line.
      if p.pointee == UInt8(ascii: ";"), dialect.separator == UInt8(ascii: ",") {
        repeat { p += 1 } while dialect.isBlank(p.pointee)
      }
    }
    guard p.pointee == UInt8(ascii: "\n") else { return false }
    cursor = p + 1
    return true
  }

  /// Reads the cell at `cursor`, which moves to its end; returns `false` if it is not what its column holds.
  private mutating func readCell(
    _ cursor: inout UnsafePointer<UInt8>, column: Int
  ) throws(RecordingError) -> Bool {
    switch roles[column] {
    case .lane(let lane):
      guard let value = readNumber(&cursor) else { return false }
      setLane(lane, to: Float(value))
      return true
    case .number(let index):
      guard let value = readNumber(&cursor) else { return false }
      rowNumbers[index] = value.isFinite ? value : .nan
      return true
    case .time(let unit):
      return try readTime(&cursor, unit: unit, column: column)
    case .date:
      return try readDate(&cursor, column: column)
    case .text(let index):
      guard let cell = Cell.scan(&cursor, dialect) else { return false }
      return texts[index].read(cell)
    case .ignored:
      return Cell.scan(&cursor, dialect) != nil
    }
  }

  private mutating func readNumber(_ cursor: inout UnsafePointer<UInt8>) -> Double? {
    guard let cell = Cell.scan(&cursor, dialect) else { return nil }
    decideMark(by: cell)
    return cell.isMissing ? .nan : DecimalNumber.parse(cell.bytes, mark: markInCell)
  }

  private mutating func setLane(_ lane: Int, to value: Float) {
    rows[rows.count - 1][lane] = value.isFinite ? value : .nan
    isMissing = isMissing || !value.isFinite
  }

  private mutating func readTime(
    _ cursor: inout UnsafePointer<UInt8>, unit: TimeUnit, column: Int
  ) throws(RecordingError) -> Bool {
    let start = cursor
    var number = mark == 0 ? nil : DecimalDigits(&cursor, mark: mark)
    if number == nil || !dialect.isEnd(cursor.pointee) {
      cursor = start
      guard let cell = Cell.scan(&cursor, dialect) else { return false }
      time = .min
      if cell.isMissing { return true }
      decideMark(by: cell)
      number = DecimalDigits(cell.bytes, mark: markInCell)
    }
    guard let number else { return false }
    guard let nanoseconds = DecimalTime.nanoseconds(number, unit: unit) else {
      throw .timeOutOfRange(
        file: file, line: line, column: column + 1, name: names[column], found: shownCell(at: start))
    }
    time = nanoseconds
    return true
  }

  private mutating func readDate(_ cursor: inout UnsafePointer<UInt8>, column: Int) throws(RecordingError) -> Bool {
    guard let cell = Cell.scan(&cursor, dialect) else { return false }
    switch cell.isMissing ? .nanoseconds(.min) : CalendarTime.reading(cell.bytes) {
    case .nanoseconds(let nanoseconds)?: time = nanoseconds
    case .outOfRange?:
      throw .timeOutOfRange(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    case nil: throw .notADate(file: file, line: line, column: column + 1, name: names[column], found: Self.shown(cell))
    }
    return true
  }

  /// The mark in a cell by which it would have been decided; where it is not known yet, there is none in the cell.
  private var markInCell: UInt8 { mark == 0 ? UInt8(ascii: ".") : mark }

  /// Takes the first number with a comma or point as telling which of them the file writes.
  private mutating func decideMark(by cell: Cell) {
    guard mark == 0 else { return }
    for candidate in [UInt8(ascii: "."), UInt8(ascii: ",")]
    where cell.bytes.contains(candidate) && DecimalNumber.parse(cell.bytes, mark: candidate) != nil {
      mark = candidate
      dialect.decimalComma = candidate == UInt8(ascii: ",")
    }
  }
}
