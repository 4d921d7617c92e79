/// What a tracker does besides classifying: its pause policy, splits, goals, snapshots and evidence.
public struct RunOptions: Hashable, Sendable {
  /// The activities that pause the run.
  public var policy: PausePolicy
  /// The length of live splits, metres (`Split.kilometer`, `Split.mile`); `nil` for none.
  public var splitMeters: Double?
  /// The goals to report when they are reached.
  public var goals: [RunGoal]
  /// A programme of intervals, such as 300 s of running and 60 s of walking: their lengths in seconds of moving time, 1
  /// to 86,400 each. A lap ends with every interval; after the last one the programme begins again. Empty for none.
  public var intervalSeconds: [Double]
  /// Step lengths for distance without location; `nil` if unknown.
  public var strides: StrideModel?
  /// The largest horizontal accuracy of a usable GPS point, metres: beyond 30 m a point is often on another street. If
  /// there was no better point for 20 s, points of up to twice as much are used, and the distance has a large error
  /// (`RunTimeline.distanceEstimate`). A number that is not positive rejects every point with an accuracy.
  public var largestLocationAccuracy: Double
  /// How long after later motion a GPS point may arrive and still be used, seconds: receivers deliver points in
  /// batches. A point that arrives later is counted as `tooLate` (`RunTimeline.rejectedLocations`). Not negative.
  public var locationDelaySeconds: Double
  /// The interval of snapshots, 0.001 to 1e9 s; `nil` for none. Snapshots fall on a grid that begins at the first
  /// sample. If time jumps past several points of the grid, only the last one is reported.
  public var snapshotSeconds: Double?
  /// The wearer's mass, kilograms, for the energy in snapshots; `nil` if unknown. `RunTracker.init` throws an error for
  /// a mass that is not positive and finite.
  public var bodyMass: Double?
  /// The span over which a snapshot's current pace is averaged, seconds. The figure lags by half of it: a longer span
  /// makes it steadier and later.
  public var paceSeconds: Double

  /// How long after later samples a sample may arrive and still be sorted, seconds, at most 1: 0.05 suffices for most
  /// sources. All decisions are delayed by it. With 0, samples that arrive late are dropped.
  public var sampleDelaySeconds: Double

  /// Whether to keep the samples, so that the run can be decided again (`RunTracker.evidence`): about 5 MB an hour at
  /// 25 Hz. Without them, memory grows only with events.
  public var keepsEvidence: Bool

  /// Options; those that are not given are the defaults: pause when still, report kilometres, keep the evidence.
  ///
  ///     RunOptions(policy: .whenNotRunning, splitMeters: Split.mile, snapshotSeconds: 1)
  ///
  /// Each parameter is the property of the same name.
  public init(
    policy: PausePolicy = .whenStill, splitMeters: Double? = Split.kilometer, goals: [RunGoal] = [],
    intervalSeconds: [Double] = [], strides: StrideModel? = nil, largestLocationAccuracy: Double = 30,
    locationDelaySeconds: Double = 300, snapshotSeconds: Double? = nil, bodyMass: Double? = nil,
    paceSeconds: Double = 20, sampleDelaySeconds: Double = 0,
    keepsEvidence: Bool = true
  ) {
    self.policy = policy
    self.splitMeters = splitMeters
    self.goals = goals
    self.intervalSeconds = intervalSeconds
    self.strides = strides
    self.largestLocationAccuracy = largestLocationAccuracy
    self.locationDelaySeconds = locationDelaySeconds
    self.snapshotSeconds = snapshotSeconds
    self.bodyMass = bodyMass
    self.paceSeconds = paceSeconds
    self.sampleDelaySeconds = sampleDelaySeconds
    self.keepsEvidence = keepsEvidence
  }

  /// All options as text, which is equal only for equal options. Journals contain it. An option that a later version
  /// adds is named only if it is not the default, so that the text in older journals stays equal.
  package var text: String {
    let strides = strides.map { "\($0.running)/\($0.walking)/\($0.cadenceSlope)/\($0.referenceCadence)" } ?? "-"
    let goals = goals.map { goal in
      switch goal {
      case .distance(let meters): "\(meters) m"
      case .movingTime(let seconds): "\(seconds) s"
      }
    }
    func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "-" }
    return "policy=\(policy) splitMeters=\(text(splitMeters)) goals=\(goals) intervalSeconds=\(intervalSeconds) "
      + "strides=\(strides) largestLocationAccuracy=\(largestLocationAccuracy) "
      + "snapshotSeconds=\(text(snapshotSeconds)) bodyMass=\(text(bodyMass)) paceSeconds=\(paceSeconds) "
      + "keepsEvidence=\(keepsEvidence)"
      + (sampleDelaySeconds == 0 ? "" : " sampleDelaySeconds=\(sampleDelaySeconds)")
      + (locationDelaySeconds == 300 ? "" : " locationDelaySeconds=\(locationDelaySeconds)")
  }
}

/// As JSON, options are an object with `version` = 1 and an entry for each property, under its name. `policy` is a
/// text: `still`, `notRunning`, `never`, or activities joined by `+`; a goal is `{"distance":{"meters":…}}` or
/// `{"movingTime":{"seconds":…}}`; `strides` has `running`, `walking` (metres per step), `cadenceSlope` and
/// `referenceCadence`. A missing entry has its default.
extension RunOptions: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, policy, splitMeters, goals, intervalSeconds, strides, largestLocationAccuracy, locationDelaySeconds,
      snapshotSeconds,
      bodyMass
    case paceSeconds, sampleDelaySeconds, keepsEvidence
  }

  /// Reads options.
  ///
  /// - Throws: `DecodingError` for a version other than 1, and for options that a tracker does not take, such as
  ///   lengths, spans or masses that are not positive, or an unknown policy.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    func value<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
      try values.contains(key) ? values.decode(Value.self, forKey: key) : standard
    }
    self.init()
    let text = try value(.policy, policy.description)
    guard let policy = PausePolicy(text) else {
      throw DecodingError.dataCorruptedError(forKey: .policy, in: values, debugDescription: "\"\(text)\" is no policy")
    }
    self.init(
      policy: policy, splitMeters: try value(.splitMeters, splitMeters), goals: try value(.goals, goals),
      intervalSeconds: try value(.intervalSeconds, intervalSeconds), strides: try value(.strides, strides),
      largestLocationAccuracy: try value(.largestLocationAccuracy, largestLocationAccuracy),
      locationDelaySeconds: try value(.locationDelaySeconds, locationDelaySeconds),
      snapshotSeconds: try value(.snapshotSeconds, snapshotSeconds), bodyMass: try value(.bodyMass, bodyMass),
      paceSeconds: try value(.paceSeconds, paceSeconds),
      sampleDelaySeconds: try value(.sampleDelaySeconds, sampleDelaySeconds),
      keepsEvidence: try value(.keepsEvidence, keepsEvidence))
    for rule in rules { try values.check(rule.isMet, at: rule.option, rule.text) }
  }

  /// The rules for options that a tracker takes.
  private var rules: [(option: CodingKeys, isMet: Bool, text: String)] {
    [
      (.splitMeters, splitMeters ?? 1 > 0, "the length of a split must be positive"),
      (
        .intervalSeconds, intervalSeconds.allSatisfy { 1...86_400 ~= $0 },
        "an interval must last from 1 to 86,400 s of moving time"
      ),
      (
        .snapshotSeconds, 0.001...1e9 ~= snapshotSeconds ?? 1, "the interval of snapshots must be within 0.001 to 1e9 s"
      ),
      (.bodyMass, bodyMass ?? 1 > 0 && bodyMass ?? 1 < .infinity, "a body mass must be a positive number of kilograms"),
      (.paceSeconds, paceSeconds > 0, "the span of a pace must be positive"),
      (.sampleDelaySeconds, sampleDelaySeconds >= 0, "a delay cannot be negative"),
      (.locationDelaySeconds, locationDelaySeconds >= 0, "a delay cannot be negative"),
    ]
  }

  /// Throws `ModelError.invalid` with the first option that a tracker does not take.
  func check() throws(ModelError) {
    guard let broken = rules.first(where: { !$0.isMet }) else { return }
    throw .invalid("RunOptions.\(broken.option.rawValue)", broken.text)
  }

  /// Writes the options.
  public func encode(to encoder: any Encoder) throws {
    // `nil`, for no splits, is not the default, so it is written as null.
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(splitMeters, forKey: .splitMeters)
    try JSONObject([
      "version": FormVersion.current, "policy": policy.description, "goals": goals, "intervalSeconds": intervalSeconds,
      "strides": strides, "largestLocationAccuracy": largestLocationAccuracy,
      "locationDelaySeconds": locationDelaySeconds, "snapshotSeconds": snapshotSeconds,
      "bodyMass": bodyMass, "paceSeconds": paceSeconds, "sampleDelaySeconds": sampleDelaySeconds,
      "keepsEvidence": keepsEvidence,
    ]).encode(to: encoder)
  }
}

/// A distance or a moving time to reach.
public enum RunGoal: Hashable, Sendable, Codable {
  /// Metres, without paused distance.
  case distance(meters: Double)
  /// Seconds of moving time.
  case movingTime(seconds: Double)
}
