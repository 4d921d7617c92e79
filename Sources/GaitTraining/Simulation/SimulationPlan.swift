import Gait

/// The recordings of a simulated data set: every subject does every activity for the same time.
///
/// ```swift
/// let plan = SimulationPlan(subjects: 8, seconds: 30)
/// for entry in plan.entries {
///   let recording = simulator.recording(entry)  // to be written at entry.path: "running/sub_1.csv"
/// }
/// ```
public struct SimulationPlan: Hashable, Sendable {
  /// The number of subjects, numbered from 1. Eight cover every wearing position and leave some for testing.
  public var subjects = 8

  /// The length of each recording, seconds. A minute contains over twenty windows of 2.56 s without overlap.
  public var seconds = 60.0

  /// The activities of every subject.
  public var activities = SimulatedActivity.allCases

  /// Creates a plan.
  public init(
    subjects: Int = 8, seconds: Double = 60, activities: [SimulatedActivity] = SimulatedActivity.allCases
  ) {
    self.subjects = subjects
    self.seconds = seconds
    self.activities = activities
  }

  /// The dataset layout that reads label and subject from the paths.
  public static let layout = "{label}/sub_{subject}.csv"

  /// One recording of a plan.
  public struct Entry: Hashable, Sendable {
    /// The subject's number.
    public let subject: Int
    /// The activity.
    public let activity: SimulatedActivity
    /// The length, seconds.
    public let seconds: Double

    /// The recording's path within the data set's folder, by `SimulationPlan.layout`.
    public var path: String { SimulationPlan.path(of: subject, activity) }
  }

  /// The plan's recordings by activity, shape `[activities × subjects]`; empty without subjects.
  public var entries: [Entry] {
    activities.flatMap { activity in
      (0..<max(0, subjects)).map { Entry(subject: $0 + 1, activity: activity, seconds: seconds) }
    }
  }

  static func path(of subject: Int, _ activity: SimulatedActivity) -> String {
    "\(activity.label)/sub_\(subject).csv"
  }
}

extension Simulator {
  /// Simulates one recording of a plan.
  public func recording(_ entry: SimulationPlan.Entry) -> Recording {
    recording(of: entry.subject, activity: entry.activity, seconds: entry.seconds)
  }
}
