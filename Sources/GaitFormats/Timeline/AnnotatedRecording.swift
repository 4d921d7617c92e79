import Foundation
import Gait

/// A recording with its annotations: labels, subjects, timing and missing rows.
///
///     let file = try AnnotatedRecording(contentsOf: url)
///     print(file.timing.sampleRate.hertz, file.recording.gaps.count, file.recording.repairs)
public struct AnnotatedRecording: Sendable {
  /// The samples, in order of time.
  public let recording: Recording
  /// The file's format.
  public let format: RecordingFormat
  /// The sample rate, its source, and how evenly the samples are spaced.
  public let timing: RowTiming
  /// The runs of samples in which a value of the recording's channels is missing, in order.
  public let missingRows: [Range<Int>]
  /// The samples' labels as runs that cover `0..<recording.count` in order; `nil` if there are none.
  public private(set) var labels: [LabelRun]?
  /// The samples' subjects as runs that cover `0..<recording.count` in order; `nil` if there are none.
  public let subjects: [LabelRun]?
  /// The comment lines of the file, if Gait wrote it.
  let comments: [String]

  /// Sorts the rows of a table by time and repairs them.
  ///
  /// Rows that repeat a time and rows without one are dropped. A first row that belongs to an earlier recording is
  /// dropped, except in files that Gait wrote. A gap, a step of more than `Resampler.longestStep` periods, stays a gap.
  /// Gravity is estimated if the file has only the total acceleration. `Recording.repairs` lists all of it.
  ///
  /// - Parameters:
  ///   - table: the rows of the file.
  ///   - sampleRate: rows per second; `nil` if the file's timestamps or its format give them.
  /// - Throws: `RecordingError.timing` if there is no rate, an impossible one, or one that the timestamps contradict;
  ///   `RecordingError.withoutGravity` if the total acceleration lacks gravity.
  public init(_ table: consuming RecordingTable, sampleRate: SampleRate? = nil) throws(RecordingError) {
    let name = table.name
    format = table.format
    comments = table.comments
    let timeline = try Timeline(table, sampleRate: sampleRate)
    recording = timeline.recording(name: name)
    timing = timeline.timing
    missingRows = timeline.table.missing
    labels = timeline.table.labels
    subjects = timeline.table.subjects
  }

  /// Replaces the labels by those of a file of intervals.
  ///
  /// - Throws: `RecordingError.intervals` if an interval lies outside the recording.
  public mutating func label(by intervals: LabelIntervals) throws(RecordingError) {
    labels = try intervals.runs(over: recording)
  }
}

extension AnnotatedRecording {
  /// Reads a file in any format that `RecordingTable` reads.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: facts that the caller supplies about it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(contentsOf url: URL, _ options: ReadingOptions = ReadingOptions()) throws(RecordingError) {
    try self.init(RecordingTable(contentsOf: url, options), sampleRate: options.sampleRate)
  }
}

extension RecordingTable {
  /// Reads the file, folder or archive at `url`. The sample rate of `options` is not used.
  ///
  /// - Throws: `RecordingError` with file, line and column.
  package init(contentsOf url: URL, _ options: ReadingOptions) throws(RecordingError) {
    self = try RecordingReader(
      format: options.format, units: options.units, labelColumn: options.labelColumn, columnNames: options.columnNames,
      channels: options.channels
    ).table(at: url)
  }

  /// The rows as samples in order of time; `AnnotatedRecording` lists the repairs.
  ///
  /// - Parameter sampleRate: rows per second; `nil` if the file's timestamps or its format give them.
  /// - Throws: `RecordingError.timing` if there is no rate, an impossible one, or one that the timestamps contradict.
  public func recording(sampleRate: SampleRate? = nil) throws(RecordingError) -> Recording {
    try AnnotatedRecording(self, sampleRate: sampleRate).recording
  }
}

extension Recording {
  /// Reads a recording from a file in any format that `RecordingTable` reads.
  ///
  ///     let recording = try Recording(contentsOf: csvURL, sampleRate: .hertz(50))
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - sampleRate: rows per second; `nil` if the file's timestamps or its format give them.
  ///   - format: the recorder that wrote the file; `nil` to detect it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(
    contentsOf url: URL, sampleRate: SampleRate? = nil, format: RecordingFormat? = nil
  ) throws(RecordingError) {
    self = try AnnotatedRecording(contentsOf: url, ReadingOptions(sampleRate: sampleRate, format: format)).recording
  }
}
