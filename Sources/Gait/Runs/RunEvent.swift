/// An event of a run, as a tracker reports it.
public enum RunEvent: Hashable, Sendable {
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
    self = decision.isPause ? .paused(decision.event) : .resumed(decision.event)
  }

  /// The pause or resume that the event is, if any.
  package var decision: PauseDecision? {
    switch self {
    case .paused(let event): PauseDecision(isPause: true, event: event)
    case .resumed(let event): PauseDecision(isPause: false, event: event)
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
