import Foundation
import Gait
import GaitTestSupport
import Testing

/// `gait inspect` on recordings and folders of them.
@Suite struct InspectTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func inspect(_ arguments: [String]) throws -> GaitProcess {
    let run = try GaitProcess(["inspect"] + arguments, in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    return run
  }

  @Test func `A recording without times is described, with times only if the rate is given`() throws {
    var rows = SampleFiles.rows(600, strength: 0.5, seed: 1)
    for row in 100..<125 { rows[row][3] = "" }
    try folder.write(SampleFiles.csv(rows), to: "run.csv")
    let untimed = try inspect(["run.csv", "--json"]).json()
    let always: Set = [
      "file", "format", "rows", "channels", "values", "gravityIsEstimated", "staleFirstRow", "repairs", "gaps",
      "missing", "accelerationPeaks",
    ]
    #expect(Set(untimed.keys) == always)
    let timed = try inspect(["run.csv", "--rate", "50", "--json"]).json()
    #expect(Set(timed.keys) == always.union(["sampleRate", "rateSource", "duration", "stepFrequency"]))
    #expect(timed["rows"] as? Int == 600)
    #expect(timed["duration"] as? Double == 12)
    #expect(timed["channels"] as? [String] == SampleFiles.columns)
    #expect(abs((timed["stepFrequency"] as? Double ?? 0) - 2.7) < 0.06)
    let missing = try #require((timed["missing"] as? [[String: Any]])?.first)
    #expect(missing["firstRow"] as? Int == 101)
    #expect(missing["rows"] as? Int == 25)
    #expect(missing["start"] as? Double == 2)
    #expect(missing["end"] as? Double == 2.5)
    let values = try #require(timed["values"] as? [String: [String: Any]])
    #expect(values["gravity.z"]?["minimum"] as? Double == -1)
    #expect(values["gravity.z"]?["unit"] as? String == "g")
    #expect(values["gravity.x"]?["missing"] as? Int == 25)
    #expect(values["gravity.y"]?["missing"] as? Int == 0)
    let text = try inspect(["run.csv"]).output
    #expect(text.contains("unknown; state it with --rate"))
    #expect(text.contains("missing    rows 101–125"))
  }

  private static let columns =
    "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n"

  @Test func `A changing rate is described by the rates of the parts`() throws {
    let slow = (0..<1000).map { Double($0) / 50 }
    let fast = (2000..<4000).map { Double($0) / 100 }
    try folder.write(Self.columns + (slow + fast).map { "\($0),0,0,-1,0.1,0,0\n" }.joined(), to: "mixed.csv")
    let text = try inspect(["mixed.csv"]).output
    #expect(text.contains("rate       50 Hz, 100 Hz from 20.00 s (estimated from the times)\n"), "\(text)")
    #expect(text.contains("the rate changes: 50, then 100 Hz; every row kept its time"))
    let json = try inspect(["mixed.csv", "--json"]).json()
    #expect(json["sampleRate"] as? Double == 50)
    #expect(try #require(json["rates"] as? [[String: Double]]).map { $0["hertz"] } == [50, 100])
  }

  @Test func `Rows whose gravity cannot be estimated are missing`() throws {
    let rows = (0..<2000).map { "\(Double($0) / 50),0,0,\(500..<900 ~= $0 ? 0 : -1)\n" }
    try folder.write("time (s),acc_x (g),acc_y (g),acc_z (g)\n" + rows.joined(), to: "fall.csv")
    let text = try inspect(["fall.csv"]).output
    #expect(!text.contains("missing    none"), "\(text)")
    #expect(text.contains("–18."), "\(text)")
  }

  @Test func `A pipe as the model is not a permission error`() throws {
    #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
    let run = try GaitProcess(["classify", "pipe", "run.csv"], in: folder.url)
    #expect(run.status != 0, "\(run.complaints)")
    #expect(run.complaints.contains("it is not a regular file"), "\(run.complaints)")
  }

  @Test(.requiresOptimization, .timeLimit(.minutes(5)))
  func `Times a century apart, and times out of range, are an error of one sentence`()
    throws
  {
    _ = try SampleFiles.folder(in: folder)
    _ = try GaitProcess(["train", "data"] + SampleFiles.layout + ["--output", "m.json"], in: folder.url)
    let rows = { (start: Int64) in
      (0..<500).map { "\(start + Int64($0 / 50)).\(String(format: "%02d", $0 % 50 * 2)),0,0,-1,0.1,0,0\n" }.joined()
    }
    try folder.write(Self.columns + rows(-3_155_760_000) + rows(0) + rows(3_155_760_000), to: "far.csv")
    try folder.write(
      Self.columns + "-4611686018.4,0,0,-1,0,0,0\n" + rows(-3_689_348_814), to: "out.csv")
    for arguments in [
      ["inspect", "far.csv"], ["classify", "m.json", "far.csv"], ["track", "m.json", "far.csv"],
      ["convert", "far.csv", "own-far.csv"], ["features", "far.csv"],
    ] {
      let apart = try GaitProcess(arguments, in: folder.url)
      #expect(apart.status != 0, "\(arguments): \(apart.complaints)")
      #expect(apart.complaintLines.count == 1, "\(arguments): \(apart.complaints)")
      #expect(apart.complaints.contains("far.csv has rows that follow each other but are"), "\(apart.complaints)")
      #expect(!apart.complaints.contains("--rate"), "no option helps: \(apart.complaints)")
      let refused = try GaitProcess(arguments.map { $0.replacing("far", with: "out") }, in: folder.url)
      #expect(refused.status != 0, "\(arguments): \(refused.complaints)")
      #expect(refused.complaintLines.count == 1, "\(arguments): \(refused.complaints)")
      #expect(refused.complaints.contains("out.csv:2: column 1 (time)"))
    }
  }

  /// A file in Gait's format of 20 s at 50 Hz.
  @Test(arguments: [
    (["userAcceleration", "gravity"], 0, "none: no walking or running"),
    (["userAcceleration", "gravity"], 5, "none found; the recording has missing values or gaps"),
    (["userAcceleration"], 0, "not counted without gravity"),
  ])
  func `The reason for counting no steps is printed`(sensors: [String], missing: Int, reason: String) throws {
    let header = sensors.flatMap { sensor in ["x", "y", "z"].map { "\(sensor).\($0)" } }
    let rows = (0..<1000).map { row in
      let isMissing = 500..<500 + missing ~= row
      return "\(Double(row) / 50),"
        + header.map { isMissing ? "" : $0 == "gravity.z" ? "-1" : "0" }.joined(separator: ",")
    }
    let folder = try TemporaryDirectory()
    try folder.write(
      ([(["time"] + header).joined(separator: ",")] + rows).joined(separator: "\n") + "\n", to: "still.csv")
    let run = try GaitProcess(["inspect", "still.csv"], in: folder.url)
    #expect(run.output.contains("  steps      \(reason)\n"), "\(run.output)\(run.complaints)")
  }

  private func timedFile() -> String {
    var rows = SampleFiles.rows(600, strength: 0.5, seed: 1).enumerated().map { index, cells in
      ["\(Double(index + (index < 300 ? 0 : 250)) / 50)"] + cells + [index < 200 ? "walk" : "run"]
    }
    rows.swapAt(50, 51)
    rows.insert(rows[100], at: 101)
    return SampleFiles.csv(rows, columns: ["time"] + SampleFiles.columns + ["label"])
  }

  @Test func `A recording with times is described with rate, gaps, labels and repairs`() throws {
    try folder.write(timedFile(), to: "run.csv")
    let report = try inspect(["run.csv", "--json"]).json()
    #expect(report["format"] as? String == "gait")
    #expect(report["rateSource"] as? String == "times")
    #expect(report["sampleRate"] as? Double == 50)
    #expect(report["rows"] as? Int == 600)
    #expect(report["start"] as? Double == 0)
    #expect(report["duration"] as? Double == 17)
    #expect((report["jitter"] as? Double ?? 1) < 1e-6)
    #expect(
      report["repairs"] as? [String] == [
        "sorted 1 row by time", "dropped 1 row with a repeated time", "broke at 1 gap, the longest of 5.02 s",
      ])
    let gaps = try #require(report["gaps"] as? [[String: Double]])
    #expect(gaps == [["start": 5.98, "end": 11]])
    let labels = try #require(report["labels"] as? [[String: Any]])
    #expect(labels.map { $0["name"] as? String } == ["run", "walk"])
    #expect(labels.map { $0["rows"] as? Int } == [400, 200])
    let text = try inspect(["run.csv"]).output
    for part in ["50 Hz (estimated from the times)", "gaps       5.98–11.00 s", "run (400 rows), walk (200 rows)"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test func `A folder is summarised by format and rate, with findings and unreadable files`() throws {
    _ = try SampleFiles.folder(in: folder)
    try folder.write(timedFile(), to: "data/timed/1.csv")
    try folder.write("name,weight\nanna,60\n", to: "data/subjects.csv")
    try folder.write("", to: "data/empty.csv")
    try folder.write("words", to: "data/README.md")
    try folder.write("time,latitude,longitude\n0,48,11\n1,48.001,11\n", to: "data/route.csv")
    let report = try inspect(["data", "--json"]).json()
    #expect(
      Set(report.keys) == [
        "folder", "kinds", "findings", "unreadable", "ignoredFiles", "warnings", "recordings", "usable",
      ])
    let kinds = try #require(report["kinds"] as? [[String: Any]])
    #expect(kinds.map { $0["format"] as? String } == ["gait", "motionDataCollector"])
    #expect(kinds.map { $0["sampleRate"] as? Double } == [50, nil])
    #expect(kinds.map { $0["recordings"] as? Int } == [1, 4])
    #expect(kinds.map { $0["rows"] as? Int } == [600, 800])
    let unreadable = try #require(report["unreadable"] as? [[String: String]])
    #expect(unreadable.map { $0["file"] } == ["empty.csv", "subjects.csv"])
    #expect(report["ignoredFiles"] as? Int == 1)
    #expect((report["findings"] as? [[String: Any]])?.count == 3)
    #expect(report["usable"] as? [[String: String]] == [["file": "route.csv", "holds": "locations"]])
    let summary = try inspect(["data"]).output
    #expect(summary.split(separator: "\n").count == 3, "\(summary)")
    #expect(summary.hasPrefix("data: 5 recordings, "), "\(summary)")
    #expect(
      summary.contains("1 file of GPS points, 2 files not readable, 1 other file; --files lists them."), "\(summary)")
    let text = try inspect(["data", "--files"]).output
    for part in ["data: 5 recordings", "unknown", "broke at 1 gap", "data/empty.csv is empty", "route.csv"] {
      #expect(text.contains(part), "\(text)")
    }
    let labels = try inspect(["data", "--layout", "{label}/{recording}.csv", "--rate", "50"])
    #expect(labels.output.contains("steps/min"), "\(labels.complaints)")
    #expect(labels.output.contains("still"), "\(labels.complaints)")
  }

  @Test func `running is the built-in model unless a file or folder has that name`() throws {
    let builtIn = try inspect(["running"]).output
    #expect(builtIn.hasPrefix("model, format version 2\n"), "\(builtIn)")
    #expect(builtIn.contains("running"), "\(builtIn)")
    for name in ["running", "running-linear", "running-pocket", "running-wrist"] {
      let json = try inspect([name, "--json"]).json()
      #expect(json["format"] as? String == "gait.activityModel", "\(name)")
    }
    try folder.write(SampleFiles.csv(strength: 0.5, seed: 1), to: "running/1.csv")
    #expect(try inspect(["running"]).output.hasPrefix("running: 1 recording"))
  }

  @Test func `JSON of another kind is refused with the kinds that are described`() throws {
    try folder.write(#"{"format": "mine"}"#, to: "other.json")
    let run = try GaitProcess(["inspect", "other.json"], in: folder.url)
    #expect(run.status == 65, "\(run.output)")
    #expect(run.output.isEmpty, "\(run.output)")
    for part in ["Error: other.json: the JSON is neither a model", "gait.activityModel", "gait.collection", "GyroData"]
    {
      #expect(run.complaints.contains(part), "\(run.complaints)")
    }
  }

  @Test(.requiresRealData, .requiresOptimization) func `The real recordings are summarised`() throws {
    let boost = try GaitProcess(["inspect", RealData.boostRunClub.path, "--rate", "10", "--json"]).json()
    #expect((boost["kinds"] as? [[String: Any]])?.map { $0["recordings"] as? Int } == [98])
    let findings = try #require(boost["findings"] as? [[String: Any]])
    #expect(findings.map { $0["what"] as? String } == ["dropped a stale first row"])
    #expect((findings.first?["files"] as? [String])?.count == 75)
  }
}
