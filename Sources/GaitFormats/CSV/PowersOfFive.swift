/// The first 128 bits of every power of five that a finite, nonzero `Double` may need.
///
/// Computed on first use with exact long-integer arithmetic, in less than a millisecond. Powers and reciprocals are
/// truncated to 128 bits. Reciprocals whose divisor fits 64 bits are instead rounded up, so that a product exactly
/// halfway between two doubles is recognised.
enum PowersOfFive {
  /// The exponents in the table. Below them, even 2⁶⁴ times the power of ten is less than half the smallest double.
  static let exponents = -342...308

  /// 5 to the `exponent`, shifted so that the highest bit is set.
  @inline(__always)
  static subscript(exponent: Int) -> (high: UInt64, low: UInt64) { table[exponent - exponents.lowerBound] }

  private static let table: [(high: UInt64, low: UInt64)] = {
    var power = LongInteger(powerOfTwo: 0)
    let powers = (0...exponents.upperBound).map { _ in
      defer { power.multiplyByFive() }
      return power.leadingBits
    }
    var reciprocal = LongInteger(powerOfTwo: 1023)
    let reciprocals = (1...(-exponents.lowerBound)).map { exponent in
      reciprocal.divideByFive()
      let (high, low) = reciprocal.leadingBits
      let (rounded, carry) = low.addingReportingOverflow(exponent <= 27 ? 1 : 0)
      return (high + (carry ? 1 : 0), rounded)
    }
    return reciprocals.reversed() + powers
  }()
}

/// A whole number of up to 1,024 bits.
private struct LongInteger {
  /// The lowest word first.
  private var words = [UInt64](repeating: 0, count: 16)

  init(powerOfTwo exponent: Int) { words[exponent / 64] = 1 << UInt64(exponent % 64) }

  mutating func multiplyByFive() {
    var carry: UInt64 = 0
    for index in words.indices {
      let (high, low) = words[index].multipliedFullWidth(by: 5)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      words[index] = sum
      carry = high + (overflow ? 1 : 0)
    }
  }

  /// Divides and drops the remainder. Repeated division gives the same result as one division by the power.
  mutating func divideByFive() {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], remainder) = UInt64(5).dividingFullWidth((remainder, words[index]))
    }
  }

  /// The 128 bits from the highest set bit on.
  var leadingBits: (high: UInt64, low: UInt64) {
    let top = words.lastIndex { $0 != 0 } ?? 0
    let shift = UInt64(words[top].leadingZeroBitCount)
    func word(_ index: Int) -> UInt64 { index >= 0 ? words[index] : 0 }
    func shifted(_ index: Int) -> UInt64 { word(index) << shift | word(index - 1) >> (64 - shift) }
    return (shifted(top), shifted(top - 1))
  }
}
