import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// A model on the command line: a file or a built-in model.
struct ModelArgument: ExpressibleByArgument {
  /// The argument as typed.
  let text: String

  init(argument: String) {
    text = argument
  }

  /// The help of the argument.
  static let help: ArgumentHelp =
    "The model file, or a built-in model: running, running-linear, running-pocket or running-wrist."

  /// Whether the first of several arguments is a model and not a recording: a built-in one, a file that begins like
  /// one, or a missing file of JSON.
  static func isFirst(of arguments: [String]) -> Bool {
    guard let first = arguments.first else { return false }
    guard FileManager.default.fileExists(atPath: first) else {
      return ActivityModel.builtInNames.contains(first) || arguments.count > 1 && first.hasSuffix(".json")
    }
    return isModel(URL(filePath: first))
  }

  /// Whether an argument between a model and the last one is another model and no data: a built-in one, or any file of
  /// JSON that is not a collection. Data are folders or one collection.
  static func isBeforeData(_ path: String) -> Bool {
    if !FileManager.default.fileExists(atPath: path), ActivityModel.builtInNames.contains(path) || path == "-" {
      return true
    }
    return !path.isFolder && !CollectionOptions.isCollection(path)
      && (path.lowercased().hasSuffix(".json") || isModel(URL(filePath: path)))
  }

  /// Whether a file is JSON with the format name of a Gait model, of any version.
  private static func isModel(_ url: URL) -> Bool {
    guard beginsLikeModel(url), let json = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return JSONFault.statedFormat(in: json) == ActivityModel.formatName
  }

  /// Whether the file begins with a brace, as a model does and a table does not.
  static func beginsLikeModel(_ url: URL) -> Bool {
    // Only a plain file is opened: opening a pipe would wait for a writer.
    guard case .file? = PathKind(at: url.path) else { return false }
    let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
    return beginning?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// Whether the argument names a built-in model.
  var isBuiltIn: Bool { ActivityModel.builtInNames.contains(text) }

  /// The path of the model file; empty for a built-in model.
  var inputs: [String] { isBuiltIn ? [] : [text] }

  /// Reads the model.
  func model() throws -> ActivityModel {
    try ActivityModel(named: text)
  }
}

/// The model for a recording: the stated one or, if none is stated, the built-in one that fits.
///
/// `running` is for every place on the body, so a recording without gravity gets the built-in model that needs none.
struct ModelChoice: Sendable {
  /// The stated model; `nil` if a built-in one is chosen.
  private let stated: ActivityModel?
  /// The stated model as it was typed; `nil` if none was.
  private let text: String?

  init(_ argument: ModelArgument?) throws {
    text = argument?.text
    stated = argument?.text == "running" ? nil : try argument?.model()
  }

  /// The model for a recording with these channels.
  func model(for channels: Set<Channel>) -> ActivityModel { stated ?? ActivityModel.fitting(channels).model }

  /// The channels that the model may use. `running` needs all that `runningLinear` needs.
  var channels: Set<Channel> { (stated ?? .running).neededChannels }

  /// The name of the model for a recording with these channels, as it was typed if it was stated.
  func name(for channels: Set<Channel>) -> String {
    stated.flatMap { _ in text } ?? ActivityModel.fitting(channels).name
  }

  /// The checksums of the models that may be chosen, for a batch's settings.
  var settings: String {
    (stated.map { [$0] } ?? [.running, .runningLinear]).map { Checksum.text([UInt8]($0.json())) }
      .joined(separator: " ")
  }

  /// The sentences about a model that was not stated, and about a policy that the model is weak at.
  func notes(for channels: Set<Channel>, policy: PausePolicy = .whenStill) -> [String] {
    var notes: [String] = []
    let name = name(for: channels)
    if stated == nil, text == nil || name != "running" {
      let reason = name == "running" ? "" : ", as the recording has no gravity"
      notes.append("used the built-in model \(name)\(reason); name another model to decide otherwise")
    }
    if policy.activities.contains(.walking), !model(for: channels).neededChannels.contains(.gravityX) {
      notes.append(
        "without gravity a second of running may look like walking, so pauses for walking may be false; use --policy still"
      )
    }
    return notes
  }

  /// Prints the sentences about a recording, or about a folder.
  func tell(_ name: String, channels: Set<Channel>, policy: PausePolicy = .whenStill) {
    for note in notes(for: channels, policy: policy) { Terminal.warn("\(name): \(note)") }
  }
}
