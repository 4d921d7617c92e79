import Gait
import GaitTraining

/// A run of one simulated person, who changes from one activity to the next.
///
/// ```swift
/// let run = SimulatedRun(
///   subject: 1,
///   stretches: [.init(.running, seconds: 120), .init(.still, seconds: 30), .init(.running, seconds: 60)])
/// let recording = Simulator(seed: 7, sampleRate: .hertz(50)).recording(run)
/// print(recording.duration)  // 210.0
/// ```
public struct SimulatedRun: Hashable, Sendable {
  /// The person's number.
  public var subject: Int

  /// The activities in order, without gaps between them.
  public var stretches: [Stretch]

  /// The time in which one activity fades into the next, seconds, centred on the change.
  public static let fadeSeconds = 1.0

  /// One activity and its length.
  public struct Stretch: Hashable, Sendable {
    /// What the person does.
    public var activity: SimulatedActivity
    /// The length, seconds, from the middle of one change to the middle of the next.
    public var seconds: Double

    /// A stretch of `seconds`.
    public init(_ activity: SimulatedActivity, seconds: Double) {
      self.activity = activity
      self.seconds = seconds
    }
  }

  /// A run of person `subject` through `stretches`.
  public init(subject: Int, stretches: [Stretch]) {
    self.subject = subject
    self.stretches = stretches
  }

  /// The length of the run, seconds.
  public var seconds: Double { stretches.reduce(0) { $0 + $1.seconds } }

  /// The file name of the run's recording: `run_1.csv` for person 1.
  public var path: String { "run_\(subject).csv" }
}

extension Simulator {
  /// The recording of a run.
  ///
  /// Each activity continues where it stopped when it last occurred. Changes are cross-faded over
  /// `SimulatedRun.fadeSeconds`: the acceleration linearly in the weight, the attitude along the shorter turn.
  ///
  /// - Returns: evenly spaced samples from time 0 with all twelve channels, shape `[seconds × rate]`; the name is
  ///   `run.path`.
  /// - Precondition: there is a stretch, every stretch lasts at least `SimulatedRun.fadeSeconds`, and the run lasts at
  ///   most a day.
  public func recording(_ run: SimulatedRun) -> Recording {
    precondition(
      !run.stretches.isEmpty && run.stretches.allSatisfy { $0.seconds >= SimulatedRun.fadeSeconds }
        && run.seconds <= 86_400,
      "a simulated run must have stretches of at least 1 s and last at most a day")
    let person = subject(run.subject)
    var phone = PhoneSensor(generator: SeededGenerator(seed: person.seed, keys: [3, 0]))
    let rows = ReadingSampler(sampleRate: sampleRate).rows(
      of: phone.readings(of: Self.track(of: person, run)), lead: Self.lead,
      count: max(1, Int(saturating: (run.seconds * sampleRate.hertz).rounded())))
    return Recording(
      name: run.path, sampleRate: sampleRate, channels: Set(Channel.allCases), rows: rows)
  }

  /// The true motion of a run, with lead and tail.
  private static func track(of person: SimulatedSubject, _ run: SimulatedRun) -> MotionTrack {
    let fade = gridPoints(SimulatedRun.fadeSeconds)
    var end = 0.0
    let ends = run.stretches.map { stretch in
      end += stretch.seconds
      return gridPoints(lead + end)
    }
    // Neighbours overlap by the fade; the first stretch holds the lead, the last one the tail.
    let ranges = ends.indices.map { index in
      let isLast = index == ends.count - 1
      return
        (index == 0 ? 0 : ends[index - 1] - fade / 2)..<(isLast
        ? ends[index] + gridPoints(tail) : ends[index] + fade / 2)
    }
    var sources: [SimulatedActivity: MotionTrack] = [:]
    for activity in SimulatedActivity.allCases {
      let count = zip(run.stretches, ranges).reduce(0) { $0 + ($1.0.activity == activity ? $1.1.count : 0) }
      if count > 0 { sources[activity] = track(of: person, activity, count: count) }
    }
    var used: [SimulatedActivity: Int] = [:]
    var track = MotionTrack(capacity: ranges.last?.upperBound ?? 0)
    for (stretch, range) in zip(run.stretches, ranges) {
      let first = used[stretch.activity, default: 0]
      used[stretch.activity] = first + range.count
      sources[stretch.activity].map { track.append($0, first..<first + range.count, overlap: fade) }
    }
    return track
  }

  private static func gridPoints(_ seconds: Double) -> Int { Int(saturating: (seconds * MotionTrack.hertz).rounded()) }
}

extension MotionTrack {
  /// Appends a part of another track, whose first `overlap` points fade in while the last ones here fade out.
  fileprivate mutating func append(_ other: MotionTrack, _ range: Range<Int>, overlap: Int) {
    let faded = min(overlap, attitude.count, range.count)
    let start = attitude.count - faded
    for index in 0..<faded {
      let part = (Double(index) + 0.5) / Double(faded)
      let weight = part * part * (3 - 2 * part)
      let source = range.lowerBound + index
      attitude[start + index] = attitude[start + index].faded(into: other.attitude[source], weight)
      acceleration[start + index] += (other.acceleration[source] - acceleration[start + index]) * weight
    }
    attitude += other.attitude[range.dropFirst(faded)]
    acceleration += other.acceleration[range.dropFirst(faded)]
  }
}

extension Rotation {
  /// The rotation between this one (`weight` 0) and `other` (1), along the shorter turn: the normalised mean of the
  /// quaternions.
  func faded(into other: Rotation, _ weight: Double) -> Rotation {
    let cosine = (vector * other.vector).sum() + scalar * other.scalar
    let share = cosine < 0 ? -weight : weight
    return Rotation(
      vector: vector * (1 - weight) + other.vector * share, scalar: scalar * (1 - weight) + other.scalar * share
    ).normalized
  }
}
