/// An event of a run, as a tracker reports it.
public enum RunEvent: Hashable, Sendable, Codable {
  /// The run was paused.
  case paused(PauseEvent)
  /// The run was resumed.
  case resumed(PauseEvent)
  /// The activity changed.
  case activity(ActivityChange)
  /// Samples are missing between the two times: the last sample before and the first sample after, at the model's rate.
  case gap(Range<SampleTime>)
  /// A split is complete.
  case split(Split)
  /// A lap ended, by `RunTracker.lap(at:)` or at the end of an interval; `RunTimeline.laps` has it.
  case lap(number: Int, at: SampleTime)
  /// A goal is reached.
  case goal(RunGoal, at: SampleTime)
  /// The figures of the run at a fixed interval; only with `RunOptions.snapshotSeconds`.
  case snapshot(RunSnapshot)
  /// The run is finished: the last event of a sequence of inputs. A tracker itself does not report it.
  indirect case finished(RunTimeline)
}

extension RunEvent {
  /// The event of a decision.
  package init(_ decision: PauseDecision) {
    switch decision {
    case .pause(let event): self = .paused(event)
    case .resume(let event): self = .resumed(event)
    }
  }

  /// The pause or resume that the event is, if any.
  package var decision: (event: PauseEvent, isPause: Bool)? {
    switch self {
    case .paused(let event): (event, true)
    case .resumed(let event): (event, false)
    case .activity, .gap, .split, .lap, .goal, .snapshot, .finished: nil
    }
  }
}

/// A distance or a moving time to reach.
public enum RunGoal: Hashable, Sendable, Codable {
  /// Metres, without paused distance.
  case distance(meters: Double)
  /// Seconds of moving time.
  case movingTime(seconds: Double)
}

/// The figures of a run at one moment.
public struct RunSnapshot: Hashable, Sendable, Codable {
  /// The moment.
  public var time: SampleTime
  /// Seconds since the start.
  public var elapsedSeconds: Double
  /// Seconds since the start without pauses and unknown time. It never decreases from snapshot to snapshot: a pause is decided
  /// a second or two after it began, so at its decision the figure is that much too long and stands still for that much of the
  /// movement after it. The finished run's is exact.
  public var movingSeconds: Double
  /// Whether the run is paused.
  public var isPaused: Bool
  /// Metres; `nil` while unknown.
  public var distance: Double?
  /// The latest step rate, steps per minute; `nil` while unknown.
  public var cadence: Double?
  /// Seconds per kilometre over the last `RunOptions.paceSeconds` of measured way since the last pause; `nil` while paused,
  /// before five seconds of way are known, and if the latest known way is older than that span.
  public var currentPace: Double?
  /// Seconds per kilometre: `movingSeconds` ÷ `distance`; `nil` without distance.
  public var averagePace: Double? { distance.flatMap { $0 > 0 ? movingSeconds / $0 * 1000 : nil } }

  /// A snapshot from its parts, for previews and tests.
  public init(
    time: SampleTime, elapsedSeconds: Double, movingSeconds: Double, isPaused: Bool = false, distance: Double? = nil,
    cadence: Double? = nil, currentPace: Double? = nil
  ) {
    self.time = time
    self.elapsedSeconds = elapsedSeconds
    self.movingSeconds = movingSeconds
    self.isPaused = isPaused
    self.distance = distance
    self.cadence = cadence
    self.currentPace = currentPace
  }
}
