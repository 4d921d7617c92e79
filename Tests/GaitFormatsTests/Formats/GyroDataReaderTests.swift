import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct GyroDataReaderTests {
  /// What the reader makes of some text, and where it says that it stumbled.
  private func read(
    _ text: [UInt8], bufferBytes: Int = JSONText.defaultBufferBytes
  ) throws -> (outcome: FoundationGyroData.Outcome, place: String?) {
    do throws(RecordingError) {
      let contents = try GyroDataReader.contents(of: MemoryBytes(text[...]), file: "f", bufferBytes: bufferBytes)
      return (.contents(contents.map(FoundationGyroData.Content.init)), nil)
    } catch {
      guard case .notGyroData("f", let reason) = error else { return (.noJSON, nil) }
      let parts = reason.split(separator: " (line ", maxSplits: 1)
      let place = parts.count > 1 ? "line " + parts[1].dropLast() : nil
      return (parts[0] == "it is not valid JSON" ? .noJSON : .otherForm(String(parts[0])), place)
    }
  }

  private func place(in text: String) throws -> String? { try read(Array(text.utf8)).place }

  @Test func `A fault has its line and column`() throws {
    #expect(try place(in: #"{"sensor":0,"axisValues":[{"x":1"#) == "line 1, column 33")
    #expect(try place(in: "{\n \"sensor\":0,\r\n\t\"note\":\"\u{1}\"}") == "line 3, column 10")
    #expect(try place(in: "{\n\"date\" : [],\n\"sensor\":0,\"axisValues\":[]}") == "line 2, column 10")
    #expect(try place(in: #"{"sensor":0,"axisValues":[{"x":1},{"x":"a"}]}"#) == "line 1, column 40")
  }

  @Test func `Brackets may be nested as deep as Foundation lets them, and no deeper`() throws {
    for depth in [511, 512, 513, 100_000] {
      let text = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
      let outcome = try read(text).outcome
      #expect(outcome == (depth > 512 ? .noJSON : .otherForm("Index 0 is not what it should be")))
      #expect(outcome == FoundationGyroData.outcome(of: text))
    }
  }

  @Test func `Text longer than the buffer is read across its end`() throws {
    let (digits, letters) = (String(repeating: "3", count: 5000), String(repeating: "\u{E9}a", count: 5000))
    let text = Array(
      #"{"\#(letters)":"\#(letters)","sensor":0,"axisValues":[{"x":0.\#(digits),"y":\#(digits)e-5000}]}"#.utf8)
    for bufferBytes in [64, 65, 127, 1 << 12] {
      let outcome = try read(text, bufferBytes: bufferBytes).outcome
      #expect(outcome == FoundationGyroData.outcome(of: text))
    }
  }

  @Test
  func `A sensor that is no whole number or a date that no clock shows is refused, and an axis too large is missing`()
    throws
  {
    let half = try read(Array(#"{"sensor":0.5,"axisValues":[]}"#.utf8)).outcome
    #expect(half == .otherForm("sensor is not what it should be"))
    let dated = try read(Array(#"{"sensor":0,"date":1e10,"axisValues":[]}"#.utf8)).outcome
    #expect(dated == .otherForm("date is not what it should be"))
    let contents = try GyroDataReader.contents(
      of: MemoryBytes(Array(#"{"sensor":0,"axisValues":[{"x":1e400,"y":1e39,"z":2}]}"#.utf8)[...]), file: "f")
    #expect(contents[0].values[0].x.isNaN && contents[0].values[0].y.isNaN && contents[0].values[0].z == 2)
  }

  /// Texts of the form, with all that it may have in it.
  private static let texts = [
    #"{"sensor":0,"date":720000000.5,"time":60,"axisValues":[{"x":0.1,"y":-0.25,"z":-0.98},{"x":1e-3,"y":2,"z":-0}]}"#,
    #" [ {"sensor" : 1.0, "axisValue": [ {"z":0.1234567890123456789, "y":null } , {"x":1E+2,"t":[1,{"a":"b"}]} ] } ] "#,
    "[{\"note\":\"h\u{E9}\u{1F600} \\u00e9\\ud83d\\ude00\\n\\\"\",\"deep\":[[[{}]],{\"a\":{\"b\":[true,false,null]}}],\r\n"
      + "\t\"axisValues\":[],\"sensor\":0,\"date\":null},\n{\"s\\u0065nsor\":1,\"axisValues\":[{\"\\u0078\":3.25}]}]",
    "\u{FEFF}{\"sensor\":0,\"axisValues\":[{\"x\":17976931348623157e292,\"y\":4.9e-324,\"z\":1e39}],\"axisValue\":[]}",
  ]

  @Test func `Whatever is changed in a text, it is read as Foundation reads it, with any buffer`() throws {
    var random = SplitMix64(seed: 20)
    for text in Self.texts {
      for round in 0..<5000 {
        let damaged = round == 0 ? Array(text.utf8) : Self.damaged(Array(text.utf8), &random)
        let expected = FoundationGyroData.outcome(of: damaged)
        let whole = try read(damaged)
        if expected != .otherNumber {
          try #require(whole.outcome == expected, "\(String(decoding: damaged, as: UTF8.self))")
        }
        let piecewise = try read(damaged, bufferBytes: 64 + round % 40)
        try #require(piecewise == whole, "\(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }

  /// A text with one to three changes.
  private static func damaged(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &random) where !text.isEmpty {
      let index = text.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<6, using: &random) {
      case 0: text.remove(at: index)
      case 1: text[index] = Array("{}[]\",:.-+eE0123456789tfn\\ux \n".utf8).randomElement(using: &random)!
      case 2: text[index] = .random(in: 1...255, using: &random)
      case 3: text.insert(contentsOf: Array(snippets.randomElement(using: &random)!.utf8), at: index)
      case 4: text.swapAt(index, text.indices.randomElement(using: &random)!)
      default: text.removeSubrange(index..<min(text.count, index + .random(in: 1...9, using: &random)))
      }
    }
    return text
  }

  private static let snippets = [
    "null", "true", "1e5", "-", "01", "1.", ".5", "\"sensor\":1,", "\"axisValue\":[],", "\"date\":\"a\",", "{}", "[]",
    "[",
    "}", ",", ",\"x\":2", "\\ud83d", "\\u12g4", "\\q", "12345678901234567890123456789012345678901234567890", "e-3",
    "{\"x\":1}",
  ]
}
