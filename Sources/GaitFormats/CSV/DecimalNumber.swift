/// Decimal text to `Double`, correctly rounded: the same bits as `strtod` in the C locale.
///
/// The grammar is that of `DecimalDigits`. Hexadecimal, `inf`, `nan` and leading blanks, which `strtod` accepts, are
/// rejected.
///
/// Method, for `significand × 10^exponent`:
/// 1. If the significand is at most 2⁵³ and the power of ten at most 10²², both are exact doubles, and one
///    multiplication or division rounds once (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).
/// 2. Otherwise it is multiplied by the first 128 bits of the power, which suffice for every significand of 19 digits
///    (`EiselLemire`). A truncated number lies between two such significands; usually both round to the same value.
/// 3. The rest falls back to the standard library, whose conversion is correctly rounded and independent of the locale.
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

  /// The value of `bytes` as one number; `nil` if they are not exactly one.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    bytes.withReadableEnd { cursor, end in
      guard let value = scan(&cursor, mark: mark), cursor == end else { return nil }
      return value
    }
  }

  /// The number without its sign, or `nil` if rounding needs the truncated digits.
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
  /// Calls `body` with the start and end of a copy of the bytes, padded with zeros so that numbers can be scanned in
  /// it.
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
