import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

/// A value of an option that is one of a few words.
///
/// Lists the words itself. The parser would make key paths for them, for which the runtime searches all conformances of
/// the program.
public protocol OptionWord: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionWord {
  /// The words, in order.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  /// No texts besides the words.
  public static var allValueDescriptions: [String: String] { [:] }
}

extension RecordingFormat: OptionWord {}
extension AccelerationUnit: OptionWord {}
extension AngleUnit: OptionWord {}
extension TimeUnit: OptionWord {}

/// The options for facts that recording files may lack.
struct RecordingOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: SampleRate.help, transform: SampleRate.parse)
  var rate: SampleRate?

  @OptionGroup var source: SourceOptions

  /// The options of the file reader, from those of the command.
  func reading(labelColumn: String? = nil, subjectColumn: String? = nil) -> ReadingOptions {
    var options = source.reading(sampleRate: rate, labelColumn: labelColumn)
    options.subjectColumn = subjectColumn
    return options
  }

  /// The options that are given, as they are typed, such as `--rate 50`.
  var words: String { source.words(rate: rate) }

  /// Reads a recording and prints its repairs as warnings.
  ///
  /// - Parameter channels: the channels that are used; `nil` for all.
  func recording(at path: String, channels: Set<Channel>? = nil) throws -> Recording {
    try annotated(at: path, channels: channels).recording
  }

  /// Reads a recording with its labels and prints its repairs as warnings.
  func annotated(
    at path: String, labelColumn: String? = nil, subjectColumn: String? = nil, intervals: String? = nil,
    channels: Set<Channel>? = nil
  ) throws -> AnnotatedRecording {
    var options = reading(labelColumn: labelColumn, subjectColumn: subjectColumn)
    options.channels = channels
    var annotated = try AnnotatedRecording(contentsOf: URL(filePath: path), options)
    for repair in annotated.recording.repairs { Terminal.warn("\(annotated.recording.name): \(repair)") }
    if let intervals {
      let labels = try labels(at: intervals, of: path)
      if labels.isEmpty { Terminal.warn("\(labels.name) has no intervals, so no row has a label") }
      try annotated.label(by: labels)
    }
    return annotated
  }

  /// Reads a recording in blocks and prints its repairs as warnings.
  ///
  /// - Parameters:
  ///   - path: the recording.
  ///   - labelColumn: the name of the column of labels.
  ///   - subjectColumn: the name of the column of people.
  ///   - channels: the channels that are used; `nil` for all.
  ///   - isWhole: whether the recording is to be one block, of any length.
  ///   - begin: called with the recording without samples, before the first block.
  ///   - append: called with each block, in order.
  func read(
    _ path: String, labelColumn: String? = nil, subjectColumn: String? = nil, channels: Set<Channel>? = nil,
    isWhole: Bool = false, begin: (Recording) throws -> Void, append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary {
    var options = reading(labelColumn: labelColumn, subjectColumn: subjectColumn)
    options.channels = channels
    let summary = try RecordingBlocks(contentsOf: URL(filePath: path), options, workers: .allCores)
      .read(isWhole: isWhole, begin: begin, append: append)
    for repair in summary.recording.repairs { Terminal.warn("\(summary.recording.name): \(repair)") }
    return summary
  }

  /// The intervals in a file, or in the file of that name inside a recording that is a folder or archive.
  private func labels(at intervals: String, of path: String) throws -> LabelIntervals {
    let isInside = !FileManager.default.fileExists(atPath: intervals) && (path.isFolder || path.hasSuffix(".zip"))
    return isInside
      ? try LabelIntervals(named: intervals, of: URL(filePath: path))
      : try LabelIntervals(contentsOf: URL(filePath: intervals))
  }
}

/// The options for the format, units and column names of files.
struct SourceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The format of the files, if their header does not show it.", valueName: "name"))
  var format: RecordingFormat?

  @Option(
    help: """
      The unit of accelerations; needed if neither the column names nor the format define it, and the first rows show \
      none.
      """)
  var accelerationUnit: AccelerationUnit?

  @Option(
    help: "The unit of angles, also in rotation rates; needed if neither the column names nor the format define it.")
  var angleUnit: AngleUnit?

  @Option(
    help: ArgumentHelp(
      "What a count of 1 in a column of acceleration is, in its unit, such as 1/64; a name such as 'x (1/64 g)' states it too.",
      valueName: "number"),
    transform: { text in
      guard let scale = RecordingUnits.scale(text) else {
        throw ValidationError("the scale \(text) is not a positive number or quotient, such as 1/64.")
      }
      return scale
    })
  var scale: Double?

  @Option(help: "The unit of times; needed if the column name does not define it.")
  var timeUnit: TimeUnit?

  @Option(
    help: ArgumentHelp(
      "The names of the first columns, separated by commas, for files without a usable header, such as "
        + "'subject,activity,timestamp (ns),x (m/s2),y (m/s2),z (m/s2)'.",
      valueName: "names"),
    transform: {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    })
  var columns: [String]?

  @Option(
    help: ArgumentHelp(
      "The sensor or device whose rows are read, of a table with rows of several; its value in the column that tells "
        + "them apart.", valueName: "value"))
  var sensor: String?

  /// Whether an acceleration includes gravity.
  enum Acceleration: String, OptionWord {
    case linear, total
  }

  @Option(
    help: "Whether the acceleration of a file without gravity is linear or total; by default its mean tells.")
  var acceleration: Acceleration?

  /// Whether an option is given.
  var isGiven: Bool {
    acceleration != nil || format != nil || accelerationUnit != nil || angleUnit != nil || timeUnit != nil
      || columns != nil || scale != nil || sensor != nil
  }

  /// The options that are given, as they are typed, such as `--rate 50`.
  func words(rate: SampleRate?) -> String {
    let options: [(String, String?)] = [
      ("--rate", rate.map { plain($0.hertz) }), ("--format", format?.rawValue),
      ("--acceleration-unit", accelerationUnit?.rawValue), ("--angle-unit", angleUnit?.rawValue),
      ("--scale", scale.map(plain)), ("--time-unit", timeUnit?.rawValue),
      ("--columns", columns?.joined(separator: ",")), ("--sensor", sensor), ("--acceleration", acceleration?.rawValue),
    ]
    return options.compactMap { name, value in value.map { "\(name) \($0.shellWord)" } }.joined(separator: " ")
  }

  /// The options of the file reader.
  func reading(sampleRate: SampleRate?, labelColumn: String?) -> ReadingOptions {
    var options = ReadingOptions(
      sampleRate: sampleRate, format: format,
      units: RecordingUnits(acceleration: accelerationUnit, angle: angleUnit, time: timeUnit, accelerationScale: scale),
      labelColumn: labelColumn, columnNames: columns)
    options.sensor = sensor
    options.accelerationIncludesGravity = acceleration.map { $0 == .total }
    return options
  }
}

/// The option to accept recordings with a low sample rate.
struct SlowSourceOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Accepts recordings whose sample rate is too low for the features.",
      discussion: "Below twice the highest frequency that a feature uses, aliasing distorts the features."))
  var allowSlowSource = false
}

/// The options for many recordings, each with its own output.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for one output for each recording, on all cores, instead of printing. A run that was interrupted "
        + "continues; manifest.jsonl has the status of each recording.", valueName: "folder"),
    completion: .directory)
  var outputFolder: String?

  /// Checks that there is one recording, unless there is a folder for several outputs.
  func check(_ recordings: [String]) throws {
    guard outputFolder == nil else { return }
    guard recordings.count == 1 else {
      throw ValidationError("several recordings need --output-folder, the folder for their outputs.")
    }
    if recordings[0].isFolderOfRecordings, LayoutGuess.hasRecordings(recordings[0]) {
      throw ValidationError(
        "\(recordings[0]) is a folder of recordings; name one of them, or all with --output-folder, the folder for "
          + "their outputs.")
    }
  }

  /// Processes recordings and folders of recordings, and prints a summary.
  ///
  /// - Parameters:
  ///   - paths: recordings and folders.
  ///   - folder: the folder of the outputs.
  ///   - settings: what the outputs depend on besides the recordings.
  ///   - endings: the endings of each recording's outputs.
  ///   - inputs: other files that the command reads.
  ///   - locationEnding: the ending of the recordings' files of GPS points; `nil` for none.
  ///   - overview: called with the state of all recordings in the end.
  ///   - body: computes the outputs of a recording.
  /// - Throws: `CommandDataError` after all others are processed, if a recording failed.
  func run(
    _ paths: [String], in folder: String, settings: [String], options: ReadingOptions, results: Bool = false,
    endings: [String], inputs: [String] = [], locationEnding: String? = nil,
    overview: ([RecordingBatch.Entry]) throws -> Void = { _ in },
    _ body: @Sendable (String, RecordingBlocks) throws -> (RecordingSummary, RecordingBatch.Result)
  ) throws {
    var described = options
    // The settings leave out the channels: the order of a set varies between runs, and the other settings determine the
    // channels.
    described.channels = nil
    let batch = try RecordingBatch(
      paths: paths, folder: URL(filePath: folder),
      settings: [Terminal.version, "\(described)"] + settings, endings: endings, inputs: inputs,
      locationEnding: locationEnding)
    let lock = try batch.prepare()
    Terminal.warn(all: batch.warnings)

    let (entries, skipped) = try batch.run(describe: { OptionHints.text(for: $0) }) { item in
      var (summary, result) = try body(item.path, RecordingBlocks(contentsOf: URL(filePath: item.path), options))
      result.warnings += summary.recording.repairs.map(\.description)
      return result
    }
    try overview(entries)
    _ = consume lock
    let failed = entries.filter { $0.status == .failed }
    let manifest = batch.manifest.relativePath
    let text =
      "\(entries.count) recordings: \(entries.count - skipped - failed.count) processed, \(skipped) finished before, "
      + "\(failed.count) failed; \(manifest) has the status of each."
    if results {
      try Terminal.print(
        json: JSONObject([
          "recordings": entries.count, "skipped": skipped, "failed": failed.count, "manifest": manifest,
        ]))
    } else {
      try Terminal.print(text)
    }
    guard let first = failed.first else { return }
    throw CommandDataError(
      file: manifest,
      reason: "\(failed.count) of \(entries.count) recordings failed, the first with: "
        + (first.message ?? "").trimmingSuffix("."))
  }
}
