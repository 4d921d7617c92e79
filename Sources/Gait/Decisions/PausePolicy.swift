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
  /// Only the wearer pauses the run.
  public static let never = PausePolicy(pausingDuring: [])

  /// The cause of pauses by this policy.
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
