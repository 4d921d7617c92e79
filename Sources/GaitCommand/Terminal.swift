import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining
import Synchronization

/// The command's output, warnings, errors and exit.
enum Terminal {
  /// The version of the command.
  static let version = "0.1.0"

  /// Prints lines of results. Control characters, which come from files only, are escaped.
  static func print(_ text: String) throws {
    try writeAll(text.visible(keepsLines: true) + "\n")
  }

  /// Prints results as JSON with sorted keys.
  static func print(
    json value: some Encodable, _ formatting: JSONEncoder.OutputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union(.sortedKeys)
    try print(json: encoder.encode(value) + Data("\n".utf8))
  }

  /// Prints a JSON object with a long list; the arguments are those of `LongJSON.encode`.
  static func print(
    list key: String, of count: Int, _ entries: (Range<Int>) -> [JSONObject], in object: ([JSONObject]) -> JSONObject
  ) throws {
    try LongJSON.encode(key, of: count, entries, in: object) { try print(json: $0) }
    try print(json: Data("\n".utf8))
  }

  /// Prints JSON and escapes the control characters that `JSONEncoder` does not, such as U+009B as `\u009b`.
  static func print(json: Data) throws {
    try writeAll(String(decoding: json, as: UTF8.self).escapedJSON)
  }

  /// Writes bytes, such as a part of a table, as they are.
  static func write(_ bytes: [UInt8]) throws { try write(Data(bytes)) }

  /// Writes data, such as a table, to standard output; escapes control characters if that is a terminal.
  static func write(_ bytes: Data) throws {
    guard isatty(STDOUT_FILENO) != 0 else { return try bytes.withUnsafeBytes(writeAll) }
    try writeAll(String(decoding: bytes, as: UTF8.self).visible(keepsLines: true))
  }

  private static func writeAll(_ text: String) throws {
    var text = text
    try text.withUTF8 { try writeAll(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes to standard output.
  ///
  /// A closed pipe, as by `head`, ends the process without an error.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    ProgressLine.current?.finish()
    let failure = AtomicFile.writeAll(bytes, to: STDOUT_FILENO)
    guard failure != 0 else { return }
    if failure == EPIPE { Foundation.exit(EXIT_SUCCESS) }
    throw OutputError(path: "the results to standard output", reason: String(cString: strerror(failure)))
  }

  /// Warns that a recording has no complete window.
  static func warn(ofNoWindowIn name: String, lasting duration: Double, _ model: ActivityModel) {
    warn(
      "\(name) lasts \(duration.fixed(1)) s and has no whole window of "
        + "\(plain(model.activityHead.window.seconds)) s without missing values; the result is empty")
  }

  /// Whether the command line asks for errors only on standard error (`QuietOption`).
  static let isQuiet = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--quiet")

  /// Prints a warning on standard error, unless `--quiet` is given.
  static func warn(_ text: String) {
    guard !isQuiet else { return }
    printError("warning: \(text)")
  }

  /// Prints warnings; of many that differ only in files and numbers, the first three and the number of the others.
  static func warn(all texts: some Sequence<String>) {
    let kinds = Dictionary(grouping: texts.enumerated()) { kind(ofWarning: $0.element) }.values
    for texts in kinds.sorted(by: { $0[0].offset < $1[0].offset }) {
      let shown = texts.count > 5 ? 3 : texts.count
      for text in texts.prefix(shown) { warn(text.element) }
      if texts.count > shown { warn("\((texts.count - shown).counted("more warning")) like the last one") }
    }
  }

  /// The text without the file before its colon, and without the words that contain digits, slashes or quotes.
  private static func kind(ofWarning text: String) -> String {
    let rest = text.range(of: ": ").map { text[$0.upperBound...] } ?? text[...]
    let isName = { (word: Substring) in word.contains { $0.isNumber || $0 == "/" || $0 == "\"" } }
    return rest.split(separator: " ").map { isName($0) ? "#" : $0 }.joined(separator: " ")
  }

  /// Prints the error of a command and ends the process with its exit code.
  static func exit(with error: any Error, of command: any ParsableCommand.Type) -> Never {
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    let suggestion = Suggestion.sentence(for: error, Array(CommandLine.arguments.dropFirst()), commands: names)
    guard let code = exitCode(for: error) else { exit(withParserError: error, of: command, suggestion) }
    printError("Error: \(OptionHints.text(for: error))\(suggestion.map { " \($0)" } ?? "")")
    Foundation.exit(code.rawValue)
  }

  /// Ends the process as the argument parser would, with control characters escaped.
  private static func exit(
    withParserError error: any Error, of command: any ParsableCommand.Type, _ suggestion: String?
  ) -> Never {
    let code = command.exitCode(for: error)
    let message = command.fullMessage(for: error)
    let visible = message.visible(keepsLines: true)
    if code.isSuccess {
      do { if !message.isEmpty { try print(visible) } } catch { exit(with: error, of: command) }
    } else {
      printError(lines: visible + (suggestion.map { "\n\($0.visible())" } ?? ""))
    }
    // The argument parser gives the exit code 1 to errors that are not its own.
    Foundation.exit(code == .failure ? ExitStatus.badData.rawValue : code.rawValue)
  }

  /// Writes one line to standard error, over the progress counter; line feeds in the text are escaped.
  private static func printError(_ line: String) {
    let text = line.visible()
    let isLong = text.count > longestLine
    printError(lines: isLong ? "\(text.prefix(longestLine * 2 / 3)) … \(text.suffix(longestLine / 3))" : text)
  }

  /// The longest line on standard error, characters: a label may be as long as a file. The middle of a longer one is
  /// left out; the place at its beginning and the cure at its end stay.
  private static let longestLine = 2000

  private static func printError(lines: String) {
    let erasure = isatty(STDERR_FILENO) != 0 ? "\r\u{1B}[K" : ""
    try? FileHandle.standardError.write(contentsOf: Data("\(erasure)\(colored(lines))\n".utf8))
  }

  /// The text with "Error:" in red and "warning:" in yellow, if standard error is a terminal that shows colours and
  /// `NO_COLOR` is not set (no-color.org).
  private static func colored(_ text: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    guard isatty(STDERR_FILENO) != 0, environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else {
      return text
    }
    for (word, code) in [("Error:", 31), ("warning:", 33)] where text.hasPrefix(word) {
      return "\u{1B}[\(code)m\(word)\u{1B}[0m\(text.dropFirst(word.count))"
    }
    return text
  }

  /// The exit code of sysexits(3) for an error of the libraries; `nil` for an error of the argument parser.
  static func exitCode(for error: any Error) -> ExitStatus? {
    switch error {
    // A rate for a set or for GPS points cannot be given as an option.
    case CollectionError.set(_, .recording(.timing(.noSampleRate, _))),
      LocationFileError.table(.timing(.noSampleRate, _)):
      .badData
    case DatasetError.recording(let error): exitCode(for: error)
    case CollectionError.set(_, let error): exitCode(for: error)
    case LocationFileError.table(let error): exitCode(for: error)
    case RecordingError.cannotRead, ModelError.cannotRead, CollectionError.unreadable,
      DatasetError.missingFolder, DatasetError.notAFolder, DatasetError.unreadableFolder,
      DatasetError.noMatchingRecording:
      .noInput
    case is OutputError, is FileWriteError, ModelError.cannotWrite, BatchError.cannotReplace, BatchError.isLocked:
      .cannotCreate
    // These errors are about options, such as features and settings, not about the data.
    case RecordingError.timing(.noSampleRate, _), RecordingError.timing(.unreadTimes, _),
      ModelError.invalid(file: nil, _, _), TrainingError.features,
      ExportError.notAnIdentifier, DatasetError.layout, DatasetError.noLabelSource, DatasetError.twoLabelSources,
      DatasetError.intervalsBesideLabels, DatasetError.unknownField, CollectionError.unknownFilter, is LabelMapError,
      is LabelMeaningError, is RecordingFilterError, is PathLayoutError, is BatchError, is CommandUsageError:
      .usage
    case is RecordingError, is DatasetError, is CollectionError, is ModelError, is LocationFileError, is TrainingError,
      is EvaluationError, is ExportError, is CommandDataError:
      .badData
    default: nil
    }
  }
}

/// Wrong arguments that only a library can detect, with the command's cure.
struct CommandUsageError: Error, CustomStringConvertible {
  let description: String
}

/// Exit codes of sysexits(3).
enum ExitStatus: Int32 {
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
}

/// Bad data in a file, with the library's error text as the reason.
struct CommandDataError: Error, CustomStringConvertible {
  let file: String
  let reason: String
  var description: String { "\(file): \(reason)." }

  /// Calls `body`, whose errors do not name the file.
  static func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw CommandDataError(file: file, reason: "\(error)") }
  }
}

/// The option of every command to print errors only.
struct QuietOption: ParsableArguments {
  @Flag(help: "Prints no warnings and no progress, only results and errors.")
  var quiet = false
}

/// The option of commands that write a model.
struct ReplaceOption: ParsableArguments {
  @Flag(help: "Replaces an existing model.")
  var force = false
}

/// The option for the form of a command's results.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Prints the results as JSON.")
  var json = false

  @OptionGroup var quiet: QuietOption

  /// Prints the results: as JSON with `--json`, otherwise as text.
  func print(json value: @autoclosure () throws -> any Encodable, text: @autoclosure () throws -> String) throws {
    if json { try Terminal.print(json: value()) } else { try Terminal.print(text()) }
  }
}

extension PageOrigin {
  /// This command and version, today.
  ///
  /// - Parameter models: the models that the page is about, as they were typed.
  static func thisCommand(by models: [String] = []) -> PageOrigin {
    var origin = PageOrigin()
    origin.version = Terminal.version
    origin.folder = FileManager.default.currentDirectoryPath
    origin.models = models.map { URL(filePath: $0).lastPathComponent }
    let words = CommandLine.arguments.dropFirst().map { word in
      // A value may follow an option's equals sign.
      guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return origin.relative(word) }
      return word[...sign] + origin.relative(String(word[word.index(after: sign)...]))
    }
    origin.command = (["gait"] + words).map(\.shellWord).joined(separator: " ")
    origin.date = String(Date.now.ISO8601Format().prefix(10))
    return origin
  }
}

extension JSONObject {
  /// A classification report with its probability report, if there are windows of the model's labels.
  static func validation(_ windows: ScoredWindows, _ report: ClassificationReport) -> JSONObject {
    JSONObject(["probabilities": windows.known.count > 0 ? ProbabilityReport(windows) : nil], and: [report])
  }
}

extension Array<[String]> {
  /// The lines of a table of these rows, the headings first.
  var tableLines: [String] { ReportTable(list: self).lines }

  /// A table of these rows as text, the headings first.
  var table: String { ReportTable(list: self).text }
}

extension ParsableArguments {
  /// Refuses the options if a condition is not met.
  ///
  /// - Parameter message: what is wrong, and the cure.
  func require(_ isMet: Bool, _ message: @autoclosure () -> String) throws {
    if !isMet { throw ValidationError(message()) }
  }

  /// Refuses a value outside a range: "--rate must be within 4…1000 Hz."
  func require<Value: Comparable>(
    _ option: String, _ value: Value?, within range: ClosedRange<Value>, _ unit: String = ""
  ) throws {
    let (low, high) = ("\(range.lowerBound)".trimmingSuffix(".0"), "\(range.upperBound)".trimmingSuffix(".0"))
    try require(
      value.map(range.contains) ?? true, "\(option) must be within \(low)…\(high)\(unit.isEmpty ? "" : " \(unit)").")
  }
}
