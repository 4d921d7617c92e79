/// The parsed rows of a delimited file, in the file's order.
struct DelimitedRows {
  /// One row for each line. A missing value is NaN. A lane without a column is NaN, or 0 for the spare lanes (3, 7, 11,
  /// 15).
  var rows: [SIMD16<Float>] = []
  /// Each row's time in nanoseconds, `Int64.min` if missing; empty without a time column.
  var times: [Int64] = []
  /// For each number column, one value for each row; NaN if missing.
  var numbers: [[Double]] = []
  /// For each text column, runs that cover all rows.
  var texts: [[TextRun]] = []
  /// The runs of rows in which a lane's column has a missing value.
  var missing: [Range<Int>] = []
  /// Whether the last line had no line feed, was truncated within the row, and was dropped.
  var hasTruncatedLastLine = false
  /// The error of the first `ColumnRole.coordinate` cell that is not a number; `nil` if there is none.
  var firstInvalidCoordinate: RecordingError?
  /// The lanes that were skipped in the rows from `completeRowCount` on.
  var skippedLanes = LaneSet()
  /// The number of rows before the first with skipped lanes; 0 if none were skipped.
  var completeRowCount = 0

  /// A row before any cell is read: all channels are missing, and the spare lanes are 0.
  static let emptyRow: SIMD16<Float> = {
    var row = SIMD16<Float>(repeating: .nan)
    for spare in stride(from: 3, to: 16, by: 4) { row[spare] = 0 }
    return row
  }()
}

/// Consecutive rows with the same text.
struct TextRun: Equatable {
  /// The text of the rows' cells; `nil` if they are empty.
  let text: String?
  /// The rows, counted from 0.
  var rows: Range<Int>
}
