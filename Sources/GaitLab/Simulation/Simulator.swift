import Gait
import GaitTraining

/// Simulates recordings of people who run, walk or keep still with a phone on them.
///
/// A recording contains what Core Motion would deliver: attitude (rad), gravity (g), rotation rate (rad/s) and user
/// acceleration (g), each in the phone's axes. It models ground forces, swinging limbs, a phone in a loose pocket, and
/// the phone's sensors. Simulated recordings suit experiments, tests and demonstrations. They do not show how accurate
/// a model is on real people; measure that on recordings of real people.
///
/// ```swift
/// let simulator = Simulator(seed: 7, sampleRate: .hertz(50))
/// let run = simulator.recording(of: 1, activity: .running, seconds: 60)
/// print(run.count)  // 3000
/// ```
///
/// The same seed gives the same bytes on every platform. At another rate it gives the same motion: all rates sample one
/// track of 400 Hz through a low-pass filter at 0.45 of the rate. A longer recording begins with the shorter one.
///
/// Values are rounded to the resolution of a phone's sensors: user acceleration to 0.1 mg, rotation rate to 1 mrad/s,
/// attitude and gravity to 0.001. A row of text is then about 80 bytes.
///
/// Not simulated: corners, stairs, hills, taking the phone out.
public struct Simulator: Sendable {
  /// The seed of all recordings.
  public let seed: UInt64

  /// The sample rate of the recordings.
  public var sampleRate: SampleRate

  /// The simulated time before a recording begins, seconds, in which springs and filters settle.
  static let lead = 2.0

  /// The simulated time after a recording ends, seconds, because the low-pass filter looks ahead.
  static let tail = 1.0

  /// Creates a simulator.
  public init(seed: UInt64, sampleRate: SampleRate) {
    self.seed = seed
    self.sampleRate = sampleRate
  }

  /// The subject with this number, the same for every activity and rate.
  ///
  /// Wearing positions alternate (pocket, arm, pocket, waist, pocket, hand), so that six subjects cover them all.
  public func subject(_ number: Int) -> SimulatedSubject {
    let positions: [WearingPosition] = [.hand, .pocket, .arm, .pocket, .waist, .pocket]
    let key = UInt64(bitPattern: Int64(number))
    var generator = SeededGenerator(seed: seed, keys: [key])
    let turn = ((number % positions.count) + positions.count) % positions.count
    return SimulatedSubject(seed: generator.next(), position: positions[turn])
  }

  /// Simulates a recording of one subject.
  ///
  /// - Parameters:
  ///   - subject: the subject's number.
  ///   - activity: the activity, constant over the recording.
  ///   - seconds: the length; the recording has at least one sample.
  /// - Returns: evenly spaced samples from time 0 with all twelve channels, shape `[seconds × rate]`. The name is the
  ///   recording's path in a `SimulationPlan`.
  /// - Precondition: `seconds` is positive and at most a day.
  /// - Complexity: O(`seconds`); an optimised build takes about a thousandth of the simulated time.
  public func recording(of subject: Int, activity: SimulatedActivity, seconds: Double) -> Recording {
    precondition(seconds > 0 && seconds <= 86_400, "a simulated recording must last more than 0 s and at most a day")
    let count = max(1, Int(saturating: (seconds * sampleRate.hertz).rounded()))
    let person = self.subject(subject)
    let track = Self.track(
      of: person, activity, count: Int(saturating: ((Self.lead + seconds + Self.tail) * MotionTrack.hertz).rounded()))
    var phone = PhoneSensor(generator: SeededGenerator(seed: person.seed, keys: [3, activity.key]))
    let rows = ReadingSampler(sampleRate: sampleRate)
      .rows(of: phone.readings(of: track), lead: Self.lead, count: count)
    return Recording(
      name: SimulationPlan.path(of: subject, activity), sampleRate: sampleRate, channels: Set(Channel.allCases),
      rows: rows)
  }

  /// The true motion of `count` grid points.
  static func track(
    of subject: SimulatedSubject, _ activity: SimulatedActivity, count: Int, isStanding: Bool = false
  ) -> MotionTrack {
    guard activity != .still else {
      var motion = StillMotion(subject: subject, isStanding: isStanding)
      return motion.track(count: count)
    }
    var motion = GaitMotion(subject: subject, activity: activity)
    return motion.track(count: count)
  }
}

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
