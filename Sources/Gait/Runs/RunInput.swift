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
  /// A change of the policy at the time `at`.
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

/// As JSON, an input is an object with `version` = 1 and one entry, named after the case: `motion` and `location` and
/// `altitude` with the sample, `pause` with `at` (nanoseconds) and `autoResume`, `resume` and `lap` with `at`, or
/// `policy` with `at` and `policy` (`still`, `notRunning`, `never`, or activities joined by `+`).
///
/// JSON has no NaN: a GPS point or an altitude that is not finite is an `EncodingError`. A `RunJournal` keeps those,
/// too.
extension RunInput: Codable {
  private enum CodingKeys: String, CodingKey { case version, motion, location, altitude, pause, resume, lap, policy }

  /// The entries of a button or a policy.
  private struct Press: Codable {
    var at: SampleTime
    var autoResume: Bool?
    var policy: String?
  }

  /// Reads an input.
  ///
  /// - Throws: `DecodingError` for a version other than 1, an input of an unknown kind, and an unknown policy.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    func press(_ key: CodingKeys) throws -> Press { try values.decode(Press.self, forKey: key) }
    switch values.allKeys.first(where: { $0 != .version }) {
    case .motion: self = .motion(try values.decode(MotionSample.self, forKey: .motion))
    case .location: self = .location(try values.decode(LocationSample.self, forKey: .location))
    case .altitude: self = .altitude(try values.decode(AltitudeSample.self, forKey: .altitude))
    case .pause:
      let press = try press(.pause)
      self = .pause(autoResume: press.autoResume ?? false, at: press.at)
    case .resume: self = .resume(at: try press(.resume).at)
    case .lap: self = .lap(at: try press(.lap).at)
    case .policy:
      let press = try press(.policy)
      let text = press.policy ?? ""
      guard let policy = PausePolicy(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .policy, in: values, debugDescription: "\"\(text)\" is no policy")
      }
      self = .policy(policy, at: press.at)
    case .version, nil:
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values, debugDescription: "this Gait does not know the input; update the app")
    }
  }

  /// Writes the input.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    switch self {
    case .motion(let sample): try values.encode(sample, forKey: .motion)
    case .location(let sample): try values.encode(sample, forKey: .location)
    case .altitude(let sample): try values.encode(sample, forKey: .altitude)
    case .pause(let autoResume, let time): try values.encode(Press(at: time, autoResume: autoResume), forKey: .pause)
    case .resume(let time): try values.encode(Press(at: time), forKey: .resume)
    case .lap(let time): try values.encode(Press(at: time), forKey: .lap)
    case .policy(let policy, let time):
      try values.encode(Press(at: time, policy: policy.description), forKey: .policy)
    }
  }
}
