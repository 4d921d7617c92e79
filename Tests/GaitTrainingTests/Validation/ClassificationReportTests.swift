import Foundation
import GaitTraining
import Testing

struct ClassificationReportTests {
  private func report(_ cells: [(String, String, Int)], labels: [String] = []) throws -> ClassificationReport {
    try ClassificationReport(
      cells.flatMap { truth, predicted, count in
        repeatElement(Prediction(truth: truth, predicted: predicted, group: "g"), count: count)
      }, labels: labels)
  }

  @Test("every score agrees with scikit-learn", arguments: try Reference.all())
  func agreesWithScikitLearn(reference: Reference) throws {
    let report = try report(reference.cells)
    #expect(report.labels == reference.labels)
    #expect(report.confusion == reference.confusion)
    let scores = [
      ("accuracy", report.accuracy, reference.accuracy), ("macroF1", report.macroF1, reference.macroF1),
      ("balancedAccuracy", report.balancedAccuracy, reference.balancedAccuracy),
    ]
    for (name, value, expected) in scores { #expect(abs(value - expected) < 1e-12, "\(name)") }
    expect(report.recall, near: reference.recall)
    expect(report.precision, near: reference.precision)
    expect(report.versusRestMacroF1, near: reference.versusRestMacroF1)
  }

  @Test("groups are listed worst first, equal ones in natural order")
  func groups() throws {
    let windows = [("10", 1), ("9", 1), ("2", 0), ("2", 1), ("7", 1), ("7", 1), ("7", 0)].map { group, right in
      Prediction(truth: "a", predicted: right == 1 ? "a" : "b", group: group)
    }
    let report = try ClassificationReport(windows)
    #expect(report.groups.map(\.name) == ["2", "7", "9", "10"])
    #expect(report.worstGroup.windows == 2)
    #expect(report.worstGroup.accuracy == 0.5)
  }

  @Test("a label without windows has no recall and is left out of averages")
  func absentLabel() throws {
    let report = try report([("run", "run", 3), ("still", "still", 2)], labels: ["walk", "run", "still"])
    #expect(report.labels == ["run", "still", "walk"])
    #expect(report.recall == ["run": 1, "still": 1])
    #expect(report.versusRestMacroF1 == ["run": 1, "still": 1])
    #expect((report.macroF1, report.balancedAccuracy) == (1, 1))
    #expect(report.absentLabels == ["walk"])
    #expect(report.support == ["run": 3, "still": 2, "walk": 0])
  }

  @Test("a report without windows is an error")
  func noWindows() {
    #expect(throws: ClassificationReportError.noWindows) { try ClassificationReport([Prediction]()) }
    #expect(ClassificationReportError.noWindows.description.contains("shorter window"))
  }

  @Test("the JSON has exactly the documented keys")
  func json() throws {
    let report = try report([("run", "run", 3), ("run", "still", 1), ("still", "still", 4)], labels: ["walk"])
    let data = try JSONEncoder().encode(report)
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      json.keys.sorted() == [
        "accuracy", "balancedAccuracy", "confusion", "groups", "labels", "macroF1", "recall", "versusRestMacroF1",
        "windows",
      ])
    #expect(json["windows"] as? Int == 8)
    #expect(json["accuracy"] as? Double == 0.875)
    #expect(json["labels"] as? [String] == ["run", "still", "walk"])
    #expect(json["confusion"] as? [[Int]] == [[3, 1, 0], [0, 4, 0], [0, 0, 0]])
    #expect(json["recall"] as? [String: Double] == ["run": 0.75, "still": 1])
    let group = try #require((json["groups"] as? [[String: Any]])?.first)
    #expect(group.keys.sorted() == ["accuracy", "name", "windows"])
  }

  private func expect(
    _ values: [String: Double], near expected: [String: Double], location: SourceLocation = #_sourceLocation
  ) {
    #expect(values.keys.sorted() == expected.keys.sorted(), sourceLocation: location)
    for (label, value) in values {
      #expect(abs(value - expected[label, default: .nan]) < 1e-12, "\(label)", sourceLocation: location)
    }
  }

  /// A case of `report_reference.json`.
  struct Reference: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let windows: [[Cell]]
    let labels: [String]
    let confusion: [[Int]]
    let accuracy, balancedAccuracy, macroF1: Double
    let recall, precision, versusRestMacroF1: [String: Double]

    var testDescription: String { name }

    var cells: [(String, String, Int)] { windows.map { ($0[0].text, $0[1].text, $0[2].count) } }

    static func all() throws -> [Reference] {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      return try JSONDecoder().decode(
        [Reference].self, from: Data(contentsOf: tests.appending(path: "References/report_reference.json")))
    }

    /// A label or a count.
    struct Cell: Decodable, Sendable {
      var text = ""
      var count = 0

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          count = number
        } else {
          text = try container.decode(String.self)
        }
      }
    }
  }
}
