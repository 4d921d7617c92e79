import Foundation

/// One of a file's first lines, by whose cells it is told what it is.
struct FirstLine {
  /// The cells, blanks and quotes taken off.
  let cells: [String]

  /// Those that are not empty.
  private var filled: [String] { cells.filter { !$0.isEmpty } }

  init(cells: [String]) { self.cells = cells }

  /// The line at `start`, separated as `dialect` says; without cells where it cannot be read so.
  init(at start: UnsafePointer<UInt8>, _ dialect: Dialect) {
    var cursor = start
    self.init(cells: (try? Header.cells(&cursor, dialect: dialect, line: 0, file: "")) ?? [])
  }

  /// How many cells are numbers or dates.
  var numberCount: Int { filled.count { Self.isNumber($0) || CalendarTime.isDate($0) } }

  /// Whether the line names columns: it has some text, and more of it than numbers.
  var namesColumns: Bool {
    let filled = filled
    // Numbers between blanks are no name.
    let words = filled.count == 1 ? filled[0].split(separator: " ").map(String.init) : filled
    return words.count { Double($0) == nil } * 2 > words.count
  }

  /// Whether the line names `columnCount` columns and cannot be a row: that many cells, but perhaps one, have a text, none of
  /// them three times, as what stands for a missing value, and none is a number or a date.
  func isOnlyNames(ofColumns columnCount: Int) -> Bool {
    let filled = filled
    return filled.count >= max(2, columnCount - 1) && cells.count >= columnCount && numberCount == 0
      && Dictionary(grouping: filled, by: \.self).values.allSatisfy { $0.count < 3 }
  }

  /// Whether the line has the units of columns: those of an acceleration among them, and no number.
  var isOnlyUnits: Bool { numberCount == 0 && filled.contains { AccelerationUnit(inName: $0) != nil } }

  /// Whether a cell is a number, perhaps with a decimal comma.
  static func isNumber(_ cell: String) -> Bool {
    Double(cell) != nil || cell.utf8.count <= longestNumber && Double(cell.replacing(",", with: ".")) != nil
  }

  /// How many bytes a number with a decimal comma may have. A line that separates otherwise is one cell, of any length.
  private static let longestNumber = 400

  /// Whether the line at `start` is a row, by whatever it separates: it has three numbers, and no less of them than text.
  static func isRow(at start: UnsafePointer<UInt8>) -> Bool {
    Dialect.ofRows.contains { dialect in
      let line = FirstLine(at: start, dialect)
      return line.numberCount > 2 && line.numberCount * 2 >= line.filled.count
    }
  }
}

// MARK: Lines before the header

extension FirstLine {
  /// Whether the line at `start` begins with a mark that no row and no header begins with: `@` as in ARFF, `%` or `#`.
  static func isMarked(_ start: UnsafePointer<UInt8>) -> Bool {
    ["@", "%", "#"].contains { start.pointee == UInt8(ascii: $0) }
  }

  /// What comes behind the first line that is `@DATA` or `[DATA]`, in any case, and how many lines that are; `nil` where
  /// there is none among the first `linesToSearch` lines.
  static func behindMarker(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> (next: UnsafePointer<UInt8>, lineCount: Int)? {
    var next = start
    for count in 1...linesToSearch where next < end {
      let line = next
      next = Lines.next(after: next)
      guard line.pointee == UInt8(ascii: "@") || line.pointee == UInt8(ascii: "["), next - line < 16 else { continue }
      let text = String(decoding: UnsafeBufferPointer(start: line, count: next - line), as: UTF8.self)
      let word = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      if word == "@data" || word == "[data]" { return (next, count) }
    }
    return nil
  }

  private static let linesToSearch = 10_000

  /// Whether the line at `start` is blank, or begins with a letter and is one cell or two, fewer than a row
  /// of `columnCount` columns.
  static func isText(_ start: UnsafePointer<UInt8>, belowColumns columnCount: Int) -> Bool {
    let first = start.pointee
    if first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") { return true }
    guard first >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else { return false }
    return Dialect.separators.allSatisfy {
      FirstLine(at: start, Dialect(separator: $0)).cells.count < min(3, columnCount)
    }
  }
}
