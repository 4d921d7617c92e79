/// The wearer's activity, as decisions about a run distinguish it.
///
/// A model's labels are free text. `ActivityModel.meanings` states their activities; `init(label:)` knows common names.
public enum Activity: String, CaseIterable, Hashable, Sendable, Codable {
  /// Running or jogging.
  case running
  /// Walking, stairs included.
  case walking
  /// Standing, sitting or lying.
  case still
  /// Any other movement.
  case other

  /// The activity that a label means.
  ///
  /// Known, in any case of letters: running, run, jogging, jog; walking, walk, wlk, stairs, upstairs, downstairs, ups,
  /// dws; still, standing, stand, std, sitting, sit, stationary, lying; other, moving. Any other label is `.other`.
  public init(label: String) { self = Activity(knownLabel: label) ?? .other }

  /// The activity that a common label means; `nil` for a label that `init(label:)` does not know.
  package init?(knownLabel label: String) {
    switch label.lowercased() {
    case "running", "run", "jogging", "jog": self = .running
    case "walking", "walk", "wlk", "stairs", "upstairs", "downstairs", "ups", "dws": self = .walking
    case "still", "standing", "stand", "std", "sitting", "sit", "stationary", "lying": self = .still
    case "other", "moving": self = .other
    default: return nil
    }
  }

  /// The index in `allCases`.
  var lane: Int {
    switch self {
    case .running: 0
    case .walking: 1
    case .still: 2
    case .other: 3
    }
  }

  /// 1 at the index (`lane`) of each activity of `activities`, 0 at the others.
  package static func lanes(of activities: Set<Activity>) -> SIMD4<Float> {
    activities.reduce(into: .zero) { $0[$1.lane] = 1 }
  }
}

/// A change of the wearer's activity.
public struct ActivityChange: Hashable, Sendable, Codable {
  /// The time of the sample at which the change was decided.
  public var decidedAt: SampleTime
  /// The estimate of when the activity began: the middle of the window after which it was decided.
  public var onset: SampleTime
  /// The new activity.
  public var activity: Activity

  /// A change from its parts.
  public init(decidedAt: SampleTime, onset: SampleTime, activity: Activity) {
    self.decidedAt = decidedAt
    self.onset = onset
    self.activity = activity
  }
}
