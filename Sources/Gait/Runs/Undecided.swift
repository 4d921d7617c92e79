/// A stretch in which a tracker could decide nothing: no window of the pause head had all values that the model needs.
public struct Undecided: Hashable, Sendable, Codable {
  /// Why there was no window.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// Channels that the model needs are missing (NaN).
    case missingChannels
    /// Gravity is zero: it has no direction.
    case zeroGravity
    /// The samples have too many gaps or missing values for a window.
    case noWindow
  }

  /// The end of the latest decided window, of the latest hole in the motion, or the start of the run.
  public var since: SampleTime
  /// When the stretch was reported.
  public var at: SampleTime
  /// Why there was no window.
  public var reason: Reason
  /// The missing channels, in the order of `Channel.allCases`; empty for other reasons.
  public var missingChannels: [Channel]

  /// A stretch from its parts, for previews and tests.
  public init(since: SampleTime, at: SampleTime, reason: Reason, missingChannels: [Channel] = []) {
    self.since = since
    self.at = at
    self.reason = reason
    self.missingChannels = missingChannels
  }

  /// How long there is no window before it is reported, seconds.
  static let reportedSeconds = 10.0

  /// The stretch by the sample at its end.
  init(since: SampleTime, at time: SampleTime, sample: MotionSample, needed: Set<Channel>) {
    let missing = Channel.allCases.filter { needed.contains($0) && sample[$0].isNaN }
    let reason: Reason =
      !missing.isEmpty ? .missingChannels : sample.gravity == .zero ? .zeroGravity : .noWindow
    self.init(since: since, at: time, reason: reason, missingChannels: missing)
  }
}
