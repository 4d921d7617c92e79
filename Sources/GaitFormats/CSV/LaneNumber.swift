/// A decimal cell such as `-0.17382049560546875` as a `Float`: the correctly rounded `Double`, rounded to `Float`.
///
/// Up to 24 digits of the fraction are gathered as three words of eight digits, `a`, `b` and `c`, with zeros behind the
/// last digit, so that nothing depends on how many there are:
///
///     value ≈ ((whole · 10⁸ + a) · 10¹⁶ + (b · 10⁸ + c)) · 10⁻²⁴
///
/// Six roundings put this `Double` at most 6 units in its last place from the exact value. Rounding it to `Float` gives
/// what the exact value gives unless the middle between two floats is that close, as for 1 number in 30 million. That
/// one, and every cell of another form, is left to `DecimalNumber`.
struct LaneNumber {
  let value: Float

  /// Reads the bytes from `start` to `end`: an optional minus, digits, `mark`, digits. `nil` if they are anything else, or
  /// this way cannot read them.
  ///
  /// 40 bytes from `start` on must be readable.
  @inline(__always)
  init?(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, mark: UInt8) {
    // No branch on the sign, which nothing predicts.
    let sign: UInt64 = start.pointee == UInt8(ascii: "-") ? 1 : 0
    let first = start + Int(sign)
    var whole = UInt64(first.pointee &- UInt8(ascii: "0"))
    var fraction = first + 2
    if first[1] != mark {
      let digits = EightDigits(at: first)
      guard 1...7 ~= digits.count, first[digits.count] == mark else { return nil }
      whole = digits.number
      fraction = first + digits.count + 1
    } else if whole > 9 {
      return nil
    }
    let count = end - fraction
    guard 1...24 ~= count, let digits = FractionDigits(at: fraction, count: count) else { return nil }
    let parts =
      Self.doubles(SIMD2(whole, digits.firstTwo[1])) * SIMD2(repeating: 1e8)
      + Self.doubles(SIMD2(digits.firstTwo[0], digits.third))
    let bits = ((parts[0] * 1e16 + parts[1]) * 1e-24).bitPattern
    // The 29 bits that a float does not keep, against the middle between two floats.
    let isFarFromMiddle = (bits &- (1 << 28 - 8)) & (1 << 29 - 1) > 16
    guard isFarFromMiddle else { return nil }
    value = Float(Double(bitPattern: bits | sign &<< 63))
  }

  /// Whole numbers below 2⁵², exactly: as the last bits of 2⁵² and more.
  ///
  /// Other ways wait for what the register held before, or have no vector form.
  @inline(__always)
  private static func doubles(_ whole: SIMD2<UInt64>) -> SIMD2<Double> {
    unsafeBitCast(whole | SIMD2(repeating: (0x1p52).bitPattern), to: SIMD2<Double>.self) - SIMD2(repeating: 0x1p52)
  }
}
