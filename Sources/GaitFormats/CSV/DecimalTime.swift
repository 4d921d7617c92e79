/// Decimal text to whole nanoseconds.
enum DecimalTime {
  /// The time that `bytes`, a number as `DecimalNumber` reads it, say in `unit`.
  ///
  /// The decimal digits themselves are scaled, so that no time passes through a `Double`, which would cost an epoch in
  /// nanoseconds its last two digits. Digits below a nanosecond round, halves away from 0.
  ///
  /// - Returns: `nil` if the time is beyond 292 years from 0.
  static func nanoseconds(_ bytes: UnsafeBufferPointer<UInt8>, unit: TimeUnit, mark: UInt8) -> Int64? {
    var digits = bytes[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    let isExponent: (UInt8) -> Bool = { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = digits.prefix { !isExponent($0) }
    let whole = mantissa.prefix { $0 != mark }
    let fraction = mantissa.dropFirst(whole.count + 1)
    let written = String(decoding: digits.dropFirst(mantissa.count + 1), as: UTF8.self)
    // An exponent beyond Int, or so far from 0 that it decides all, is as good as one of a million.
    let stated = written.isEmpty ? 0 : Int(written) ?? (written.hasPrefix("-") ? -1_000_000 : 1_000_000)
    let exponent = unit.exponent + min(max(stated, -1_000_000), 1_000_000)
    return scaled(Array(whole) + Array(fraction), point: whole.count + exponent, isNegative: isNegative)
  }

  /// The whole number whose digits are the first `point` of `digits`, with zeros behind them, rounded by the next.
  private static func scaled(_ digits: [UInt8], point: Int, isNegative: Bool) -> Int64? {
    guard let first = digits.firstIndex(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
    guard point - first <= 19 else { return nil }
    guard point >= first else { return 0 }
    var value: UInt64 = 0
    for index in first..<max(point, first) {
      value = value * 10 + (index < digits.count ? UInt64(digits[index] - UInt8(ascii: "0")) : 0)
    }
    if point < digits.count, digits[point] >= UInt8(ascii: "5") { value += 1 }
    guard value <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(value) : Int64(value)
  }
}
