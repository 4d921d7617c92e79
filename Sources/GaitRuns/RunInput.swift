import Gait

/// One input of a run, so that an app needs one queue, one journal and one call for all of them.
public enum RunInput: Hashable, Sendable {
  /// A sample of motion.
  case motion(MotionSample)
  /// A GPS point.
  case location(LocationSample)
  /// A barometer's reading.
  case altitude(AltitudeSample)
  /// The pause button; `autoResume` says whether movement may resume the run.
  case pause(autoResume: Bool, at: SampleTime)
  /// The resume button.
  case resume(at: SampleTime)

  /// The time of the input, on the clock of the samples.
  public var time: SampleTime {
    switch self {
    case .motion(let sample): sample.time
    case .location(let sample): sample.time
    case .altitude(let sample): sample.time
    case .pause(_, let time), .resume(let time): time
    }
  }
}

extension RunTracker {
  /// Takes the next input; returns its events, usually none. The same as the call for its kind.
  @discardableResult
  public mutating func append(_ input: RunInput) -> [RunEvent] {
    switch input {
    case .motion(let sample): append(sample)
    case .location(let sample): append(sample)
    case .altitude(let sample): append(sample)
    case .pause(let autoResume, let time): pause(autoResume: autoResume, at: time)
    case .resume(let time): resume(at: time)
    }
  }
}
