/// As JSON, options are an object with `version` = 1 and an entry for each property, under its name. `policy` is a text: `still`,
/// `notRunning`, `never`, or activities joined by `+`; a goal is `{"distance":{"meters":…}}` or `{"movingTime":{"seconds":…}}`;
/// `strides` has `running`, `walking` (metres per step), `cadenceSlope` and `referenceCadence`. What is missing has its default.
extension RunOptions: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, policy, splitMeters, goals, intervalSeconds, strides, largestLocationAccuracy, snapshotSeconds,
      bodyMass
    case paceSeconds, sampleDelaySeconds, keepsEvidence
  }

  /// Reads options.
  ///
  /// - Throws: `DecodingError` for another version, and for options that a tracker does not take: lengths, spans or masses that
  ///   are not positive, an unknown policy.
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
      snapshotSeconds: try value(.snapshotSeconds, snapshotSeconds), bodyMass: try value(.bodyMass, bodyMass),
      paceSeconds: try value(.paceSeconds, paceSeconds),
      sampleDelaySeconds: try value(.sampleDelaySeconds, sampleDelaySeconds),
      keepsEvidence: try value(.keepsEvidence, keepsEvidence))
    try values.check(splitMeters ?? 1 > 0, at: .splitMeters, "the length of a split must be positive")
    try values.check(
      intervalSeconds.allSatisfy { 1...86_400 ~= $0 }, at: .intervalSeconds, "an interval must last from 1 to 86,400 s")
    try values.check(
      0.001...1e9 ~= snapshotSeconds ?? 1, at: .snapshotSeconds,
      "the interval of snapshots must be within 0.001 to 1e9 s")
    try values.check(bodyMass ?? 1 > 0, at: .bodyMass, "a mass must be positive")
    try values.check(paceSeconds > 0, at: .paceSeconds, "the span of a pace must be positive")
    try values.check(sampleDelaySeconds >= 0, at: .sampleDelaySeconds, "a delay cannot be negative")
  }

  /// Writes the options.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    try values.encode(policy.description, forKey: .policy)
    try values.encode(splitMeters, forKey: .splitMeters)
    try values.encode(goals, forKey: .goals)
    try values.encode(intervalSeconds, forKey: .intervalSeconds)
    try values.encodeIfPresent(strides, forKey: .strides)
    try values.encode(largestLocationAccuracy, forKey: .largestLocationAccuracy)
    try values.encodeIfPresent(snapshotSeconds, forKey: .snapshotSeconds)
    try values.encodeIfPresent(bodyMass, forKey: .bodyMass)
    try values.encode(paceSeconds, forKey: .paceSeconds)
    try values.encode(sampleDelaySeconds, forKey: .sampleDelaySeconds)
    try values.encode(keepsEvidence, forKey: .keepsEvidence)
  }
}
