import Gait

/// A continuous recording with known stops: ground truth for auto-pause.
public struct ComposedRun: Sendable {
  /// The samples.
  public let recording: Recording
  /// The group that the samples belong to.
  public let group: String
  /// Contiguous stretches of alternating state that cover the whole recording.
  public let truth: [Stretch]

  /// A stretch in which the run should be paused throughout, or active throughout.
  public struct Stretch: Hashable, Sendable {
    /// The start: the time of its first sample, or the middle of a cross-fade.
    public var start: SampleTime
    /// The end.
    public var end: SampleTime
    /// Whether the run should be paused.
    public var isStopped: Bool

    /// Creates a stretch.
    public init(start: SampleTime, end: SampleTime, isStopped: Bool) {
      self.start = start
      self.end = end
      self.isStopped = isStopped
    }

    /// The length, seconds.
    public var seconds: Double { end.seconds(since: start) }
  }

  /// Creates a run from a recording and its ground truth.
  public init(recording: Recording, group: String, truth: [Stretch]) {
    self.recording = recording
    self.group = group
    self.truth = truth
  }

  /// Creates a run from a recording with row labels: it should be paused where `policy` pauses for the label's
  /// activity. Rows without a label keep the state before them.
  public init(recording: Recording, group: String, labels: [(label: String?, rows: Range<Int>)], policy: PausePolicy) {
    var truth: [Stretch] = []
    for run in labels {
      let end = recording.time(at: run.rows.upperBound - 1).advanced(bySeconds: 1 / recording.sampleRate.hertz)
      let before = truth.last?.isStopped ?? false
      let isStopped = run.label.map { policy.activities.contains(Activity(label: $0)) } ?? before
      if let last = truth.indices.last, truth[last].isStopped == isStopped {
        truth[last].end = end
      } else {
        truth.append(
          Stretch(start: truth.last?.end ?? recording.time(at: run.rows.lowerBound), end: end, isStopped: isStopped))
      }
    }
    self.init(recording: recording, group: group, truth: truth)
  }
}
