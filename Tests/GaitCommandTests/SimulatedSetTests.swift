import Foundation
import GaitTestSupport
import Testing

/// Training, evaluation and classification on the package's sample set.
@Suite(.requiresOptimization) struct SimulatedSetTests {
  private static let data = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "datasets/simulated").path
  private static let layout = [data, "--layout", "{label}/sub_{subject}.csv", "--rate", "50"]

  private static func run(_ arguments: [String], in folder: TemporaryDirectory) throws -> GaitProcess {
    let run = try GaitProcess(arguments, in: folder.url)
    #expect(run.status == 0, "\(arguments): \(run.complaints)")
    return run
  }

  @Test(arguments: ["logistic", "tree", "forest", "boosted"])
  func `A model trained on some people classifies others`(kind: String) throws {
    let folder = try TemporaryDirectory()
    let train = try Self.run(
      ["train"] + Self.layout + ["--except", "subject=7,8", "--model", kind, "--output", "m.json"], in: folder)
    #expect(train.output.contains("leave one subject out"))
    #expect(train.output.contains("Wrote m.json"))
    #expect(try Self.run(["inspect", "m.json"], in: folder).output.contains("running, still, walking"))
    let report = try Self.run(
      ["evaluate", "m.json"] + Self.layout + ["--only", "subject=7,8", "--json"], in: folder
    ).json()
    #expect((report["accuracy"] as? Double ?? 0) > 0.9)
    #expect((report["groups"] as? [[String: Any]])?.count == 2)
    let classified = try Self.run(["classify", "m.json", Self.data + "/running/sub_7.csv", "--rate", "50"], in: folder)
    let lines = classified.output.split(separator: "\n")
    #expect(lines.count > 30)
    #expect(Double(lines.count { $0.contains(" running ") }) > 0.8 * Double(lines.count))
    #expect(try folder.contents == ["m.json"])
  }

  @Test(arguments: ["logistic", "tree", "forest", "boosted"])
  func `The same command writes the same bytes`(kind: String) throws {
    let folder = try TemporaryDirectory()
    var files: [Data] = []
    for name in ["a.json", "b.json"] {
      _ = try Self.run(["train"] + Self.layout + ["--model", kind, "--output", name], in: folder)
      files.append(try Data(contentsOf: folder.file(name)))
    }
    #expect(files[0] == files[1])
  }

  @Test func `A model is adapted to one person, with the gain for that person and the harm for others`() throws {
    let folder = try TemporaryDirectory()
    _ = try Self.run(
      ["train"] + Self.layout + ["--only", "subject=1,2,3,4,5", "--skip-cross-validation", "--output", "b.json"],
      in: folder)
    let adapt = ["train"] + Self.layout + ["--from", "b.json", "--own", "subject=7", "--output", "a.json"]
    let adapted = try Self.run(adapt, in: folder)
    #expect(
      adapted.complaints
        == "warning: 15 recordings of other people are left out, because b.json was trained on them\n")
    #expect(adapted.output.hasPrefix("Own recordings, adapted to the other half of each recording\n"))
    #expect(adapted.output.contains("\nOther people\n"))
    #expect(adapted.output.hasSuffix("\nWrote a.json: b.json, adapted to 3 recordings.\n"), "\(adapted.output)")
    let report = try Self.run(adapt + ["--force", "--json"], in: folder).json()
    #expect(report["isValidatedByTime"] as? Bool == true)
    #expect(report["recordings"] as? Int == 3)
    for (key, windows) in [("own", 96), ("others", 240)] {
      let part = try #require(report[key] as? [String: Any])
      #expect(part["windows"] as? Int == windows, "\(key)")
      #expect(Set((part["accuracy"] as? [String: Double] ?? [:]).keys) == ["before", "adapted"], "\(key)")
    }
    #expect(
      try Self.run(["inspect", "a.json"], in: folder).output.contains(
        "  method     logistic regression, penalty 5e-05; adapted with strength 100\n"))
    let refused = try GaitProcess(adapt + ["--folds", "2"], in: folder.url)
    #expect(refused.status == 64, "\(refused.complaints)")
    #expect(refused.complaints.contains("pauses; omit --folds."), "\(refused.complaints)")
  }

  @Test func `A model replaces an older one by --force only`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("{\"format\": \"gait.activityModel\", \"version\": 0}", to: "model.json")
    let train = ["train"] + Self.layout + ["--only", "subject=1,2", "--skip-cross-validation"]
    let refused = try GaitProcess(train, in: folder.url)
    #expect(refused.status == 73)
    #expect(refused.complaints.contains("--force"))
    _ = try Self.run(train + ["--force"], in: folder)
    #expect(try folder.contents == ["model.json"])
    #expect(try Self.run(["inspect", "model.json"], in: folder).output.hasPrefix("model, format version 2"))
  }
}
