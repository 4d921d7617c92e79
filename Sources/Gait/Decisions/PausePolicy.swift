/// What the clock stops for.
public struct PausePolicy: Hashable, Sendable, Codable {
  /// The activities during which the clock stands.
  public var activities: Set<Activity>

  /// A policy of one's own.
  public init(pausingDuring activities: Set<Activity>) {
    self.activities = activities
  }

  /// The clock stops when the wearer stands still, the default: what walking means differs from wearer to wearer.
  public static let whenStill = PausePolicy(pausingDuring: [.still])
  /// The clock runs only while the wearer does.
  public static let whenNotRunning = PausePolicy(pausingDuring: [.still, .walking, .other])
  /// Only the wearer stops the clock.
  public static let never = PausePolicy(pausingDuring: [])

  /// Why a pause of this policy begins.
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

  /// A policy from its text; `nil` where the text names no policy and no activities.
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
