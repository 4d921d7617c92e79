import GaitTestSupport
import Testing

@testable import GaitFormats

struct DelimiterIndexTests {
  /// The naive version: a byte-by-byte search.
  private func expected(_ text: ArraySlice<UInt8>, separator: UInt8) -> [Int] {
    let comma = UInt8(ascii: ",")
    return text.indices.filter { text[$0] == separator || text[$0] < comma }
  }

  /// The delimiters in `text` from `start` on, of which only every `step`th is used.
  private func found(_ text: [UInt8], from start: Int, separator: UInt8, step: Int = 1) -> [Int] {
    let padded = text + [UInt8](repeating: separator, count: 64)
    return padded.withUnsafeBufferPointer { bytes in
      let base = bytes.baseAddress!
      var index = DelimiterIndex(separator: separator)
      var result: [Int] = []
      var cursor = base + start
      while cursor < base + text.count, index.advance(from: cursor, to: base + text.count) {
        result.append(index.next.pointee - base)
        // Like the reader after it reads some cells on the slow path.
        cursor = index.next.advanced(by: min(step, index.limit - index.next) - 1).pointee + 1
      }
      return result
    }
  }

  @Test(arguments: [",", ";", "\t", " "] as [Character])
  func `Texts of every length match the byte-by-byte search`(separator: Character) {
    var generator = SplitMix64(seed: 11)
    let common = Array("0123456789.-,,\n; \t\"e+".utf8)
    for length in 0...300 {
      let text = (0..<length).map { _ in
        Bool.random(using: &generator)
          ? common.randomElement(using: &generator)! : .random(in: 0...255, using: &generator)
      }
      let start = Int.random(in: 0...length, using: &generator)
      let result = found(text, from: start, separator: separator.asciiValue!)
      #expect(result == expected(text[start...], separator: separator.asciiValue!), "\(length) bytes from \(start)")
    }
  }

  @Test func `Every byte value at every position in a block is classified correctly`() {
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      for index in 0..<64 {
        for byte in UInt8.min...UInt8.max {
          var text = [UInt8](repeating: UInt8(ascii: "7"), count: 64)
          text[index] = byte
          let result = found(text, from: 0, separator: separator)
          #expect(result == expected(text[...], separator: separator), "byte \(byte) at \(index)")
        }
      }
    }
  }

  @Test func `A text of many scans matches the byte-by-byte search`() {
    var generator = SplitMix64(seed: 12)
    for share in [0.02, 0.2, 1.0] {
      let text = (0..<5 * DelimiterIndex.scanByteCount + 17).map { _ in
        Double.random(in: 0..<1, using: &generator) < share ? UInt8(ascii: ",") : UInt8(ascii: "5")
      }
      let delimiters = expected(text[3...], separator: UInt8(ascii: ","))
      #expect(found(text, from: 3, separator: UInt8(ascii: ",")) == delimiters, "\(share)")
      let taken = found(text, from: 3, separator: UInt8(ascii: ","), step: 13)
      #expect(Set(taken).isSubset(of: delimiters), "every 13th of \(share)")
      #expect(taken.count >= delimiters.count / 13, "every 13th of \(share)")
    }
  }

  @Test func `A delimiter beyond one scan is not found`() {
    let text = [UInt8](repeating: UInt8(ascii: "1"), count: 2 * DelimiterIndex.scanByteCount) + [UInt8(ascii: "\n")]
    let padded = text + [UInt8](repeating: 0, count: 64)
    padded.withUnsafeBufferPointer { bytes in
      var index = DelimiterIndex(separator: UInt8(ascii: ","))
      let isFound = index.advance(from: bytes.baseAddress!, to: bytes.baseAddress! + text.count)
      #expect(!isFound)
    }
  }
}
