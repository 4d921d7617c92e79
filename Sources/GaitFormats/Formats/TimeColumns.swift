import Gait

/// The columns of times in a header, of which one is the clock of the rows.
struct TimeColumns {
  /// The column that gives the times of rows.
  struct Clock {
    var column: Int
    var role: ColumnRole
    /// Nanoseconds to add to its times, if another column dates them, and that column.
    var offset: Int64 = 0
    var dateColumn: Int?
    /// The unit, if only the steps of the times show it.
    var assumedUnit: TimeUnit?
  }

  private let header: Header
  /// The columns of times in the profile's order, with their times in the first rows; empty if one of them is no time.
  private var found: [(column: Int, role: ColumnRole, times: [Int64])] = []

  /// The finest step of a clock that is exact enough for motion, nanoseconds.
  private static let exactStep: Int64 = 500_000
  /// Rates that a unit is found by, hertz: those of usual sensors.
  private static let usualHertz = 12.0...400

  init(_ header: Header) { self.header = header }

  mutating func append(_ column: Int, _ role: ColumnRole) {
    let times = header.sample.map { Self.time($0[column], role) }
    found.append((column, role, times.contains { $0 == nil } ? [] : times.compactMap(\.self)))
  }

  var isEmpty: Bool { found.isEmpty }

  /// The first column of times, unless it is too coarse or does not rise, and a finer one does. Times that do not count
  /// from 1970 are dated by another column that does.
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

  /// The largest power of ten, in nanoseconds, that divides all steps.
  private func resolution(_ times: [Int64]) -> Int64 {
    var step: Int64 = 10_000_000_000
    for time in times { while (time - times[0]) % step != 0 { step /= 10 } }
    return step
  }

  /// Whether a time counts from 1970, and is later than 2000.
  private func isAbsolute(_ time: Int64) -> Bool { 946_684_800_000_000_000..<SampleTime.farthest ~= time }

  // MARK: Units

  /// What the steps of a column's numbers show of their unit.
  enum Unit {
    case unit(TimeUnit)
    /// The numbers count rows.
    case frames
    case unknown
  }

  /// The unit of a column of numbers whose name states none: the one that gives the stated rate, or the only one that
  /// gives a rate of usual sensors.
  func unit(of column: Int, at rate: SampleRate?) -> Unit {
    let times = header.sample.compactMap { Double($0[column]) }
    guard times.count > 10, times.count == header.sample.count, let first = times.first, let last = times.last,
      first < last
    else { return .unknown }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    if steps.allSatisfy({ $0 == 1 }) { return .frames }
    let mean = (last - first) / Double(steps.count)
    // Counters of such ticks are whole numbers.
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
