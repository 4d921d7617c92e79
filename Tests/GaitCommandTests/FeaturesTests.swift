import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// `gait features`: the table and the catalogue.
@Suite struct FeaturesTests {
  private static let header =
    "label,subject,recording,start,coverage," + Feature.orientationFree.map(\.description).joined(separator: ",")

  private static let folder = Result {
    let folder = try TemporaryDirectory()
    _ = try SampleFiles.folder(in: folder)
    return folder
  }

  private static func rows(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  private static func run(_ arguments: [String]) throws -> GaitProcess {
    try GaitProcess(["features"] + arguments, in: folder.get().url)
  }

  @Test func `The table of a recording holds the library's values`() throws {
    let run = try Self.run(["data/run/1.csv", "--rate", "50"])
    #expect(run.status == 0)
    #expect(run.complaints == "")
    #expect(run.output.hasPrefix(Self.header + "\n"))
    #expect(run.output.hasSuffix("\n"))
    let recording = try Recording(contentsOf: Self.folder.get().file("data/run/1.csv"), sampleRate: .hertz(50))
    let (starts, values) = try recording.features(Feature.orientationFree)
    let rows = Self.rows(run.output).dropFirst()
    #expect(rows.count == starts.count)
    #expect(!rows.isEmpty)
    for (index, row) in rows.enumerated() {
      #expect(Array(row[..<3]) == ["", "", "data/run/1.csv"])
      #expect(Double(row[3]) == starts[index].seconds)
      #expect(row[5...].map { Float($0) } == Array(values[index]))
    }
  }

  @Test func `A folder's layout gives label and subject, and label maps and filters apply`() throws {
    let run = try Self.run(
      ["data", "--layout", "{label}/{subject}.csv", "--rate", "50", "--map", "run=running", "--except", "subject=2"])
    #expect(run.status == 0, "\(run.complaints)")
    let leads = Set(Self.rows(run.output).dropFirst().map { $0[..<3].joined(separator: " ") })
    #expect(leads == ["running 1 data/run/1.csv", "still 1 data/still/1.csv"])
    let unlabelled = try Self.run(["data", "--layout", "run/{subject}.csv", "--rate", "50"])
    #expect(unlabelled.status == 0, "\(unlabelled.complaints)")
    #expect(
      Set(Self.rows(unlabelled.output).dropFirst().map { $0[..<3].joined(separator: " ") })
        == [" 1 data/run/1.csv", " 2 data/run/2.csv"])
  }

  @Test func `Several inputs, files and folders, follow each other`() throws {
    let one = try Self.run(["data/run/2.csv", "--rate", "50"])
    let folder = try Self.run(["data"] + SampleFiles.layout)
    let both = try Self.run(["data/run/2.csv", "data"] + SampleFiles.layout)
    #expect(both.status == 0, "\(both.complaints)")
    #expect(both.output == one.output + folder.output.dropFirst(Self.header.utf8.count + 1))
  }

  @Test func `A table is written to a file, reported, and replaced by another table`() throws {
    let folder = try TemporaryDirectory()
    _ = try SampleFiles.folder(in: folder)
    let arguments = ["features", "data"] + SampleFiles.layout + ["--output", "f.csv"]
    let text = try GaitProcess(arguments, in: folder.url)
    let table = try String(contentsOf: folder.file("f.csv"), encoding: .utf8)
    let windows = Self.rows(table).count - 1
    #expect(text.output == "Wrote f.csv: \(windows) windows of 4 recordings, 7 features each.\n")
    #expect(table == (try GaitProcess(["features", "data"] + SampleFiles.layout, in: folder.url).output))
    let report = try GaitProcess(arguments + ["--set", "full", "--json"], in: folder.url).json()
    #expect(Set(report.keys) == ["windows", "features", "recordings", "output"])
    #expect(report["windows"] as? Int == windows)
    #expect(report["features"] as? Int == Feature.full.count)
    #expect(report["recordings"] as? Int == 4)
    #expect(report["output"] as? String == "f.csv")
    let full = Self.rows(try String(contentsOf: folder.file("f.csv"), encoding: .utf8))
    #expect(full.allSatisfy { $0.count == 5 + Feature.full.count })
    #expect(full.count == windows + 1)
  }

  @Test func `--set and --feature choose the columns, in training too`() throws {
    func columns(_ options: [String]) throws -> [String] {
      let run = try Self.run(["data/run/1.csv", "--rate", "50"] + options)
      #expect(run.status == 0, "\(run.complaints)")
      return Array(Self.rows(run.output)[0][5...])
    }
    let free = Feature.orientationFree.map(\.description)
    #expect(try columns(["--feature", "total.mean", "--feature", "jerk.rms"]) == ["total.mean", "jerk.rms"])
    #expect(try columns(["--set", "orientationFree", "--feature", "total.mean"]) == free + ["total.mean"])
    #expect(try columns(["--set", "full"]) == Feature.full.map(\.description))
    let folder = try TemporaryDirectory()
    _ = try SampleFiles.folder(in: folder)
    let run = try GaitProcess(
      ["train", "data", "--set", "orientationFree", "--feature", "total.mean", "--skip-cross-validation"]
        + SampleFiles.layout, in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(
      try ActivityModel(contentsOf: folder.file("model.json")).activityHead.features.map(\.description)
        == free + ["total.mean"])
  }

  @Test func `--window and --hop set the windows`() throws {
    let run = try Self.run([
      "data/run/1.csv", "--rate", "50", "--window", "1", "--hop", "0.2", "--feature", "total.mean",
    ])
    let starts = Self.rows(run.output).dropFirst().compactMap { Double($0[3]) }
    #expect(starts.count == 14 || starts.count == 15, "\(starts)")
    #expect(zip(starts, starts.dropFirst()).allSatisfy { abs($1 - $0 - 0.2) < 1e-9 })
  }

  @Test func `A recording shorter than a window has no row and a warning`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(SampleFiles.csv(60, strength: 0.5, seed: 1), to: "short.csv")
    let run = try GaitProcess(["features", "short.csv", "--rate", "50"], in: folder.url)
    #expect(run.status == 0)
    #expect(run.output == Self.header + "\n")
    #expect(
      run.complaints
        == "warning: no rows for recordings without a whole window of 2.56 s free of missing values: short.csv (1.2 s)\n"
    )
  }

  @Test func `The catalogue lists every feature, as text and as JSON`() throws {
    let text = try Self.run(["--list"])
    #expect(text.status == 0)
    #expect(text.complaints == "")
    for entry in Lane.entries + Statistic.entries + Transform.entries {
      #expect(text.output.contains("\n  \(entry.form)\n"))
      #expect(text.output.contains("  \(entry.formula)\n"))
    }
    let json = try Self.run(["--list", "--json"]).json()
    #expect(Set(json.keys) == ["statistics", "lanes", "transforms", "sets"])
    let statistics = try #require(json["statistics"] as? [[String: String]])
    #expect(statistics.map { $0["form"] } == Statistic.entries.map(\.form))
    #expect(Set(statistics[0].keys) == ["form", "example", "formula", "unit", "edgeCases"])
    #expect((json["sets"] as? [String: [String]])?["full"] == Feature.full.map(\.description))
  }

  @Test(.requiresRealData) func `MotionSense becomes a table with labels and subjects`() throws {
    let run = try GaitProcess([
      "features", RealData.motionSense.path, "--layout", "{label}_{trial}/sub_{subject}.csv", "--rate", "50", "--only",
      "subject=1,2", "--only", "trial=9,11", "--map", "jog=running", "--hop", "2.56",
    ])
    #expect(run.status == 0, "\(run.complaints)")
    let rows = Self.rows(run.output).dropFirst()
    #expect(Set(rows.map { $0[1] }) == ["1", "2"])
    #expect(Set(rows.map { $0[0] }).contains("running"))
    #expect(rows.count > 50)
    #expect(rows.allSatisfy { $0.count == 12 && $0[3...].allSatisfy { Double($0) != nil } })
  }
}
