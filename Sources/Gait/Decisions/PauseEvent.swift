/// A decision that the clock stops or starts.
public struct PauseEvent: Hashable, Sendable, Codable {
  /// The time of the sample with which the decision fell.
  public var detected: SampleTime
  /// When the change began: what moving time counts from.
  public var onset: SampleTime
  /// What decided.
  public var cause: PauseCause
  /// How sure the machine was, 0…1; 1 where a person decided.
  public var confidence: Float

  /// A decision from its parts.
  public init(detected: SampleTime, onset: SampleTime, cause: PauseCause, confidence: Float) {
    self.detected = detected
    self.onset = onset
    self.cause = cause
    self.confidence = confidence
  }
}

/// What stops or starts the clock.
public enum PauseCause: String, Hashable, Sendable, Codable {
  /// The wearer stood still.
  case still
  /// The wearer did something else than run.
  case notRunning
  /// The wearer moved again.
  case moving
  /// Location said so.
  case location
  /// A person pressed a button.
  case manual
  /// Someone changed the log after the run.
  case edited
}
