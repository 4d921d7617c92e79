import Foundation

/// A text column, stored as runs of equal cells.
struct TextColumn {
  /// The runs so far, which cover the stored rows.
  private(set) var runs: [TextRun] = []
  /// The bytes of the last cell, and its text if it begins a run.
  private var bytes: [UInt8] = []
  private var text: String?
  private var beginsRun = true

  /// Reads the cell of the next row.
  ///
  /// - Returns: `false` if it is not UTF-8 text.
  mutating func read(_ cell: Cell) -> Bool {
    beginsRun = runs.isEmpty || !isLast(cell)
    guard beginsRun else { return true }
    guard let text = cell.text else { return false }
    self.text = text.isEmpty ? nil : text
    bytes = Array(cell.bytes)
    return true
  }

  private func isLast(_ cell: Cell) -> Bool {
    cell.bytes.count == bytes.count && (bytes.isEmpty || memcmp(cell.bytes.baseAddress!, bytes, bytes.count) == 0)
  }

  /// Stores the cell that was read last for the row with index `row`.
  mutating func store(row: Int) {
    if beginsRun {
      runs.append(TextRun(text: text, rows: row..<row + 1))
    } else {
      runs[runs.count - 1].rows = runs[runs.count - 1].rows.lowerBound..<row + 1
    }
  }
}
