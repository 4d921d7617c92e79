import Gait

/// A table for a terminal: the first column aligned left, the others aligned right.
package struct ReportTable {
  /// The maximum line length of a report, in characters.
  static let width = 80

  /// The maximum widths, in characters; longer cells are cut and end in an ellipsis.
  private struct Limits {
    var line: Int
    var head: Int
    var cell: Int
  }

  private let limits: Limits
  /// The rows, the headings first, all of one length.
  private let rows: [[String]]

  /// A table whose lines have at most `width` characters. If all columns do not fit, it is printed in blocks of
  /// columns, each beginning with the first column.
  package init(rows: [[String]]) {
    self.rows = rows
    limits = Limits(line: Self.width, head: 28, cell: 20)
  }

  /// A table with one line for every row, however long.
  package init(list rows: [[String]]) {
    self.rows = rows
    limits = Limits(line: .max, head: 52, cell: 52)
  }

  package var text: String { lines.joined(separator: "\n") }

  /// The lines, without trailing spaces.
  package var lines: [String] {
    let (cells, widths) = (cells, widths)
    var lines: [String] = []
    for block in blocks(widths) {
      if !lines.isEmpty { lines.append("") }
      for row in cells {
        let line = block.reduce(Self.padded(row[0], to: widths[0])) {
          $0 + "  " + Self.padded(row[$1], to: -widths[$1])
        }
        lines.append(line)
      }
    }
    return lines
  }

  private var cells: [[String]] {
    rows.map { row in
      [Self.cut(row[0], to: limits.head)] + row.dropFirst().map { Self.cut($0, to: limits.cell) }
    }
  }

  /// The width of each column, in characters.
  package var widths: [Int] {
    let cells = cells
    return cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
  }

  /// A text as it appears in a cell of a table with one line for every row.
  package static func cell(_ text: String) -> String { cut(text, to: 52) }

  /// The columns after the first, in blocks that fit next to the first column. A column that is too wide is a block of
  /// its own.
  private func blocks(_ widths: [Int]) -> [[Int]] {
    var blocks: [[Int]] = []
    var used = 0
    for column in widths.indices.dropFirst() {
      let needed = widths[column] + 2
      if blocks.isEmpty || used + needed > limits.line {
        blocks.append([])
        used = widths[0]
      }
      blocks[blocks.count - 1].append(column)
      used += needed
    }
    return blocks
  }

  /// The text with spaces after it, or before it for a negative width.
  package static func padded(_ text: String, to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? spaces + text : text + spaces
  }

  private static func cut(_ text: String, to width: Int) -> String {
    let text = text.visible()
    return text.count > width ? text.prefix(width - 1) + "…" : text
  }
}
