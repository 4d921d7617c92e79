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
  /// Text, stored as runs of equal cells in the text column with this index, counted from 0 without gaps.
  case text(Int)
}

extension ColumnRole {
  /// Whether the column holds timestamps.
  var isTime: Bool { if case .time = self { true } else { self == .date } }
}
