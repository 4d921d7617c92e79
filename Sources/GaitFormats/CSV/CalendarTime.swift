import Gait

/// Parses dates and times into whole nanoseconds since 1970.
///
/// Examples: `2024-05-01T12:00:00.123+02:00`, `2024/05/01 12:00:00,123 +0200 [Europe/Berlin]`, `12:00:00.123`. Year, month
/// and day come in this order, with hyphens, slashes or points between them, and a blank or a `T` after them; a time of
/// day alone is on 1970-01-01. Seconds have any number of decimals after a point or a comma, or milliseconds in three
/// digits after a colon; decimals below a nanosecond are cut off. An offset from UTC or `Z` may follow, then the time
/// zone's name in brackets; without an offset the time is UTC. The arithmetic is in integers. Times from 1843 to 2096 are
/// in range (`SampleTime.farthest`).
enum CalendarTime {
  /// The UTF-8 bytes not read yet.
  private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  /// A parsed date and time.
  enum Reading: Equatable {
    /// Nanoseconds from 1970-01-01 00:00 UTC.
    case nanoseconds(Int64)
    /// Further from 1970 than `SampleTime.farthest`.
    case outOfRange
  }

  /// The nanoseconds from 1970-01-01 00:00 UTC to `text`; `nil` if that is not a date and time in range.
  static func nanoseconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { nanoseconds($0) }
  }

  /// The same for text in UTF-8.
  static func nanoseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard case .nanoseconds(let nanoseconds)? = reading(text) else { return nil }
    return nanoseconds
  }

  /// Whether `text` is a date and time, in range or not.
  static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { reading($0) } != nil
  }

  /// Parses `text`; `nil` if it is not a date and time.
  static func reading(_ text: UnsafeBufferPointer<UInt8>) -> Reading? {
    var rest = text[...]
    let isTimeOfDay = rest.dropFirst(2).first == UInt8(ascii: ":")
    guard let days = isTimeOfDay ? 0 : date(&rest), let seconds = timeOfDay(&rest), let fraction = fraction(&rest)
    else { return nil }
    while take(" ", from: &rest) {}
    guard let offset = offset(&rest), skipZoneName(&rest), rest.isEmpty
    else { return nil }
    let whole = days * 86_400 + seconds - offset
    let (nanoseconds, isTooLate) = Int64(whole).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = nanoseconds.addingReportingOverflow(Int64(fraction))
    return isTooLate || overflows || sum.magnitude > UInt64(SampleTime.farthest) ? .outOfRange : .nanoseconds(sum)
  }

  /// Days from 1970-01-01 to a date, which a blank or a `T` follows.
  private static func date(_ rest: inout Text) -> Int? {
    guard let year = number(4, from: &rest), let mark = rest.popFirst(), "-/.".utf8.contains(mark),
      let month = number(2, from: &rest), rest.popFirst() == mark, let day = number(2, from: &rest),
      take("T", from: &rest) || take(" ", from: &rest),
      (1...12).contains(month), (1...length(ofMonth: month, in: year)).contains(day)
    else { return nil }
    return days(year: year, month: month, day: day)
  }

  /// Seconds since midnight. A leap second counts as the first second of the next minute.
  private static func timeOfDay(_ rest: inout Text) -> Int? {
    guard let hour = number(2, from: &rest), hour < 24, take(":", from: &rest),
      let minute = number(2, from: &rest), minute < 60, take(":", from: &rest),
      let second = number(2, from: &rest), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// The decimals of a second in nanoseconds; `nil` if no digit follows the decimal mark. After a colon they must be
  /// milliseconds in three digits: some loggers write a number there without its leading zeros.
  private static func fraction(_ rest: inout Text) -> Int? {
    let isColon = take(":", from: &rest)
    guard isColon || take(".", from: &rest) || take(",", from: &rest) else { return 0 }
    let digits = rest.prefix { digit($0) != nil }
    rest = rest[digits.endIndex...]
    guard isColon ? digits.count == 3 : !digits.isEmpty else { return nil }
    let known = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return (digits.count..<max(9, digits.count)).reduce(known) { value, _ in value * 10 }
  }

  /// Seconds east of UTC.
  private static func offset(_ rest: inout Text) -> Int? {
    if rest.isEmpty || take("Z", from: &rest) { return 0 }
    let isWest = take("-", from: &rest)
    guard isWest || take("+", from: &rest), let hours = number(2, from: &rest) else { return nil }
    let hasColon = take(":", from: &rest)
    let hasMinutes = hasColon ? !rest.isEmpty : rest.first.flatMap(digit) != nil
    guard let minutes = hasMinutes ? number(2, from: &rest) : 0, hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  /// Removes a time zone's name after the offset, such as ` [Europe/London]`; returns whether it is closed.
  private static func skipZoneName(_ rest: inout Text) -> Bool {
    while take(" ", from: &rest) {}
    guard take("[", from: &rest) else { return true }
    guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
    rest = rest[(end + 1)...]
    return true
  }

  /// Days from 1970-01-01 in the Gregorian calendar.
  ///
  /// Years begin in March, so that a leap day is the last day of its year. There are 719,468 days from 0000-03-01 to
  /// 1970-01-01.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + (153 * monthsSinceMarch + 2) / 5 + day - 1 - 719_468
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Removes a number of exactly `count` digits from the start of `rest`.
  private static func number(_ count: Int, from rest: inout Text) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = rest.popFirst().flatMap(digit) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private static func take(_ character: Unicode.Scalar, from rest: inout Text) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
