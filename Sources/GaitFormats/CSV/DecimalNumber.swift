/// Decimal text to `Double`, correctly rounded: the same bits as `strtod` in the C locale.
///
/// Grammar: an optional sign, digits with at most one point among or around them, and an optional exponent. What
/// `strtod` also takes (hexadecimal, `inf`, `nan`, leading blanks) is no number here.
///
/// Method: up to 19 digits are gathered in an integer.
/// 1. If it is at most 2⁵³ and the power of ten at most 10²², both are exact doubles, and one multiplication or division
///    rounds once (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).
/// 2. A longer integer over a power of ten up to 10¹⁹, which is what loggers write, is divided as a 128-bit integer.
/// 3. Everything else goes to the standard library, whose conversion is correctly rounded and knows no locale.
enum DecimalNumber {
  /// Reads the number that starts at `cursor` and moves `cursor` behind it, or leaves `cursor` and returns `nil` where
  /// there is none. What follows the number is the caller's matter.
  ///
  /// The bytes from `cursor` on must hold one that belongs to no number, such as a comma or line feed: reading stops
  /// there.
  @inline(__always)
  static func scan(_ cursor: inout UnsafePointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    let start = cursor
    var p = start
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative || p.pointee == UInt8(ascii: "+") { p += 1 }

    var digits: UInt64 = 0
    let whole = p
    gather(&p, into: &digits)
    var digitCount = p - whole
    var exponent = 0
    if p.pointee == mark {
      p += 1
      let fraction = p
      gather(&p, into: &digits)
      exponent = fraction - p
      digitCount -= exponent
    }
    guard digitCount > 0 else { return nil }
    if p.pointee | 0x20 == UInt8(ascii: "e") { exponent += scanExponent(&p) }

    cursor = p
    guard digitCount <= 19 else { return exact(start, p, mark) }
    let magnitude: Double
    if digits <= 1 << 53, -22...22 ~= exponent {
      magnitude =
        exponent < 0 ? Double(digits) / powersOfTen[-exponent] : Double(digits) * powersOfTen[exponent]
    } else if digits > 0, -19...0 ~= exponent {
      magnitude = quotient(digits, wholePowersOfTen[-exponent])
    } else {
      return exact(start, p, mark)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// The number that `bytes` are, wholly, or `nil`.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { copy in
      _ = copy.initialize(from: bytes)
      copy[bytes.count] = 0
      guard let start = copy.baseAddress.map({ UnsafePointer($0) }) else { return nil }
      var cursor = start
      guard let value = scan(&cursor, mark: mark), cursor == start + bytes.count else { return nil }
      return value
    }
  }

  /// Appends the digits at `p` to `number`, which wraps around after the 19th.
  @inline(__always)
  private static func gather(_ p: inout UnsafePointer<UInt8>, into number: inout UInt64) {
    while true {
      let digit = p.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      number = number &* 10 &+ UInt64(digit)
      p += 1
    }
  }

  /// The exponent whose `e` is at `p`, which moves behind it; an `e` without digits belongs to no number and stays.
  private static func scanExponent(_ p: inout UnsafePointer<UInt8>) -> Int {
    var q = p + 1
    let isNegative = q.pointee == UInt8(ascii: "-")
    if isNegative || q.pointee == UInt8(ascii: "+") { q += 1 }
    guard q.pointee &- UInt8(ascii: "0") < 10 else { return 0 }
    var exponent = 0
    while q.pointee &- UInt8(ascii: "0") < 10 {
      if exponent < 1_000_000 { exponent = exponent * 10 + Int(q.pointee &- UInt8(ascii: "0")) }
      q += 1
    }
    p = q
    return isNegative ? -exponent : exponent
  }

  /// `dividend / divisor`, rounded once; neither is 0.
  ///
  /// Both are shifted until their highest bit is set, which gives a quotient of 63 or 64 bits. Its lowest bit is far
  /// below the last one that a double keeps and serves to say that there was a remainder.
  @inline(__always)
  private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
    let left = dividend.leadingZeroBitCount
    let right = divisor.leadingZeroBitCount
    let shifted = dividend &<< UInt64(left)
    let (quotient, remainder) = (divisor &<< UInt64(right)).dividingFullWidth((shifted &>> 1, shifted &<< 63))
    let rounded = Double(quotient | (remainder == 0 ? 0 : 1))
    return rounded * Double(bitPattern: UInt64(1023 - 63 + right - left) &<< 52)
  }

  /// What the standard library makes of the bytes.
  @inline(never)
  private static func exact(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ mark: UInt8) -> Double? {
    let bytes = UnsafeBufferPointer(start: start, count: end - start).map { $0 == mark ? UInt8(ascii: ".") : $0 }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  private static let wholePowersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
