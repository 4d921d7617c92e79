import Gait

/// Parses dates and times into whole nanoseconds since 1970.
///
/// Examples: `2024-05-01T12:00:00.123+02:00`, `2024/05/01 12:00:00,123 +0200 [Europe/Berlin]`, `12:00:00.123`,
/// `5/13/2024 8:00:00.123 PM`, `2024-5-13 20:00:00`, `13.05.2024 20:00:00`, `13-May-2024 20:00:00`. Year, month and day
/// come in one of the orders of `DateOrder`, with hyphens, slashes or points between them, and a blank or a `T` after
/// them; a time of day alone is on 1970-01-01. Seconds have any number of decimals after a point or a comma, or
/// milliseconds in three digits after a colon; decimals below a nanosecond are cut off. `AM` or `PM`, an offset from
/// UTC or `Z` may follow, then the time zone's name in brackets; without an offset the time is UTC. The arithmetic is
/// in integers. Times from 1843 to 2096 are in range (`SampleTime.farthest`).
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

  /// The nanoseconds from 1970-01-01 00:00 UTC to the date and time in `text`, with the year first; `nil` if it is not
  /// such a date and time, or is out of range.
  static func nanoseconds(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { nanoseconds($0) }
  }

  /// The same for a text in UTF-8.
  static func nanoseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard case .nanoseconds(let nanoseconds)? = reading(text) else { return nil }
    return nanoseconds
  }

  /// Whether `text` is a date and time in any order of `DateOrder`, in range or not.
  static func isDate(_ text: String) -> Bool { order(of: text) != nil }

  /// The order of year, month and day in `text`, and whether it is a guess; `nil` if `text` is not a date and time.
  ///
  /// If more than one order is possible, the guess is the month first if there are slashes, as in the United States and
  /// in ActiGraph's files; with other separators it is the day first.
  static func order(of text: String) -> (order: DateOrder, isAssumed: Bool)? {
    var text = text
    let orders = text.withUTF8 { text in DateOrder.allCases.filter { reading(text, $0) != nil } }
    guard orders.count > 1 else { return orders.first.map { ($0, false) } }
    return (text.contains("/") ? .monthFirst : .dayFirst, true)
  }

  /// Parses `text`; `nil` if it is not a date and time with its parts in this order.
  static func reading(_ text: UnsafeBufferPointer<UInt8>, _ order: DateOrder = .yearFirst) -> Reading? {
    var rest = text[...]
    let isTimeOfDay = order == .yearFirst && rest.dropFirst(2).first == UInt8(ascii: ":")
    guard let days = isTimeOfDay ? 0 : date(&rest, order), var seconds = timeOfDay(&rest, order),
      let fraction = fraction(&rest)
    else { return nil }
    while take(" ", from: &rest) {}
    if let isAfternoon = halfOfDay(&rest) {
      guard 1...12 ~= seconds / 3600 else { return nil }
      seconds = seconds % 43_200 + (isAfternoon ? 43_200 : 0)
    }
    guard let offset = offset(&rest), skipZoneName(&rest), rest.isEmpty
    else { return nil }
    let whole = days * 86_400 + seconds - offset
    let (nanoseconds, isTooLate) = Int64(whole).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = nanoseconds.addingReportingOverflow(Int64(fraction))
    return isTooLate || overflows || sum.magnitude > UInt64(SampleTime.farthest) ? .outOfRange : .nanoseconds(sum)
  }

  /// Reads a date and the blank or `T` after it; returns the days from 1970-01-01, or `nil` if there is no such date.
  private static func date(_ rest: inout Text, _ order: DateOrder) -> Int? {
    let (year, month, day): (Int?, Int?, Int?)
    let mark: UInt8?
    switch order {
    case .yearFirst:
      year = number(4, from: &rest)
      mark = rest.popFirst()
      month = shortNumber(&rest)
      guard rest.popFirst() == mark else { return nil }
      day = shortNumber(&rest)
    case .monthFirst, .dayFirst:
      let first = shortNumber(&rest)
      mark = rest.popFirst()
      let second = order == .monthFirst ? shortNumber(&rest) : shortNumber(&rest) ?? monthName(&rest)
      guard rest.popFirst() == mark else { return nil }
      year = number(4, from: &rest)
      (month, day) = order == .monthFirst ? (first, second) : (second, first)
    }
    guard let year, let month, let day, let mark, "-/.".utf8.contains(mark),
      order != .monthFirst || mark != UInt8(ascii: "."), take("T", from: &rest) || take(" ", from: &rest),
      (1...12).contains(month), (1...length(ofMonth: month, in: year)).contains(day)
    else { return nil }
    return days(year: year, month: month, day: day)
  }

  /// Reads the first three letters of an English month name; returns the month's number, or `nil` for other letters.
  private static func monthName(_ rest: inout Text) -> Int? {
    let name = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
    guard let index = monthNames.firstIndex(of: name) else { return nil }
    rest = rest.dropFirst(3)
    return index + 1
  }

  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads `AM` or `PM`, if one of them is next; returns whether it is `PM`, or `nil` if neither is next.
  private static func halfOfDay(_ rest: inout Text) -> Bool? {
    guard let first = rest.first.map({ $0 | 0x20 }), "ap".utf8.contains(first),
      rest.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "m")
    else { return nil }
    rest = rest.dropFirst(2)
    return first == UInt8(ascii: "p")
  }

  /// Reads a time of day; returns the seconds since midnight, or `nil` if there is none. A leap second (`:60`) counts
  /// as the first second of the next minute.
  private static func timeOfDay(_ rest: inout Text, _ order: DateOrder) -> Int? {
    guard let hour = order == .yearFirst ? number(2, from: &rest) : shortNumber(&rest), hour < 24,
      take(":", from: &rest),
      let minute = number(2, from: &rest), minute < 60, take(":", from: &rest),
      let second = number(2, from: &rest), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads the decimals of a second; returns nanoseconds: 0 if there is no decimal mark, `nil` if no digit follows it.
  /// After a colon there must be three digits, which are milliseconds: some loggers write a number there without its
  /// leading zeros, which would be misread.
  private static func fraction(_ rest: inout Text) -> Int? {
    let isColon = take(":", from: &rest)
    guard isColon || take(".", from: &rest) || take(",", from: &rest) else { return 0 }
    let digits = rest.prefix { digit($0) != nil }
    rest = rest[digits.endIndex...]
    guard isColon ? digits.count == 3 : !digits.isEmpty else { return nil }
    let known = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return (digits.count..<max(9, digits.count)).reduce(known) { value, _ in value * 10 }
  }

  /// Reads the offset from UTC; returns seconds, positive east of it: 0 at the end of the text and for `Z`, `nil` for
  /// anything else that is not an offset.
  private static func offset(_ rest: inout Text) -> Int? {
    if rest.isEmpty || take("Z", from: &rest) { return 0 }
    let isWest = take("-", from: &rest)
    guard isWest || take("+", from: &rest), let hours = number(2, from: &rest) else { return nil }
    let hasColon = take(":", from: &rest)
    let hasMinutes = hasColon ? !rest.isEmpty : rest.first.flatMap(digit) != nil
    guard let minutes = hasMinutes ? number(2, from: &rest) : 0, hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  /// Skips a time zone's name in brackets, such as ` [Europe/London]`, if there is one; returns `false` if its bracket
  /// is not closed.
  private static func skipZoneName(_ rest: inout Text) -> Bool {
    while take(" ", from: &rest) {}
    guard take("[", from: &rest) else { return true }
    guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
    rest = rest[(end + 1)...]
    return true
  }

  /// The days from 1970-01-01 to a date in the Gregorian calendar.
  ///
  /// Method: years begin in March, so that a leap day is the last day of its year. There are 719,468 days from
  /// 0000-03-01 to 1970-01-01.
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

  /// Removes a number of exactly `count` digits from the start of `rest`; `nil` if there are fewer.
  private static func number(_ count: Int, from rest: inout Text) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = rest.popFirst().flatMap(digit) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Removes a number of one or two digits from the start of `rest`; `nil`, with `rest` unchanged, if it does not begin
  /// with a digit.
  private static func shortNumber(_ rest: inout Text) -> Int? {
    guard rest.first.flatMap(digit) != nil else { return nil }
    return number(rest.dropFirst().first.flatMap(digit) == nil ? 1 : 2, from: &rest)
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

/// The order of a date's parts.
enum DateOrder: CaseIterable {
  /// Year, month and day; or a time of day without a date.
  case yearFirst
  /// Month, day and year.
  case monthFirst
  /// Day, month and year; the month may be an English name.
  case dayFirst
}
