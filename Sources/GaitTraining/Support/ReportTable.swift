import Gait

/// A table for a terminal: the first column aligned left, the others aligned right.
///
/// A table that is too wide is printed in blocks, each with the first column, so that no line is longer than `width`.
struct ReportTable {
  /// The maximum line length, in characters.
  static let width = 80

  /// The maximum width of the first column; longer texts are cut and end in an ellipsis.
  static let headWidth = 28

  /// The rows, the headings first, all of one length.
  var rows: [[String]]

  /// The lines, without trailing spaces.
  var lines: [String] {
    let cells = rows.map { row in [cut(row[0], to: Self.headWidth)] + row.dropFirst().map { cut($0, to: 20) } }
    let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines: [String] = []
    for block in blocks(widths) {
      if !lines.isEmpty { lines.append("") }
      for row in cells {
        let line = block.reduce(padded(row[0], to: widths[0])) { $0 + "  " + padded(row[$1], to: -widths[$1]) }
        lines.append(line)
      }
    }
    return lines
  }

  /// The columns after the first, in blocks that fit next to it.
  private func blocks(_ widths: [Int]) -> [[Int]] {
    var blocks: [[Int]] = []
    var used = Int.max / 2
    for column in widths.indices.dropFirst() {
      let needed = widths[column] + 2
      if used + needed > Self.width {
        blocks.append([])
        used = widths[0]
      }
      blocks[blocks.count - 1].append(column)
      used += needed
    }
    return blocks
  }

  /// The text with spaces after it, or before it for a negative width.
  private func padded(_ text: String, to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? spaces + text : text + spaces
  }

  private func cut(_ text: String, to width: Int) -> String {
    let text = text.visible()
    return text.count > width ? text.prefix(width - 1) + "…" : text
  }
}
