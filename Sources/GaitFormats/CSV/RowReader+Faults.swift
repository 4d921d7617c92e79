extension RowReader {
  /// The error of the row at `start`, where parsing stopped in `column`: the row's shape if that is wrong, else the
  /// cell.
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

  func shownCell(at start: UnsafePointer<UInt8>) -> String {
    var cursor = start
    return Cell.scan(&cursor, dialect).map(Self.shown) ?? ""
  }

  /// A cell's text, truncated to 40 characters.
  static func shown(_ cell: Cell) -> String {
    let text = cell.text ?? ""
    return text.count > 40 ? text.prefix(39) + "…" : text
  }

  /// Whether truncation explains an error in a last line without a line feed.
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
