import Gait

/// Makes recordings of people who run, walk or keep still with a phone on them. Simulated, not measured.
///
/// A recording holds what Core Motion would deliver: attitude (rad), gravity (g), rotation rate (rad/s) and user
/// acceleration (g), each in the phone's axes, by a model of ground forces, swinging limbs, a phone in a loose pocket,
/// and the phone's sensors. It is good for trying things out, for tests and for demonstrations. It is no evidence of how a
/// model does on people: measure that on recordings of people.
///
/// ```swift
/// let simulator = Simulator(seed: 7, sampleRate: .hertz(50))
/// let run = simulator.recording(of: 1, activity: .running, seconds: 60)
/// print(run.count)  // 3000
/// ```
///
/// The same seed gives the same bytes, on every platform. The same seed at another rate gives the same motion, sampled
/// otherwise: all rates read one track of 400 Hz, through a low-pass filter at 0.45 of the rate. A longer recording begins
/// with the shorter one.
///
/// Values are rounded as a phone's sensors round: user acceleration to 0.1 mg, rotation rate to 1 mrad/s, attitude and
/// gravity to 0.001. A row of text is then about 80 bytes.
///
/// Deliberately missing: turning corners, stairs, hills, taking the phone out.
public struct Simulator: Sendable {
  /// What everything is drawn from.
  public let seed: UInt64

  /// How many samples a second the recordings hold.
  public var sampleRate: SampleRate

  /// The time that the phone has been on before a recording begins, seconds: springs and filters have settled.
  static let lead = 2.0

  /// The time that it stays on afterwards, seconds: the low-pass filter looks ahead.
  static let tail = 1.0

  /// A simulator whose every recording follows from `seed`.
  public init(seed: UInt64, sampleRate: SampleRate) {
    self.seed = seed
    self.sampleRate = sampleRate
  }

  /// Person `number`, the same for every activity and rate.
  ///
  /// Wearing positions take turns (pocket, arm, pocket, waist, pocket, hand), so that a handful of people shows them all.
  public func subject(_ number: Int) -> SimulatedSubject {
    let positions: [WearingPosition] = [.hand, .pocket, .arm, .pocket, .waist, .pocket]
    let key = UInt64(bitPattern: Int64(number))
    var generator = SeededGenerator(seed: seed, keys: [key])
    let turn = ((number % positions.count) + positions.count) % positions.count
    return SimulatedSubject(seed: generator.next(), position: positions[turn])
  }

  /// What the phone of person `subject` records.
  ///
  /// - Parameters:
  ///   - subject: the person's number.
  ///   - activity: what the person does, all the time.
  ///   - seconds: how long; at least one sample is made.
  /// - Returns: evenly spaced samples from time 0 with all twelve channels, shape `[seconds × rate]`; the name is the
  ///   path that `SimulationPlan` gives it.
  /// - Precondition: `seconds` is positive and at most a day.
  /// - Complexity: O(`seconds`), about a thousandth of it in an optimised build.
  public func recording(of subject: Int, activity: SimulatedActivity, seconds: Double) -> Recording {
    precondition(seconds > 0 && seconds <= 86_400, "a simulated recording must last more than 0 s and at most a day")
    let count = max(1, Int((seconds * sampleRate.hertz).rounded()))
    let person = self.subject(subject)
    let track = Self.track(
      of: person, activity, count: Int(((Self.lead + seconds + Self.tail) * MotionTrack.hertz).rounded()))
    var phone = PhoneSensor(generator: SeededGenerator(seed: person.seed, keys: [3, activity.key]))
    let rows = ReadingSampler(sampleRate: sampleRate)
      .rows(of: phone.readings(of: track), lead: Self.lead, count: count)
    return Recording(
      name: SimulationPlan.path(of: subject, activity), sampleRate: sampleRate, channels: Set(Channel.allCases),
      rows: rows)
  }

  /// The true motion of `count` grid points.
  static func track(of subject: SimulatedSubject, _ activity: SimulatedActivity, count: Int) -> MotionTrack {
    switch activity {
    case .running, .walking:
      var motion = GaitMotion(subject: subject, activity: activity)
      return motion.track(count: count)
    case .still:
      var motion = StillMotion(subject: subject)
      return motion.track(count: count)
    }
  }
}
