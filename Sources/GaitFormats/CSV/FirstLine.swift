/// One of a file's first lines, split into cells and classified as header, units, row or preamble.
struct FirstLine {
  /// The cells without surrounding blanks and quotes.
  let cells: [String]

  /// The cells that are not empty.
  private var filled: [String] { cells.filter { !$0.isEmpty } }

  init(cells: [String]) { self.cells = cells }

  /// Splits the line at `start` into cells; there are none if the line does not fit `dialect`, for example because a
  /// quote is not closed.
  init(at start: UnsafePointer<UInt8>, _ dialect: Dialect) {
    var cursor = start
    self.init(cells: (try? Header.cells(&cursor, dialect: dialect, line: 0, file: "")) ?? [])
  }

  /// The number of cells that are numbers or dates.
  var numberCount: Int { filled.count { Self.isNumber($0) || CalendarTime.isDate($0) } }

  /// Whether the line names columns: more cells are text than numbers.
  var namesColumns: Bool {
    let filled = filled
    // The line may be numbers separated by spaces, which is a single cell in a dialect with another separator.
    let words = filled.count == 1 ? filled[0].split(separator: " ").map(String.init) : filled
    return words.count { Double($0) == nil } * 2 > words.count
  }

  /// Whether the line names `columnCount` columns and cannot be a row.
  ///
  /// True if the line has at least `columnCount` cells; if at least `columnCount - 1` of them, and at least two, have
  /// text; if no cell is a number or a date; and if no text occurs three times, as a placeholder for missing values
  /// may.
  func isOnlyNames(ofColumns columnCount: Int) -> Bool {
    let filled = filled
    return filled.count >= max(2, columnCount - 1) && cells.count >= columnCount && numberCount == 0
      && Dictionary(grouping: filled, by: \.self).values.allSatisfy { $0.count < 3 }
  }

  /// Whether a line among rows names columns: it has at least two texts, all different, each of which begins with a
  /// letter or an underscore, and no numbers or dates. Placeholders for missing values usually repeat or begin
  /// otherwise.
  var isHeader: Bool {
    let filled = filled
    return filled.count > 1 && Set(filled).count == filled.count && numberCount == 0
      && filled.allSatisfy { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
  }

  /// Whether the line holds the units of columns: at least one acceleration unit, and no number.
  var isOnlyUnits: Bool { numberCount == 0 && filled.contains { AccelerationUnit(inName: $0) != nil } }

  /// Whether a cell is a number, with a decimal point or comma.
  static func isNumber(_ cell: String) -> Bool {
    Double(cell) != nil || cell.utf8.count <= longestNumber && Double(cell.replacing(",", with: ".")) != nil
  }

  /// The most bytes of a number with a decimal comma. If a line has another separator than expected, it is a single
  /// cell of any length; the limit keeps the check cheap.
  private static let longestNumber = 400

  /// Whether the line at `start` is a row in some dialect: it has at least three numbers, and no more text than
  /// numbers.
  static func isRow(at start: UnsafePointer<UInt8>) -> Bool {
    Dialect.ofRows.contains { dialect in
      let line = FirstLine(at: start, dialect)
      return line.numberCount > 2 && line.numberCount * 2 >= line.filled.count
    }
  }

  // MARK: Lines before the header

  /// Whether the line at `start` begins with `@` (ARFF), `%` or `#`, which no row or header begins with.
  static func isMarked(_ start: UnsafePointer<UInt8>) -> Bool {
    ["@", "%", "#"].contains { start.pointee == UInt8(ascii: $0) }
  }

  /// Finds the line that marks the end of a file's preamble: `@DATA` or `[DATA]` in upper or lower case; or, if the
  /// line at `start` begins with a hyphen, as ActiGraph writes it, a line of at least ten hyphens.
  ///
  /// - Returns: the line after the marker, and the number of lines up to and including the marker; `nil` if the first
  ///   `linesToSearch` lines have no marker.
  static func afterMarker(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> (next: UnsafePointer<UInt8>, lineCount: Int)? {
    let markers: [Unicode.Scalar] = start.pointee == UInt8(ascii: "-") ? ["@", "[", "-"] : ["@", "["]
    var next = start
    for count in 1...linesToSearch where next < end {
      let line = next
      next = Lines.next(after: next)
      // Most lines are no markers. Only those that may be one are decoded.
      guard 5..<100 ~= next - line, line[0] == UInt8(ascii: "-") || line[1] | 0x20 == UInt8(ascii: "d"),
        markers.contains(where: { line[0] == UInt8(ascii: $0) })
      else { continue }
      let text = String(decoding: UnsafeBufferPointer(start: line, count: next - line), as: UTF8.self)
      let word = text.trimmed.lowercased()
      if word == "@data" || word == "[data]" || word.utf8.count > 9 && word.allSatisfy({ $0 == "-" }) {
        return (next, count)
      }
    }
    return nil
  }

  private static let linesToSearch = 10_000

  /// Whether the line at `start` is blank; or whether it begins with a letter, or a byte that is not ASCII, and has at
  /// most two cells and fewer than `columnCount` with any separator.
  static func isText(_ start: UnsafePointer<UInt8>, belowColumns columnCount: Int) -> Bool {
    let first = start.pointee
    if first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") { return true }
    guard first >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else { return false }
    return Dialect.separators.allSatisfy {
      FirstLine(at: start, Dialect(separator: $0)).cells.count < min(3, columnCount)
    }
  }
}
