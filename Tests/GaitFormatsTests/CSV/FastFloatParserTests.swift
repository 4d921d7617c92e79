import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct FastFloatParserTests {
  /// Parses `text`, followed by `suffix` and other bytes as in a file.
  private func read(_ text: String, mark: Character = ".", suffix: String = ",") -> Float? {
    let bytes = Array((text + suffix).utf8) + [UInt8](repeating: UInt8(ascii: "7"), count: 64)
    return bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress!
      return FastFloatParser(from: start, to: start + text.utf8.count, mark: mark.asciiValue!)?.value
    }
  }

  @Test func `Parsed numbers match strtod bit for bit, and few need the slow path`() {
    var generator = SplitMix64(seed: 5)
    var (read, wrong) = (0, [String]())
    for kind in DecimalText.allCases {
      for _ in 0..<DecimalNumberTests.count / 50 {
        let text = kind.text(&generator)
        guard let value = self.read(text) else { continue }
        read += 1
        if value.bitPattern != Float(strtod(text, nil)).bitPattern { wrong.append(text) }
      }
    }
    #expect(wrong.prefix(10) == [])
    #expect(read > DecimalNumberTests.count / 50)
  }

  @Test func `Near the midpoint of two floats no digit is ignored`() {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<20_000 {
      let float = Float.random(in: 0x1p-15..<2, using: &generator)
      // The 24 digits of the midpoint, changed at random from the fifteenth digit or later.
      var digits = Array(String(format: "%.24f", (Double(float) + Double(float.nextUp)) / 2))
      for index in Int.random(in: 16..<26, using: &generator)..<digits.count {
        digits[index] = Character(String(Int.random(in: 0...9, using: &generator)))
      }
      let text = String(digits.prefix(Int.random(in: 17...26, using: &generator)))
      guard let value = read(text) else { continue }
      #expect(value.bitPattern == Float(strtod(text, nil)).bitPattern, "\(text)")
    }
  }

  @Test func `A small number is parsed if it has at most sixteen digits`() {
    #expect(read("0.0001220703125000") == 0x1p-13)
    #expect(read("0.0001220703125001") == Float(0.0001220703125001))
    #expect(read("0.00000000000000007") == nil)
    #expect(read("0.0000000000000007") == 7e-16)
    #expect(read("-0.000123456789012345678") == -0.000123456789012345678)
    #expect(read("-0.000121456789012345678") == nil)
  }

  @Test func `Every number of digits before and after the point is parsed`() {
    let digits = "98765432109876543210987654321"
    for sign in ["", "-"] {
      for whole in 1...8 {
        for fraction in 1...26 {
          let text = sign + "\(digits.prefix(whole)).\(digits.dropLast().prefix(fraction))"
          for (mark, suffix) in [(".", ","), (".", "\n"), (",", ";"), (",", "\r\n"), (".", "5")]
            as [(Character, String)]
          {
            let value = read(
              text.replacingOccurrences(of: ".", with: String(mark)), mark: mark, suffix: suffix)
            let isRead = whole <= 7 && fraction <= 24
            #expect(value == (isRead ? Float(strtod(text, nil)) : nil), "\(text) before \(suffix)")
          }
        }
      }
    }
  }

  @Test func `A non-digit byte at any position is detected`() {
    let text = Array("-1.234567890123456789012345".utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max where byte != text[index] && !(0x30...0x39 ~= byte) {
        var bytes = text
        bytes[index] = byte
        bytes.append(contentsOf: [UInt8](repeating: UInt8(ascii: ","), count: 64))
        let value = bytes.withUnsafeBufferPointer {
          FastFloatParser(from: $0.baseAddress!, to: $0.baseAddress! + text.count, mark: UInt8(ascii: "."))?.value
        }
        #expect(value == nil, "byte \(byte) at \(index)")
      }
    }
  }

  @Test(arguments: [
    "", ",", "-", "--1.5", "+1.5", ".5", "-.5", "5.", "5", "5,1", "x", "-x.5", "1x.5", "nan", "/.5", ":.5",
  ])
  func `Other forms are rejected`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `Zero keeps its sign`() {
    #expect(read("0.0")?.bitPattern == 0)
    #expect(read("-0.000")?.bitPattern == Float(-0.0).bitPattern)
  }
}

struct EightDigitsTests {
  @Test func `Any eight bytes give their leading digits`() {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<100_000 {
      let count = Int.random(in: 0...8, using: &generator)
      var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for index in 0..<count { bytes[index] = UInt8(ascii: "0") + .random(in: 0..<10, using: &generator) }
      let text = String(decoding: bytes.prefix(8).prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
      let digits = bytes.withUnsafeBufferPointer { EightDigits(at: $0.baseAddress!) }
      #expect(digits.count == text.count)
      #expect(digits.number == UInt64(text) ?? 0)
    }
  }
}
