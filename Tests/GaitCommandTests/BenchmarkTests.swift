import Foundation
import GaitTestSupport
import Testing

/// `gait benchmark`: what does not depend on the machine's speed.
@Suite struct BenchmarkTests {
  /// `run.csv` and `still.csv` of 500 rows, `short.csv` of 50, and `rows.bin` of 200 rows for learners.
  private static let folder = Result {
    let folder = try TemporaryDirectory()
    try folder.write(SampleFiles.csv(500, strength: 0.8, seed: 1), to: "run.csv")
    try folder.write(SampleFiles.csv(500, strength: 0.01, seed: 2), to: "still.csv")
    try folder.write(SampleFiles.csv(50, strength: 0.8, seed: 3), to: "short.csv")
    try folder.write(learningRows(training: 120, heldOut: 80), to: "rows.bin")
    try folder.write(Array(learningRows(training: 120, heldOut: 80).dropLast()), to: "cut.bin")
    return folder
  }

  /// Rows of two features, of which the first has the sign of the label.
  private static func learningRows(training: UInt32, heldOut: UInt32) -> [UInt8] {
    var generator = SplitMix64(seed: 4)
    let labels = (0..<training + heldOut).map { UInt8($0 % 2) }
    let values = labels.flatMap { label -> [Float] in
      [
        (label == 0 ? -1 : 1) * Float.random(in: 0.5...1, using: &generator),
        Float.random(in: -1...1, using: &generator),
      ]
    }
    return [training, heldOut, 2, 2].flatMap(bytes) + values.flatMap { bytes($0.bitPattern) } + labels
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(["benchmark", "--repetitions", "1"] + arguments, in: folder.get().url)
    #expect(run.status == status, "\(arguments): \(run.complaints)")
    return run
  }

  @Test func `A model is timed stage by stage`() throws {
    let report = try Self.run(["running", "run.csv", "--rate", "50", "--json"]).json()
    #expect(Set(report.keys).isSuperset(of: ["append", "build", "processor", "samplesPerSecond", "windowsPerSecond"]))
    // 2.56 s every 0.64 s in 10 s.
    #expect(report["windows"] as? Int == 12)
    let stages = try #require(report["stages"] as? [[String: Any]])
    #expect(stages.map { $0["name"] as? String } == ["resample", "features", "score", "whole"])
    #expect(stages.allSatisfy { $0["nanosecondsPerWindow"] as? Double ?? 0 > 0 && $0["spread"] as? Double == 0 })
    let lines = try Self.run(["running", "run.csv", "--rate", "50"]).output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } }.prefix(5) == ["stage", "resample", "features", "score", "whole"])
    #expect(lines[5].contains(" windows/s, ") && lines[6].hasPrefix("one sample at a time: "), "\(lines)")
    let build = Optimization.isOn ? "release" : "debug"
    #expect(lines.count == 8 && lines[7].hasPrefix("\(build) build, "), "\(lines)")
  }

  @Test(.requiresOptimization) func `Features are timed on simulated minutes without a model`() throws {
    let report = try Self.run(["--features", "orientationFree", "--window", "2.5", "--hop", "1", "--json"]).json()
    #expect(report["windows"] as? Int == 598)
    let stages = try #require(report["stages"] as? [[String: Any]])
    #expect(!stages.contains { $0["name"] as? String == "score" })
  }

  @Test(arguments: [false, true])
  func `Files are timed to labels, which are counted`(onAllCores: Bool) throws {
    let files = ["running", "run.csv", "still.csv", "--rate", "50", "--files"] + (onAllCores ? ["--all-cores"] : [])
    let report = try #require(try Self.run(files + ["--json"]).json()["files"] as? [String: Any])
    #expect(report["labels"] as? [String: Int] == ["running": 12, "still": 12, "walking": 0])
    #expect(report["rows"] as? Int == 1000 && report["windows"] as? Int == 24 && report["files"] as? Int == 2)
    let text = try Self.run(files).output
    #expect(
      text.hasPrefix("label    windows\nrunning       12\nstill         12\nwalking        0\n\n2 files of "), "\(text)"
    )
    #expect(
      text.contains(" to 24 labels in ") && text.contains(onAllCores ? ", all cores\n" : ", one core\n"), "\(text)")
  }

  @Test func `Reading is timed beside splitting and copying`() throws {
    let size = try Data(contentsOf: Self.folder.get().file("run.csv")).count
    let text = try Self.run(["--csv", "run.csv"]).output
    let names = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names.prefix(7) == ["reading", "rows", "lanes", "line", "bytes", "memory", "copy"], "\(text)")
    #expect(text.contains("\n500 rows, \(size) bytes, one core\n"), "\(text)")
  }

  @Test func `Learners are timed, and scored on held-out rows`() throws {
    let learners = ["--learning", "rows.bin", "--learner", "logistic", "--learner", "exactTree"]
    let report = try Self.run(learners + ["--json"]).json()
    #expect(Set(report.keys) == ["logistic", "exactTree"])
    for (name, scores) in report {
      #expect((scores as? [String: Double])?["heldOutAccuracy"] == 1, "\(name)")
    }
    let lines = try Self.run(learners).output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["learner", "exactTree", "logistic"])
    #expect(lines.dropFirst().allSatisfy { $0.contains("  100.00 %  ") }, "\(lines)")
  }

  @Test(.requiresOptimization) func `Simulated outdoor runs are tracked, and their errors compared with limits`() throws
  {
    let outdoors = ["running", "--outdoors", "--kind", "flat", "--seeds", "1-2"]
    let report = try Self.run(outdoors + ["--json"]).json()
    #expect(Set(report.keys) == ["flatClimbByLocation", "flatClimbByBarometer"])
    #expect((report["flatClimbByBarometer"] as? [String: Any])?["count"] as? Int == 2)
    let lines = try Self.run(outdoors).output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("error ") && lines[1].hasPrefix("flat, location, m/h "), "\(lines)")
    #expect(lines[2].hasSuffix("  95 % 10 ✓"), "\(lines)")
  }

  @Test(
    arguments: [
      (
        ["running", "short.csv", "--rate", "50"], 65,
        "short.csv: it has no whole window to time; use a longer recording."
      ),
      (
        ["running", "run.csv", "--rate", "5", "--files"], 65,
        "run.csv: samples at 5 Hz are too slow for this model, which uses motion up to 4.5 Hz; record at 9 Hz or more "
          + "(25 Hz is better)."
      ),
      (
        ["--learning", "cut.bin"], 65,
        "cut.bin: the file's length does not match its header; write it with Benchmarks/peers/learning_data.py."
      ),
      (["--learning", "none.bin"], 66, "none.bin: the file cannot be read; check the path."),
      (["running", "--repetitions", "0"], 64, "--repetitions must be within 1…1000."),
    ] as [([String], Int32, String)])
  func `Wrong input is refused with its cure`(arguments: [String], status: Int32, text: String) throws {
    let run = try Self.run(arguments, status: status)
    #expect(run.complaintLines.first == "Error: \(text)" && run.output.isEmpty, "\(run.complaints)")
  }
}
