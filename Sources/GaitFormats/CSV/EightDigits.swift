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
    // A non-digit may carry into the bytes after it, so only the bytes before the first non-digit count.
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

  /// Combines eight digits into a number: digits to pairs, pairs to fours, fours to eight.
  @inline(__always)
  static func number(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits &>> 8
    let first = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let second = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return (first &+ second) &>> 32
  }
}
