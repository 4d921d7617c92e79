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
  var numberCount: Int { filled.count { Self.isNumber($0) || CalendarTime.nanoseconds($0) != nil } }

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
    Double(cell) != nil || Double(cell.replacing(",", with: ".")) != nil
  }

  /// Whether the line at `start` is a row, by whatever it separates: it has three numbers, and no less of them than text.
  static func isRow(at start: UnsafePointer<UInt8>) -> Bool {
    Dialect.ofRows.contains { dialect in
      let line = FirstLine(at: start, dialect)
      return line.numberCount > 2 && line.numberCount * 2 >= line.filled.count
    }
  }
}
