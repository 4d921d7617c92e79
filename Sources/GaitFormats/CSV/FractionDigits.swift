/// The first sixteen of up to 24 digits as one number, padded with zeros.
///
/// Digits are combined in parallel within words: digits to pairs, pairs to fours, fours to eights. There is no branch
/// on the count, which is unpredictable.
///
/// Source: as for `EightDigits`.
struct FractionDigits {
  /// Digits 1 to 16.
  let sixteen: Int64

  private typealias Words = SIMD2<UInt64>

  /// Reads the `count` bytes at `start`, `1...24`; `nil` if one of them is not a digit, or one of the 24 bytes at
  /// `start` is not ASCII.
  ///
  /// 24 bytes must be readable.
  @inline(__always)
  init?(at start: UnsafePointer<UInt8>, count: Int) {
    let (text, masks) = (UnsafeRawPointer(start), UnsafeRawPointer(Self.masks.utf8Start) + (24 &- count))
    let values = text.loadUnaligned(as: Words.self) ^ Words(repeating: Self.zeros)
    let digits = values & masks.loadUnaligned(as: Words.self)
    let thirdValues = text.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ Self.zeros
    let thirdDigits = thirdValues & masks.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    // The highest bit is set in each byte above 9.
    let others = (digits &+ Words(repeating: Self.sixBeforeHighest)) | values
    let thirdOthers = (thirdDigits &+ Self.sixBeforeHighest) | thirdValues
    guard (others[0] | others[1] | thirdOthers) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let eights = Self.numbers(digits)
    sixteen = Int64(truncatingIfNeeded: eights[0] &* 100_000_000 &+ eights[1])
  }

  /// "0" in each byte.
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  /// Added to a byte, sets the highest bit from 10 on.
  private static let sixBeforeHighest: UInt64 = 0x7676_7676_7676_7676

  /// Sixteen digits as two numbers of eight.
  @inline(__always)
  private static func numbers(_ digits: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let ones = unsafeBitCast(digits, to: SIMD8<UInt16>.self)
    let pairs = unsafeBitCast((ones &* SIMD8(repeating: 10 << 8 + 1)) &>> 8, to: SIMD4<UInt32>.self)
    // The masks let the compiler multiply 16-bit and 32-bit values.
    let fours = unsafeBitCast(
      (pairs & SIMD4(repeating: 0x7F)) &* SIMD4(repeating: 100) &+ (pairs &>> 16), to: SIMD2<UInt64>.self)
    return (fours & SIMD2(repeating: 0x3FFF)) &* SIMD2(repeating: 10_000) &+ (fours &>> 32)
  }

  /// 24 bytes of 0x7F (ASCII has no highest bit), then 24 bytes of 0.
  private static var masks: StaticString {
    """
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
    """
  }
}
