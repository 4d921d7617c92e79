import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct DecimalNumberTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalNumber.parse($0) }
  }

  @Test func `Numbers of every kind have the bits of strtod`() {
    let kinds: [(inout SplitMix64) -> String] = [
      Self.decimal, Self.scientific, Self.shortest, Self.float, Self.halfway, Self.subnormal, Self.longDigits,
    ]
    var generator = SplitMix64(seed: 1)
    var wrong: [String] = []
    for index in 0..<300_000 {
      let text = kinds[index % kinds.count](&generator)
      if parse(text)?.bitPattern != strtod(text, nil).bitPattern { wrong.append(text) }
    }
    #expect(wrong.prefix(10) == [])
  }

  @Test(arguments: [
    "0", "-0", "+0", "0.0", "-0.000", "00012", "5.", ".5", "-.5", "1e0", "1E+2", "1e-2", "9007199254740993",
    "9007199254740992", "9007199254740991e22", "18446744073709551615", "18446744073709551616", "9999999999999999999",
    "0.9999999999999999999", "1e22", "1e23", "1e-22", "1e-23", "1e308", "1.7976931348623157e308", "1e309", "-1e309",
    "1e-400", "4.9e-324", "2.5e-324", "2.2250738585072014e-308", "1e99999999999999999999", "0e99999999999999999999",
    "0.000000000000000000000000000000000001", "123456789012345678901234567890",
  ])
  func `Edges have the bits of strtod`(text: String) {
    #expect(parse(text)?.bitPattern == strtod(text, nil).bitPattern)
  }

  @Test(arguments: [
    "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "--1", "1-", "1 ", " 1", "0x10", "nan", "inf", "1,5", "1_000",
    "１", "1\u{0}",
  ])
  func `Other text is no number`(text: String) {
    #expect(parse(text) == nil)
  }

  @Test func `A number ends where its grammar ends`() throws {
    for (text, value, rest) in [("12,", 12.0, 2), ("1e,", 1, 1), ("1.5e-x", 1.5, 3), ("-0.5\n", -0.5, 4)] {
      try Array(text.utf8).withUnsafeBufferPointer { bytes in
        let start = try #require(bytes.baseAddress)
        var cursor = start
        #expect(DecimalNumber.scan(&cursor) == value)
        #expect(cursor - start == rest)
      }
    }
  }

  // MARK: Kinds of numbers

  private static func digits(_ count: Int, _ generator: inout SplitMix64) -> String {
    String((0..<count).map { _ in "0123456789".randomElement(using: &generator)! })
  }

  private static func sign(_ generator: inout SplitMix64) -> String {
    ["", "-", "+"].randomElement(using: &generator)!
  }

  private static func decimal(_ generator: inout SplitMix64) -> String {
    let whole = digits(.random(in: 0...4, using: &generator), &generator)
    let fraction = digits(.random(in: 1...18, using: &generator), &generator)
    return "\(sign(&generator))\(whole).\(fraction)"
  }

  private static func scientific(_ generator: inout SplitMix64) -> String {
    let count = Int.random(in: 1...25, using: &generator)
    let mantissa = "\(digits(1, &generator)).\(digits(count, &generator))"
    let exponent = Int.random(in: -345...310, using: &generator)
    return "\(sign(&generator))\(mantissa)\(Bool.random(using: &generator) ? "e" : "E")\(exponent)"
  }

  private static func shortest(_ generator: inout SplitMix64) -> String {
    let value = Double(bitPattern: generator.next())
    return value.isFinite ? value.description : "0"
  }

  private static func float(_ generator: inout SplitMix64) -> String {
    Double(Float.random(in: -20...20, using: &generator)).description
  }

  /// The decimal just between two neighbouring doubles, exactly, and a little above or below.
  private static func halfway(_ generator: inout SplitMix64) -> String {
    let low = UInt64.random(in: 1 << 52..<1 << 53, using: &generator)
    let shift = UInt64.random(in: 0...9, using: &generator)
    // An odd number of half steps: low + ½, times a power of two.
    let half = (low << 1 | 1) << shift
    let text = String(half)
    let point = Int.random(in: 0...min(text.count - 1, 3), using: &generator)
    let tail = ["", ".", ".0", ".0000000000001", ".5"].randomElement(using: &generator)!
    return point == 0 ? text + tail : "\(text.dropLast(point)).\(text.suffix(point))"
  }

  private static func subnormal(_ generator: inout SplitMix64) -> String {
    Double(bitPattern: generator.next() >> UInt64.random(in: 12...63, using: &generator)).description
  }

  private static func longDigits(_ generator: inout SplitMix64) -> String {
    let count = Int.random(in: 17...22, using: &generator)
    let text = digits(count, &generator)
    let point = Int.random(in: 0...count, using: &generator)
    return "\(text.prefix(point)).\(text.dropFirst(point))"
  }
}
