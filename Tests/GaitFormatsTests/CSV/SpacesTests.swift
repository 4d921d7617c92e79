import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Collapsing of spaces, compared with a naive version on strings.
struct SpacesTests {
  @Test func `One space stays between cells, and none at the ends of a line`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2_000 {
      let pieces = [" ", "  ", "   ", "\n", "\r\n", "1.5", "-2", "x", "12345678901234567890123456789", "\"a  b \""]
      var text = ""
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        // Text with single spaces takes the fast path.
        text += Bool.random(using: &random) ? pieces.randomElement(using: &random)! : "7.25 8.5 9 "
      }
      text += "\n"
      var bytes = Array(text.utf8)
      let count = bytes.withUnsafeMutableBufferPointer {
        Spaces.collapse(from: $0.baseAddress!, to: $0.baseAddress! + $0.count) - $0.baseAddress!
      }
      #expect(String(decoding: bytes[..<count], as: UTF8.self) == naive(text), "\(text.debugDescription)")
    }
  }

  private func naive(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      let isReturned = line.last == UInt8(ascii: "\r")
      var (cells, isQuoted) = ([""], false)
      for byte in line.dropLast(isReturned ? 1 : 0) {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: " "), !isQuoted {
          cells.append("")
        } else {
          cells[cells.count - 1].append(Character(Unicode.Scalar(byte)))
        }
      }
      return cells.filter { !$0.isEmpty }.joined(separator: " ") + (isReturned ? "\r" : "")
    }.joined(separator: "\n")
  }
}
