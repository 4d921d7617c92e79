import Foundation
import GaitTestSupport
import Testing

/// Wrong input: a command line in a folder of sample files, and the expected error.
struct WrongInput: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The arguments after `gait`.
  let arguments: [String]
  /// The exit code.
  let status: Int32
  /// The texts that the error must contain.
  let says: [String]
  /// Changes the folder before the run.
  let prepare: @Sendable (TemporaryDirectory) throws -> Void

  /// - Parameter command: the words after `gait`; single quotes hold words with spaces together. LAYOUT stands for the
  ///   options that read the folder `data`, TRAIN for training on it.
  init(
    _ command: String, _ status: Int32, _ says: String...,
    prepare: @escaping @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  ) {
    self.init(command, Self.words(command), status: status, says: says, prepare: prepare)
  }

  init(
    _ description: String, _ arguments: [String], status: Int32, says: [String],
    prepare: @escaping @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  ) {
    (testDescription, self.arguments, self.status, self.says) = (description, arguments, status, says)
    self.prepare = prepare
  }

  private static func words(_ command: String) -> [String] {
    let text =
      command
      .replacingOccurrences(of: "TRAIN", with: "train data LAYOUT --output new.json")
      .replacingOccurrences(of: "LAYOUT", with: SampleFiles.layout.joined(separator: " "))
    return text.components(separatedBy: "'").enumerated().flatMap { index, part in
      index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
    }
  }

  /// Training with a wrong file `data/run/1.csv`.
  static func recording(_ says: String..., text: String) -> WrongInput {
    WrongInput("\(says.last ?? "") in data/run/1.csv", words("TRAIN"), status: 65, says: ["data/run/1.csv"] + says) {
      try $0.write(text, to: "data/run/1.csv")
    }
  }

  /// Evaluation of a wrong model file.
  static func model(_ says: String..., change: @escaping @Sendable (String) -> String) -> WrongInput {
    WrongInput(
      "\(says[0]) in model.json", words("evaluate model.json data LAYOUT"), status: 65, says: ["model.json"] + says
    ) { folder in
      let text = try String(contentsOf: folder.file("model.json"), encoding: .utf8)
      try folder.write(change(text), to: "model.json")
    }
  }

  /// The folder `data` (four valid recordings), `model.json`, `run.csv`, which has gravity and times, its conversion
  /// `own.csv`, and files that are no recordings.
  private static let template = Result { () throws -> TemporaryDirectory in
    let folder = try SampleFiles.trained()
    let rows = (0..<600).map { "\(Double($0) / 50),0,0,-1,0.1,0,0\n" }.joined()
    let timed = "time,gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z\n" + rows
    for name in ["run.csv", "my run.csv"] { try folder.write(timed, to: name) }
    _ = try GaitProcess(["convert", "run.csv", "own.csv"], in: folder.url)
    try folder.write("time (s),ax,ay,az\n0,0,0,1\n0.02,0,0,1\n", to: "units.csv")
    try folder.write("", to: "empty.csv")
    try folder.write("<gpx></gpx>", to: "route.gpx")
    try folder.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) }, to: "binary.csv")
    return folder
  }

  /// A copy of the sample files.
  static func freshFolder() throws -> TemporaryDirectory {
    let (folder, source) = (try TemporaryDirectory(), try template.get())
    for name in try FileManager.default.contentsOfDirectory(atPath: source.url.path) {
      try FileManager.default.copyItem(at: source.file(name), to: folder.file(name))
    }
    return folder
  }

  /// Runs the command: one sentence with place and cure, an exit code of sysexits, no output, and an unchanged folder.
  func check(in folder: TemporaryDirectory? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = try folder ?? Self.freshFolder()
    try prepare(folder)
    let before = try Self.snapshot(of: folder)
    let run = try GaitProcess(arguments, in: folder.url)
    #expect(run.status == status, "\(run.complaints)", sourceLocation: sourceLocation)
    #expect(run.output == "", sourceLocation: sourceLocation)
    let after = try Self.snapshot(of: folder)
    #expect(after == before, "files were left behind or changed", sourceLocation: sourceLocation)
    let sentence = run.complaintLines.first ?? ""
    #expect(sentence.hasPrefix("Error: "), "\(run.complaints)", sourceLocation: sourceLocation)
    // The argument parser adds the usage, and what it proposes, to usage errors only.
    let isUsage = run.complaints.contains("Usage: ") || run.complaints.contains("See 'gait")
    for part in says {
      let isSaid = (isUsage ? run.complaints : sentence).contains(part)
      #expect(isSaid, "\(run.complaints) should contain \(part)", sourceLocation: sourceLocation)
    }
    if isUsage {
      #expect(status == 64, "\(run.complaints)", sourceLocation: sourceLocation)
    } else {
      #expect(run.complaintLines.count == 1, "\(run.complaints)", sourceLocation: sourceLocation)
      let endsWell = sentence.hasSuffix(".") && !sentence.hasSuffix("..") || sentence.hasSuffix("?")
      #expect(endsWell, "\(sentence)", sourceLocation: sourceLocation)
    }
  }

  /// Every path in the folder with its bytes.
  private static func snapshot(of folder: TemporaryDirectory) throws -> [String: Data] {
    try folder.contents.reduce(into: [:]) { files, path in
      files[path] = (try? Data(contentsOf: folder.file(path))) ?? Data()
    }
  }
}
