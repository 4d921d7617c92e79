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
  /// The lap button.
  case lap(at: SampleTime)
  /// Another policy from now on.
  case policy(PausePolicy, at: SampleTime)

  /// The time of the input, on the clock of the samples.
  public var time: SampleTime {
    switch self {
    case .motion(let sample): sample.time
    case .location(let sample): sample.time
    case .altitude(let sample): sample.time
    case .pause(_, let time), .resume(let time), .lap(let time), .policy(_, let time): time
    }
  }
}
