import Foundation
import GaitTestSupport
import Testing

/// `gait evaluate` of several models, `export`, `select` and the options of `train`.
@Suite(.requiresOptimization) struct CompareAndExportTests {
  private static let trained = Result { try SampleFiles.trained() }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(arguments, in: trained.get().url)
    #expect(run.status == status, "\(run.complaints)")
    return run
  }

  @Test func `A comparison names both models, and warns of training recordings`() throws {
    let run = try Self.run(
      ["evaluate", "running", "model.json", "data"] + SampleFiles.layout
        + ["--map", "run=running", "--ignore-unknown-labels", "--draws", "200", "--json"])
    let report = try run.json()
    #expect(Set(report.keys) == ["models", "groups", "differences", "ignoredRecordings", "warnings"])
    let models = try #require(report["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["running", "model.json"])
    #expect((models[0]["leaks"] as? [Any])?.isEmpty == true)
    #expect((models[1]["leaks"] as? [[String: Any]])?.count == 2)
    #expect(report["ignoredRecordings"] as? [String: Int] == ["running": 2])
    #expect(
      run.complaints.hasPrefix(
        "warning: model.json was trained on at least 2 of these recordings: its scores are too high"))
    let differences = try #require(report["differences"] as? [[String: Any]])
    #expect(differences.map { $0["measure"] as? String } == ["accuracy", "macroF1"])
    // Two recordings are too few for an interval or a p-value.
    for difference in differences {
      #expect(
        Set(difference.keys) == ["name", "measure", "value", "groups", "betterGroups", "worseGroups", "isClear"])
      #expect(difference["isClear"] as? Bool == false)
      #expect(difference["groups"] as? Int == 2)
    }
    #expect(
      try Self.run(
        ["evaluate", "model.json", "running", "data", "--strict", "--ignore-unknown-labels"]
          + SampleFiles.layout, status: 65
      ).complaints.hasPrefix("Error: still/1.csv: model.json was trained on 2 of"))
  }

  @Test func `A collection is compared like a folder`() throws {
    let folder = try Self.trained.get()
    try folder.write(
      #"""
      {"format": "gait.collection", "version": 1, "sets": [{"name": "a", "folder": "data", "rate": 50,
        "layout": "{label}/{recording}.csv", "labels": {"run": "running", "still": "still"}}]}
      """#, to: "sets.json")
    let report = try Self.run(["evaluate", "running", "running-pocket", "sets.json", "--draws", "200", "--json"]).json()
    let models = try #require(report["models"] as? [[String: Any]])
    #expect(models.map { $0["name"] as? String } == ["running", "running-pocket"])
    let refused = try Self.run(["evaluate", "running", "running-pocket", "sets.json", "--rate", "50"], status: 64)
    #expect(refused.complaints.contains("a collection describes its files and labels itself; omit --rate"))
  }

  @Test func `Several models have one conclusion and several folders, and models that do not differ have no rows`()
    throws
  {
    let folder = try Self.trained.get()
    try FileManager.default.copyItem(at: folder.file("data"), to: folder.file("more"))
    let own = ["data", "more"] + SampleFiles.layout + ["--map", "run=running"]
    let run = try Self.run(["evaluate", "running", "running"] + own + ["--report", "same.html"])
    let conclusion = "running is as accurate as running for every recording"
    let text = run.output.replacing("\n", with: " ")
    #expect(text.hasPrefix("With equal weight for each of "), "\(run.output)")
    #expect(text.contains(conclusion), "\(run.output)")
    #expect(!run.output.contains("Difference from"))
    let page = try String(contentsOf: folder.file("same.html"), encoding: .utf8)
    #expect(page.contains(conclusion))
    #expect(!page.contains("Differences from"))
    // The footer names the models, and no folder of the author's.
    #expect(page.contains("with the models running, running"))
    #expect(!page.contains(folder.url.path))
    let absolute = try Self.run(["inspect", folder.file("data/run/1.csv").path, "--rate", "50", "--report", "one.html"])
    #expect(absolute.status == 0)
    let one = try String(contentsOf: folder.file("one.html"), encoding: .utf8).replacing(/<.?span.*?>/, with: "")
    #expect(one.contains("<code>gait inspect data/run/1.csv --rate 50 --report one.html</code>"), "\(one.suffix(500))")
  }

  @Test func `Exports are repeatable and hold the whole model`() throws {
    let folder = try Self.trained.get()
    for format in ["swift", "gait"] {
      let arguments = ["export", "model.json", "--format", format, "--output", "out.\(format)"]
      let report = try Self.run(arguments + ["--json"]).json()
      #expect(Set(report.keys) == ["output", "format", "bytes"])
      let bytes = try Data(contentsOf: folder.file("out.\(format)"))
      #expect(report["bytes"] as? Int == bytes.count)
      _ = try Self.run(arguments + ["--force"])
      #expect(try Data(contentsOf: folder.file("out.\(format)")) == bytes)
    }
    #expect(try Data(contentsOf: folder.file("out.gait")) == Data(contentsOf: folder.file("model.json")))
    let named = try Self.run(
      ["export", "running", "--format", "swift", "--output", "n.swift", "--name", "my model"], status: 64)
    #expect(named.complaints.hasPrefix("Error: \"my model\" is not a valid name"))
  }

  @Test func `running names the built-in model`() throws {
    let windows = try Self.run(["classify", "running", "data/run/1.csv", "--rate", "50", "--json"]).json()
    #expect((windows["windows"] as? [[String: Any]])?.isEmpty == false)
    let report = try Self.run(
      ["evaluate", "running", "data", "--map", "run=running", "--json"] + SampleFiles.layout
    ).json()
    #expect((report["leaks"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: ["tree", "forest", "boosted"])
  func `Trees are trained, evaluated, inspected and exported like any model`(kind: String) throws {
    let folder = try TemporaryDirectory()
    for number in 1...3 {
      try folder.write(SampleFiles.csv(1000, strength: 0.8, seed: UInt64(number)), to: "data/run/\(number).csv")
      try folder.write(SampleFiles.csv(1000, strength: 0.01, seed: UInt64(number + 3)), to: "data/still/\(number).csv")
    }
    func run(_ arguments: [String]) throws -> GaitProcess {
      let run = try GaitProcess(arguments, in: folder.url)
      #expect(run.status == 0, "\(run.complaints)")
      return run
    }
    let settings = ["--model", kind, "--maximum-depth", "3"] + (kind == "tree" ? [] : ["--trees", "7"])
    let training = try run(["train", "data", "--report", "r.html", "--json"] + settings + SampleFiles.layout)
    #expect((try training.json()["crossValidation"] as? [String: Any])?["accuracy"] as? Double == 1)
    let model = try run(["inspect", "model.json", "--json"]).json()
    let heads = try #require(model["heads"] as? [[String: Any]])
    let kinds = ["tree": "decisionTree", "forest": "randomForest", "boosted": "boostedTrees"]
    let classifier = try #require(heads[0]["classifier"] as? [String: Any])
    #expect(classifier["kind"] as? String == kinds[kind])
    #expect((classifier["roots"] as? [Int])?.count == (kind == "tree" ? nil : 7))
    #expect(
      (try run(["evaluate", "model.json", "data", "--json"] + SampleFiles.layout).json()["accuracy"] as? Double) == 1)
    _ = try run(["export", "model.json", "--format", "swift", "--output", "out.swift"])
  }

  @Test func `A selection reports a nested score and writes the selected model`() throws {
    let folder = try TemporaryDirectory()
    for number in 1...4 {
      try folder.write(SampleFiles.csv(strength: 0.8, seed: UInt64(number)), to: "data/run/\(number).csv")
      try folder.write(SampleFiles.csv(strength: 0.01, seed: UInt64(number + 4)), to: "data/still/\(number).csv")
    }
    let selection = try GaitProcess(
      ["select", "data", "--best", "2", "--folds", "2", "--json"] + SampleFiles.layout, in: folder.url)
    let report = try selection.json()
    #expect(
      Set(report.keys) == [
        "model", "method", "features", "window", "steps", "choices", "validationMethod", "crossValidation",
      ])
    #expect((report["features"] as? [String])?.count == 2)
    #expect((report["choices"] as? [String])?.count == 2)
    #expect(try folder.contents.contains("model.json"))
    let calibrated = try GaitProcess(
      ["select", "data", "--best", "2", "--folds", "2", "--calibration", "isotonic", "--force"] + SampleFiles.layout,
      in: folder.url)
    #expect(calibrated.status == 0, "\(calibrated.complaints)")
    #expect(calibrated.output.contains("log-loss") == true, "\(calibrated.complaints)")
    #expect(calibrated.output.contains("(uncalibrated "))
    for wrong in [[], ["--best", "2", "--penalties", "1"], ["--depths", "3"], ["--penalties", "x"]] {
      _ = try Self.run(["select", "data"] + wrong + SampleFiles.layout, status: 64)
    }
  }

  @Test func `A selection tries every combination of settings and writes the one that is chosen`() throws {
    let folder = try TemporaryDirectory()
    for number in 1...4 {
      try folder.write(SampleFiles.csv(2000, strength: 0.8, seed: UInt64(number)), to: "data/run/\(number).csv")
      try folder.write(SampleFiles.csv(2000, strength: 0.01, seed: UInt64(number + 4)), to: "data/still/\(number).csv")
    }
    let select = ["select", "data", "--folds", "2"] + SampleFiles.layout
    let lists = ["--penalties", "1e-4,1e-1", "--windows", "1,2", "--report", "p.html"]
    let penalties = try GaitProcess(select + lists, in: folder.url)
    #expect(penalties.status == 0, "\(penalties.complaints)")
    let lines = penalties.output.split(separator: "\n")
    for (line, (seconds, penalty)) in zip(lines[1...4], [(1, 0.0001), (1, 0.1), (2, 0.0001), (2, 0.1)]) {
      #expect(line.hasPrefix("logistic regression, penalty \(penalty), windows of \(seconds) s"), "\(line)")
    }
    #expect(lines[0].hasPrefix("tried "), "\(lines[0...4])")
    #expect(lines[1...4].count { $0.hasSuffix("  chosen") } == 1, "\(lines[0...4])")
    #expect(lines.last?.hasPrefix("Wrote model.json: logistic regression, penalty 0.0001, windows of ") == true)
    #expect(try String(contentsOf: folder.file("p.html"), encoding: .utf8).contains("nested cross-validation"))
    for (kind, method) in [("tree", "decision tree"), ("forest", "random forest"), ("boosted", "boosted trees")] {
      let settings = ["--model", kind, "--depths", "1,2", "--output", "\(kind).json", "--json"]
      let trees = try GaitProcess(select + settings + (kind == "tree" ? [] : ["--trees", "3"]), in: folder.url)
      let report = try trees.json()
      let steps = report["steps"] as? [[String: Any]] ?? []
      #expect((report["method"] as? String)?.contains(method) == true, "\(report["method"] ?? trees.complaints)")
      #expect(steps.count == 2, "\(steps)")
      #expect(steps.count { $0["isChosen"] as? Bool == true } == 1, "\(steps)")
      let names = steps.compactMap { $0["name"] as? String }
      #expect(names.count == 2, "\(names)")
      #expect(zip(names, 1...2).allSatisfy { $0.contains("depth at most \($1),") }, "\(names)")
      #expect((report["crossValidation"] as? [String: Any])?["accuracy"] as? Double == 1)
    }
  }

  @Test(
    arguments: [
      (["--best", "1", "--folds", "1"], "--folds must be within 2…1000."),
      (["--best", "0"], "--best must be 1 or more."),
      (["--penalties=-1"], "--penalties must be 0 or more."),
      (["--depths", "1.5", "--model", "tree"], "--depths must be whole numbers within 1…60."),
      (["--windows", "0.01"], "--windows must be within 0.1…60 s."),
      (
        ["--penalties", "1", "--model", "tree"],
        "--penalties needs --model logistic; --depths needs --model tree, forest or boosted."
      ),
    ])
  func `A wrong option of a selection is refused with its cure`(options: [String], text: String) throws {
    let run = try Self.run(["select", "data"] + options + SampleFiles.layout, status: 64)
    #expect(run.complaintLines.first == "Error: \(text)", "\(run.complaints)")
  }

  @Test func `A report and a relabelling proposal are written with the model`() throws {
    let folder = try Self.trained.get()
    let run = try Self.run(
      ["train", "data", "--output", "r.json", "--report", "r.html", "--relabel", "r.csv"] + SampleFiles.layout)
    #expect(run.output.contains("Wrote r.html"))
    #expect(run.output.contains("the recordings are unchanged"))
    let page = try String(contentsOf: folder.file("r.html"), encoding: .utf8).replacing(/<.?span.*?>/, with: "")
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("gait train data --output r.json --report r.html"))
    #expect(page.contains("--layout '{label}/{recording}.csv'"))
    #expect(
      try String(contentsOf: folder.file("r.csv"), encoding: .utf8).hasPrefix("recording,start,label,proposal,"))
  }

  @Test func `--strict refuses copies`() throws {
    let folder = try TemporaryDirectory()
    _ = try SampleFiles.folder(in: folder)
    try folder.write(SampleFiles.csv(strength: 0.8, seed: 1), to: "data/run/copy.csv")
    let run = try GaitProcess(["train", "data", "--strict"] + SampleFiles.layout, in: folder.url)
    #expect(run.status == 65)
    #expect(run.complaints.contains("Error: recordings share rows: run/1.csv = run/copy.csv; remove all but one"))
    #expect(!(try folder.contents.contains("model.json")))
  }

  @Test func `Groups are held out in folds, in blocks of time and by path`() throws {
    let methods = [
      ["--folds", "2"]: "2 folds of whole recordings", ["--hold-out", "recording=2"]: "held out: recording=2",
      ["--split-by", "time", "--folds", "2", "--window", "0.5", "--hop", "0.25"]:
        "leave one of 2 time blocks out; the rest of each recording is in the training data",
    ]
    for (options, method) in methods {
      let arguments = ["train", "data", "--output", "m.json", "--force", "--json"] + options + SampleFiles.layout
      #expect(try Self.run(arguments).json()["validationMethod"] as? String == method)
    }
    _ = try Self.run(["train", "data", "--force", "--hold-out", "recording=9"] + SampleFiles.layout, status: 65)
    _ = try Self.run(
      ["train", "data", "--force", "--hold-out", "recording=1", "--folds", "2"] + SampleFiles.layout, status: 64)
    _ = try Self.run(
      ["train", "data", "data", "--force", "--layout", "a", "--layout", "b", "--layout", "c", "--rate", "50"],
      status: 64)
  }
}
