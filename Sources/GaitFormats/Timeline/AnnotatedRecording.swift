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
  /// dropped, except in files that Gait wrote. A step of more than `Resampler.longestStep` periods is a gap; nothing is
  /// interpolated across it. Gravity is estimated if the file has only the total acceleration. `Recording.repairs`
  /// lists these changes.
  ///
  /// - Parameters:
  ///   - table: the rows of the file.
  ///   - sampleRate: rows per second; `nil` to use the rate of the file's timestamps or of its format.
  /// - Throws: `RecordingError.timing` if there is no rate, an impossible one, or one that the timestamps contradict,
  ///   or if rows cannot be placed in time (`TimingProblem`); `RecordingError.withoutGravity` if the acceleration is 0
  ///   throughout, or has a magnitude that neither rest nor movement has.
  public init(_ table: consuming RecordingTable, sampleRate: SampleRate? = nil) throws(RecordingError) {
    try table.sort()
    let timing: RowTiming
    do throws(TimingProblem) {
      timing = try RowTiming(of: table.times, given: sampleRate, stated: table.statedPeriod)
    } catch {
      let column = error == .noSampleRate ? table.repairs.unreadTimes : nil
      throw .timing(column.map { .unreadTimes(column: $0) } ?? error, file: table.name)
    }
    let (format, comments, reading) = (table.format, table.comments, table.repairs)
    var timeline = Timeline(table.withoutRows, timing)
    let rows = timeline.append(consume table, isLast: true)
    let repairs = try timeline.finish(reading).repairs
    recording = rows.recording(sampleRates: repairs.changedRates, repairs: repairs)
    (self.format, self.comments, self.timing) = (format, comments, timing)
    missingRows = rows.table.missingRows
    labels = rows.table.labelRuns
    subjects = rows.table.subjectRuns
  }
}

extension RecordingTable {
  /// The rows as samples in order of time; `AnnotatedRecording` lists the repairs.
  ///
  /// - Parameter sampleRate: rows per second; `nil` to use the rate of the file's timestamps or of its format.
  /// - Throws: `RecordingError`, as `AnnotatedRecording.init`.
  public func recording(sampleRate: SampleRate? = nil) throws(RecordingError) -> Recording {
    try AnnotatedRecording(self, sampleRate: sampleRate).recording
  }

  /// Whether rows whose times rise may come in bursts (`Bursts`). Always `false` for a file that Gait wrote, whose rows
  /// have the times of their samples.
  ///
  /// - Parameter period: the mean step without gaps, in nanoseconds; `nil` for the mean of all steps, with which a
  ///   recording with gaps may seem to have bursts.
  func mayHaveBursts(period: Double? = nil) -> Bool { comments.isEmpty && Bursts.mayHave(times, period: period) }

  /// Sorts the rows by time. Sensors that have rows of their own are joined first; rows that repeat a time or have none
  /// are dropped (`RowOrder`).
  fileprivate mutating func sort() throws(RecordingError) {
    // The rows stay unjoined if a sensor's times do not overlap with the acceleration's.
    let others = sensorsInOwnRows.filter { $0 != .userAcceleration }
    if !others.isEmpty, let joined = joined(others) { self = joined }
    guard !RowOrder.isInOrder(times) || mayHaveBursts() else { return }
    do throws(TimingProblem) {
      let order = try RowOrder(times: times, content: RowContent(rows, skipped: skippedChannels))
      guard !order.rows.isEmpty else { throw .noTimes }
      guard 2 * order.contradictionCount <= rows.count else {
        throw .coarseTimes(rows: rows.count, times: order.rows.count)
      }
      keep(order.rows)
      times = order.times
      repairs += order.repairs
    } catch {
      throw .timing(error, file: name)
    }
  }
}
