import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

/// What the command says and how it ends.
enum Terminal {
  /// Prints lines of results.
  static func print(_ text: String) throws {
    try write(Data((text + "\n").utf8))
  }

  /// Prints results as JSON with sorted keys.
  static func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try write(try encoder.encode(value) + Data("\n".utf8))
  }

  /// Writes bytes to standard output.
  ///
  /// A reader that has seen enough, such as `head`, ends the process without a word.
  static func write(_ bytes: Data) throws {
    let failure = bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Foundation.write(STDOUT_FILENO, bytes.baseAddress! + written, bytes.count - written)
        if count >= 0 { written += count } else if errno != EINTR { return errno }
      }
      return 0
    }
    guard failure != 0 else { return }
    if failure == EPIPE { Foundation.exit(EXIT_SUCCESS) }
    throw OutputError(path: "the results to standard output", reason: String(cString: strerror(failure)))
  }

  /// What was typed, with quotes where a shell needs them.
  static var commandLine: String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=+:@%-")
    return (["gait"] + CommandLine.arguments.dropFirst()).map { word in
      !word.isEmpty && word.allSatisfy(plain.contains)
        ? word : "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
    }.joined(separator: " ")
  }

  /// Warns that a recording has no window that could be judged.
  static func warn(ofNoWindowIn recording: Recording, _ model: ActivityModel) {
    warn(
      "\(recording.name) lasts \(fixed(recording.duration, 1)) s and holds no whole window of "
        + "\(number(model.activityHead.window.seconds)) s without missing values, so there is nothing to say")
  }

  /// Says something on standard error that does not stop the work.
  static func warn(_ text: String) {
    complain("warning: \(text)")
  }

  /// Ends the process with the error's sentence and exit code.
  static func exit(with error: any Error) -> Never {
    guard let code = exitCode(for: error) else { GaitCommand.exit(withError: error) }
    complain("Error: \(sentence(for: error))")
    Foundation.exit(code.rawValue)
  }

  /// The error's sentence, with the option that cures it where there is one.
  private static func sentence(for error: any Error) -> String {
    isForWantOfRate(error) ? "\(error)".dropLast() + ", with --rate." : "\(error)"
  }

  /// Whether nothing is wrong but that nobody said how many rows there are in a second.
  private static func isForWantOfRate(_ error: any Error) -> Bool {
    switch error {
    case RecordingError.timing(.noSampleRate, _), DatasetError.recording(.timing(.noSampleRate, _)): true
    default: false
    }
  }

  /// Writes a line to standard error, over the progress if that is shown there.
  private static func complain(_ line: String) {
    let erasure = isatty(STDERR_FILENO) != 0 ? "\r\u{1B}[K" : ""
    try? FileHandle.standardError.write(contentsOf: Data("\(erasure)\(line)\n".utf8))
  }

  /// The exit code of sysexits(3) for an error of the libraries; `nil` for an error of the argument parser.
  static func exitCode(for error: any Error) -> ExitStatus? {
    switch error {
    case _ where isForWantOfRate(error): .usage
    case let error as RecordingError: status(of: error)
    case let error as DatasetError: status(of: error)
    case is LabelMapError, is RecordingFilterError, is PathLayoutError, is FeatureError: .usage
    case is FileWriteError: .cannotCreate
    case let error as ModelFileError:
      switch error {
      case .cannotRead: .noInput
      case .cannotWrite: .cannotCreate
      default: .badData
      }
    // The features were asked for on the command line; the recordings are not to blame.
    case TrainingError.features: .usage
    case ModelExportError.notAnIdentifier: .usage
    case LocationFileError.table(let error): status(of: error)
    case is LocationFileError, is TrainingError, is EvaluationError, is ModelExportError, is CommandDataError,
      is StreamError:
      .badData
    case let error as OutputError: error.status
    default: nil
    }
  }

  private static func status(of error: RecordingError) -> ExitStatus {
    if case .cannotRead = error { .noInput } else { .badData }
  }

  private static func status(of error: DatasetError) -> ExitStatus {
    switch error {
    case .layout, .noLabelSource, .twoLabelSources, .intervalsBesideLabels, .unknownField: .usage
    case .missingFolder, .notAFolder, .unreadableFolder, .noMatchingRecording: .noInput
    case .recording(let error): status(of: error)
    case .unknownLabels, .unknownValue, .nothingSelected, .noLabelledRows, .tooFewLabels, .duplicates: .badData
    }
  }
}

/// Exit codes as sysexits(3) has them.
enum ExitStatus: Int32 {
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
}

/// Bad data that only the command can see: which file, and what the library says about it.
struct CommandDataError: Error, CustomStringConvertible {
  let file: String
  let reason: String
  var description: String { "\(file): \(reason)." }
}

/// A place that nothing can be written to.
struct OutputError: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var status = ExitStatus.cannotCreate
  var description: String { "cannot write \(path.isEmpty ? "\"\"" : path): \(reason)." }

  /// Finds out whether a model can be written before the long work begins, so that the work is not lost.
  static func check(model path: String) throws {
    try check(path, takesThePlaceOf: "model", beginsLikeModel)
  }

  /// Finds out whether a table of features can be written before the long work begins.
  static func check(table path: String) throws {
    try check(path, takesThePlaceOf: "table of features") {
      begins($0, with: FeatureTable.leadingColumns.joined(separator: ",") + ",")
    }
  }

  /// Finds out whether a recording can be written before the long work begins; a file is replaced only where `replaces` says
  /// so.
  static func check(file url: URL, path: String, replaces: Bool) throws {
    guard !isFolder(url.path) else { throw OutputError(path: path, reason: "it is a folder; name a file") }
    try check(folderOf: url, path: path)
    let file = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    guard file?[.type] as? FileAttributeType != .typeRegular || replaces else {
      throw OutputError(path: path, reason: "the file exists; choose another path, or replace it with --force")
    }
  }

  /// Finds out whether a page can be written before the long work begins.
  static func check(page path: String) throws {
    try check(path, takesThePlaceOf: "page") { begins($0, with: "<!DOCTYPE html>") }
  }

  /// Finds out whether a relabelling proposal can be written before the long work begins.
  static func check(proposal path: String) throws {
    try check(path, takesThePlaceOf: "relabelling proposal") { begins($0, with: "recording,start,label,proposal,") }
  }

  /// Finds out whether a model can be written in another form.
  static func check(export path: String, format: ModelExport.Format) throws {
    let beginning = format == .swift ? SwiftSource.firstLine : "\u{8}"
    try check(path, takesThePlaceOf: "\(format.rawValue) export") { begins($0, with: beginning) }
  }

  /// Finds out whether golden vectors can be written.
  static func check(golden path: String) throws {
    try check(path, takesThePlaceOf: "file of golden vectors") { begins($0, with: "{\"features\":[") }
  }

  /// A file may take the place of another of its kind, or of nothing: a slip of the pen costs nobody a recording.
  private static func check(_ path: String, takesThePlaceOf kind: String, _ isOfItsKind: (URL) -> Bool) throws {
    let url = URL(filePath: path)
    guard !isFolder(url.path) else { throw OutputError(path: path, reason: "it is a folder; name a file") }
    try check(folderOf: url, path: path)
    let file = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    let isFull = file?[.type] as? FileAttributeType == .typeRegular && file?[.size] as? Int != 0
    guard !isFull || isOfItsKind(url) else {
      throw OutputError(path: path, reason: "the file exists and is no \(kind); choose another path, or remove it")
    }
  }

  /// Finds out whether something can be made beside `url`.
  static func check(folderOf url: URL, path: String) throws {
    let folder = url.deletingLastPathComponent()
    guard isFolder(folder.path) else {
      throw OutputError(path: path, reason: "the folder \(folder.relativePath) does not exist; make it first")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw OutputError(
        path: path, reason: "the folder \(folder.relativePath) may not be written to; choose another")
    }
  }
}

/// Whether the first thing in the file is a brace, as in a model and in no table.
func beginsLikeModel(_ url: URL) -> Bool {
  beginning(of: url)?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
}

/// Whether a file begins with a text.
private func begins(_ url: URL, with text: String) -> Bool {
  beginning(of: url)?.starts(with: text.utf8) ?? false
}

/// The first bytes of a file, or `nil` where it cannot be read.
private func beginning(of url: URL) -> Data? {
  try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
}
