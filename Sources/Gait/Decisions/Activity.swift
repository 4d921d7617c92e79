/// What a wearer does, as far as a decision about a run cares.
///
/// A model's labels are whatever its trainer called them; `init(label:)` says which of these a label means.
public enum Activity: String, CaseIterable, Hashable, Sendable, Codable {
  /// Running or jogging.
  case running
  /// Walking, stairs included.
  case walking
  /// Standing, sitting or lying.
  case still
  /// Anything else: moving, but neither running nor walking.
  case other

  /// The activity that a label means.
  ///
  /// Known, in any case of letters: running, run, jogging, jog; walking, walk, wlk, stairs, upstairs, downstairs, ups, dws;
  /// still, standing, stand, std, sitting, sit, stationary, lying. Any other label is `.other`.
  public init(label: String) {
    switch label.lowercased() {
    case "running", "run", "jogging", "jog": self = .running
    case "walking", "walk", "wlk", "stairs", "upstairs", "downstairs", "ups", "dws": self = .walking
    case "still", "standing", "stand", "std", "sitting", "sit", "stationary", "lying": self = .still
    default: self = .other
    }
  }

  /// Where the activity stands in `allCases`.
  var lane: Int {
    switch self {
    case .running: 0
    case .walking: 1
    case .still: 2
    case .other: 3
    }
  }
}
