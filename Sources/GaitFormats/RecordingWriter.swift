import Foundation
import Gait

extension AnnotatedRecording {
  /// The line that every recording in Gait's own form begins with.
  package static let firstLine = "# \(RecordingComments.form)\n"

  /// Writes the recording in Gait's own form, which reads back the same: every time, value, gap, label and subject. What is
  /// read back and written again is the same file, byte for byte.
  ///
  ///     # gait recording: s, rad, g, rad/s
  ///     # source: walk.csv (sensorLog)
  ///     # repaired: broke at 1 gap, the longest of 5 s
  ///     time,attitude.roll,…,userAcceleration.z,label,subject
  ///     12.34,0.1,…,-0.02,walking,7
  ///
  /// The columns are the time in seconds, the channels of every sensor that the recording has, and, where they are known,
  /// label and subject. A value is the shortest decimal that reads back as the same `Float`, a time is exact to the
  /// nanosecond; what is missing is an empty cell. The comment `# gravity: estimated` says that there was no gravity to
  /// record. Of the source only its name is kept, not its path.
  ///
  /// - Throws: `FileWriteError`; then no file is left behind, and an old one is as it was.
  /// - Complexity: O(`recording.count`), in memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(
        recording, leading: .time, columns: [("label", labels), ("subject", subjects)],
        comments: RecordingComments.lines(of: recording, format: format, earlier: comments)), to: url)
  }
}

extension Recording {
  /// Writes the recording in Gait's own form, as `AnnotatedRecording.write(to:)` does.
  ///
  /// - Throws: `FileWriteError`; then no file is left behind, and an old one is as it was.
  /// - Complexity: O(`count`), in memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(self, leading: .time, comments: RecordingComments.lines(of: self)), to: url)
  }

  /// Writes the recording in the form of MotionDataCollector: a row index without a name, then the channels of every
  /// sensor that the recording has.
  ///
  /// The form has no place for the sample rate, the times, or the repairs: who reads the file must know the rate, and gaps
  /// close up.
  ///
  /// - Throws: `FileWriteError`; then no file is left behind, and an old one is as it was.
  package func writeWithoutTimes(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(pieces: RecordingText(self, leading: .rowIndex), to: url)
  }
}
