import Gait

/// The columns of times in a header, of which one is the clock of the rows.
struct TimeColumns {
  /// The column that gives the times of rows.
  struct Clock {
    var column: Int
    var role: ColumnRole
    /// The nanoseconds to add to the column's times, and the column from which that number comes. They are 0 and `nil`
    /// unless the times do not count from 1970, but those of the other column do.
    var offset: Int64 = 0
    var dateColumn: Int?
    /// The unit, if only the steps of the times show it; `nil` otherwise.
    var assumedUnit: TimeUnit?
  }

  private let header: Header
  /// The columns of times in the profile's order. `times` are those of the first rows; empty if a cell is not a time.
  private var found: [(column: Int, role: ColumnRole, times: [Int64])] = []

  /// The step below which a clock is exact enough for motion, nanoseconds.
  private static let exactStep: Int64 = 500_000
  /// The rates of usual sensors, hertz. The unit of a column is found if only this unit gives such a rate.
  private static let usualHertz = 12.0...400

  init(_ header: Header) { self.header = header }

  mutating func append(_ column: Int, _ role: ColumnRole) {
    let times = header.sample.map { Self.time($0[column], role) }
    found.append((column, role, times.contains { $0 == nil } ? [] : times.compactMap(\.self)))
  }

  var isEmpty: Bool { found.isEmpty }

  /// The clock of the rows: the first column of times if it rises and its resolution is below `exactStep`, otherwise
  /// the rising column of the finest resolution. `nil` if there are no columns of times. If its times do not count from
  /// 1970, but another column's do, that column gives the date.
  var clock: Clock? {
    guard let first = found.first else { return nil }
    let rising = found.filter { isRising($0.times) }
    guard found.count > 1, !rising.isEmpty else { return Clock(column: first.column, role: first.role) }
    let chosen: (column: Int, role: ColumnRole, times: [Int64])
    if let usable = rising.first(where: { $0.column == first.column && resolution($0.times) < Self.exactStep }) {
      chosen = usable
    } else {
      chosen = rising.min { resolution($0.times) < resolution($1.times) }!
    }
    var clock = Clock(column: chosen.column, role: chosen.role)
    if !isAbsolute(chosen.times[0]), let date = found.first(where: { !$0.times.isEmpty && isAbsolute($0.times[0]) }) {
      (clock.offset, clock.dateColumn) = (date.times[0] - chosen.times[0], date.column)
    }
    return clock
  }

  private static func time(_ cell: String, _ role: ColumnRole) -> Int64? {
    var cell = cell
    switch role {
    case .date(let order):
      guard case .nanoseconds(let time)? = cell.withUTF8({ CalendarTime.reading($0, order) }) else { return nil }
      return time
    case .time(let unit):
      let digits = cell.withUTF8 { DecimalDigits($0, mark: UInt8(ascii: $0.contains(UInt8(ascii: ",")) ? "," : ".")) }
      return digits.flatMap { DecimalTime.nanoseconds($0, unit: unit) }
    default: return nil
    }
  }

  private func isRising(_ times: [Int64]) -> Bool {
    guard let first = times.first, let last = times.last else { return false }
    return first < last && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The largest power of ten, in nanoseconds and up to 10 s, that divides all steps.
  private func resolution(_ times: [Int64]) -> Int64 {
    var step: Int64 = 10_000_000_000
    for time in times { while (time - times[0]) % step != 0 { step /= 10 } }
    return step
  }

  /// Whether a time counts from 1970, and is later than 2000.
  private func isAbsolute(_ time: Int64) -> Bool { 946_684_800_000_000_000..<SampleTime.farthest ~= time }

  // MARK: Units

  /// What the steps between a column's numbers show about their unit.
  enum Unit {
    case unit(TimeUnit)
    /// The numbers count rows.
    case frames
    case unknown
  }

  /// The unit of a column of numbers whose name states none. It is the only unit that gives the stated rate within a
  /// fourth or, without a stated rate, the rate of a usual sensor. If no unit or several do, it is unknown.
  func unit(of column: Int, at rate: SampleRate?) -> Unit {
    let times = header.sample.compactMap { Double($0[column]) }
    guard times.count > 10, times.count == header.sample.count, let first = times.first, let last = times.last,
      first < last
    else { return .unknown }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    if steps.allSatisfy({ $0 == 1 }) { return .frames }
    let mean = (last - first) / Double(steps.count)
    // A counter of hundredths of a second or of tenths of a millisecond has whole numbers only.
    let ticks: [TimeUnit] = times.allSatisfy { $0 == $0.rounded() } ? [] : [.hundredths, .tenthsOfMilliseconds]
    let units = TimeUnit.allCases.filter { unit in
      guard !ticks.contains(unit) else { return false }
      let hertz = 1e9 / (mean * Self.nanoseconds(unit))
      return rate.map { 0.8...1.25 ~= hertz / $0.hertz } ?? (Self.usualHertz ~= hertz)
    }
    return units.count == 1 ? .unit(units[0]) : .unknown
  }

  private static func nanoseconds(_ unit: TimeUnit) -> Double {
    (0..<unit.exponent).reduce(1) { value, _ in value * 10 }
  }
}
