import ArgumentParser
import Foundation
import Gait
import GaitFormats

extension RecordingFormat: ExpressibleByArgument {}
extension AccelerationUnit: ExpressibleByArgument {}
extension AngleUnit: ExpressibleByArgument {}
extension TimeUnit: ExpressibleByArgument {}

/// The options that say what the files of recordings do not.
struct RecordingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many rows there are in a second; needed only where neither times nor the format say so.", valueName: "hertz"),
    transform: SampleRate.parse)
  var rate: SampleRate?

  @OptionGroup var source: SourceOptions

  /// What is known about a file.
  func reading(labelColumn: String? = nil) -> ReadingOptions {
    source.reading(sampleRate: rate, labelColumn: labelColumn)
  }

  /// Reads a recording and says on standard error what was repaired.
  ///
  /// - Parameter channels: those that will be looked at; `nil` for all.
  func recording(at path: String, channels: Set<Channel>? = nil) throws -> Recording {
    try annotated(at: path, channels: channels).recording
  }

  /// Reads a recording with what is written beside it and says on standard error what was repaired.
  func annotated(
    at path: String, labelColumn: String? = nil, intervals: String? = nil, channels: Set<Channel>? = nil
  ) throws -> AnnotatedRecording {
    var options = reading(labelColumn: labelColumn)
    options.channels = channels
    var annotated = try AnnotatedRecording(contentsOf: URL(filePath: path), options)
    for repair in annotated.recording.repairs { Terminal.warn("\(annotated.recording.name): \(repair)") }
    if let intervals {
      let labels = try labels(at: intervals, of: path)
      if labels.isEmpty { Terminal.warn("\(labels.name) holds no interval, so that no row has a label") }
      try annotated.label(by: labels)
    }
    return annotated
  }

  /// The intervals in a file, or in a file of that name inside a recording that holds several.
  private func labels(at intervals: String, of path: String) throws -> LabelIntervals {
    let isInside = !FileManager.default.fileExists(atPath: intervals) && (isFolder(path) || path.hasSuffix(".zip"))
    return isInside
      ? try LabelIntervals(named: intervals, of: URL(filePath: path))
      : try LabelIntervals(contentsOf: URL(filePath: intervals))
  }
}

/// The options that say who wrote files, in which units, and what their columns are called.
struct SourceOptions: ParsableArguments {
  @Option(help: "Which recorder wrote the files, where that is not to be recognised from their header.")
  var format: RecordingFormat?

  @Option(help: "The unit of accelerations, where neither their names nor the format say so.")
  var accelerationUnit: AccelerationUnit?

  @Option(help: "The unit of angles and, per second, of rotation rates, where nothing says so.")
  var angleUnit: AngleUnit?

  @Option(help: "The unit of times, where the column's name does not say so.")
  var timeUnit: TimeUnit?

  @Option(
    help: ArgumentHelp(
      "The names of the first columns, where the files have no header or another says less, such as 'subject,activity,timestamp (ns),x (m/s2),y (m/s2),z (m/s2)'.",
      valueName: "names"),
    transform: {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    })
  var columns: [String]?

  /// What is known about a file.
  func reading(sampleRate: SampleRate?, labelColumn: String?) -> ReadingOptions {
    ReadingOptions(
      sampleRate: sampleRate, format: format,
      units: RecordingUnits(acceleration: accelerationUnit, angle: angleUnit, time: timeUnit),
      labelColumn: labelColumn, columnNames: columns)
  }
}

/// The option to take recordings that are too slow.
struct SlowSourceOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Takes recordings that are too slow for the features too.",
      discussion: "Below twice the highest frequency looked at, steps fold into places where there are none."))
  var allowSlowSource = false
}
