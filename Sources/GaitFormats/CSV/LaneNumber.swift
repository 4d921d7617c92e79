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
  /// Behind the last byte of the number.
  let end: UnsafePointer<UInt8>

  /// Reads the number at `start`: an optional minus, digits, `mark`, digits. `nil` if the bytes there begin with no number
  /// of this form, or this way cannot read it; what follows it is the caller's matter.
  ///
  /// 40 bytes from `start` on must be readable.
  @inline(__always)
  init?(at start: UnsafePointer<UInt8>, mark: UInt8) {
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
    let a = EightDigits(at: fraction)
    let b = EightDigits(at: fraction + 8, allowed: a.continuation)
    let c = EightDigits(at: fraction + 16, allowed: b.continuation)
    let high = Double(Int64(truncatingIfNeeded: whole &* 100_000_000 &+ a.padded))
    let low = Double(Int64(truncatingIfNeeded: b.padded &* 100_000_000 &+ c.padded))
    let bits = ((high * 1e16 + low) * 1e-24).bitPattern
    // The 29 bits that a float does not keep, against the middle between two floats.
    let isFarFromMiddle = (bits &- (1 << 28 - 8)) & (1 << 29 - 1) > 16
    let count = EightDigits.count(a, b, c)
    guard isFarFromMiddle, 1...23 ~= count else { return nil }
    value = Float(Double(bitPattern: bits | sign &<< 63))
    end = fraction + count
  }
}
