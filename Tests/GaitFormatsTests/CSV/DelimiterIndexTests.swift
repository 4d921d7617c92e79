import GaitTestSupport
import Testing

@testable import GaitFormats

struct DelimiterIndexTests {
  /// What a search does, byte by byte.
  private func expected(_ text: ArraySlice<UInt8>, separator: UInt8) -> [Int] {
    let comma = UInt8(ascii: ",")
    return text.indices.filter { text[$0] == separator || text[$0] < comma }
  }

  /// All the ends in `text` from `start` on, found in stretches, of which every `step`th is taken and the others passed over.
  private func found(_ text: [UInt8], from start: Int, separator: UInt8, step: Int = 1) -> [Int] {
    let padded = text + [UInt8](repeating: separator, count: 64)
    return padded.withUnsafeBufferPointer { bytes in
      let base = bytes.baseAddress!
      var ends = DelimiterIndex(separator: separator)
      var result: [Int] = []
      var cursor = base + start
      while cursor < base + text.count, ends.reach(from: cursor, to: base + text.count) {
        result.append(ends.next.pointee - base)
        // As the reader does when it has read some cells by itself.
        cursor = ends.next.advanced(by: min(step, ends.limit - ends.next) - 1).pointee + 1
      }
      return result
    }
  }

  @Test(arguments: [",", ";", "\t", " "] as [Character])
  func `Texts of every length have the ends that a look at each byte finds`(separator: Character) {
    var generator = SplitMix64(seed: 11)
    let usual = Array("0123456789.-,,\n; \t\"e+".utf8)
    for length in 0...300 {
      let text = (0..<length).map { _ in
        Bool.random(using: &generator)
          ? usual.randomElement(using: &generator)! : .random(in: 0...255, using: &generator)
      }
      let start = Int.random(in: 0...length, using: &generator)
      let result = found(text, from: start, separator: separator.asciiValue!)
      #expect(result == expected(text[start...], separator: separator.asciiValue!), "\(length) bytes from \(start)")
    }
  }

  @Test func `Every byte value ends a cell or does not, wherever it stands in a block`() {
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

  @Test func `A text of many stretches has the ends that a look at each byte finds`() {
    var generator = SplitMix64(seed: 12)
    for share in [0.02, 0.2, 1.0] {
      let text = (0..<5 * DelimiterIndex.stretchByteCount + 17).map { _ in
        Double.random(in: 0..<1, using: &generator) < share ? UInt8(ascii: ",") : UInt8(ascii: "5")
      }
      let ends = expected(text[3...], separator: UInt8(ascii: ","))
      #expect(found(text, from: 3, separator: UInt8(ascii: ",")) == ends, "\(share)")
      let taken = found(text, from: 3, separator: UInt8(ascii: ","), step: 13)
      #expect(Set(taken).isSubset(of: ends) && taken.count >= ends.count / 13, "every 13th of \(share)")
    }
  }

  @Test func `An end farther than one look goes is not known`() {
    let text = [UInt8](repeating: UInt8(ascii: "1"), count: 2 * DelimiterIndex.stretchByteCount) + [UInt8(ascii: "\n")]
    let padded = text + [UInt8](repeating: 0, count: 64)
    padded.withUnsafeBufferPointer { bytes in
      var ends = DelimiterIndex(separator: UInt8(ascii: ","))
      let areKnown = ends.reach(from: bytes.baseAddress!, to: bytes.baseAddress! + text.count)
      #expect(!areKnown)
    }
  }
}
