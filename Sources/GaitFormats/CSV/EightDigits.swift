/// The decimal digits, up to eight of them, that some text begins with, read as one word.
///
/// Source: Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51 (2021).
struct EightDigits {
  /// A byte for each digit, `0...9`, the first one lowest; the bytes behind them are 0.
  private let digits: UInt64
  /// A byte of 1 for each digit; the bytes behind them are 0.
  private let ones: UInt64
  /// All ones if there are eight digits, so that more may follow; else 0.
  let continuation: UInt64

  /// Reads the eight bytes at `start`, all of which must be readable, or none of them where `allowed` is 0.
  ///
  /// - Parameter allowed: all ones, or the `continuation` of the digits before, if the digits must follow them.
  @inline(__always)
  init(at start: UnsafePointer<UInt8>, allowed: UInt64 = .max) {
    let word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    let values = word ^ 0x3030_3030_3030_3030
    // A digit is 0...9 now. From any other byte a carry sets the highest bit, and may disturb the bytes behind it.
    let others = ((values &+ 0x7676_7676_7676_7676) | values) &>> 7 & 0x0101_0101_0101_0101
    let before = (others &- 1) & ~others & allowed
    digits = values & before
    ones = 0x0101_0101_0101_0101 & before
    continuation = UInt64(bitPattern: Int64(bitPattern: before) &>> 63)
  }

  /// How many there are, `0...8`.
  @inline(__always)
  var count: Int { Self.sum(ones) }

  /// How many there are in three such words.
  @inline(__always)
  static func count(_ a: EightDigits, _ b: EightDigits, _ c: EightDigits) -> Int { sum(a.ones &+ b.ones &+ c.ones) }

  /// The sum of the eight bytes, which must be below 256.
  @inline(__always)
  private static func sum(_ bytes: UInt64) -> Int { Int((bytes &* 0x0101_0101_0101_0101) &>> 56) }

  /// The digits as a number, with zeros behind them to make eight.
  @inline(__always)
  var padded: UInt64 { Self.number(digits) }

  /// The digits as a number; 0 if there are none.
  @inline(__always)
  var number: UInt64 { Self.number(digits << UInt64(64 - 8 * count)) }

  /// Pairs of digits, then pairs of pairs, then pairs of those.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits &>> 8
    let first = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let second = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return (first &+ second) &>> 32
  }
}
