import Foundation
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

/// Recordings that are processed into a folder, in several runs.
@Suite struct RecordingBatchTests {
  private struct Refusal: Error {}

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["a.csv", "b.csv", "sub/c.csv"] { try folder.write("rows of \(name)", to: "in/\(name)") }
  }

  private func batch(
    _ inputs: [String] = ["in"], settings: [String] = ["one"], endings: [String] = [".out"], others: [String] = []
  ) throws -> RecordingBatch {
    try RecordingBatch(
      paths: inputs.map { folder.file($0).path }, folder: folder.file("out"), settings: settings, endings: endings,
      inputs: others.map { folder.file($0).path }, locationEnding: ".gpx")
  }

  /// Copies each recording to an output; returns how many were finished before.
  @discardableResult
  private func skipped(_ batch: RecordingBatch, refusing refused: String = "") throws -> Int {
    let lock = try batch.prepare()
    let (entries, skipped) = try batch.run(describe: { _ in "refused" }) { item in
      guard refused.isEmpty || !item.path.hasSuffix(refused) else { throw Refusal() }
      let bytes = Array(try Data(contentsOf: URL(filePath: item.path)))
      return RecordingBatch.Result(files: [(".out", [SpooledBytes(bytes)])], windows: bytes.count)
    }
    _ = consume lock
    #expect(entries.map(\.recording) == batch.items.map(\.path))
    #expect(entries.allSatisfy { ($0.status == .failed) == ($0.message == "refused") })
    let done = entries.filter { $0.status == .done }
    for entry in done { #expect(entry.outputs.allSatisfy { folder.holds("out/\($0)") }) }
    return skipped
  }

  @Test func `What is finished is skipped, and what has changed is not`() throws {
    #expect(try skipped(batch()) == 0)
    #expect(try folder.contents.contains("out/sub/c.csv.out"))
    #expect(try skipped(batch()) == 3)
    #expect(try skipped(batch(settings: ["two"])) == 0, "the settings changed")
    try folder.write("rows of A.csv", to: "in/a.csv")
    try folder.setDate(5, of: "in/a.csv")
    #expect(try skipped(batch(settings: ["two"])) == 2, "the date of a recording changed")
    try folder.write("longer", to: "in/b.csv")
    #expect(try skipped(batch(settings: ["two"])) == 2, "the size of a recording changed")
    try folder.write("rows of a.csX", to: "out/a.csv.out")
    #expect(try skipped(batch(settings: ["two"])) == 2, "an output changed")
    try FileManager.default.removeItem(at: folder.file("out/a.csv.out"))
    #expect(try skipped(batch(settings: ["two"])) == 2, "an output is missing")
    try folder.write("points", to: "in/a.gpx")
    #expect(try skipped(batch(settings: ["two"])) == 2, "there are points now")
    #expect(try skipped(batch(settings: ["two"])) == 3)
  }

  @Test func `A recording that is a folder is processed again if one of its files has another date or size`() throws {
    for name in ["Accelerometer.csv", "Gyroscope.csv"] { try folder.write("x,y,z\n1,2,3\n", to: "run/\(name)") }
    for name in ["run/Accelerometer.csv", "run/Gyroscope.csv"] { try folder.setDate(100, of: name) }
    func skippedFolder() throws -> Int {
      try folder.setDate(50, of: "run")
      _ = try batch(["run"]).prepare()
      return try batch(["run"]).run { _ in RecordingBatch.Result(files: [(".out", [SpooledBytes([1])])]) }.skipped
    }
    #expect(try skippedFolder() == 0)
    #expect(try skippedFolder() == 1)
    try folder.setDate(200, of: "run/Gyroscope.csv")
    #expect(try skippedFolder() == 0, "the date of a file changed")
    #expect(try skippedFolder() == 1)
    try folder.write("x,y,z\n1,2,3\n4,5,6\n", to: "run/Gyroscope.csv")
    try folder.setDate(200, of: "run/Gyroscope.csv")
    #expect(try skippedFolder() == 0, "the size of a file changed")
  }

  @Test func `A recording that fails stops no other, and is tried again`() throws {
    #expect(try skipped(batch(), refusing: "b.csv") == 0)
    #expect(try folder.contents.filter { $0.hasSuffix(".out") } == ["out/a.csv.out", "out/sub/c.csv.out"])
    #expect(try skipped(batch()) == 2)
    #expect(try folder.contents.contains("out/b.csv.out"))
  }

  @Test func `Other recordings of the folder stay in its manifest`() throws {
    try skipped(batch(["in/a.csv"]))
    try skipped(batch(["in/b.csv"]))
    let lines = try String(contentsOf: folder.file("out/manifest.jsonl"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(try skipped(batch(["in/a.csv"])) == 1)
  }

  @Test func `A file of the folder that no run wrote is not replaced`() throws {
    try folder.write("mine", to: "out/a.csv.out")
    #expect(throws: BatchError.self) { try skipped(batch()) }
    #expect(try String(contentsOf: folder.file("out/a.csv.out"), encoding: .utf8) == "mine")
    try folder.write("", to: "out/a.csv.out")
    #expect(try skipped(batch()) == 0, "an empty file may be replaced")
  }

  @Test func `An input, a link and a folder are not replaced`() throws {
    try skipped(batch())
    try FileManager.default.removeItem(at: folder.file("out/a.csv.out"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("out/a.csv.out").path, withDestinationPath: folder.file("in/a.csv").path)
    #expect(throws: BatchError.self) { try skipped(batch()) }
    try FileManager.default.removeItem(at: folder.file("out/a.csv.out"))
    try folder.write("model", to: "out/a.csv.out")
    #expect(throws: BatchError.self) { try skipped(batch(others: ["out/a.csv.out"])) }
    try FileManager.default.removeItem(at: folder.file("out/a.csv.out"))
    try folder.write("x", to: "out/a.csv.out/file")
    #expect(throws: BatchError.self) { try skipped(batch()) }
  }

  @Test func `One process at a time writes to the folder`() throws {
    let lock = try batch().prepare()
    #expect(throws: BatchError.isLocked(folder: folder.file("out").relativePath)) {
      _ = try FolderLock(folder.file("out"))
    }
    _ = consume lock
    #expect(throws: Never.self) { _ = try FolderLock(folder.file("out")) }
  }

  @Test func `Two recordings with one output, an output folder inside, and no recordings are refused`() throws {
    try folder.write("rows", to: "other/a.csv")
    #expect(throws: BatchError.self) { try batch(["in/a.csv", "other/a.csv"]) }
    #expect(try batch(["in", "other"]).items.map(\.output) == ["in/a.csv", "in/b.csv", "in/sub/c.csv", "other/a.csv"])
    #expect(throws: BatchError.self) {
      try RecordingBatch(
        paths: [folder.file("in").path], folder: folder.file("in/out"), settings: [], endings: [".out"])
    }
    try folder.write("text", to: "notes/readme.md")
    #expect(throws: BatchError.noRecordings(paths: [folder.file("notes").path])) { try batch(["notes"]) }
  }
}

extension TemporaryDirectory {
  fileprivate func holds(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

  fileprivate func setDate(_ seconds: Double, of name: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: file(name).path)
  }
}
