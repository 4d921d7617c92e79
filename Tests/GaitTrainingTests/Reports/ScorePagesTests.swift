import Gait
import Testing

@testable import GaitLab
@testable import GaitReports
@testable import GaitTraining

/// The pages of evaluations, comparisons and selections.
@Suite struct ScorePagesTests {
  /// Eight people, who wear the device at two places, and whose runners 1 to 3 are labelled as walking.
  private static let dataset = LabeledDataset(
    (1...8).flatMap { subject in
      SimulatedActivity.allCases.map { activity in
        var labeled = MovingRecordings.labeled(activity, subject: subject)
        labeled.fields["place"] = subject.isMultiple(of: 2) ? "wrist" : "pocket"
        if subject <= 3, activity.label == "running" { labeled.label = "walking" }
        return labeled
      }
    }, name: "eight people")
  private static let model = ActivityModel.running

  @Test func `An evaluation shows where and when windows are wrong`() throws {
    let windows = try Self.model.scored(on: Self.dataset)
    // Three runners of four are at the pocket: every window of theirs is wrong.
    let places = DataSections(dataset: Self.dataset).parts(of: windows)
    try #require(places.map(\.field) == ["place"])
    #expect(places[0].values.map(\.name) == ["pocket", "wrist"])
    let page = try ParsedPage(
      EvaluationPage(title: "t", facts: ["a fact"], windows: windows, by: Self.model, of: Self.dataset).html)
    let titles = try #require(page.texts["h3"])
    #expect(titles.contains("Wrong windows by place, %, worst first"))
    let captions = try #require(page.texts["figcaption"])
    let wrong = Self.dataset.recordings.indices.filter {
      Self.dataset.recordings[$0].path.contains("running") && Self.dataset.recordings[$0].label == "walking"
    }
    for index in wrong {
      #expect(
        titles.contains(Self.dataset.recordings[index].path), "no moment of \(Self.dataset.recordings[index].path)")
      let starts = windows.sources.filter { $0.recording == index }.map(\.start)
      #expect(starts == starts.sorted())
      #expect(starts.count > 10)
    }
    #expect(captions.contains { $0.hasPrefix("walking, predicted as running (") })
    // The longest are those of more than are shown.
    let introduction = try #require(page.texts["p"]?.first { $0.contains("The shaded stretch") })
    let shown = captions.count { $0.contains(", predicted as ") }
    let all = introduction.firstMatch(of: /The longest of (\d+)/).flatMap { Int($0.1) }
    #expect(all.map { $0 > shown } ?? introduction.hasPrefix("The shaded"))
    #expect(page.texts["li"]?.contains("a fact") == true)
    expectValues(page)
  }

  /// Every drawing says its values to screen readers.
  private func expectValues(_ page: ParsedPage) {
    #expect(!page.labels.isEmpty)
    for label in page.labels { #expect(label.contains(/[0-9]/), "\(label)") }
  }

  @Test func `Many people without errors are counted, and only errors are drawn`() throws {
    let rows = (1...60).map { (name: "person \($0)", error: $0 <= 45 ? 0.01 * Double($0) : 0, windows: 100) }
    let drawing = try ParsedPage(BarChart.errors("t", rows).source)
    #expect(drawing.texts["summary"] == ["Show all 45"])
    // The first drawing has the worst twelve, the second the others.
    let shown = try #require(drawing.texts["text"])
    #expect(shown.contains("person 1"))
    #expect(shown.contains("person 45"))
    #expect(!shown.contains("person 46"))
    #expect(
      drawing.texts["p"]?.contains { $0.hasPrefix("Without errors: person 46") && $0.hasSuffix("and 9 more.") } == true)
  }

  @Test func `People with the same accuracy have no worst, and separated labels no empty curves`() throws {
    let windows = ScoredWindows(
      labels: ["a", "b"], truths: [0, 1, 0, 1],
      probabilities: FeatureMatrix(columnCount: 2, values: [0.9, 0.1, 0.2, 0.8, 0.8, 0.2, 0.1, 0.9]),
      windowGroups: ["1", "1", "2", "2"])
    let report = try windows.report()
    #expect(report.worstTile("subject").more == "all 2 subjects alike")
    let scores = ScoreSections(
      report: report, windows: windows, noun: "people", groupNoun: "subject", windowSeconds: 2.56)
    #expect(scores.conclusion == "On people the model labels 100.0 % of the windows correctly.")
    let page = try ParsedPage(Page(title: "t", summary: [], sections: scores.sections).html)
    #expect(page.texts["p"]?.contains { $0.hasPrefix("Not drawn: for every label") } == true)
    #expect(page.texts["h3"]?.contains("ROC, precision and recall") == true)
  }

  @Test func `A reliability curve breaks where bins have too few windows`() throws {
    // Two bins far apart with ten windows each, and one between them with a single window.
    let probabilities: [Float] = Array(repeating: 0.05, count: 10) + [0.5] + Array(repeating: 0.95, count: 10)
    let windows = ScoredWindows(
      labels: ["a", "b"], truths: probabilities.map { $0 > 0.5 ? 0 : 1 },
      probabilities: FeatureMatrix(columnCount: 2, values: probabilities.flatMap { [$0, 1 - $0] }),
      windowGroups: probabilities.map { _ in "1" })
    let sections = ScoreSections(
      report: try windows.report(), windows: windows, noun: "people", groupNoun: "subject", windowSeconds: 2.56
    ).sections
    let page = try ParsedPage(Page(title: "t", summary: [], sections: sections).html)
    let label = try #require(page.labels.first { $0.hasPrefix("share of windows with the label") })
    #expect(label.hasSuffix("a at most 0.05 from the diagonal in 2 bins; b at most 0.05 from the diagonal in 2 bins"))
    // Each bin says how many windows it is of.
    let cells = try #require(page.texts["td"])
    let rows = stride(from: cells.count - 16, to: cells.count, by: 4).map { Array(cells[$0..<$0 + 4]) }
    #expect(
      Set(rows) == [
        ["a", "0.950", "1.000", "10"], ["a", "0.050", "0.000", "10"], ["b", "0.050", "0.000", "10"],
        ["b", "0.950", "1.000", "10"],
      ])
  }

  @Test func `A window's source is its recording and time, in training too`() throws {
    let validation = try ActivityTrainer().crossValidated(on: Self.dataset)
    let windows = validation.windows
    #expect(windows.sources.count == windows.count)
    for row in stride(from: 0, to: windows.count, by: 17) {
      let labeled = Self.dataset.recordings[windows.sources[row].recording]
      #expect(labeled.label == windows.labels[windows.truths[row]])
      #expect(labeled.group == windows.groups[windows.groupIndices[row]])
      #expect(0...labeled.recording.duration ~= windows.sources[row].start)
    }
    let rows = [3, 1]
    #expect(windows.windows(at: rows).sources == rows.map { windows.sources[$0] })
    // Without the sources of one part, those of the whole are unknown.
    let bare = ScoredWindows(
      labels: windows.labels, truths: [0], probabilities: windows.probabilities.rows(at: [0]), windowGroups: ["x"])
    #expect(ScoredWindows(joining: [windows, bare]).sources.isEmpty)
  }

  @Test(.requiresOptimization) func `The accuracy by number of people grows to that of all`() throws {
    let people = LabeledDataset(
      (1...6).flatMap { subject in SimulatedActivity.allCases.map { MovingRecordings.labeled($0, subject: subject) } })
    let validation = try ActivityTrainer().crossValidated(on: people, measuring: [.learningCurve])
    let curve = validation.learningCurve
    #expect(curve.map(\.groups) == [1, 2, 4, 5])
    #expect(curve.allSatisfy { $0.folds == 6 && $0.lowest <= $0.accuracy })
    // With all people but one, the models are those of the cross-validation.
    let last = try #require(curve.last)
    let held = validation.report.groups.map(\.accuracy)
    #expect(abs(last.accuracy - held.reduce(0, +) / 6) < 1e-9)
    #expect(last.lowest == held.min())
    #expect(try ActivityTrainer().crossValidated(on: people, measuring: [.learningCurve]).learningCurve == curve)
  }

  @Test func `A comparison has intervals in all and by place`() throws {
    let names = ["running", "running-pocket"]
    let windows = try [Self.model, .runningPocket].map { try $0.scored(on: Self.dataset) }
    let comparison = try ModelComparison(Array(zip(names, windows)))
    let page = try ParsedPage(
      EvaluationPage(
        title: "both", facts: ["leak"], comparison: comparison, windows: windows, of: Self.dataset
      ).html)
    let titles = try #require(page.texts["h3"])
    #expect(
      titles == [
        "8 subjects, \(windows[0].count) windows", "Differences from running", "Confusion of running",
        "Confusion of running-pocket", "Accuracy by place: difference from running",
        "Wrong windows by subject, %, worst first",
      ])
    let texts = try #require(page.texts["text"])
    #expect(texts.contains { $0.hasPrefix("running-pocket, accuracy: ") })
    let cells = try #require(page.texts["td"])
    let row = try #require(cells.firstIndex(of: "running-pocket, accuracy"))
    #expect(cells[row + 2].contains(" … "), "\(cells[row...row + 3])")
    #expect(Double(cells[row + 3]) != nil, "\(cells[row...row + 3])")
    #expect(
      page.texts["p"]?.contains { $0.hasPrefix("With equal weight for each of 8 subjects, running-pocket is ") } == true
    )
    // The legend has what is drawn.
    let keys = try #require(page.texts["li"]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    #expect(keys.contains("clear") == comparison.differences.contains(where: \.isClear))
    #expect(keys.contains("not clear"))
    // Four people at a place are too few for an interval.
    let place = try #require(cells.firstIndex { $0.contains(", 4 subjects (") })
    #expect(cells[place + 2...place + 3] == ["–", "–"])
    #expect(page.texts["figcaption"]?.contains { $0.contains("fewer than 6 subjects") } == true)
    #expect(page.texts["li"]?.contains("leak") == true)
    expectValues(page)
  }

  @Test(.requiresOptimization) func `A selection has its scores, and the choices of the folds`() throws {
    let people = MovingRecordings.dataset
    var selector = ModelSelector()
    selector.foldCount = 3
    let features = try selector.select(from: .features(Feature.orientationFree, count: 2), on: people)
    let page = try ParsedPage(SelectionPage(features, of: people).html)
    #expect(
      page.texts["h3"]?.prefix(3).map { $0 } == [
        "Score by number of features", "Features in the order of their choice", "Features chosen in each fold",
      ])
    #expect(page.texts["td"]?.contains("1. \(features.steps[0].name)") == true)
    #expect(page.texts["text"]?.contains { $0.hasSuffix("of 3, chosen") } == true)
    expectValues(page)
    let trainers = try selector.select(from: .trainers([ActivityTrainer()]), on: people)
    let other = try ParsedPage(SelectionPage(trainers, of: people).html)
    #expect(other.texts["h3"]?.first == "Log-loss on subjects held out within the choice, nats")
    // The moments that fail have the command that draws them; no feature is code.
    #expect(other.texts["code", default: []].allSatisfy { $0.hasPrefix("gait plot ") })
    #expect(trainers.steps[0].accuracy > 0.5)
  }
}
