/// What a simulated person does for the length of a recording.
public enum SimulatedActivity: String, CaseIterable, Hashable, Sendable {
  /// Running with flight phases, 2.5 to 3.1 steps a second.
  case running
  /// Walking, 1.6 to 2.1 steps a second.
  case walking
  /// Sitting or standing, with the odd fidget and change of posture.
  case still

  /// The name that folders, labels and model files use: "running", "walking", "still".
  public var label: String { rawValue }

  /// The activity's part of a seed; never changes, so that recordings do not either.
  var key: UInt64 {
    switch self {
    case .running: 1
    case .walking: 2
    case .still: 3
    }
  }
}
