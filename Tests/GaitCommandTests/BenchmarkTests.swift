import Foundation
import GaitTestSupport
import Testing

/// `gait benchmark`: what does not depend on the machine's speed.
@Suite struct BenchmarkTests {
  /// `run.csv` and `still.csv` of 500 rows, and `short.csv` of 50.
  private static let folder = Result {
    let folder = try TemporaryDirectory()
    try folder.write(SampleFiles.csv(500, strength: 0.8, seed: 1), to: "run.csv")
    try folder.write(SampleFiles.csv(500, strength: 0.01, seed: 2), to: "still.csv")
    try folder.write(SampleFiles.csv(50, strength: 0.8, seed: 3), to: "short.csv")
    return folder
  }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(["benchmark", "--repetitions", "1"] + arguments, in: folder.get().url)
    #expect(run.status == status, "\(arguments): \(run.complaints)")
    return run
  }

  @Test func `A model is timed from samples to labels and sample by sample, with the throughput first`() throws {
    let report = try Self.run(["running", "run.csv", "--rate", "50", "--json"]).json()
    #expect(
      Set(report.keys) == [
        "append", "build", "processor", "samplesPerSecond", "spread", "windows", "windowsPerSecond",
      ])
    // 2.56 s every 0.64 s in 10 s.
    #expect(report["windows"] as? Int == 12)
    #expect(report["spread"] as? Double == 0)
    let append = try #require(report["append"] as? [String: Double])
    #expect(append["meanNanoseconds"] ?? 0 > 0)
    #expect(append["closingNanoseconds999"] ?? 0 >= append["closingNanoseconds"] ?? .infinity)
    let lines = try Self.run(["running", "run.csv", "--rate", "50"]).output.split(separator: "\n")
    #expect(lines[0].contains(" windows/s, "), "\(lines)")
    #expect(lines[1].hasPrefix("one sample at a time: "), "\(lines)")
    let build = Optimization.isOn ? "release" : "debug"
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[2].hasPrefix("\(build) build, "), "\(lines)")
  }

  @Test(.requiresOptimization) func `Without a recording ten minutes are timed, at any rate`() throws {
    let report = try Self.run(["running-linear", "--rate", "100", "--json"]).json()
    #expect(report["windows"] as? Int == 934)
  }

  @Test(arguments: [false, true])
  func `Files are timed to labels, which are counted`(onAllCores: Bool) throws {
    let files = ["running", "run.csv", "still.csv", "--rate", "50", "--files"] + (onAllCores ? ["--all-cores"] : [])
    let report = try #require(try Self.run(files + ["--json"]).json()["files"] as? [String: Any])
    #expect(report["labels"] as? [String: Int] == ["other": 0, "running": 12, "still": 12, "walking": 0])
    #expect(report["rows"] as? Int == 1000)
    #expect(report["windows"] as? Int == 24)
    #expect(report["files"] as? Int == 2)
    let text = try Self.run(files).output
    #expect(text.hasPrefix("2 files of "), "\(text)")
    #expect(text.contains(" to 24 labels in "), "\(text)")
    #expect(text.contains(onAllCores ? ", all cores\n" : ", one core\n"), "\(text)")
    let labels = "\n\nlabel    windows\nother          0\nrunning       12\nstill         12\nwalking        0\n"
    #expect(text.contains(labels), "\(text)")
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
      (["running", "--repetitions", "0"], 64, "--repetitions must be within 1…1000."),
    ] as [([String], Int32, String)])
  func `Wrong input is refused with its cure`(arguments: [String], status: Int32, text: String) throws {
    let run = try Self.run(arguments, status: status)
    #expect(run.complaintLines.first == "Error: \(text)", "\(run.complaints)")
    #expect(run.output.isEmpty, "\(run.complaints)")
  }
}
