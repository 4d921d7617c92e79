/// A decimal cell such as `-0.17382049560546875` as a `Float`: the correctly rounded `Double`, rounded to `Float`.
///
/// The first sixteen digits of the fraction are gathered as one whole number, with zeros behind the last digit, so that
/// nothing depends on how many there are:
///
///     value ≈ whole + sixteen · 10⁻¹⁶
///
/// Four roundings put this `Double` at most 3 units in its last place from the number of these digits, and the digits that
/// are left out add less than 10⁻¹⁶, which is 3,690 units at 2⁻¹³ and fewer above. Rounding it to `Float` gives what the
/// exact value gives unless the middle between two floats is that close, as for 1 number in 60,000. That one, a smaller
/// number of more digits, and every cell of another form is left to `DecimalNumber`.
struct FastFloatParser {
  let value: Float

  /// The bits of the smallest number that is read by less than all its digits.
  @inline(__always)
  private static var smallest: UInt64 { (0x1p-13).bitPattern }

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
    let magnitude = Double(Int64(truncatingIfNeeded: whole)) + Double(digits.sixteen) * 1e-16
    let bits = magnitude.bitPattern
    // Both are negative where it is below 2⁻¹³ and has more digits; no branch on the count, which nothing predicts.
    guard Int64(bitPattern: bits &- Self.smallest) & Int64(16 &- count) >= 0 else { return nil }
    // The 29 bits that a float does not keep, against the middle between two floats.
    let isFarFromMiddle = (bits &- (1 << 28 - 4096)) & (1 << 29 - 1) > 8192
    guard isFarFromMiddle else { return nil }
    value = Float(Double(bitPattern: bits | sign &<< 63))
  }
}
