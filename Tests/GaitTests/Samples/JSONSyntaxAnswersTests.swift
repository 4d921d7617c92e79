import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The faults of JSON texts for every byte at every kind of place, and the substitute for gravity.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct JSONSyntaxAnswersTests {
  @Test func `Faults of JSON and substitutes for gravity are those that were recorded`() throws {
    try RecordedAnswers("json_syntax_answers.tsv").expect([
      ("bytes", Self.bytes()), ("cuts", Self.cuts()), ("decoded", Self.decoded()), ("gravity", Self.gravity()),
    ])
  }

  private static func text(_ fault: JSONFault?) -> String {
    switch fault {
    case nil: "-"
    case .cutShort: "cut"
    case .empty: "empty"
    case .unexpected(let line, let column): "\(line):\(column)"
    case .missing, .wrongType, .refused: fault?.description.replacing("\n", with: " ") ?? ""
    }
  }

  private static let contexts: [(before: String, after: String)] = [
    ("", ""), ("", "1"), ("[1", "]"), ("[1,", "2]"), ("[\n1 ", ""), ("\"a", "b\""), ("\"\\", "\""), ("\"\\", "0041\""),
    ("\"\\u00", "0\""), ("\"\\u004", "\""), ("\"\\u", ""), ("-", ""), ("0", ""), ("1", "0"), ("1.", ""), ("1.5", "1"),
    ("1e", "5"), ("1e+", ""), ("2E", "+1"), ("{", "}"), ("{\"a\"", "1}"), ("{\"a\":1", "}"), ("{\"a\":1", "\"b\":2}"),
    ("{\"a\":[]", ""), ("t", "ue"), ("nul", ""), ("\n\n [[", "]]"), ("[] ", ""), ("{} ", "\n"),
  ]

  /// The fault for each of the 256 bytes, as runs of equal faults.
  private static func bytes() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for (index, context) in contexts.enumerated() {
      var (runs, latest) = ("", "")
      for byte in UInt8.min...UInt8.max {
        let bytes = Array(context.before.utf8) + [byte] + Array(context.after.utf8)
        let found = text(JSONSyntax.fault(in: bytes))
        if found != latest { runs += "\(byte)=\(found) " }
        latest = found
      }
      figures.add("\(index)", runs)
    }
    return figures
  }

  /// The fault for every beginning of a text, and the depth of it, also as UTF-16.
  private static func cuts() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let whole =
      "{\"a\": [1, -2.5e3, \"b\\n[\\\"{\\u00e9\", true, null, false],\r\n\t\"c\": {\"d\": {}, \"[\": [[0.5]]}}"
    for length in 0...whole.utf8.count {
      let part = Array(whole.utf8.prefix(length))
      let wide = Data(part.flatMap { [$0, 0] })
      figures.add(
        "\(length)",
        "\(text(JSONSyntax.fault(in: part))) \(JSONSyntax.depth(of: Data(part))) \(JSONSyntax.depth(of: wide))")
    }
    return figures
  }

  private struct Form: Decodable {
    struct Part: Decodable {
      var count: Int
      var names: [String]
      var time: SampleTime
    }

    var parts: [Part]
  }

  /// The descriptions of faults of valid JSON.
  private static func decoded() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let texts = [
      "", " \n", "{", "3", "[]", "{}", "{\"parts\":1}", "{\"parts\":[1]}", "{\"parts\":[{}]}", "{\"parts\":null}",
      "{\"parts\":[{\"count\":\"a\"}]}", "{\"parts\":[{\"count\":1,\"names\":[\"a\",2]}]}",
      "{\"parts\":[{\"count\":1,\"names\":[]}]}",
      "{\"parts\":[{\"count\":1,\"names\":[],\"time\":5000000000000000000}]}",
      "{\"parts\":[{\"count\":1,\"names\":[],\"time\":5}]}", "{\"parts\":[],}", "\n\n x",
    ]
    for (index, text) in texts.enumerated() {
      var found = "read"
      do throws(JSONFault) { _ = try JSONFault.decode(Form.self, from: Data(text.utf8)) } catch {
        found = error.description.replacing("\n", with: " ")
      }
      figures.add("\(index)", found)
    }
    return figures
  }

  /// The substitute for gravity in streams whose movement, steps in time and missing values vary.
  private static func gravity() -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: 4))
    for stream in 0..<12 {
      var (steps, time) = (StepSamples(), 0.0)
      for index in 0..<60 {
        time += [0.04, 0.04, 0.2, 0.21, 0.5, 0, -0.1].randomElement(using: &random)!
        let beat: Float = index % 5 == 0 ? -0.9 : 0.2
        var user = SIMD3<Float>(0.1, 0.2, beat) + 0.05 * SIMD3<Float>.random(in: -1...1, using: &random)
        if stream % 3 == 1 { user = SIMD3(0, beat, 0) }
        if stream % 3 == 2, index < 40 { user = SIMD3(beat, 0, 0) }
        if index % 17 == 5 { user.x = .nan }
        var gravity = SIMD3<Float>(repeating: .nan)
        if stream == 4, index > 30 { gravity = SIMD3(0, 0, -1) }
        if stream == 5, index == 0 { gravity = SIMD3(0, -1, 0) }
        let sample = steps.sample(MotionSample(time: .seconds(time), gravity: gravity, userAcceleration: user))
        guard index % 4 == 0 || stream > 3 && 28...34 ~= index else { continue }
        let values = (0..<3).map { "\(sample.gravity[$0]) \(sample.userAcceleration[$0])" }
        figures.add("\(stream) \(index)", "\(steps.hasGravity) \(values.joined(separator: " "))")
      }
    }
    return figures
  }
}
