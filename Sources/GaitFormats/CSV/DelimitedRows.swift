/// What the rows of a delimited file hold, in the file's order.
struct DelimitedRows {
  /// One row for each line. A missing value is NaN, and so is a lane that no column fills, but for the spare ones (3, 7,
  /// 11, 15), which then hold 0.
  var rows: [SIMD16<Float>] = []
  /// When each row was taken, nanoseconds as written, `Int64.min` where that is missing; empty without a time column.
  var times: [Int64] = []
  /// For each column of numbers, one for each row; NaN where it is missing.
  var numbers: [[Double]] = []
  /// For each text column, runs that cover all rows.
  var texts: [[TextRun]] = []
  /// The runs of rows in which a value is missing in the column of a lane.
  var missing: [Range<Int>] = []
  /// Whether the last line, which no line feed ended, was cut off within the row, and dropped.
  var hasTruncatedLastLine = false
  /// The lanes that were passed over in the rows from `rowsBeforePassing` on.
  var skippedLanes = LaneSet()
  /// How many rows were read whole; all unless lanes were passed over.
  var rowsBeforePassing = 0

  /// A row before any cell was read: nothing is known of a channel, and the spare lanes hold 0.
  static let emptyRow: SIMD16<Float> = {
    var row = SIMD16<Float>(repeating: .nan)
    for spare in stride(from: 3, to: 16, by: 4) { row[spare] = 0 }
    return row
  }()
}

/// Rows that follow each other with one text.
struct TextRun: Equatable {
  /// What the rows' cells say; `nil` where they are empty.
  let text: String?
  /// The rows, counted from 0.
  var rows: Range<Int>
}
