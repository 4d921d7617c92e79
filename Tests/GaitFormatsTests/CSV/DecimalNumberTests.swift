import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct DecimalNumberTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalNumber.parse($0) }
  }

  /// Five million in release builds, a sample of them in debug builds.
  static let count: Int = {
    #if DEBUG
      100_000
    #else
      5_000_000
    #endif
  }()

  @Test func `Numbers of every kind match strtod bit for bit`() {
    let kinds = DecimalText.allCases
    var generator = SplitMix64(seed: 1)
    var wrong: [String] = []
    for index in 0..<Self.count {
      let text = kinds[index % kinds.count].text(&generator)
      if parse(text)?.bitPattern != strtod(text, nil).bitPattern { wrong.append(text) }
    }
    #expect(wrong.prefix(10) == [])
  }

  @Test func `Every power of ten matches strtod with any number of digits`() {
    var wrong: [String] = []
    for exponent in -350...312 {
      for digits in 1...25 {
        let text = String("9182736455463728190192837".prefix(digits)) + "e\(exponent - digits)"
        if parse(text)?.bitPattern != strtod(text, nil).bitPattern { wrong.append(text) }
      }
    }
    #expect(wrong.prefix(10) == [])
  }

  @Test(arguments: [
    "0", "-0", "+0", "0.0", "-0.000", "00012", "5.", ".5", "-.5", "1e0", "1E+2", "1e-2", "9007199254740993",
    "9007199254740992", "9007199254740991e22", "18446744073709551615", "18446744073709551616", "9999999999999999999",
    "0.9999999999999999999", "1e22", "1e23", "1e-22", "1e-23", "1e308", "1.7976931348623157e308", "1e309", "-1e309",
    "1e-400", "4.9e-324", "2.5e-324", "2.2250738585072014e-308", "1e99999999999999999999", "0e99999999999999999999",
    "0.000000000000000000000000000000000001", "123456789012345678901234567890", "1.7976931348623158e308",
    "1.7976931348623159e308", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.225073858507201e-308",
    "00000000000000000000000000000.00000000000000000000001234567890123456789", "17976931348623157000000000e284",
    "100000000000000000000000000000000000000000000000000000e-50", "18446744073709551615e-342", "1e-342", "1e-343",
  ])
  func `Edge cases match strtod`(text: String) {
    #expect(parse(text)?.bitPattern == strtod(text, nil).bitPattern)
  }

  @Test(arguments: [
    "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "--1", "1-", "1 ", " 1", "0x10", "nan", "inf", "1,5", "1_000",
    "１", "1\u{0}", "+-1", "12345678901234567890.1.2", "1/2", "1:2",
  ])
  func `Other text is rejected`(text: String) {
    #expect(parse(text) == nil)
  }

  @Test func `With decimal commas a point is rejected`() {
    for text in ["-1,5", "1,5e3", "12345678901234567890,125", ",5"] {
      let point = text.replacingOccurrences(of: ",", with: ".")
      Array(text.utf8).withUnsafeBufferPointer {
        #expect(DecimalNumber.parse($0, mark: UInt8(ascii: ",")) == strtod(point, nil))
      }
      Array(point.utf8).withUnsafeBufferPointer {
        #expect(DecimalNumber.parse($0, mark: UInt8(ascii: ",")) == nil)
      }
    }
  }

  @Test func `A number ends where its grammar ends`() {
    for (text, value, rest) in [("12,", 12.0, 2), ("1e,", 1, 1), ("1.5e-x", 1.5, 3), ("-0.5\n", -0.5, 4)] {
      Array(text.utf8).withUnsafeBufferPointer { bytes in
        bytes.withReadableEnd { cursor, end in
          #expect(DecimalNumber.scan(&cursor) == value)
          #expect(cursor == end - text.utf8.count + rest)
        }
      }
    }
  }
}
