import Foundation

/// The cells of one of a file's first lines, by which it is told what the line is.
struct FirstLine {
  /// The cells, blanks and quotes taken off, but for an empty one behind a last separator.
  let cells: [String]
  private let filled: [String]

  init(cells: [String]) {
    self.cells = cells.last == "" ? cells.dropLast() : cells
    filled = cells.filter { !$0.isEmpty }
  }

  /// Whether the line names columns: it has some text, and more of it than numbers.
  var namesColumns: Bool {
    // Numbers between blanks are no name.
    let words = filled.count == 1 ? filled[0].split(separator: " ").map(String.init) : filled
    return words.count { Double($0) == nil } * 2 > words.count
  }

  /// Whether the line names columns and cannot be a row: no cell is a number or a date, and at most one is empty.
  var isOnlyNames: Bool {
    filled.count > 1 && cells.count - filled.count < 2
      && !filled.contains { Self.isNumber($0) || CalendarTime.nanoseconds($0) != nil }
  }

  /// Whether the line is a row and names nothing: it has more numbers than text.
  var isRow: Bool { filled.count(where: Self.isNumber) * 2 > filled.count }

  /// Whether a cell is a number, perhaps with a decimal comma.
  static func isNumber(_ cell: String) -> Bool {
    Double(cell) != nil || Double(cell.replacing(",", with: ".")) != nil
  }
}
