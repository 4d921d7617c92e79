/// As JSON, a sample is an object with `version` = 1, `time` (nanoseconds), and `attitude` (rad), `gravity` (g), `rotationRate`
/// (rad/s) and `userAcceleration` (g), each an array of three numbers. A value that is missing or not finite is `null`, and a
/// sensor without values is left out.
extension MotionSample: Codable {
  private enum CodingKeys: String, CodingKey { case version, time, attitude, gravity, rotationRate, userAcceleration }

  private static let sensors: [CodingKeys] = [.attitude, .gravity, .rotationRate, .userAcceleration]

  /// Reads a sample.
  ///
  /// - Throws: `DecodingError` for another version, and for a sensor without three values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version)
    var row = SIMD16<Float>.zero
    for (index, key) in Self.sensors.enumerated() {
      let axes = try values.decodeIfPresent([Float?].self, forKey: key) ?? [nil, nil, nil]
      try values.check(axes.count == 3, at: key, "has \(axes.count) values instead of three")
      for (axis, value) in axes.enumerated() { row[4 * index + axis] = value ?? .nan }
    }
    self.init(time: try values.decode(SampleTime.self, forKey: .time), row: row)
  }

  /// Writes the sample.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(FormVersion.current, forKey: .version)
    try values.encode(time, forKey: .time)
    for (index, key) in Self.sensors.enumerated() {
      let axes = (0..<3).map { row[4 * index + $0].isFinite ? row[4 * index + $0] : nil }
      if axes.contains(where: { $0 != nil }) { try values.encode(axes, forKey: key) }
    }
  }
}
