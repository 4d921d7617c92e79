import Foundation
import GaitTestSupport
import Testing

/// `gait tune-pauses` and `gait evaluate --pauses` as text, on recordings that no model confuses.
@Suite struct PauseTuningTests {
  private static let layout = ["data", "--layout", "{label}/{subject}.csv", "--rate", "50", "--map", "run=running"]

  /// Three people who run and stand, and the model `m.json` of them.
  private static let folder = Result {
    let folder = try TemporaryDirectory()
    for subject in 1...3 {
      try folder.write(SampleFiles.csv(500, strength: 0.8, seed: UInt64(subject)), to: "data/run/\(subject).csv")
      try folder.write(SampleFiles.csv(500, strength: 0.01, seed: UInt64(subject + 9)), to: "data/still/\(subject).csv")
    }
    let training = try GaitProcess(
      ["train"] + layout + ["--skip-cross-validation", "--output", "m.json"], in: folder.url)
    #expect(training.status == 0, "\(training.complaints)")
    return folder
  }

  private static func run(_ arguments: [String], status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(arguments, in: folder.get().url)
    #expect(run.status == status, "\(arguments): \(run.complaints)")
    return run
  }

  @Test func `The best of the settings are printed, and the first is written`() throws {
    let tuned = try Self.run(
      ["tune-pauses", "m.json"] + Self.layout + ["--every-minute", "--seeds", "1", "--output", "t.json"])
    let lines = tuned.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "weight  pause above  resume below  for s  false  missed  pause s  resume s   cost")
    try #require(lines.count == 12, "\(tuned.output)")
    #expect(lines[10] == "Wrote t.json: the first of 294 settings.", "\(tuned.output)")
    // False and missed decisions, and costs in ascending order.
    let cells = lines[1...8].map { $0.split(separator: " ") }
    #expect(cells.allSatisfy { $0.count == 9 && $0[4...5] == ["0", "0"] }, "\(tuned.output)")
    let costs = cells.compactMap { Double($0[8]) }
    #expect(costs.count == 8, "\(costs)")
    #expect(costs == costs.sorted(), "\(costs)")
    let settings = try #require(try Self.run(["inspect", "t.json", "--json"]).json()["pauses"] as? [String: Any])
    #expect((settings["pauseAbove"] as? Double).map { "\($0)" } == String(cells[0][1]))
    #expect((settings["resumeBelow"] as? Double).map { "\($0)" } == String(cells[0][2]))
  }

  @Test func `Pauses are reported for cleaned and uncleaned running, with the trade-off of the threshold`() throws {
    let report = try Self.run(
      ["evaluate", "m.json"] + Self.layout + ["--pauses", "--every-minute", "--seeds", "1"])
    #expect(
      report.output.hasPrefix(
        """
        Every minute of 3 subjects: 0.5 min of cleaned running, 0.5 min of stops

        Cleaned running
          hours                      0.03
          changes                    6
          false pauses               0 (0.00 per hour of running)
          missed pauses over 5 s     0
          false resumes              0 (0.00 per hour of standing)
          missed resumes             0
          pause delay                1.
        """), "\(report.output)")
    let rest = report.output.split(separator: "\n").drop { $0 != "Uncleaned running" }
    let thresholds = rest.drop { !$0.hasPrefix("pause above ") }.dropFirst().map { $0.prefix { $0 != " " } }
    #expect(thresholds == ["0.5", "0.7", "0.8", "0.9", "0.95", "0.97", "0.98", "0.99", "0.995", "0.999"])
    #expect(
      report.complaints.hasPrefix(
        "warning: m.json was trained on at least 6 of these recordings: its scores are too high"))
  }

  @Test(
    arguments: [
      (["--policy", "never"], "--policy never has no pauses to evaluate; choose still, notRunning or activities."),
      (["--stops", "x"], "--stops must be activities joined by +: still, walking, other."),
      (["--seeds", "5-1"], "--seeds must be a number or a range such as 1-5."),
      (["--hours", "0"], "--hours must be within 0.01…200."),
      (["--every-minute", "--hours", "1"], "--every-minute uses all recordings once; omit --hours."),
      (["--hours", "150", "--seeds", "1-2"], "--hours times the number of --seeds must be at most 200 h."),
      (["--false-pause-cost", "-1"], "--false-pause-cost must be 0 or more."),
      (["--free-pause-delay", "inf"], "--free-pause-delay must be 0 or more."),
      (["--folds", "1"], "--folds must be within 2…10000."),
      (["--penalty", "-1"], "--penalty must be 0 or more."),
    ].thinnedInDebug(by: 3))
  func `A wrong option is refused with its cure`(options: [String], text: String) throws {
    let run = try Self.run(["tune-pauses", "m.json"] + Self.layout + options, status: 64)
    #expect(run.complaintLines.first == "Error: \(text)", "\(run.complaints)")
  }

  @Test func `The page of pauses has the threshold, the people and the worst moments`() throws {
    let folder = try Self.folder.get()
    let options = ["--every-minute", "--seeds", "1"]
    _ = try Self.run(["evaluate", "m.json"] + Self.layout + ["--pauses", "--report", "pauses.html"] + options)
    let page = try String(contentsOf: folder.file("pauses.html"), encoding: .utf8)
    for words in [
      "a moving runner is never paused", "no stop of more than 5 s is missed", "Delay against false pauses",
      "By subject, worst first", "The worst moments", "Paused late: wrong for",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    _ = try Self.run(
      ["tune-pauses", "m.json"] + Self.layout + ["--output", "tuned.json", "--report", "tuned.html", "--force"]
        + options)
    let tuned = try String(contentsOf: folder.file("tuned.html"), encoding: .utf8)
    #expect(tuned.contains("Settings that were tried"))
    #expect(tuned.contains("The best of 294."))
  }

  @Test func `The commands of an evaluation's page run as they stand`() throws {
    let folder = try Self.folder.get()
    try folder.write(SampleFiles.csv(500, strength: 0.8, seed: 5), to: "wrong data/still/1.csv")
    try folder.write(SampleFiles.csv(500, strength: 0.01, seed: 6), to: "wrong data/run/1.csv")
    _ = try Self.run(
      [
        "evaluate", "m.json", "wrong data", "--layout", "{label}/{recording}.csv", "--rate", "50", "--map",
        "run=running",
      ]
        + ["--report", "wrong.html"])
    let page = try String(contentsOf: folder.file("wrong.html"), encoding: .utf8)
    let code = try #require(page.firstMatch(of: /<code>(gait plot .*?)<\/code>/)).1.replacing(/<.*?>/, with: "")
    let command = try #require(code.firstMatch(of: /gait plot '([^']*)' (.*)/))
    let words = [String(command.1)] + command.2.split(separator: " ").map(String.init)
    #expect(words.contains("--rate"), "\(words)")
    #expect(words.contains("--from"), "\(words)")
    _ = try Self.run(["plot"] + words + ["--output", "stretch.html"])
  }
}
