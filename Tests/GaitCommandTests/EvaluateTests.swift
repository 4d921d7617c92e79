import Foundation
import GaitTestSupport
import Testing

/// `gait evaluate` with a model that rejects windows, and its intervals.
@Suite struct EvaluateTests {
  /// Six recordings of each of two labels with a model of them that rejects windows, and two of other movements.
  private static let folder = Result {
    let folder = try TemporaryDirectory()
    for number in 1...6 {
      try folder.write(SampleFiles.csv(strength: 0.8, seed: UInt64(number)), to: "data/run/\(number).csv")
      try folder.write(SampleFiles.csv(strength: 0.01, seed: UInt64(number + 6)), to: "data/still/\(number).csv")
    }
    for number in 1...2 {
      try folder.write(SampleFiles.csv(strength: 0.1, seed: UInt64(number + 20)), to: "negatives/other/\(number).csv")
      try folder.write(SampleFiles.csv(strength: 0.1, seed: UInt64(number + 20)), to: "moves/cycling/\(number).csv")
    }
    try folder.write(
      #"""
      {"format": "gait.collection", "version": 1, "sets": [{"name": "a", "folder": "moves", "rate": 50,
        "layout": "{label}/{recording}.csv"}]}
      """#, to: "unknown.json")
    for (name, options) in [("plain", []), ("rejecting", ["--reject"])] {
      let training = try GaitProcess(
        ["train", "data", "--skip-cross-validation", "--output", "\(name).json"] + options + SampleFiles.layout,
        in: folder.url)
      #expect(training.status == 0, "\(training.complaints)")
    }
    return folder
  }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(["evaluate"] + arguments, in: folder.get().url)
    #expect(run.status == status, "\(run.complaints)")
    return run
  }

  @Test func `Recordings labelled other are those that a model should reject`() throws {
    let arguments = ["rejecting.json", "data", "negatives"] + SampleFiles.layout
    let text = try Self.run(arguments).output
    #expect(text.contains("windows of known labels\n"), "\(text)")
    #expect(text.contains("windows of other\n"), "\(text)")
    let report = try Self.run(arguments + ["--json"]).json()
    #expect(report["labels"] as? [String] == ["other", "run", "still"])
    let rejection = try #require(report["rejection"] as? [String: Any])
    let other = try #require(rejection["other"] as? [String: Any])
    #expect(other["rejected"] as? Double == (report["recall"] as? [String: Double])?["other"])
    #expect((rejection["known"] as? [String: Any])?["windows"] as? Int == 24)
  }

  @Test func `The movements of a collection count as other`() throws {
    let report = try Self.run(
      ["rejecting.json", "data", "--unknown", "unknown.json", "--json"] + SampleFiles.layout
    ).json()
    let rejection = try #require(report["rejection"] as? [String: Any])
    #expect((rejection["other"] as? [String: Any])?["windows"] as? Int == 4)
    _ = try Self.run(
      ["rejecting.json", "data", "--unknown", "unknown.json", "--pauses"] + SampleFiles.layout, status: 64)
  }

  @Test func `A model that rejects nothing has no label other`() throws {
    let text = try Self.run(["plain.json", "data"] + SampleFiles.layout).output
    #expect(!text.contains("other"))
    #expect(!text.contains("rejected"))
    let refused = try Self.run(["plain.json", "data", "negatives"] + SampleFiles.layout, status: 65)
    #expect(
      refused.complaints.contains(
        "the label \"other\", but the model rejects no windows; train a model that does, or leave out these recordings "
          + "(gait train --reject, --ignore-unknown-labels)."), "\(refused.complaints)")
    let skipped = try Self.run(
      ["plain.json", "data", "negatives", "--ignore-unknown-labels"] + SampleFiles.layout)
    #expect(skipped.output.contains("skipped, unknown label: 2 other"))
  }

  @Test func `Scores have intervals over at least six people or recordings`() throws {
    let text = try Self.run(["plain.json", "data"] + SampleFiles.layout).output
    #expect(text.contains("95 % intervals over 12 recordings\naccuracy "), "\(text)")
    let report = try Self.run(["plain.json", "data", "--json"] + SampleFiles.layout).json()
    let intervals = try #require(report["intervals"] as? [String: Any])
    #expect(Set(intervals.keys) == ["groups", "accuracy", "balancedAccuracy", "macroF1"])
    let few = ["plain.json", "data", "--only", "recording=1,2"] + SampleFiles.layout
    #expect(
      try Self.run(few).output.contains("Too few recordings for 95 % intervals: 4; at least 6 are needed."))
    #expect(try Self.run(few + ["--json"]).json()["intervals"] == nil)
  }
}
