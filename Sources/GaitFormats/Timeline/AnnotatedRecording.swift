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
  public internal(set) var labels: [LabelRun]?
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
    let timeline = try Timeline(table, sampleRate: sampleRate)
    recording = timeline.recording
    format = timeline.table.format
    comments = timeline.table.comments
    timing = timeline.timing
    missingRows = timeline.table.missingRows
    labels = timeline.table.labelRuns
    subjects = timeline.table.subjectRuns
  }
}

extension RecordingTable {
  /// The rows as samples in order of time; `AnnotatedRecording` lists the repairs.
  ///
  /// - Parameter sampleRate: rows per second; `nil` if the file's timestamps or its format give them.
  /// - Throws: `RecordingError.timing` if there is no rate, an impossible one, or one that the timestamps contradict.
  public func recording(sampleRate: SampleRate? = nil) throws(RecordingError) -> Recording {
    try AnnotatedRecording(self, sampleRate: sampleRate).recording
  }
}
