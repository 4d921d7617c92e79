/// Decimal text to `Double`, correctly rounded: the same bits as `strtod` in the C locale.
///
/// The grammar is that of `DecimalDigits`. Hexadecimal, `inf`, `nan` and leading blanks, which `strtod` accepts, are
/// rejected.
///
/// Method, for `significand × 10^exponent`:
/// 1. If the significand is at most 2⁵³ and the power of ten is from 10⁻²² to 10²², the significand and the positive
///    power are exact doubles, and one multiplication or division rounds once (Clinger, "How to Read Floating Point
///    Numbers Accurately", PLDI 1990).
/// 2. Otherwise it is multiplied by the first 128 bits of the power, which suffice for every significand of 19 digits
///    (`EiselLemire`). A truncated number lies between two such significands; usually both round to the same value.
/// 3. If the two differ, the standard library converts all digits. Its result is correctly rounded and independent of
///    the locale.
enum DecimalNumber {
  /// Reads the number at `cursor` and moves `cursor` past it. Returns `nil`, with `cursor` unchanged, if there is none.
  /// The caller checks what follows the number.
  ///
  /// Reading stops at the first byte that cannot belong to a number, such as a separator. Such a byte and seven
  /// readable bytes after it must exist.
  @inline(__always)
  static func scan(_ cursor: inout UnsafePointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    let start = cursor
    guard let number = DecimalDigits(&cursor, mark: mark) else { return nil }
    guard let magnitude = magnitude(of: number) else { return exact(start, cursor, mark: mark) }
    let sign: UInt64 = number.isNegative ? 1 : 0
    return Double(bitPattern: magnitude.bitPattern | sign &<< 63)
  }

  /// The value of `bytes` as one number; `nil` if they are not a number, or if anything follows it.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    bytes.withReadableEnd { cursor, end in
      guard let value = scan(&cursor, mark: mark), cursor == end else { return nil }
      return value
    }
  }

  /// The number without its sign; `nil` if rounding depends on the digits that `number` dropped.
  @inline(__always)
  private static func magnitude(of number: DecimalDigits) -> Double? {
    let (significand, exponent) = (number.significand, number.exponent)
    if significand <= 1 << 53, -22...22 ~= exponent, !number.isTruncated {
      return exponent < 0
        ? Double(Int64(significand)) / PowersOfTen.double[-exponent]
        : Double(Int64(significand)) * PowersOfTen.double[exponent]
    }
    let value = EiselLemire.double(significand, exponent: exponent)
    guard number.isTruncated else { return value }
    return value == EiselLemire.double(significand + 1, exponent: exponent) ? value : nil
  }

  /// The standard library's conversion of all the digits.
  @inline(never)
  private static func exact(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, mark: UInt8
  ) -> Double? {
    let bytes = UnsafeBufferPointer(start: start, count: end - start).map { $0 == mark ? UInt8(ascii: ".") : $0 }
    return Double(String(decoding: bytes, as: UTF8.self))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Calls `body` with the start and end of a copy of the bytes. Eight zeros follow the copy, so that a scan of a
  /// number stops within readable memory.
  func withReadableEnd<Result>(
    _ body: (_ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 8) { copy in
      copy.initialize(repeating: 0)
      _ = copy.update(fromContentsOf: self)
      var cursor = UnsafePointer(copy.baseAddress!)
      return body(&cursor, cursor + count)
    }
  }
}

/// A parsed decimal number: a sign, up to 19 digits as a whole number, and a power of ten.
///
/// Grammar: an optional sign, digits with at most one decimal mark among or around them, and an optional exponent.
struct DecimalDigits {
  let isNegative: Bool
  /// The first 19 digits from the first nonzero digit, as a whole number.
  private(set) var significand: UInt64 = 0
  /// The number is `significand × 10^exponent`.
  private(set) var exponent = 0
  /// Whether nonzero digits were dropped after the 19th, so that the exact number is slightly further from 0 than
  /// `significand × 10^exponent`.
  private(set) var isTruncated = false
  /// The first dropped digit; 0 if none was dropped.
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

  /// Reads `bytes` as one number; `nil` if they are not a number, or if anything follows it.
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
      // No line has enough digits for a larger exponent to give a finite, nonzero number.
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

/// The leading decimal digits of a text, up to eight, read as one word.
///
/// Source: Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51 (2021).
struct EightDigits {
  /// One byte for each digit, `0...9`, the first digit in the lowest byte; unused bytes are 0.
  private let digits: UInt64
  /// The number of digits, `0...8`.
  let count: Int

  /// Reads the leading digits of the eight bytes at `start`, all of which must be readable.
  @inline(__always)
  init(at start: UnsafePointer<UInt8>) {
    let values = Self.values(at: start)
    // The test of a byte that is not a digit may carry into the bytes after it, so only the bytes before the first such
    // byte count.
    let others = Self.others(values) &>> 7 & 0x0101_0101_0101_0101
    let before = (others &- 1) & ~others
    digits = values & before
    count = Int(((0x0101_0101_0101_0101 & before) &* 0x0101_0101_0101_0101) &>> 56)
  }

  /// The eight bytes at `start` exclusive-or "0": a digit becomes `0...9`.
  @inline(__always)
  private static func values(at start: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
  }

  /// The highest bit is set in the first byte that is not a digit, and possibly in later bytes.
  @inline(__always)
  private static func others(_ values: UInt64) -> UInt64 {
    (values &+ 0x7676_7676_7676_7676) | values
  }

  /// The digits as a number; 0 if there are none.
  @inline(__always)
  var number: UInt64 { Self.number(digits << UInt64(64 - 8 * count)) }

  /// The `count` digits at `start`, `1...8`, padded with zeros to eight, as a number; `nil` if one is not a digit.
  ///
  /// Eight bytes must be readable.
  @inline(__always)
  static func padded(at start: UnsafePointer<UInt8>, count: Int) -> UInt64? {
    let digits = values(at: start) & (.max &>> UInt64(truncatingIfNeeded: (8 &- count) &* 8))
    return others(digits) & 0x8080_8080_8080_8080 == 0 ? number(digits) : nil
  }

  /// Combines eight digits into a number: digits to pairs, pairs to fours, fours to eight.
  @inline(__always)
  static func number(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits &>> 8
    let first = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let second = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return (first &+ second) &>> 32
  }
}

/// Converts a whole number times a power of ten to the nearest `Double`, ties to even.
///
/// The number is multiplied by the first 128 bits of the power of five; the power of two only shifts the exponent. The
/// product's first 55 bits are the double's 53, a rounding bit, and one bit for the carry. 64 bits of the power suffice
/// unless the product's bits below those are all ones; then the next 64 bits are multiplied too. With 128 bits every
/// significand of 64 bits rounds correctly, so no fallback is needed.
///
/// It is faster than the standard library's conversion for numbers with 19 digits, such as NumPy's default text
/// (`%.18e`). Most recorders' numbers have fewer digits and do not need it.
///
/// Sources: Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51 (2021); Mushtak and
/// Lemire, "Fast Number Parsing Without Fallback", Software: Practice and Experience 53 (2023), for the proof.
enum EiselLemire {
  /// `significand × 10^exponent`.
  static func double(_ significand: UInt64, exponent: Int) -> Double {
    guard significand > 0, exponent >= PowersOfFive.exponents.lowerBound else { return 0 }
    guard exponent <= PowersOfFive.exponents.upperBound else { return .infinity }
    let zeros = significand.leadingZeroBitCount
    let product = product(of: significand &<< UInt64(zeros), exponent: exponent)
    let carry = Int(product.high &>> 63)
    // ⌊exponent · log₂ 10⌋, exact in this range, plus the exponent bits of a double whose leading bit is bit 63.
    let binary = (217_706 * exponent) >> 16 + 1023 + 63 + carry - zeros
    let shift = UInt64(carry + 9)
    var mantissa = product.high &>> shift
    guard binary > 0 else { return subnormal(mantissa, binary) }
    // An exact tie is possible only for these exponents.
    let isTie =
      product.low <= 1 && -4...23 ~= exponent && mantissa & 3 == 1 && mantissa &<< shift == product.high
    if isTie { mantissa -= 1 }
    mantissa = (mantissa + mantissa & 1) &>> 1
    // If rounding up overflows the mantissa, the addition carries into the exponent.
    let bits = UInt64(binary - 1) &<< 52 &+ mantissa
    return binary >= 2047 ? .infinity : Double(bitPattern: bits)
  }

  /// A subnormal: the mantissa, which includes a rounding bit, is shifted right by the exponent's deficit.
  private static func subnormal(_ mantissa: UInt64, _ binary: Int) -> Double {
    guard binary > -63 else { return 0 }
    let kept = mantissa &>> UInt64(1 - binary)
    return Double(bitPattern: (kept + kept & 1) &>> 1)
  }

  /// The first 128 bits of `factor` times the power of five, computed as far as they affect rounding.
  @inline(__always)
  private static func product(of factor: UInt64, exponent: Int) -> (high: UInt64, low: UInt64) {
    let power = PowersOfFive[exponent]
    var (high, low) = factor.multipliedFullWidth(by: power.high)
    if high & 0x1FF == 0x1FF {
      let (next, overflow) = low.addingReportingOverflow(factor.multipliedFullWidth(by: power.low).high)
      low = next
      if overflow { high &+= 1 }
    }
    return (high, low)
  }
}

/// The first 128 bits of every power of five that a finite, nonzero `Double` may need.
///
/// Computed on first use with exact long-integer arithmetic, in less than a millisecond. Powers and reciprocals are
/// truncated to 128 bits. Reciprocals whose divisor fits 64 bits are instead rounded up, so that a product exactly
/// halfway between two doubles is recognised.
enum PowersOfFive {
  /// The exponents in the table. Below them, even 2⁶⁴ times the power of ten is less than half the smallest double.
  static let exponents = -342...308

  /// 5 to the `exponent`, shifted so that the highest bit is set.
  @inline(__always)
  static subscript(exponent: Int) -> (high: UInt64, low: UInt64) { table[exponent - exponents.lowerBound] }

  private static let table: [(high: UInt64, low: UInt64)] = {
    var power = LongInteger(powerOfTwo: 0)
    let powers = (0...exponents.upperBound).map { _ in
      defer { power.multiplyByFive() }
      return power.leadingBits
    }
    var reciprocal = LongInteger(powerOfTwo: 1023)
    let reciprocals = (1...(-exponents.lowerBound)).map { exponent in
      reciprocal.divideByFive()
      let (high, low) = reciprocal.leadingBits
      let (rounded, carry) = low.addingReportingOverflow(exponent <= 27 ? 1 : 0)
      return (high + (carry ? 1 : 0), rounded)
    }
    return reciprocals.reversed() + powers
  }()
}

/// A whole number of up to 1,024 bits.
private struct LongInteger {
  /// The lowest word first.
  private var words = [UInt64](repeating: 0, count: 16)

  init(powerOfTwo exponent: Int) { words[exponent / 64] = 1 << UInt64(exponent % 64) }

  mutating func multiplyByFive() {
    var carry: UInt64 = 0
    for index in words.indices {
      let (high, low) = words[index].multipliedFullWidth(by: 5)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      words[index] = sum
      carry = high + (overflow ? 1 : 0)
    }
  }

  /// Divides and drops the remainder. Repeated division gives the same result as one division by the power.
  mutating func divideByFive() {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], remainder) = UInt64(5).dividingFullWidth((remainder, words[index]))
    }
  }

  /// The 128 bits from the highest set bit on.
  var leadingBits: (high: UInt64, low: UInt64) {
    let top = words.lastIndex { $0 != 0 } ?? 0
    let shift = UInt64(words[top].leadingZeroBitCount)
    func word(_ index: Int) -> UInt64 { index >= 0 ? words[index] : 0 }
    func shifted(_ index: Int) -> UInt64 { word(index) << shift | word(index - 1) >> (64 - shift) }
    return (shifted(top), shifted(top - 1))
  }
}
