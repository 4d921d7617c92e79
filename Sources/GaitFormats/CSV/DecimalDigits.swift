/// A parsed decimal number: a sign, up to 19 digits as a whole number, and a power of ten.
///
/// Grammar: an optional sign, digits with at most one decimal mark among or around them, and an optional exponent.
struct DecimalDigits {
  let isNegative: Bool
  /// The first 19 digits from the first nonzero digit, as a whole number.
  private(set) var significand: UInt64 = 0
  /// The number is `significand × 10^exponent`.
  private(set) var exponent = 0
  /// Whether nonzero digits were dropped after the 19th, so that the number is slightly further from 0.
  private(set) var isTruncated = false
  /// The first dropped digit, or 0.
  private(set) var nextDigit: UInt8 = 0

  /// Reads the number at `cursor` and moves `cursor` past it. Returns `nil`, with `cursor` unchanged, if there is none.
  /// The caller checks what follows the number.
  ///
  /// Reading stops at the first byte that cannot belong to a number, such as a separator. Such a byte and seven
  /// readable bytes after it must exist.
  @inline(__always)
  init?(_ cursor: inout UnsafePointer<UInt8>, mark: UInt8) {
    isNegative = cursor.pointee == UInt8(ascii: "-")
    // No branch on the sign, which is unpredictable.
    let start = cursor + (isNegative || cursor.pointee == UInt8(ascii: "+") ? 1 : 0)
    var p = start
    Self.gather(&p, into: &significand)
    var count = p - start
    if p.pointee == mark {
      p += 1
      let fraction = p
      Self.gather(&p, into: &significand)
      exponent = fraction - p
      count -= exponent
    }
    guard count > 0 else { return nil }
    if count > 19 { truncate(from: start, to: p, mark: mark) }
    if p.pointee | 0x20 == UInt8(ascii: "e") { exponent += Self.exponent(&p) }
    cursor = p
  }

  /// Reads `bytes` as one number; `nil` if they are not exactly one.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, mark: UInt8) {
    let number = bytes.withReadableEnd { cursor, end in
      DecimalDigits(&cursor, mark: mark).flatMap { cursor == end ? $0 : nil }
    }
    guard let number else { return nil }
    self = number
  }

  /// Appends the digits at `p` to `number`, which wraps around when it has more than 19.
  @inline(__always)
  private static func gather(_ p: inout UnsafePointer<UInt8>, into number: inout UInt64) {
    while true {
      let digits = EightDigits(at: p)
      number = number &* PowersOfTen.whole[digits.count] &+ digits.number
      p += digits.count
      if digits.count < 8 { return }
    }
  }

  /// Reads the digits from `start` to `end` again, keeping at most 19 significant ones.
  private mutating func truncate(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, mark: UInt8) {
    var p = start
    while p < end, p.pointee == UInt8(ascii: "0") || p.pointee == mark { p += 1 }
    significand = 0
    var count = 0
    while p < end {
      if p.pointee == mark {
        p += 1
        continue
      }
      let digit = p.pointee - UInt8(ascii: "0")
      if count < 19 {
        significand = significand * 10 + UInt64(digit)
      } else {
        exponent += 1
        isTruncated = isTruncated || digit > 0
        if count == 19 { nextDigit = digit }
      }
      count += 1
      p += 1
    }
  }

  /// Reads the exponent whose `e` is at `p` and moves `p` past it. An `e` without digits is not part of the number.
  private static func exponent(_ p: inout UnsafePointer<UInt8>) -> Int {
    var q = p + 1
    let isNegative = q.pointee == UInt8(ascii: "-")
    if isNegative || q.pointee == UInt8(ascii: "+") { q += 1 }
    guard q.pointee &- UInt8(ascii: "0") < 10 else { return 0 }
    var exponent = 0
    while q.pointee &- UInt8(ascii: "0") < 10 {
      // No line is long enough to offset a larger exponent with zeros.
      if exponent < 100_000_000 { exponent = exponent * 10 + Int(q.pointee &- UInt8(ascii: "0")) }
      q += 1
    }
    p = q
    return isNegative ? -exponent : exponent
  }
}

/// Exact powers of ten.
enum PowersOfTen {
  /// 10⁰ to 10¹⁹.
  static let whole: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// 10⁰ to 10²², the largest that is exact in `Double`.
  static let double: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
