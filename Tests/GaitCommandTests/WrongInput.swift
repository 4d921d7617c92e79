import Foundation
import GaitTestSupport
import Testing

/// Something that a user may get wrong: what lies in the folder, what is typed, and what the command should answer.
struct WrongInput: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What stands behind `gait`.
  let arguments: [String]
  /// The exit code.
  let status: Int32
  /// What the sentence must hold.
  let says: [String]
  /// Changes the folder, which holds `data` (four sound recordings) and `model.json`, before the run.
  let prepare: @Sendable (TemporaryDirectory) throws -> Void

  init(
    _ description: String, _ arguments: [String], status: Int32, says: [String],
    prepare: @escaping @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  ) {
    testDescription = description
    self.arguments = arguments
    self.status = status
    self.says = says
    self.prepare = prepare
  }

  /// A wrong dataset, trained on.
  static func train(
    _ description: String, _ options: [String] = SampleFiles.layout, folder: String = "data", status: Int32 = 65,
    says: [String], prepare: @escaping @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  ) -> WrongInput {
    WrongInput(
      description, ["train", folder] + options + ["--output", "new.json"], status: status, says: says, prepare: prepare)
  }

  /// A wrong file `data/run/1.csv`, trained on.
  static func recording(_ description: String, says: [String], status: Int32 = 65, _ text: String) -> WrongInput {
    train(description, status: status, says: ["data/run/1.csv"] + says) { try $0.write(text, to: "data/run/1.csv") }
  }

  /// A wrong model file, evaluated.
  static func model(
    _ description: String, status: Int32 = 65, says: [String], _ change: @escaping @Sendable (String) -> String
  ) -> WrongInput {
    WrongInput(
      description, ["evaluate", "model.json", "data"] + SampleFiles.layout, status: status,
      says: ["model.json"] + says
    ) { directory in
      let text = try String(contentsOf: directory.file("model.json"), encoding: .utf8)
      try directory.write(change(text), to: "model.json")
    }
  }

  /// Runs the command in a folder of its own and checks everything that is promised about wrong input.
  func check(in directory: TemporaryDirectory, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try prepare(directory)
    let before = try Self.snapshot(of: directory)
    let run = try GaitProcess(arguments, in: directory.url)
    let after = try Self.snapshot(of: directory)
    #expect(run.status == status, "\(run.complaints)", sourceLocation: sourceLocation)
    #expect(run.output == "", sourceLocation: sourceLocation)
    #expect(after == before, "files were left behind or changed", sourceLocation: sourceLocation)
    let sentence = run.complaintLines.first ?? ""
    for part in says {
      #expect(sentence.contains(part), "\(sentence) should hold \(part)", sourceLocation: sourceLocation)
    }
    #expect(sentence.hasPrefix("Error: "), sourceLocation: sourceLocation)
    if run.complaintLines.dropFirst().contains(where: { $0.hasPrefix("Usage: ") }) {
      // The parser adds how the command is used, to wrong usage only.
      #expect(status == 64, sourceLocation: sourceLocation)
    } else {
      #expect(run.complaintLines.count == 1, "\(run.complaints)", sourceLocation: sourceLocation)
      #expect(sentence.hasSuffix("."), "\(sentence)", sourceLocation: sourceLocation)
      #expect(!sentence.hasSuffix(".."), "\(sentence)", sourceLocation: sourceLocation)
    }
  }

  /// Every path in the folder with the bytes that it holds.
  private static func snapshot(of directory: TemporaryDirectory) throws -> [String: Data] {
    try directory.contents.reduce(into: [:]) { files, path in
      files[path] = (try? Data(contentsOf: directory.file(path))) ?? Data()
    }
  }
}
