import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// `gait convert`, and labels from intervals.
@Suite struct ConvertTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: [String]) throws -> GaitProcess {
    let run = try GaitProcess(arguments, in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    return run
  }

  @Test func `A converted recording reads back the same, and converts to the same bytes`() throws {
    try folder.write(SampleFiles.csv(300, strength: 0.5, seed: 1), to: "run.csv")
    try folder.write("start,end,label\n1,2,run\n3,4,walk\n", to: "run.labels.csv")
    let report = try run(
      ["convert", "run.csv", "a.csv", "--rate", "50", "--intervals", "run.labels.csv", "--json"]
    ).json()
    #expect(report["recordings"] as? Int == 1)
    #expect(report["rows"] as? Int == 300)
    #expect(try run(["convert", "a.csv", "b.csv"]).output == "Wrote b.csv: 1 recording, 300 rows.\n")
    let texts = try ["a.csv", "b.csv"].map { try String(contentsOf: folder.file($0), encoding: .utf8) }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("# source: run.csv (motionDataCollector)\n"))
    let original = try AnnotatedRecording(
      contentsOf: folder.file("run.csv"), ReadingOptions(sampleRate: .hertz(50)))
    let copy = try AnnotatedRecording(contentsOf: folder.file("b.csv"))
    for channel in Channel.allCases { #expect(copy.recording[channel] == original.recording[channel]) }
    #expect(copy.recording.sampleRate == .hertz(50))
    #expect(copy.recording.repairs == [])
    #expect(copy.labels?.map(\.rows) == [0..<50, 50..<100, 100..<150, 150..<200, 200..<300])
  }

  @Test func `Only --force overwrites`() throws {
    try folder.write(SampleFiles.csv(100, strength: 0.5, seed: 1), to: "run.csv")
    try folder.write("mine", to: "mine.csv")
    let refused = try GaitProcess(["convert", "run.csv", "mine.csv", "--rate", "50"], in: folder.url)
    #expect(refused.status == 73)
    #expect(refused.complaints.contains("cannot write mine.csv: the file exists"))
    #expect(try String(contentsOf: folder.file("mine.csv"), encoding: .utf8) == "mine")
    try folder.write(SampleFiles.csv(200, strength: 0.5, seed: 2), to: "longer.csv")
    _ = try run(["convert", "longer.csv", "own.csv", "--rate", "50"])
    _ = try run(["convert", "run.csv", "own.csv", "--rate", "50", "--force"])
    #expect(try Recording(contentsOf: folder.file("own.csv")).count == 100)
  }

  @Test func `A folder keeps its names, and other files are skipped with a warning`() throws {
    _ = try SampleFiles.folder(in: folder)
    try folder.write("name,weight\nanna,60\n", to: "data/subjects.csv")
    let converted = try run(["convert", "data", "own", "--rate", "50"])
    #expect(converted.output == "Wrote own: 4 recordings, 800 rows.\n")
    #expect(converted.complaints.hasPrefix("warning: skipped: data/subjects.csv"))
    #expect(
      try folder.contents.filter { $0.hasPrefix("own/") && $0.hasSuffix(".csv") }
        == ["own/run/1.csv", "own/run/2.csv", "own/still/1.csv", "own/still/2.csv"])
    let again = try GaitProcess(["convert", "data", "own", "--rate", "50"], in: folder.url)
    #expect(again.status == 73)
    #expect(again.complaints.contains("the folder is not empty"))
    try folder.write("mine", to: "own/notes.txt")
    _ = try run(["convert", "data", "own", "--rate", "50", "--force"])
    #expect(try folder.contents.contains("own/notes.txt"))
    #expect(try !folder.contents.contains { $0.contains(".gait-") })
    let trained = try run(["train", "own", "--layout", "{label}/{recording}.csv"])
    #expect(trained.output.contains("4 recordings"))
  }

  @Test func `A folder without a sample rate leaves nothing behind`() throws {
    _ = try SampleFiles.folder(in: folder)
    let before = try folder.contents
    let run = try GaitProcess(["convert", "data", "own"], in: folder.url)
    #expect(run.status == 64)
    #expect(run.complaints.hasSuffix("state the sample rate (--rate).\n"))
    #expect(try folder.contents == before)
  }

  @Test func `A folder without recordings is not created in the copy`() throws {
    try folder.write(SampleFiles.csv(300, strength: 0.5, seed: 1), to: "in/good/1.csv")
    try folder.write("no recording\n", to: "in/bad/deep/1.csv")
    #expect(try run(["convert", "in", "out", "--rate", "50"]).complaints.contains("skipped: "))
    let made = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out").path).sorted()
    #expect(made == ["good", "good/1.csv"])
  }

  @Test(.requiresOptimization)
  func `Training takes labels from interval files beside the recordings`() throws {
    for number in 1...2 {
      let rows =
        SampleFiles.rows(400, strength: 0.8, seed: UInt64(number))
        + SampleFiles.rows(400, strength: 0.01, seed: UInt64(number + 2))
      try folder.write(SampleFiles.csv(rows), to: "data/\(number).csv")
      try folder.write("start,end,label\n0,8,run\n8.5,16,still\n", to: "data/\(number).labels.csv")
    }
    let options = ["--layout", "{recording}.csv", "--rate", "50", "--intervals", "labels.csv"]
    let trained = try run(["train", "data"] + options)
    #expect(trained.output.hasPrefix("data: 4 recordings"))
    #expect(trained.complaintLines.first == "warning: skipped 1 s without a label")
    #expect(trained.complaintLines.count == 3)
    #expect(trained.complaints.contains(" windows of 2 recordings; with fewer than 30 windows or 3 recordings"))
    // An empty file of intervals is a warning, not an error.
    try folder.write(SampleFiles.csv(400, strength: 0.8, seed: 9), to: "data/3.csv")
    for text in ["", "start,end,label\n"] {
      try folder.write(text, to: "data/3.labels.csv")
      let run = try run(["train", "data", "--force"] + options)
      #expect(run.output.hasPrefix("data: 4 recordings"))
      #expect(run.complaintLines.count { $0.contains("without an interval") && $0.hasSuffix("data/3.labels.csv") } == 1)
    }
    let table = try run(["features", "data/1.csv", "--rate", "50", "--intervals", "data/1.labels.csv"]).output
    #expect(Set(table.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }) == ["run", "still"])
    // Recordings without a file of intervals are left out and counted; at least one needs a label.
    try FileManager.default.removeItem(at: folder.file("data/2.labels.csv"))
    let others = try run(["train", "data", "--force", "--skip-cross-validation"] + options)
    #expect(others.output.hasPrefix("data: 2 recordings"))
    #expect(
      others.complaintLines.contains {
        $0.contains("1 recording without a file of label intervals") && $0.hasSuffix("2.csv")
      })
    for number in [1, 3] { try FileManager.default.removeItem(at: folder.file("data/\(number).labels.csv")) }
    let none = try GaitProcess(["train", "data", "--force"] + options, in: folder.url)
    #expect(none.status == 65)
    #expect(none.complaints.contains("has no label for any recording in data"))
  }

  /// Writes a folder as Sensor Logger does: 10 s at 50 Hz, sensors that start 0.3 s apart, and annotations.
  private func writeSensorLogger(to name: String) throws {
    let start: Int64 = 1_732_000_000_000_000_000
    func rows(_ shift: Int64, _ values: (Double) -> String) -> String {
      (0..<500).map { index in
        let nanoseconds = Int64(index) * 20_000_000 + shift
        return "\(start + nanoseconds),\(Double(nanoseconds) / 1e9),\(values(Double(nanoseconds) / 1e9))\n"
      }.joined()
    }
    let head = "time,seconds_elapsed,z,y,x\n"
    try folder.write(head + rows(0) { "\(9.80665 * sin(17 * $0)),0,0" }, to: "\(name)/Accelerometer.csv")
    try folder.write(head + rows(300_000_000) { _ in "-9.80665,0,0" }, to: "\(name)/Gravity.csv")
    try folder.write(
      "time,seconds_elapsed,text,millisecond_press_duration\n\(start + 5_000_000_000),5,run,20\n",
      to: "\(name)/Annotation.csv")
  }

  @Test func `A folder of Sensor Logger is one recording with its annotations`() throws {
    try writeSensorLogger(to: "log")
    let inspected = try run(["inspect", "log", "--json"]).json()
    #expect(inspected["format"] as? String == "sensorLogger")
    #expect(inspected["sampleRate"] as? Double == 50)
    #expect((inspected["channels"] as? [String])?.count == 6)
    #expect(try run(["convert", "log", "log.csv", "--intervals", "Annotation.csv"]).output.contains("1 recording"))
    let copy = try AnnotatedRecording(contentsOf: folder.file("log.csv"))
    let labels = try #require(copy.labels)
    #expect(labels.map(\.label) == [nil, "run"])
    #expect(copy.recording.time(at: labels[1].rows.lowerBound).seconds == 1_732_000_005)
    #expect(abs(copy.recording[.userAccelerationZ].max()! - 1) < 0.01)
  }

  @Test func `A folder of Sensor Logger's folders is a dataset`() throws {
    for name in ["all/anna/one", "all/bo/two"] { try writeSensorLogger(to: name) }
    try folder.write("nothing", to: "all/LICENSE")
    let inspected = try run(["inspect", "all", "--json"]).json()
    #expect((inspected["recordings"] as? [Any])?.count == 2)
    #expect(inspected["ignoredFiles"] as? Int == 1)
    let table = try run(
      ["features", "all", "--layout", "{subject}/{recording}", "--intervals", "Annotation.csv"]
    ).output
    let leads = Set(
      table.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[..<2].joined(separator: " ") })
    #expect(leads == ["run anna", "run bo"])
    _ = try run(["convert", "all", "own"])
    #expect(
      try folder.contents.filter { $0.hasPrefix("own/") && $0.hasSuffix(".csv") } == [
        "own/anna/one.csv", "own/bo/two.csv",
      ])
  }
}
