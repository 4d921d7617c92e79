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

  /// Whether the input is a GPS point.
  var isLocation: Bool { if case .location = self { true } else { false } }

  /// The input at a later time, as on a clock that starts again; unchanged for 0 s.
  public func advanced(bySeconds seconds: Double) -> RunInput {
    let time = seconds == 0 ? time : time.advanced(bySeconds: seconds)
    switch self {
    case .motion(var sample):
      sample.time = time
      return .motion(sample)
    case .location(var sample):
      sample.time = time
      return .location(sample)
    case .altitude(var sample):
      sample.time = time
      return .altitude(sample)
    case .pause(let autoResume, _): return .pause(autoResume: autoResume, at: time)
    case .resume: return .resume(at: time)
    case .lap: return .lap(at: time)
    case .policy(let policy, _): return .policy(policy, at: time)
    }
  }
}
