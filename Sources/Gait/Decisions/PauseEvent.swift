/// A decision to pause or resume a run.
public struct PauseEvent: Hashable, Sendable {
  /// Whether the run is paused; otherwise it is resumed.
  public var isPause: Bool
  /// The time of the sample at which the decision was made.
  public var decidedAt: SampleTime
  /// When the stop or the movement began. Moving time counts from the onset.
  public var onset: SampleTime
  /// The reason for the decision.
  public var cause: PauseCause
  /// The probability that the decision is right, 0…1; 1 for a manual decision.
  public var confidence: Float

  /// A decision from its parts.
  public init(
    isPause: Bool = true, decidedAt: SampleTime, onset: SampleTime, cause: PauseCause, confidence: Float
  ) {
    self.isPause = isPause
    self.decidedAt = decidedAt
    self.onset = onset
    self.cause = cause
    self.confidence = confidence
  }
}

/// As JSON, a decision is an object with its properties; `isPause` is left out if it is true.
extension PauseEvent: Codable {
  private enum CodingKeys: String, CodingKey { case isPause, decidedAt, onset, cause, confidence }

  /// Reads a decision.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      isPause: try values.decodeIfPresent(Bool.self, forKey: .isPause) ?? true,
      decidedAt: try values.decode(SampleTime.self, forKey: .decidedAt),
      onset: try values.decode(SampleTime.self, forKey: .onset),
      cause: try values.decode(PauseCause.self, forKey: .cause),
      confidence: try values.decode(Float.self, forKey: .confidence))
  }

  /// Writes the decision.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "isPause": isPause ? nil : false, "decidedAt": decidedAt, "onset": onset, "cause": cause,
      "confidence": confidence,
    ]).encode(to: encoder)
  }
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

/// The activities that pause a run.
public struct PausePolicy: Hashable, Sendable, Codable {
  /// The activities during which the run is paused.
  public var activities: Set<Activity>

  /// A policy that pauses during any set of activities.
  public init(pausingDuring activities: Set<Activity>) {
    self.activities = activities
  }

  /// The run pauses while the wearer stands still. This is the default, as only some runners want walking to pause.
  public static let whenStill = PausePolicy(pausingDuring: [.still])
  /// The run pauses unless the wearer is running.
  public static let whenNotRunning = PausePolicy(pausingDuring: [.still, .walking, .other])
  /// No activity pauses the run; only the pause button does.
  public static let never = PausePolicy(pausingDuring: [])

  /// The cause of this policy's pauses: `.still` if only `.still` pauses the run, otherwise `.notRunning`.
  var cause: PauseCause { activities.count == 1 && activities.contains(.still) ? .still : .notRunning }
}

extension PausePolicy: LosslessStringConvertible {
  /// `still`, `notRunning` or `never`, or the activities joined by `+`.
  public var description: String {
    switch self {
    case .whenStill: "still"
    case .whenNotRunning: "notRunning"
    case .never: "never"
    default: activities.map(\.rawValue).sorted().joined(separator: "+")
    }
  }

  /// A policy from its text; `nil` if the text is neither a policy nor activities joined by `+`.
  public init?(_ description: String) {
    switch description {
    case "still": self = .whenStill
    case "notRunning": self = .whenNotRunning
    case "never": self = .never
    default:
      let activities = description.split(separator: "+").map { Activity(rawValue: String($0)) }
      guard !activities.isEmpty, !activities.contains(nil) else { return nil }
      self.init(pausingDuring: Set(activities.compactMap { $0 }))
    }
  }
}
