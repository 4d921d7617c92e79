import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct LaneNumberTests {
  /// Reads the number that `text` begins with.
  private func read(_ text: String, mark: Character = ".") -> (value: Float, length: Int)? {
    let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "7"), count: 64)
    return bytes.withUnsafeBufferPointer { bytes in
      LaneNumber(at: bytes.baseAddress!, mark: mark.asciiValue!).map { ($0.value, $0.end - bytes.baseAddress!) }
    }
  }

  @Test func `What is read has the bits of the exact number, and few are left to others`() {
    var generator = SplitMix64(seed: 5)
    var (read, wrong) = (0, [String]())
    for kind in DecimalText.allCases {
      for _ in 0..<DecimalNumberTests.count / 50 {
        let text = kind.text(&generator)
        guard let (value, length) = self.read(text + ",") else { continue }
        read += 1
        let exact = strtod(String(text.utf8.prefix(length))!, nil)
        if value.bitPattern != Float(exact).bitPattern { wrong.append(text) }
      }
    }
    #expect(wrong.prefix(10) == [])
    #expect(read > DecimalNumberTests.count / 50)
  }

  @Test func `Every number of digits before and behind the point is read up to its end`() {
    let digits = "98765432109876543210987654321"
    for sign in ["", "-"] {
      for whole in 1...8 {
        for fraction in 1...26 {
          let text = sign + "\(digits.prefix(whole)).\(digits.dropLast().prefix(fraction))"
          for (mark, end) in [(".", ","), (".", "\n"), (",", ";"), (",", "\r\n")] as [(Character, String)] {
            let result = read(text.replacingOccurrences(of: ".", with: String(mark)) + end, mark: mark)
            guard whole <= 7, fraction <= 23 else {
              #expect(result == nil, "\(text)")
              continue
            }
            #expect(result?.value == Float(strtod(text, nil)), "\(text)")
            #expect(result?.length == text.utf8.count, "\(text)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    "", ",", "-", "--1.5", "+1.5", ".5", "-.5", "5.", "5", "5,1", "x", "-x.5", "1x.5", "nan", "/.5", ":.5",
  ])
  func `Other forms are left to others`(text: String) {
    #expect(read(text + ",") == nil)
  }

  @Test func `Zero keeps its sign`() {
    #expect(read("0.0,")?.value.bitPattern == 0)
    #expect(read("-0.000,")?.value.bitPattern == Float(-0.0).bitPattern)
  }
}

struct EightDigitsTests {
  @Test func `Any eight bytes give the digits that they begin with`() {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<100_000 {
      let count = Int.random(in: 0...8, using: &generator)
      var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for index in 0..<count { bytes[index] = UInt8(ascii: "0") + .random(in: 0..<10, using: &generator) }
      let text = String(decoding: bytes.prefix(8).prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
      let digits = bytes.withUnsafeBufferPointer { EightDigits(at: $0.baseAddress!) }
      #expect(digits.count == text.count)
      #expect(digits.number == UInt64(text) ?? 0)
      #expect(digits.padded == UInt64(text.padding(toLength: 8, withPad: "0", startingAt: 0)))
      #expect(digits.continuation == (text.count == 8 ? .max : 0))
      let none = bytes.withUnsafeBufferPointer { EightDigits(at: $0.baseAddress!, allowed: 0) }
      #expect(none.count == 0 && none.number == 0 && none.padded == 0 && none.continuation == 0)
    }
  }
}
