import Gait

/// A continuous recording of which it is known, at every moment, whether the clock should stand.
public struct ComposedRun: Sendable {
  /// The samples.
  public let recording: Recording
  /// Whose samples they are.
  public let group: String
  /// The stretches of one state, contiguous, covering the whole recording, neighbours of different states.
  public let truth: [Stretch]

  /// A stretch in which the clock should stand or run throughout.
  public struct Stretch: Hashable, Sendable {
    /// When it begins: the time of its first sample, or the middle of a cross-fade.
    public var start: SampleTime
    /// When it ends.
    public var end: SampleTime
    /// Whether the clock should stand.
    public var isStopped: Bool

    /// A stretch from its parts.
    public init(start: SampleTime, end: SampleTime, isStopped: Bool) {
      self.start = start
      self.end = end
      self.isStopped = isStopped
    }

    /// The length, seconds.
    public var seconds: Double { end.seconds(since: start) }
  }

  /// A recording with what is known about it.
  public init(recording: Recording, group: String, truth: [Stretch]) {
    self.recording = recording
    self.group = group
    self.truth = truth
  }

  /// A recording whose rows have labels: the clock should stand where the label's activity is one that `policy` pauses for.
  /// Rows without a label belong to what was before.
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
