import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct DecimalTimeTests {
  private func nanoseconds(_ text: String, _ unit: TimeUnit, mark: Character = ".") throws -> Int64? {
    try Array(text.utf8).withUnsafeBufferPointer {
      DecimalTime.nanoseconds(try #require(DecimalDigits($0, mark: mark.asciiValue!)), unit: unit)
    }
  }

  @Test func `An epoch time keeps all digits down to nanoseconds, in any unit`() throws {
    let epoch: Int64 = 1_717_171_717_123_456_789
    #expect(try nanoseconds("1717171717123456789", .nanoseconds) == epoch)
    #expect(try nanoseconds("1717171717123456.789", .microseconds) == epoch)
    #expect(try nanoseconds("1717171717123.456789", .milliseconds) == epoch)
    #expect(try nanoseconds("-1717171717.123456789", .seconds) == -epoch)
    #expect(try nanoseconds("1717171717,123456789", .seconds, mark: ",") == epoch)
    #expect(try nanoseconds("1.717171717123456789E+9", .seconds) == epoch)
    #expect(try nanoseconds("0.00000000000000000000000000001717171717123456789e38", .seconds) == epoch)
  }

  @Test func `Digits below a nanosecond are rounded, halves away from 0`() throws {
    let cases: [(String, Int64)] = [
      ("0.0000000014", 1), ("0.0000000015", 2), ("-0.0000000015", -2), ("0.00000000149999999999999999999999", 1),
      ("0.00000000150000000000000000000000", 2), ("0.0000000005", 1), ("0.0000000004999999999999999999999999", 0),
      ("1234567890.12345678901234567890", 1_234_567_890_123_456_789),
      ("1234567890.1234567895", 1_234_567_890_123_456_790), ("1234567890.12345678949", 1_234_567_890_123_456_789),
      ("1234567890.12345678905", 1_234_567_890_123_456_789), ("5e-10", 1), ("4e-10", 0), ("9e-99", 0),
      ("0", 0), ("-0.0", 0), ("0e99", 0), ("99999999999999999999e-29", 1), ("2e-29", 0),
    ]
    for (text, expected) in cases { #expect(try nanoseconds(text, .seconds) == expected, "\(text)") }
  }

  @Test(arguments: [
    "4000000000.000000001", "4611686018.427387904", "9223372036.854775807", "1e10", "9999999999999999999",
    "12345678901234567890123",
    "1e999999999",
  ])
  func `A time beyond 126 years is rejected`(text: String) throws {
    #expect(try nanoseconds(text, .seconds) == nil)
    #expect(try nanoseconds("-" + text, .seconds) == nil)
    #expect(try nanoseconds("4000000000", .seconds) == 4_000_000_000_000_000_000)
  }

  @Test func `Whole nanoseconds survive a round trip in any unit`() throws {
    var generator = SplitMix64(seed: 8)
    for _ in 0..<10_000 {
      let time = Int64(bitPattern: generator.next()) >> Int64.random(in: 2...60, using: &generator)
      for unit in TimeUnit.allCases {
        let digits = String(time.magnitude)
        let padded = String(repeating: "0", count: max(0, unit.exponent + 1 - digits.count)) + digits
        let text = (time < 0 ? "-" : "") + padded.dropLast(unit.exponent) + "." + padded.suffix(unit.exponent)
        #expect(try nanoseconds(text, unit) == time, "\(text) \(unit)")
      }
    }
  }
}
