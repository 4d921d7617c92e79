import Foundation
import GaitTestSupport
import Testing

/// The output of `--json`: the keys that each command's help lists, and consistent numbers.
@Suite struct ReportJSONTests {
  private static let trained = Result { try SampleFiles.trained() }

  private static func json(_ arguments: [String]) throws -> [String: Any] {
    let run = try GaitProcess(arguments + ["--json"], in: trained.get().url)
    #expect(run.status == 0, "\(run.complaints)")
    return try run.json()
  }

  /// Checks the keys of a report and that its numbers follow from the confusion matrix.
  private static func check(_ report: [String: Any], extraKeys: Set<String> = []) throws {
    let keys: Set = [
      "windows", "accuracy", "balancedAccuracy", "macroF1", "labels", "recall", "versusRestMacroF1", "confusion",
      "groups",
    ]
    #expect(Set(report.keys) == keys.union(extraKeys))
    let windows = try #require(report["windows"] as? Int)
    let labels = try #require(report["labels"] as? [String])
    let confusion = try #require(report["confusion"] as? [[Int]])
    let accuracy = try #require(report["accuracy"] as? Double)
    #expect(confusion.joined().reduce(0, +) == windows)
    #expect(confusion.count == labels.count)
    #expect(confusion.allSatisfy { $0.count == labels.count })
    let right = labels.indices.reduce(0) { $0 + confusion[$1][$1] }
    #expect(abs(Double(right) / Double(windows) - accuracy) < 1e-12)
    let recall = try #require(report["recall"] as? [String: Double])
    for (label, counts) in zip(labels, confusion) where counts.reduce(0, +) > 0 {
      let row = labels.firstIndex(of: label)!
      #expect(abs(recall[label]! - Double(counts[row]) / Double(counts.reduce(0, +))) < 1e-12)
    }
    #expect(try #require(report["versusRestMacroF1"] as? [String: Double]).keys.sorted() == recall.keys.sorted())
    for key in ["balancedAccuracy", "macroF1"] { #expect((0...1).contains(try #require(report[key] as? Double))) }
    let groups = try #require(report["groups"] as? [[String: Any]])
    #expect(groups.allSatisfy { Set($0.keys) == ["name", "windows", "accuracy"] })
    #expect(groups.compactMap { $0["windows"] as? Int }.reduce(0, +) == windows)
  }

  @Test func `A training report contains the cross-validation and the training data`() throws {
    let report = try Self.json(["train", "data"] + SampleFiles.layout + ["--output", "again.json"])
    #expect(
      Set(report.keys) == [
        "model", "method", "labels", "suspectLabels", "recordings", "groups", "windows", "copies", "overlaps",
        "warnings",
        "validationMethod", "crossValidation",
      ])
    #expect(report["model"] as? String == "again.json")
    #expect(report["recordings"] as? Int == 4)
    let windows = try #require(report["windows"] as? [String: Int])
    let validation = try #require(report["crossValidation"] as? [String: Any])
    #expect(validation["windows"] as? Int == windows.values.reduce(0, +))
    try Self.check(validation, extraKeys: ["probabilities"])
    let labels = try #require(report["labels"] as? [[String: Any]])
    #expect(labels.map { $0["label"] as? String } == ["run", "still"])
    #expect(
      labels.allSatisfy { Set($0.keys) == ["label", "recordings", "seconds", "energy", "kind", "suspectLabels"] },
      "too short to count steps in")
    #expect(labels.map { $0["seconds"] as? Double } == [8, 8])
  }

  @Test func `An evaluation contains the report and the counts of skipped recordings`() throws {
    let arguments = ["evaluate", "model.json", "data"] + SampleFiles.layout
    let report = try Self.json(arguments)
    try Self.check(report, extraKeys: ["ignoredRecordings", "leaks", "probabilities", "warnings"])
    #expect((report["ignoredRecordings"] as? [String: Int]) == [:])
    let partial = try Self.json(arguments + ["--map", "still=sitting", "--ignore-unknown-labels"])
    try Self.check(partial, extraKeys: ["ignoredRecordings", "leaks", "probabilities", "warnings"])
    #expect((partial["ignoredRecordings"] as? [String: Int]) == ["sitting": 2])
    #expect((partial["windows"] as? Int ?? 0) * 2 == report["windows"] as? Int)
  }

  @Test func `A classification has one entry for each window, whose probabilities sum to 1`() throws {
    let report = try Self.json(["classify", "model.json", "data/run/1.csv", "--rate", "50"])
    let windows = try #require(report["windows"] as? [[String: Any]])
    #expect(!windows.isEmpty)
    for window in windows {
      #expect(Set(window.keys) == ["start", "end", "label", "coverage", "probabilities"])
      let (start, end) = (try #require(window["start"] as? Double), try #require(window["end"] as? Double))
      #expect(abs(end - start - 2.56) < 1e-9)
      let probabilities = try #require(window["probabilities"] as? [String: Double])
      #expect(probabilities.keys.sorted() == ["run", "still"])
      #expect(abs(probabilities.values.reduce(0, +) - 1) < 1e-5)
      #expect(probabilities.max { $0.value < $1.value }?.key == window["label"] as? String)
    }
  }

  @Test func `A recording shorter than a window gives a warning and no windows`() throws {
    let folder = try SampleFiles.trained()
    try folder.write(SampleFiles.csv(60, strength: 0.5, seed: 1), to: "short.csv")
    let arguments = ["classify", "model.json", "short.csv", "--rate", "50"]
    let run = try GaitProcess(arguments + ["--json"], in: folder.url)
    #expect(run.status == 0)
    #expect((try run.json()["windows"] as? [Any])?.isEmpty == true)
    #expect(run.complaints.hasPrefix("warning: short.csv lasts 1.2 s and has no whole window of 2.56 s"))
    #expect(try GaitProcess(arguments, in: folder.url).output == "start  end  label  run  still\n")
  }

  @Test func `A model's inspection is the model file`() throws {
    let folder = try Self.trained.get()
    let run = try GaitProcess(["inspect", "model.json", "--json"], in: folder.url)
    #expect(run.output == (try String(contentsOf: folder.file("model.json"), encoding: .utf8)))
    let text = try GaitProcess(["inspect", "model.json"], in: folder.url).output
    for part in ["25 Hz", "2.56 s (64 samples)", "run, still", "logistic regression", "vertical.rms.log[0.01]"] {
      #expect(text.contains(part))
    }
  }
}
