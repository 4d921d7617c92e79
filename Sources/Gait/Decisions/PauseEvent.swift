/// A decision to pause or resume a run.
public struct PauseEvent: Hashable, Sendable, Codable {
  /// The time of the sample at which the decision was made.
  public var decidedAt: SampleTime
  /// When the stop or the movement began. Moving time counts from the onset.
  public var onset: SampleTime
  /// The reason for the decision.
  public var cause: PauseCause
  /// The probability that the decision is right, 0…1; 1 for a manual decision.
  public var confidence: Float

  /// A decision from its parts.
  public init(decidedAt: SampleTime, onset: SampleTime, cause: PauseCause, confidence: Float) {
    self.decidedAt = decidedAt
    self.onset = onset
    self.cause = cause
    self.confidence = confidence
  }
}

/// A decision of `AutoPause`, which `PauseDecider` dates back to its onset.
package struct PauseDecision: Hashable, Sendable {
  /// Whether the run is paused; otherwise it is resumed.
  package var isPause: Bool
  /// When and why.
  package var event: PauseEvent
}

/// Why a run was paused or resumed.
public enum PauseCause: String, Hashable, Sendable, Codable {
  /// The wearer stood still.
  case still
  /// The wearer was not running.
  case notRunning
  /// The wearer moved again.
  case moving
  /// Location showed a stop or movement.
  case location
  /// The wearer pressed a button.
  case manual
  /// The pause was added or changed after the run.
  case edited
}
