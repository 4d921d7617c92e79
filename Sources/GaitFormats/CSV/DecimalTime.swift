import Gait

/// Decimal text to whole nanoseconds.
///
/// The digits themselves are scaled: no time passes through a `Double`, which would cost an epoch in nanoseconds its last
/// two digits. Digits below a nanosecond round, halves away from 0.
enum DecimalTime {
  /// The time that `number` is in `unit`, or `nil` if it is further than `SampleTime.farthest` from 0.
  static func nanoseconds(_ number: DecimalDigits, unit: TimeUnit) -> Int64? {
    guard number.significand > 0 else { return 0 }
    let shift = number.exponent + unit.exponent
    guard shift < 19 else { return nil }
    guard shift >= -19 else { return 0 }
    let power = PowersOfTen.whole[abs(shift)]
    let magnitude: UInt64
    if shift >= 0 {
      // Where digits were left out there are 19 others, and only with a shift of 0 is that not too far.
      let (product, overflow) = number.significand.multipliedReportingOverflow(by: power)
      guard !overflow else { return nil }
      magnitude = product + (number.nextDigit >= 5 ? 1 : 0)
    } else {
      // Digits that were left out cannot reach the next half.
      let (quotient, remainder) = number.significand.quotientAndRemainder(dividingBy: power)
      magnitude = quotient + (remainder >= power - remainder ? 1 : 0)
    }
    guard magnitude <= UInt64(SampleTime.farthest) else { return nil }
    return number.isNegative ? -Int64(magnitude) : Int64(magnitude)
  }
}
