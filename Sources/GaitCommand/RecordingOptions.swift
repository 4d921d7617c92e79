import ArgumentParser
import Foundation
import Gait
import GaitFormats

extension RecordingFormat: ExpressibleByArgument {}
extension AccelerationUnit: ExpressibleByArgument {}
extension AngleUnit: ExpressibleByArgument {}
extension TimeUnit: ExpressibleByArgument {}

/// The options for facts that recording files may lack.
struct RecordingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sample rate, 0.1 to 100000; needed if the file has no times and its format has no fixed rate.",
      valueName: "hertz"),
    transform: SampleRate.parse)
  var rate: SampleRate?

  @OptionGroup var source: SourceOptions

  /// The options of the file reader.
  func reading(labelColumn: String? = nil) -> ReadingOptions {
    source.reading(sampleRate: rate, labelColumn: labelColumn)
  }

  /// Reads a recording and prints its repairs as warnings.
  ///
  /// - Parameter channels: the channels that are used; `nil` for all.
  func recording(at path: String, channels: Set<Channel>? = nil) throws -> Recording {
    try annotated(at: path, channels: channels).recording
  }

  /// Reads a recording with its labels and prints its repairs as warnings.
  func annotated(
    at path: String, labelColumn: String? = nil, intervals: String? = nil, channels: Set<Channel>? = nil
  ) throws -> AnnotatedRecording {
    var options = reading(labelColumn: labelColumn)
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
  ///   - channels: the channels that are used; `nil` for all.
  ///   - isWhole: whether the recording is to be one block, of any length.
  ///   - begin: called with the recording without samples, before the first block.
  ///   - append: called with each block, in order.
  func read(
    _ path: String, labelColumn: String? = nil, channels: Set<Channel>? = nil, isWhole: Bool = false,
    begin: (Recording) throws -> Void, append: (RecordingBlock) throws -> Void
  ) throws -> RecordingSummary {
    var options = reading(labelColumn: labelColumn)
    options.channels = channels
    let summary = try RecordingBlocks(contentsOf: URL(filePath: path), options)
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

  @Option(help: "The unit of accelerations; needed if neither the column names nor the format define it.")
  var accelerationUnit: AccelerationUnit?

  @Option(
    help: "The unit of angles, also in rotation rates; needed if neither the column names nor the format define it.")
  var angleUnit: AngleUnit?

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

  /// Whether an acceleration includes gravity.
  enum Acceleration: String, ExpressibleByArgument, CaseIterable {
    case linear, total
  }

  @Option(
    help: "Whether the acceleration of a file without gravity is linear or total; by default its mean tells.")
  var acceleration: Acceleration?

  /// Whether an option is given.
  var isGiven: Bool {
    acceleration != nil || format != nil || accelerationUnit != nil || angleUnit != nil || timeUnit != nil
      || columns != nil
  }

  /// The options of the file reader.
  func reading(sampleRate: SampleRate?, labelColumn: String?) -> ReadingOptions {
    var options = ReadingOptions(
      sampleRate: sampleRate, format: format,
      units: RecordingUnits(acceleration: accelerationUnit, angle: angleUnit, time: timeUnit),
      labelColumn: labelColumn, columnNames: columns)
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
