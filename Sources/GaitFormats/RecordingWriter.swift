import Foundation
import Gait

extension AnnotatedRecording {
  /// The first line of every recording in Gait's own format.
  package static let firstLine = "# \(RecordingComments.form)\n"

  /// Writes the recording in Gait's own format, which preserves every time, value, gap, label and subject. Reading the
  /// file and writing it again gives the same bytes.
  ///
  ///     # gait recording: s, rad, g, rad/s
  ///     # source: walk.csv (sensorLog)
  ///     # repaired: broke at 1 gap, the longest of 5 s
  ///     time,attitude.roll,…,userAcceleration.z,label,subject
  ///     12.34,0.1,…,-0.02,walking,7
  ///
  /// The columns are the time in seconds, the channels of every sensor of the recording, and label and subject if
  /// known. A value is the shortest decimal that reads back as the same `Float`, a time is exact to the nanosecond, and
  /// a missing value is an empty cell. The comment `# gravity: estimated` marks gravity that was estimated, not
  /// recorded. The source is given by its file name, without the path.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  /// - Complexity: O(`recording.count`); memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(
        recording, leading: .time, columns: [("label", labels), ("subject", subjects)],
        comments: RecordingComments.lines(of: recording, format: format, earlier: comments)), to: url)
  }
}

extension Recording {
  /// Writes the recording in Gait's own format, as `AnnotatedRecording.write(to:)` does.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  /// - Complexity: O(`count`); memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(self, leading: .time, comments: RecordingComments.lines(of: self)), to: url)
  }

  /// Writes the recording in MotionDataCollector's format: a row index without a name, then the channels of every
  /// sensor of the recording.
  ///
  /// The format stores neither the sample rate, nor the times, nor the repairs. The reader of the file must know the
  /// rate, and gaps are lost.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  package func writeWithoutTimes(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(pieces: RecordingText(self, leading: .rowIndex), to: url)
  }
}
