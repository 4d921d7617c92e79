import Foundation
import GaitFormats
import GaitTestSupport
import GaitTraining
import Testing

/// The manifest and the folders of a batch after interrupted runs.
@Suite struct BatchManifestTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["a.csv", "sub/c.csv"] { try folder.write("rows of \(name)", to: "in/\(name)") }
  }

  private func batch() throws -> RecordingBatch {
    try RecordingBatch(
      paths: [folder.file("in").path], folder: folder.file("out"), settings: ["one"], endings: [".out"])
  }

  /// Copies the recordings; returns how many were finished before.
  private func skipped() throws -> Int {
    let batch = try batch()
    let lock = try batch.prepare()
    let (_, skipped) = try batch.run { item in
      let bytes = Array(try Data(contentsOf: URL(filePath: item.path)))
      return RecordingBatch.Result(files: [(".out", [SpooledBytes(bytes)])], windows: bytes.count)
    }
    _ = consume lock
    return skipped
  }

  @Test func `Of several lines of a recording the last counts, and the outputs of all are kept`() throws {
    #expect(try skipped() == 0)
    let manifest = folder.file("out/manifest.jsonl")
    let lines = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    let earlier = lines[0].replacing("a.csv.out", with: "a.csv.old")
    try folder.write(([earlier] + lines + ["{\"recording\""]).joined(separator: "\n"), to: "out/manifest.jsonl")
    #expect(try skipped() == 2)
    let again = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")
    #expect(again.count == 2)
    #expect(again[0].contains("\"earlier\":[\"a.csv.old\"]"))
    #expect(again[0].contains("\"outputs\":[\"a.csv.out\"]"))
    #expect(again[1] == lines[1])
  }

  @Test func `A folder of the outputs that is a link is refused`() throws {
    try folder.write("", to: "elsewhere/x")
    try folder.write("", to: "out/y")
    try FileManager.default.createSymbolicLink(at: folder.file("out/sub"), withDestinationURL: folder.file("elsewhere"))
    let error = #expect(throws: BatchError.self) { _ = try batch().prepare() }
    #expect(error?.description.contains("sub: it is a symbolic link; choose another output folder") == true)
  }

  @Test func `A file in place of the output folder is an error`() throws {
    try folder.write("", to: "out")
    #expect(throws: (any Error).self) { _ = try batch().prepare() }
  }
}
