import Foundation
import GaitTestSupport
import Testing

/// Unusual but valid input.
@Suite struct OddInputTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func train(
    _ folder: TemporaryDirectory, _ data: String, _ options: [String] = SampleFiles.layout
  ) throws -> GaitProcess {
    try GaitProcess(["train", data] + options + ["--output", "m.json", "--force"], in: folder.url)
  }

  @Test func `Paths may hold spaces, accents and signs`() throws {
    let name = "Läufe & Märsche 100%#?/ü"
    let data = try SampleFiles.folder(name, in: folder)
    for path in [name, data] {
      let run = try Self.train(folder, path)
      #expect(run.status == 0, "\(run.complaints)")
    }
    let output = "\(name)/mein Modell ✓.json"
    let run = try GaitProcess(["train", name] + SampleFiles.layout + ["--output", output], in: folder.url)
    #expect(run.status == 0)
    #expect(run.output.contains("Wrote \(output)"))
    try folder.write("gravity.x\n", to: "\(name)/run/1.csv")
    #expect(try Self.train(folder, name).complaints.hasPrefix("Error: \(name)/run/1.csv:1: column"))
  }

  @Test func `Labels that differ in case are two labels`() throws {
    _ = try SampleFiles.folder(in: folder)
    let run = try GaitProcess(
      ["train", "data", "--map", "run=walk", "--map", "still=Walk"] + SampleFiles.layout + ["--json"], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    #expect(((try run.json()["crossValidation"] as? [String: Any])?["labels"] as? [String]) == ["Walk", "walk"])
  }

  @Test func `A very long label is shortened in tables`() throws {
    _ = try SampleFiles.folder(in: folder)
    let label = String(repeating: "running very ", count: 30)
    let run = try Self.train(folder, "data", SampleFiles.layout + ["--map", "run=\(label)"])
    #expect(run.status == 0, "\(run.complaints)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let classified = try GaitProcess(["classify", "m.json", "data/run/1.csv", "--rate", "50"], in: folder.url)
    #expect(classified.output.split(separator: "\n").allSatisfy { $0.count <= 160 })
  }

  @Test func `Errors and warnings are short, however long a label is`() throws {
    _ = try SampleFiles.folder(in: folder)
    let label = String(repeating: "running very ", count: 2000)
    for map in ["run=\(label)", "still=\(label)", "nothing=\(label)", "run=", label] {
      let run = try Self.train(folder, "data", SampleFiles.layout + ["--map", "run=\(label)", "--map", map])
      #expect(run.complaints.split(separator: "\n").allSatisfy { $0.count <= 2100 }, "\(run.complaints.count)")
    }
    try FileManager.default.removeItem(at: folder.file("data/still"))
    let alone = try Self.train(folder, "data", SampleFiles.layout + ["--map", "run=\(label)"])
    #expect(alone.status != 0)
    #expect(alone.complaints.hasPrefix("Error: "))
    #expect(alone.complaints.count <= 2100)
  }

  @Test func `Labels may be in a column`() throws {
    for number in 1...2 {
      let parts = [("run", Float(0.8)), ("still", 0.01), ("", 0.3)].enumerated().flatMap { index, part in
        SampleFiles.rows(strength: part.1, seed: UInt64(10 * number + index)).map { $0 + [part.0] }
      }
      try folder.write(SampleFiles.csv(parts, columns: SampleFiles.columns + ["activity"]), to: "data/\(number).csv")
    }
    let run = try Self.train(
      folder, "data", ["--layout", "{recording}.csv", "--rate", "50", "--label-column", "activity"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("data: 4 recordings"))
    #expect(run.complaints.hasPrefix("warning: skipped 8 s without a label\n"))
  }

  @Test func `Groups that do not allow a cross-validation give a warning, and the model is written`() throws {
    try folder.write(SampleFiles.csv(400, strength: 0.8, seed: 1), to: "data/run/1.csv")
    try folder.write(SampleFiles.csv(strength: 0.01, seed: 2), to: "data/still/1.csv")
    // Long enough to be read, too short for a window.
    try folder.write(SampleFiles.csv(60, strength: 0.8, seed: 3), to: "data/run/2.csv")
    try folder.write(SampleFiles.csv(strength: 0.01, seed: 4), to: "data/still/2.csv")
    let run = try Self.train(folder, "data")
    #expect(run.status == 0, "\(run.complaints)")
    #expect(
      run.complaints.hasPrefix("warning: the model is not cross-validated: label \"run\" occurs only in run/1.csv,"))
    #expect(try folder.contents.contains("m.json"))
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1"])
  func `The results may go to standard output, and lose nothing there`(path: String) throws {
    let folder = try SampleFiles.trained()
    let run = try GaitProcess(
      ["train", "data"] + SampleFiles.layout + ["--skip-cross-validation", "--output", path], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    // Neither overwrites the other.
    #expect(run.output.hasPrefix("{\n"))
    #expect(run.output.contains("\"format\" : \"gait.activityModel\""))
    #expect(run.output.contains("}\ndata: 4 recordings"), "\(run.output)")
    #expect(run.output.contains("\nWrote \(path): "), "\(run.output)")
  }

  @Test func `A stream that is not open for writing is refused before the work`() throws {
    let folder = try SampleFiles.trained()
    for path in ["/dev/stdin", "/dev/fd/99"] {
      let arguments = ["train", "data"] + SampleFiles.layout + ["--skip-cross-validation", "--output", path]
      let run = try GaitProcess(arguments, in: folder.url, input: "x")
      #expect(run.status == 73)
      #expect(run.complaints == "Error: cannot write \(path): it is not writable; choose another.\n")
    }
  }
}
