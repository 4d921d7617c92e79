/// A run as it was: who moved when, where the clock stood, how far and how fast.
///
/// Everything that can be computed is computed from what was noticed, so that a changed pause log changes all totals:
///
///     var run = tracker.finish()
///     run.pauses.remove(at: 0)
///     run.moving + run.paused == run.elapsed    // always, to the nanosecond
///
/// Deliberately missing: the signal. `RunEvidence` keeps it where it is wanted.
public struct RunTimeline: Hashable, Sendable, Codable {
  /// The time of the first sample.
  public internal(set) var start: SampleTime
  /// The time of the last sample.
  public internal(set) var end: SampleTime
  /// The pauses, which may be changed.
  public var pauses: PauseLog
  /// What the wearer did, as it was noticed.
  public internal(set) var activities: [ActivityChange] = []
  /// Steps per minute along the run.
  public internal(set) var cadencePoints: [CadencePoint] = []
  /// The locations that the run went through.
  public internal(set) var route: [LocationSample] = []
  /// Where samples were missing.
  public internal(set) var gaps: [SignalGap] = []
  /// How long steps are, for runs without location; `nil` where nobody knows.
  public var strides: StrideModel?

  init(start: SampleTime, options: RunOptions, pauses settings: PauseSettings?) {
    self.start = start
    end = start
    pauses = PauseLog(mergeGap: (settings ?? PauseSettings()).mergeGap)
    strides = options.strides
    activities.reserveCapacity(Self.initialCount)
    cadencePoints.reserveCapacity(Self.initialCount)
  }

  /// Room for what a short run holds, made before it begins; a longer one doubles it a few times.
  private static let initialCount = 256

  /// A stretch in which the wearer did one thing.
  public struct Slice: Hashable, Sendable, Codable {
    /// When it began.
    public var start: SampleTime
    /// When it ended: where the next one begins.
    public var end: SampleTime
    /// What the wearer did.
    public var state: State
  }

  /// What a slice holds.
  public enum State: String, Hashable, Sendable, Codable {
    /// The clock ran, and so did the wearer.
    case running
    /// The clock ran while the wearer moved in another way.
    case walking
    /// The clock stood.
    case paused
  }

  /// Seconds from start to end.
  public var elapsed: Double { end.seconds(since: start) }
  /// Seconds in which the clock ran.
  public var moving: Double { Double(end.nanoseconds - start.nanoseconds - pausedNanoseconds) / 1e9 }
  /// Seconds in which the clock stood.
  public var paused: Double { Double(pausedNanoseconds) / 1e9 }

  private var pausedNanoseconds: Int64 {
    pauses.stretches(from: start, to: end).reduce(0) { $0 + $1.upperBound.nanoseconds - $1.lowerBound.nanoseconds }
  }

  /// The run cut into stretches of running, walking and pause: contiguous, in order, from start to end.
  ///
  /// What the wearer did before anything was noticed is what was noticed first. Standing while the clock runs belongs to
  /// whatever was done before.
  public var slices: [Slice] {
    var slices: [Slice] = []
    var cursor = start
    for pause in pauses.stretches(from: start, to: end) {
      slices += movingSlices(from: cursor, to: pause.lowerBound)
      slices.append(Slice(start: pause.lowerBound, end: pause.upperBound, state: .paused))
      cursor = pause.upperBound
    }
    return slices + movingSlices(from: cursor, to: end)
  }

  /// A change of activity this near to a pause is the same change as the pause's, seen by the slower head, seconds.
  private static let slowness = 2.56

  private func movingSlices(from: SampleTime, to: SampleTime) -> [Slice] {
    guard from < to else { return [] }
    let earliest = from.advanced(bySeconds: from == start ? 0 : Self.slowness)
    let latest = to.advanced(bySeconds: to == end ? 0 : -Self.slowness)
    var slices = [Slice(start: from, end: to, state: state(at: min(earliest, to)))]
    for change in activities where change.activity != .still && earliest < change.onset && change.onset < latest {
      let state = Self.state(change.activity)
      guard slices[slices.count - 1].state != state else { continue }
      slices[slices.count - 1].end = change.onset
      slices.append(Slice(start: change.onset, end: to, state: state))
    }
    return slices
  }

  /// What the wearer did at a moment, had the clock run.
  func state(at time: SampleTime) -> State {
    let moving = activities.lazy.filter { $0.activity != .still }
    let change = moving.last { $0.onset <= time } ?? moving.first { _ in true }
    return change.map { Self.state($0.activity) } ?? .running
  }

  private static func state(_ activity: Activity) -> State { activity == .running ? .running : .walking }

  /// Seconds of moving time between two moments.
  public func moving(from: SampleTime, to: SampleTime) -> Double {
    pauses.moving(from: from, to: to)
  }
}
