import Foundation
import GaitTestSupport
import Testing

/// Wrong input: a folder, a command line and the expected error.
struct WrongInput: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The arguments after `gait`.
  let arguments: [String]
  /// The exit code.
  let status: Int32
  /// The texts that the error must contain.
  let says: [String]
  /// Changes the folder, which has `data` (four valid recordings) and `model.json`, before the run.
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

  /// Training on a wrong dataset.
  static func train(
    _ description: String, _ options: [String] = SampleFiles.layout, folder: String = "data", status: Int32 = 65,
    says: [String], prepare: @escaping @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  ) -> WrongInput {
    WrongInput(
      description, ["train", folder] + options + ["--output", "new.json"], status: status, says: says, prepare: prepare)
  }

  /// Training with a wrong file `data/run/1.csv`.
  static func recording(_ description: String, says: [String], status: Int32 = 65, _ text: String) -> WrongInput {
    train(description, status: status, says: ["data/run/1.csv"] + says) { try $0.write(text, to: "data/run/1.csv") }
  }

  /// Evaluation of a wrong model file.
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

  /// Runs the command and checks exit code, output, error text and that the folder is unchanged.
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
      #expect(sentence.contains(part), "\(sentence) should contain \(part)", sourceLocation: sourceLocation)
    }
    #expect(sentence.hasPrefix("Error: "), sourceLocation: sourceLocation)
    if run.complaintLines.dropFirst().contains(where: { $0.hasPrefix("Usage: ") }) {
      // The argument parser adds the usage to usage errors only.
      #expect(status == 64, sourceLocation: sourceLocation)
    } else {
      #expect(run.complaintLines.count == 1, "\(run.complaints)", sourceLocation: sourceLocation)
      #expect(sentence.hasSuffix("."), "\(sentence)", sourceLocation: sourceLocation)
      #expect(!sentence.hasSuffix(".."), "\(sentence)", sourceLocation: sourceLocation)
    }
  }

  /// Every path in the folder with its bytes.
  private static func snapshot(of directory: TemporaryDirectory) throws -> [String: Data] {
    try directory.contents.reduce(into: [:]) { files, path in
      files[path] = (try? Data(contentsOf: directory.file(path))) ?? Data()
    }
  }
}
