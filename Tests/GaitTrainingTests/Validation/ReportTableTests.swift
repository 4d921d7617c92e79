import GaitTestSupport
import GaitTraining
import Testing

struct ReportTableTests {
  private func windows(_ cells: [(String, String, Int)], group: String) -> [Prediction] {
    cells.flatMap { truth, predicted, count in
      repeatElement(Prediction(truth: truth, predicted: predicted, group: group), count: count)
    }
  }

  @Test("a report has the expected text")
  func drawing() throws {
    let report = try ClassificationReport(
      windows([("running", "running", 1180), ("running", "walking", 9), ("still", "still", 640)], group: "4")
        + windows([("walking", "walking", 1500), ("walking", "running", 31), ("still", "walking", 2)], group: "13"))
    #expect(
      report.description == """
        3,362 windows
        accuracy            98.8 %
        balanced accuracy   99.0 %
        macro-F1            98.9 %

        label    windows   recall  precision  macro-F1 vs. rest
        running    1,189   99.2 %     97.4 %             98.7 %
        still        642   99.7 %    100.0 %             99.9 %
        walking    1,531   98.0 %     99.3 %             98.7 %

        true label ↓  predicted →  running  still  walking
        running                      1,180      ·        9
        still                            ·    640        2
        walking                         31      ·    1,500

        worst of 2 groups: 13, 97.8 % of 1,533 windows
        """)
  }

  @Test func `Labels that the means leave out are named, or counted if there are many`() throws {
    let cells = windows([("running", "running", 9), ("still", "still", 3)], group: "1")
    let one = try ClassificationReport(cells, labels: ["walking"])
    #expect(
      one.description.contains(
        "macro-F1           100.0 %\nmacro-F1 and balanced accuracy leave out walking (no windows)"))
    let many = try ClassificationReport(cells, labels: (0..<20).map { "activity \($0)" })
    #expect(many.description.contains("leave out 20 labels (no windows)"))
    #expect(!(try ClassificationReport(cells)).description.contains("leave out"))
  }

  @Test("no line is wider than 80 characters, for any number of labels and any names")
  func width() throws {
    for count in [1, 2, 6, 13, 40] {
      let labels = (0..<count).map { String(repeating: "x", count: $0) + " activity number \($0)" }
      let cells = labels.enumerated().flatMap { index, label in
        [(label, label, 1_000), (label, labels[(index + 1) % count], 7)]
      }
      let text = try ClassificationReport(windows(cells, group: String(repeating: "g", count: 90))).description
      let lines = text.split(separator: "\n")
      #expect(lines.filter { $0.count > 80 || $0.last == " " } == [], "\(count) labels")
    }
  }

  @Test("only a ratio of exactly 1 is 100.0 %")
  func percents() {
    #expect(1.0.alignedPercent == "100.0 %")
    #expect(0.99999.alignedPercent == " 99.9 %")
    #expect(0.0.alignedPercent == "  0.0 %")
  }

  @Test(
    "counts have a comma at every thousand",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func counts(count: Int, text: String) {
    #expect(count.grouped == text)
  }
}
