/// How the cells of one column are read.
enum ColumnRole: Equatable {
  /// Skipped.
  case ignored
  /// Numbers for this lane of the row, `0..<16`: correctly rounded to `Double`, then to `Float`. Missing (NaN): an
  /// empty cell, `nan`, `inf`, and a number too large for `Float`.
  case lane(Int)
  /// The row's timestamp as a number in this unit, read to whole nanoseconds.
  case time(TimeUnit)
  /// The row's timestamp as a date and time that `CalendarTime` reads.
  case date
  /// Numbers as correctly rounded `Double`, stored in the number column with this index, counted from 0. Missing values
  /// are NaN, and so is a number column that no file column fills.
  case number(Int)
  /// Numbers as in `number`, where a cell of any other text is infinity: a point with an invalid coordinate is one row, not
  /// the end of a file.
  case coordinate(Int)
  /// Text, stored as runs of equal cells in the text column with this index, counted from 0 without gaps.
  case text(Int)
}

extension ColumnRole {
  /// The index of the number column that the role fills, if any.
  var numberColumn: Int? {
    switch self {
    case .number(let index), .coordinate(let index): index
    case .ignored, .lane, .time, .date, .text: nil
    }
  }

  /// Whether the column holds timestamps.
  var isTime: Bool { if case .time = self { true } else { self == .date } }
}
