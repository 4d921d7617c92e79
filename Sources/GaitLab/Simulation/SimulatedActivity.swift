import Gait
import GaitTraining

/// The activity of a simulated person, constant over a recording.
public enum SimulatedActivity: String, CaseIterable, Hashable, Sendable {
  /// Running with flight phases, 2.5 to 3.1 steps per second.
  case running
  /// Walking, 1.6 to 2.1 steps per second.
  case walking
  /// Sitting or standing, with occasional fidgets and changes of posture.
  case still

  /// The name that folders, labels and model files use: "running", "walking", "still".
  public var label: String { rawValue }

  /// The activity's seed key. It never changes, because recordings would change with it.
  var key: UInt64 {
    switch self {
    case .running: 1
    case .walking: 2
    case .still: 3
    }
  }
}
