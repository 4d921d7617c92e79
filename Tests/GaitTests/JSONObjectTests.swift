import Foundation
import Gait
import Testing

/// JSON objects of results: unknown values are left out, or `null`.
@Suite struct JSONObjectTests {
  private static let unknown: Double? = nil

  private static func text(hasNulls: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let object = JSONObject(
      ["a": 1, "b": "two", "c": nil, "d": unknown, "e": Optional(3.5), "f": [1, 2]],
      and: [JSONObject(["g": true], hasNulls: hasNulls)], hasNulls: hasNulls)
    return String(decoding: try encoder.encode(object), as: UTF8.self)
  }

  @Test func `Known values are written, unknown ones left out`() throws {
    #expect(try Self.text(hasNulls: false) == #"{"a":1,"b":"two","e":3.5,"f":[1,2],"g":true}"#)
  }

  @Test func `Unknown values are null on request`() throws {
    #expect(try Self.text(hasNulls: true) == #"{"a":1,"b":"two","c":null,"d":null,"e":3.5,"f":[1,2],"g":true}"#)
  }
}
