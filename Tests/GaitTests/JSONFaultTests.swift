import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct JSONFaultTests {
  @Test(arguments: [
    "{}", "[]", " \n\t\r0 ", "-0.5e+10", "1e-400", "\"\"", "\"\\u00e9\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "[1,[2,{\"a\":[{}]}],null]",
    "{\"a\":true,\"a\":false}", "[\"\\ud800\"]", "\"\u{7f}é\u{2028}\"",
  ])
  func `Valid JSON has no fault`(text: String) { #expect(JSONSyntax.fault(in: text.utf8) == nil) }

  @Test(arguments: [
    ("", JSONFault.empty), (" \n", .empty), ("{", .cutShort), ("[1,", .cutShort), ("{\"a\":\"b", .cutShort),
    ("-", .cutShort), ("1.", .cutShort), ("[tru", .cutShort), ("x", .unexpected(line: 1, column: 1)),
    ("[1,]", .unexpected(line: 1, column: 4)), ("{\"a\":1,}", .unexpected(line: 1, column: 8)),
    ("{\n \"a\" 1}", .unexpected(line: 2, column: 6)), ("[1}", .unexpected(line: 1, column: 3)),
    ("01", .unexpected(line: 1, column: 2)), ("[1] 2", .unexpected(line: 1, column: 5)),
    ("\"\u{1}\"", .unexpected(line: 1, column: 2)), ("\"\\x\"", .unexpected(line: 1, column: 3)),
    ("[nan]", .unexpected(line: 1, column: 3)), ("{a:1}", .unexpected(line: 1, column: 2)),
  ])
  func `Invalid JSON has a fault with its position`(text: String, fault: JSONFault) {
    #expect(JSONSyntax.fault(in: text.utf8) == fault)
  }

  @Test func `It agrees with Foundation on random mutations, and nesting depth is unlimited`() {
    var random = SplitMix64(seed: 5)
    let text = Array("{\"a\": [1, -2.5e3, \"b\\n\", true, null], \"c\": {\"d\": {}}}".utf8)
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = bytes.indices.randomElement(using: &random)!
        if Bool.random(using: &random) {
          bytes.remove(at: place)
        } else {
          bytes[place] = text.randomElement(using: &random)!
        }
      }
      let isRead = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      #expect((JSONSyntax.fault(in: bytes) == nil) == isRead, "\(String(decoding: bytes, as: UTF8.self))")
    }
    let depth = 1_000_000
    let nested = Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    #expect(JSONSyntax.fault(in: nested) == nil)
  }

  @Test func `Text that is nested too deep is refused wherever it ends`() {
    for depth in 495...520 {
      let text = Data(repeating: UInt8(ascii: "["), count: depth)
      let fault = #expect(throws: JSONFault.self) { try JSONFault.decode([Int].self, from: text) }
      #expect(
        (fault == .refused("", reason: "it is nested too deep, or not UTF-8")) == (depth > 500), "\(depth) brackets")
    }
    // U+225B contains the bytes of a quotation mark and of a bracket.
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian] {
      let text = ("[\"\u{225B}\"," + String(repeating: "[", count: 512)).data(using: encoding) ?? Data()
      #expect(JSONSyntax.depth(of: text) == 514)
      #expect(throws: JSONFault.self) { try JSONFault.decode([Int].self, from: text) }
    }
    #expect(JSONSyntax.depth(of: Data("{\"[[\\\"[\": [1, {}]}".utf8)) == 3)
  }

  @Test func `Valid JSON that the decoder rejects is not reported as invalid JSON`() throws {
    let deep = "{\"format\":" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"
    for text in [deep, "{\"format\":\"\\ud800\"}"] {
      let error = try #require(throws: ModelError.self) {
        try ActivityModel(json: Data(text.utf8), name: "model.json")
      }
      guard case .invalid = error else { throw error }
    }
  }
}
