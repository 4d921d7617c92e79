import Gait

/// Decimal text to whole nanoseconds.
///
/// Integer digits are scaled, because a `Double` loses the last two digits of an epoch time in nanoseconds. Digits
/// below a nanosecond round to nearest, halves away from 0.
enum DecimalTime {
  /// The bytes from `start` to `end` in seconds, as nanoseconds; `nil` if they are not the usual form: up to ten
  /// digits, and possibly the decimal mark and up to eight digits.
  ///
  /// 24 bytes from `start` must be readable.
  @inline(__always)
  static func nanoseconds(
    ofSeconds start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, mark: UInt8
  ) -> Int64? {
    let digits = EightDigits(at: start)
    var (whole, p) = (digits.number, start + digits.count)
    if digits.count == 8 {
      let rest = EightDigits(at: p)
      guard rest.count <= 2 else { return nil }
      (whole, p) = (whole &* PowersOfTen.whole[rest.count] &+ rest.number, p + rest.count)
    }
    // The farthest time is 4 · 10⁹ s.
    guard p > start, whole < 4_000_000_000 else { return nil }
    if p == end { return Int64(whole) &* 1_000_000_000 }
    let count = end - p - 1
    guard p.pointee == mark, 1...8 ~= count, let decimals = EightDigits.padded(at: p + 1, count: count) else {
      return nil
    }
    return Int64(whole) &* 1_000_000_000 &+ Int64(decimals) &* 10
  }

  /// `number` in `unit` as nanoseconds; `nil` if the time is further than `SampleTime.farthest` from 0.
  static func nanoseconds(_ number: DecimalDigits, unit: TimeUnit) -> Int64? {
    guard number.significand > 0 else { return 0 }
    let shift = number.exponent + unit.exponent
    guard shift < 19 else { return nil }
    guard shift >= -19 else { return 0 }
    let power = PowersOfTen.whole[abs(shift)]
    let magnitude: UInt64
    if shift >= 0 {
      // A truncated number has 19 digits; only with a shift of 0 can it be in range.
      let (product, overflow) = number.significand.multipliedReportingOverflow(by: power)
      guard !overflow else { return nil }
      magnitude = product + (number.nextDigit >= 5 ? 1 : 0)
    } else {
      // Truncated digits cannot change the rounding.
      let (quotient, remainder) = number.significand.quotientAndRemainder(dividingBy: power)
      magnitude = quotient + (remainder >= power - remainder ? 1 : 0)
    }
    guard magnitude <= UInt64(SampleTime.farthest) else { return nil }
    return number.isNegative ? -Int64(magnitude) : Int64(magnitude)
  }
}
