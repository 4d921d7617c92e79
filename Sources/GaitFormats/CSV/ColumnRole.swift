/// What is done with the cells of one column.
enum ColumnRole: Equatable {
  /// Passed over.
  case ignored
  /// Numbers for this lane of the row, `0..<16`: correctly rounded to `Double`, then to `Float`. A cell that is empty or
  /// says `nan` or `inf`, and a number too large for `Float`, are missing (NaN).
  case lane(Int)
  /// When the row was taken, to whole nanoseconds, whatever the unit.
  case time(TimeUnit)
  /// When the row was taken, as a date and time that `CalendarTime` reads.
  case date
  /// Numbers as `Double`, correctly rounded, for the column of numbers with this number, counted from 0. What is missing is
  /// NaN, and so is a column that no cell fills.
  case number(Int)
  /// Text, kept as runs of equal cells: the one with this number, counted from 0 without gaps.
  case text(Int)
}

extension ColumnRole {
  /// Whether the column tells when rows were taken.
  var isTime: Bool { if case .time = self { true } else { self == .date } }
}
