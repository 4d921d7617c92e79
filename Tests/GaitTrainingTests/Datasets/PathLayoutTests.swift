import Foundation
import GaitTestSupport
import GaitTraining
import Testing

struct PathLayoutTests {
  @Test("a match has a value for every placeholder")
  func fields() throws {
    let layout = try PathLayout("{label}_{trial}/sub_{subject}.csv")
    #expect(layout.fieldNames == ["label", "trial", "subject"])
    #expect(layout.match("jog_9/sub_12.csv") == ["label": "jog", "trial": "9", "subject": "12"])
    #expect(layout.description == "{label}_{trial}/sub_{subject}.csv")
  }

  @Test(
    "a path of another layout does not match",
    arguments: [
      "jog_9/sub_.csv", "jog/sub_1.csv", "_9/sub_1.csv", "jog_9/x/sub_1.csv", "a/jog_9/sub_1.csv",
      "jog_9/sub_1.csv.bak",
      "jog_9/SUB_1.csv", "", "/",
    ])
  func otherPaths(path: String) throws {
    #expect(try PathLayout("{label}_{trial}/sub_{subject}.csv").match(path) == nil)
  }

  @Test("the leftmost placeholder takes as much as it can")
  func greed() throws {
    let layout = try PathLayout("{label}_{trial}.csv")
    #expect(layout.match("walk_up_3.csv") == ["label": "walk_up", "trial": "3"])
  }

  @Test("a name that is used twice matches the same text both times")
  func repeatedName() throws {
    let layout = try PathLayout("{subject}/{label}_{subject}.csv")
    #expect(layout.fieldNames == ["subject", "label"])
    #expect(layout.match("7/run_7.csv") == ["subject": "7", "label": "run"])
    #expect(layout.match("7/run_8.csv") == nil)
  }

  @Test("composed and decomposed accents are equal")
  func accents() throws {
    #expect(try PathLayout("caf\u{E9}/{label}.csv").match("cafe\u{301}/run.csv") == ["label": "run"])
  }

  @Test(
    "every short path matches like the equivalent regular expression",
    arguments: [
      "{a}", "{a}_{b}", "{a}_{b}_{c}", "{a}/{b}", "{a}_{b}/{a}", "x{a}x{b}", "{a}_{a}", "{a}1{b}1{a}", "_{a}/{b}_",
    ])
  func agreesWithRegularExpressions(template: String) throws {
    let layout = try PathLayout(template)
    let expression = try regularExpression(for: layout)
    var generator = SplitMix64(seed: 1)
    for _ in 0..<3000 {
      let length = Int.random(in: 0...9, using: &generator)
      let path = String((0..<length).map { _ in "ab_/1x".randomElement(using: &generator)! })
      #expect(layout.match(path) == match(path, expression, layout.fieldNames), "\(template) on \(path)")
    }
  }

  @Test(
    "an invalid template is an error that names the cure",
    arguments: [
      ("", PathLayoutError.empty, "write a path"),
      ("/data/{label}.csv", .absolutePath("/data/{label}.csv"), "relative"),
      ("{label}//a.csv", .impossibleComponent("", in: "{label}//a.csv"), "an empty path component"),
      ("../{label}.csv", .impossibleComponent("..", in: "../{label}.csv"), "\"..\""),
      ("{label}/", .impossibleComponent("", in: "{label}/"), "remove it"),
      ("{label/a.csv", .unclosedBrace("{label/a.csv"), "close every placeholder"),
      ("{a{b}}.csv", .unclosedBrace("{a{b}}.csv"), "close every placeholder"),
      ("label}/a.csv", .unopenedBrace("label}/a.csv"), "open every placeholder"),
      ("{}/a.csv", .emptyName("{}/a.csv"), "name it"),
      ("{the label}.csv", .invalidName("the label", in: "{the label}.csv"), "the label"),
      ("{label}{n}{day}.csv", .adjacentPlaceholders("n", "day", in: "{label}{n}{day}.csv"), "{n} and {day}"),
      ("running/1.csv", .noPlaceholder("running/1.csv"), "{label}"),
    ])
  func wrongTemplates(template: String, error: PathLayoutError, hint: String) {
    #expect(throws: error) { try PathLayout(template) }
    #expect(error.description.contains(hint))
    #expect(error.description.hasSuffix("."))
  }

  @Test("a placeholder directly after another matches the digits")
  func adjacentPlaceholders() throws {
    let layout = try PathLayout("{label}{n}.csv")
    #expect(layout.match("run12.csv") == ["label": "run", "n": "12"])
    #expect(layout.match("10k4.csv") == ["label": "10k", "n": "4"])
    #expect(layout.match("run.csv") == nil)
    #expect(layout.match("12.csv") == nil)
    #expect(try PathLayout("{subject}/{label}{subject}.csv").match("7/jog7.csv") == ["subject": "7", "label": "jog"])
  }

  private func regularExpression(for layout: PathLayout) throws -> NSRegularExpression {
    var pattern = NSRegularExpression.escapedPattern(for: layout.template)
    for (position, name) in layout.fieldNames.enumerated() {
      let placeholder = NSRegularExpression.escapedPattern(for: "{\(name)}")
      let first = try #require(pattern.range(of: placeholder))
      pattern.replaceSubrange(first, with: "([^/]+)")
      pattern = pattern.replacingOccurrences(of: placeholder, with: "(?:\\\(position + 1))")
    }
    return try NSRegularExpression(pattern: "^\(pattern)$")
  }

  private func match(_ path: String, _ expression: NSRegularExpression, _ names: [String]) -> [String: String]? {
    let whole = NSRange(path.startIndex..., in: path)
    guard let found = expression.firstMatch(in: path, range: whole) else { return nil }
    return Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, String(path[Range(found.range(at: $0 + 1), in: path)!])) })
  }
}
