/// Something that a tracker has noticed.
public enum RunEvent: Hashable, Sendable, Codable {
  /// The clock stopped.
  case paused(PauseEvent)
  /// The clock started.
  case resumed(PauseEvent)
  /// The wearer does something else than before.
  case activity(ActivityChange)
  /// Samples are missing.
  case gap(SignalGap)
  /// Another split is complete.
  case split(Split)
  /// A goal is reached.
  case goal(RunGoal, at: SampleTime)
  /// Where the run stands, at a fixed interval; only with `RunOptions.snapshotInterval`.
  case snapshot(RunSnapshot)
}

/// A change of what the wearer does.
public struct ActivityChange: Hashable, Sendable, Codable {
  /// When it was noticed.
  public var detected: SampleTime
  /// When it began: the middle of the window that tipped the probability.
  public var onset: SampleTime
  /// What the wearer does from now on.
  public var activity: Activity
}

/// A stretch without samples. Nothing is decided in it.
public struct SignalGap: Hashable, Sendable, Codable {
  /// The last sample before it, at the model's rate.
  public var start: SampleTime
  /// The first sample after it, at the model's rate.
  public var end: SampleTime
}

/// What a runner wants to reach.
public enum RunGoal: Hashable, Sendable, Codable {
  /// Metres, paused distance left out.
  case distance(meters: Double)
  /// Seconds of moving time.
  case movingTime(seconds: Double)
}

/// Where a run stands at one moment.
public struct RunSnapshot: Hashable, Sendable, Codable {
  /// The moment.
  public var time: SampleTime
  /// Seconds since the start.
  public var elapsed: Double
  /// Seconds of that in which the clock ran.
  public var moving: Double
  /// Whether the clock stands now.
  public var isPaused: Bool
  /// Metres; `nil` while nothing tells.
  public var distance: Double?
  /// Steps per minute, as last measured; `nil` before that.
  public var cadence: Double?
}
