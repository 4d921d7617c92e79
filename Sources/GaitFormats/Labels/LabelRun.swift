/// Consecutive rows of a table with the same label.
public struct LabelRun: Hashable, Sendable {
  /// The label of the rows; `nil` if their cells are empty.
  public let label: String?

  /// The rows, counted from 0.
  public internal(set) var rows: Range<Int>

  /// A run of rows.
  package init(label: String?, rows: Range<Int>) {
    self.label = label
    self.rows = rows
  }
}
