/// Rows of a table that follow each other with one label.
public struct LabelRun: Hashable, Sendable {
  /// What the rows' cells say; `nil` where they are empty.
  public let label: String?

  /// The rows, counted from 0.
  public internal(set) var rows: Range<Int>

  /// A run of rows.
  package init(label: String?, rows: Range<Int>) {
    self.label = label
    self.rows = rows
  }
}
