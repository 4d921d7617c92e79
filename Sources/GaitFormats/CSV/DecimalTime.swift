import Gait

/// Decimal text to whole nanoseconds.
///
/// Integer digits are scaled, because a `Double` loses the last two digits of an epoch time in nanoseconds. Digits
/// below a nanosecond round to nearest, halves away from 0.
enum DecimalTime {
  /// `number` in `unit` as nanoseconds, or `nil` if it is further than `SampleTime.farthest` from 0.
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
