import Foundation
import Gait

/// A recording with what its file says besides: who was recorded, what was done when, and how well it was written down.
///
///     let file = try AnnotatedRecording(contentsOf: url)
///     print(file.timing.sampleRate.hertz, file.recording.gaps.count, file.recording.repairs)
public struct AnnotatedRecording: Sendable {
  /// The samples, in order of time.
  public let recording: Recording
  /// Which recorder's form the file has.
  public let format: RecordingFormat
  /// How the samples lie in time, and who says so.
  public let timing: RowTiming
  /// The runs of samples in which a value of the recording's channels is missing, in order.
  public let missingRows: [Range<Int>]
  /// The samples' labels as runs that cover `0..<recording.count` in order; `nil` where nothing says any.
  public private(set) var labels: [LabelRun]?
  /// The samples' subjects as runs that cover `0..<recording.count` in order; `nil` where nothing says any.
  public let subjects: [LabelRun]?
  /// The comment lines of the file, if Gait wrote it.
  let comments: [String]

  /// The rows of a table in time.
  ///
  /// Rows are sorted by time; those that repeat a time and those without one are left out; a first row that belongs to
  /// an earlier recording is left out, but for files that Gait wrote. A gap, a step of more than `Resampler.longestStep` periods, stays a gap. Gravity
  /// is estimated where the file has the total acceleration alone. `Recording.repairs` lists all of it.
  ///
  /// - Parameters:
  ///   - table: what the file holds.
  ///   - sampleRate: how many rows there are in a second; `nil` where the file's times or its format say so.
  /// - Throws: `RecordingError.timing` where there is no rate, an impossible one, or one that the times contradict;
  ///   `RecordingError.withoutGravity` where what should be the total acceleration has no gravity in it.
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

  /// Takes the labels from a file of intervals, instead of those that there were.
  ///
  /// - Throws: `RecordingError.intervals` where the intervals lie outside the recording.
  public mutating func label(by intervals: LabelIntervals) throws(RecordingError) {
    labels = try intervals.runs(over: recording)
  }
}

extension AnnotatedRecording {
  /// Reads a file of any form that `RecordingTable` reads.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: what is known about it.
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
  public init(contentsOf url: URL, _ options: ReadingOptions = ReadingOptions()) throws(RecordingError) {
    try self.init(RecordingTable(contentsOf: url, options), sampleRate: options.sampleRate)
  }
}

extension RecordingTable {
  /// Reads the file, folder or archive at `url`, whose rate `options` need not say.
  ///
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
  package init(contentsOf url: URL, _ options: ReadingOptions) throws(RecordingError) {
    self = try RecordingReader(
      format: options.format, units: options.units, labelColumn: options.labelColumn, columnNames: options.columnNames,
      channels: options.channels
    ).table(at: url)
  }

  /// The rows as samples in time; `AnnotatedRecording` says what is done to them on the way.
  ///
  /// - Parameter sampleRate: how many rows there are in a second; `nil` where the file's times or its format say so.
  /// - Throws: `RecordingError.timing` where there is no rate, an impossible one, or one that the times contradict.
  public func recording(sampleRate: SampleRate? = nil) throws(RecordingError) -> Recording {
    try AnnotatedRecording(self, sampleRate: sampleRate).recording
  }
}

extension Recording {
  /// Reads a recording from a file of any form that `RecordingTable` reads.
  ///
  ///     let recording = try Recording(contentsOf: csvURL, sampleRate: .hertz(50))
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - sampleRate: how many rows there are in a second; `nil` where the file's times or its format say so.
  ///   - format: which recorder wrote the file; `nil` to recognise it.
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
  public init(
    contentsOf url: URL, sampleRate: SampleRate? = nil, format: RecordingFormat? = nil
  ) throws(RecordingError) {
    self = try AnnotatedRecording(contentsOf: url, ReadingOptions(sampleRate: sampleRate, format: format)).recording
  }
}
