import Gait

/// Which recordings a simulated data set holds: every person doing everything for the same time.
///
/// ```swift
/// let plan = SimulationPlan(subjects: 8, seconds: 30)
/// for entry in plan.entries {
///   let recording = simulator.recording(entry)  // to be written at entry.path: "running/sub_1.csv"
/// }
/// ```
public struct SimulationPlan: Hashable, Sendable {
  /// How many people there are, numbered from 1. Eight show every wearing position and leave some for testing.
  public var subjects = 8

  /// How long each recording lasts, seconds. A minute holds over twenty windows of 2.56 s without overlap.
  public var seconds = 60.0

  /// What everybody does.
  public var activities = SimulatedActivity.allCases

  /// A plan; what is left out keeps its default.
  public init(
    subjects: Int = 8, seconds: Double = 60, activities: [SimulatedActivity] = SimulatedActivity.allCases
  ) {
    self.subjects = subjects
    self.seconds = seconds
    self.activities = activities
  }

  /// The layout that finds label and subject in the paths again.
  public static let layout = "{label}/sub_{subject}.csv"

  /// One recording of a plan.
  public struct Entry: Hashable, Sendable {
    /// The person's number.
    public let subject: Int
    /// What the person does.
    public let activity: SimulatedActivity
    /// How long, seconds.
    public let seconds: Double

    /// Where the recording belongs within the data set's folder, by `SimulationPlan.layout`.
    public var path: String { SimulationPlan.path(of: subject, activity) }
  }

  /// The plan's recordings, activity by activity, shape `[activities × subjects]`; empty without subjects.
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
  /// The recording that a plan asks for.
  public func recording(_ entry: SimulationPlan.Entry) -> Recording {
    recording(of: entry.subject, activity: entry.activity, seconds: entry.seconds)
  }
}
