import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitReports
@testable import GaitTraining

@Suite struct TrainingReportTests {
  private static func report(_ change: (inout ActivityTrainer) -> Void = { _ in }) throws -> TrainingReport {
    var trainer = ActivityTrainer()
    change(&trainer)
    // Subject 3's walk occurs twice, once under an unusual name.
    var recordings = MovingRecordings.dataset.recordings
    let walk = recordings.first { $0.label == "walking" && $0.subject == "3" }!
    recordings.append(
      LabeledRecording(
        recording: walk.recording, label: "running", path: "copy <&> \"3\".csv", fields: ["subject": "3"]))
    let dataset = LabeledDataset(recordings, name: "people")
    let validation = try trainer.crossValidated(on: dataset, measuring: Set(CrossValidation.Measurement.allCases))
    var report = TrainingReport(
      dataset: dataset, review: LabelReview(of: dataset), validation: validation,
      model: try trainer.fit(dataset, validatedBy: validation), method: trainer.method.description)
    report.origin.command = "gait train people --layout '{label}/{subject}.csv'"
    return report
  }

  @Test func `The page has every figure, the data card and the command`() throws {
    let report = try Self.report { $0.calibration = .temperature }
    let page = try ParsedPage(report.html)
    #expect(page.texts["h3"]?.count == page.counts["figure"])
    #expect(page.links.isEmpty)
    let titles = try #require(page.texts["h3"])
    #expect(try #require(report.validation).report.accuracy < 1)
    // Moments are named by their recordings, distributions by their features.
    let features = report.model.activityHead.features.map(\.description)
    let moments = titles.filter { $0.hasSuffix(".csv") }
    #expect(moments.contains("copy <&> \"3\".csv"))
    #expect(titles.count(where: features.contains) == 6)
    #expect(
      titles.filter { !moments.contains($0) && !features.contains($0) } == [
        "Confusion", "Labels", "Wrong windows by subject, %, worst first", "Recall by subject and label, worst first",
        "Recordings with the lowest recall", "Wrong windows of the worst subjects", "ROC", "Precision and recall",
        "Reliability", "Probabilities and rotation", "Accuracy on held-out people, before calibration", "Figures",
        "Weights", "Importances",
        "Training data", "Labels", "Repairs", "Copies and overlaps", "Warnings",
      ])
    let codes = try #require(page.texts["code"])
    #expect(codes.last == "gait train people --layout '{label}/{subject}.csv'")
    #expect(codes.dropLast().allSatisfy { $0.hasPrefix("gait plot ") })
    let items = try #require(page.texts["li"])
    #expect(items.contains { $0.contains("copy <&> \"3\".csv") && $0.contains(" = ") })
    #expect(page.texts["text"]?.contains("vertical.rms.log[0.01] in ln(g)") == true)
    #expect(report.html == (try Self.report { $0.calibration = .temperature }).html)
  }

  @Test func `Without a cross-validation the page states it`() throws {
    let report = try Self.report()
    let bare = TrainingReport(
      dataset: report.dataset, review: report.review, validation: nil, model: report.model, method: report.method)
    let page = try ParsedPage(bare.html)
    #expect(page.texts["li"]?.contains { $0.contains("not evaluated on held-out people") } == true)
    #expect(page.counts["figure"] == 13)
    #expect(page.texts["code"]?.allSatisfy { $0.hasPrefix("gait plot ") } == true)
    #expect(!bare.description.contains("Held out"))
  }

  @Test func `The page and the text note what macro-F1 and log-loss leave out`() throws {
    let report = try Self.report()
    let windows = ScoredWindows(
      labels: ["a", "b", "c"], truths: [0, 1, 1],
      probabilities: FeatureMatrix(columnCount: 3, values: [0.5, 0.5, 0, 1, 0, 0, 0, 1, 0]),
      windowGroups: ["1", "2", "2"])
    let validation = CrossValidation(
      method: "by hand", folds: report.validation!.folds, windows: windows, uncalibrated: windows,
      report: try windows.report(), importances: [], turned: nil)
    let result = TrainingReport(
      dataset: report.dataset, review: report.review, validation: validation, model: report.model, method: "none")
    let notes = [
      "macro-F1 and balanced accuracy leave out c (no windows)",
      "true label's probability below 1.2e-7 in 1 window, clipped to 1.2e-7",
    ]
    let items = try #require(try ParsedPage(result.html).texts["li"])
    for note in notes {
      #expect(result.description.contains(note))
      #expect(items.contains(note.prefix(1).uppercased() + note.dropFirst() + "."))
    }
  }

  @Test func `A tree has importances and no weights`() throws {
    let page = try ParsedPage(Self.report { $0.method = .decisionTree(TreeTrainer()) }.html)
    #expect(page.texts["h3"]?.contains("Importances") == true)
    #expect(page.texts["h3"]?.contains("Weights") == false)
  }

  @Test func `The text fits a terminal and lists suspect labels`() throws {
    let report = try Self.report { $0.calibration = .temperature }
    let lines = report.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "people: 10 recordings at 50 Hz, 3 subjects")
    #expect(lines.contains { $0.hasPrefix("label") && $0.contains("energy/g") && $0.hasSuffix("suspect") })
    #expect(lines.contains("Suspect labels (the movement does not match the label):"))
    #expect(lines.contains { $0.hasPrefix("Brier score") && $0.contains("(uncalibrated ") })
    #expect(lines.contains { $0.hasPrefix("phone rotated      accuracy ") })
    #expect(lines.allSatisfy { $0.count <= 90 && !$0.hasSuffix(" ") })
  }

  @Test func `A confusion matrix of many labels keeps its numbers within the cells`() throws {
    let labels = (0..<9).map { "a long label \($0)" }
    let counts = labels.indices.map { row in labels.indices.map { row == $0 ? 12_345 : $0 } }
    let page = try ParsedPage(ConfusionChart(labels: labels, counts: counts).svg.source)
    #expect(page.corners.allSatisfy { (0...1000.1).contains($0.0) && (0...page.height).contains($0.1) })
    // On a phone names are short; on a desktop each row has its whole name.
    #expect(page.texts["text"]?.filter { $0.count > 13 } == labels.enumerated().map { "\($0 + 1) \($1)" })
  }
}
