/// A sample of a device's motion: a `CMDeviceMotion` of Core Motion.
///
/// Units are Core Motion's: radians, radians per second, and g (9.80665 m/s²). A value that the source does not have is
/// NaN; Gait never treats a missing value as standing still.
public struct MotionSample: Hashable, Sendable {
  /// The time of the sample.
  public var time: SampleTime

  /// The twelve channels as lanes: roll, pitch, yaw, –, gravity, –, rotation rate, –, user acceleration, –.
  package var row: SIMD16<Float>

  /// A sample from its parts.
  ///
  /// - Parameters:
  ///   - time: the time of the sample.
  ///   - attitude: roll, pitch and yaw in radians, as Core Motion defines them; omit it if the source has none.
  ///   - gravity: gravity in the device's axes, g.
  ///   - rotationRate: rotation about the device's axes, rad/s; omit it if the source has none.
  ///   - userAcceleration: acceleration without gravity in the device's axes, g.
  public init(
    time: SampleTime,
    attitude: SIMD3<Float> = SIMD3(repeating: .nan),
    gravity: SIMD3<Float>,
    rotationRate: SIMD3<Float> = SIMD3(repeating: .nan),
    userAcceleration: SIMD3<Float>
  ) {
    self.time = time
    self.row = SIMD16(
      lowHalf: SIMD8(
        lowHalf: SIMD4(attitude, 0),
        highHalf: SIMD4(gravity, 0)
      ),
      highHalf: SIMD8(
        lowHalf: SIMD4(rotationRate, 0),
        highHalf: SIMD4(userAcceleration, 0)
      )
    )
  }
  /// A row without readings: NaN in every channel, 0 in the unused lanes.
  package static let emptyRow = Channel.allCases.reduce(into: SIMD16<Float>.zero) { $0[$1.lane] = .nan }

  package init(time: SampleTime, row: SIMD16<Float>) {
    self.time = time
    self.row = row
  }

  /// Roll, pitch and yaw of the device in its reference frame: rotation about the y, x and vertical axis, radians.
  public var attitude: SIMD3<Float> { SIMD3(row[0], row[1], row[2]) }

  /// Gravity in the device's axes, g.
  public var gravity: SIMD3<Float> { SIMD3(row[4], row[5], row[6]) }

  /// Rotation about the device's axes, rad/s.
  public var rotationRate: SIMD3<Float> { SIMD3(row[8], row[9], row[10]) }

  /// Acceleration without gravity in the device's axes, g.
  public var userAcceleration: SIMD3<Float> { SIMD3(row[12], row[13], row[14]) }

  /// The value of one channel, in the channel's unit.
  public subscript(channel: Channel) -> Float {
    get { row[channel.lane] }
    set { row[channel.lane] = newValue }
  }
}

/// As JSON, a sample is an object with `version` = 1, `time` (nanoseconds), and `attitude` (rad), `gravity` (g),
/// `rotationRate` (rad/s) and `userAcceleration` (g), each an array of three numbers. A value that is missing or not
/// finite is `null`, and a sensor without values is left out.
extension MotionSample: Codable {
  private enum CodingKeys: String, CodingKey { case version, time, attitude, gravity, rotationRate, userAcceleration }

  private static let sensors: [CodingKeys] = [.attitude, .gravity, .rotationRate, .userAcceleration]

  /// Reads a sample.
  ///
  /// - Throws: `DecodingError` for a version other than 1, and for a sensor that does not have three values.
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

/// One of the twelve values of a motion sample, by its Core Motion name.
public enum Channel: String, CaseIterable, Hashable, Sendable, Codable {
  /// Rotation about the device's y axis, radians.
  case attitudeRoll = "attitude.roll"
  /// Rotation about the device's x axis, radians.
  case attitudePitch = "attitude.pitch"
  /// Rotation about the vertical, radians.
  case attitudeYaw = "attitude.yaw"
  /// Gravity along the device's x axis, g.
  case gravityX = "gravity.x"
  /// Gravity along the device's y axis, g.
  case gravityY = "gravity.y"
  /// Gravity along the device's z axis, g.
  case gravityZ = "gravity.z"
  /// Rotation about the device's x axis, radians per second.
  case rotationRateX = "rotationRate.x"
  /// Rotation about the device's y axis, radians per second.
  case rotationRateY = "rotationRate.y"
  /// Rotation about the device's z axis, radians per second.
  case rotationRateZ = "rotationRate.z"
  /// Acceleration without gravity along the device's x axis, g.
  case userAccelerationX = "userAcceleration.x"
  /// Acceleration without gravity along the device's y axis, g.
  case userAccelerationY = "userAcceleration.y"
  /// Acceleration without gravity along the device's z axis, g.
  case userAccelerationZ = "userAcceleration.z"

  /// The sensor that the channel belongs to.
  package var sensor: Sensor { Sensor.allCases[position / 3] }

  /// The unit of the channel's values.
  public var unit: String { sensor.unit }

  /// The channel's index in `allCases`, `0..<12`.
  var position: Int {
    switch self {
    case .attitudeRoll: 0
    case .attitudePitch: 1
    case .attitudeYaw: 2
    case .gravityX: 3
    case .gravityY: 4
    case .gravityZ: 5
    case .rotationRateX: 6
    case .rotationRateY: 7
    case .rotationRateZ: 8
    case .userAccelerationX: 9
    case .userAccelerationY: 10
    case .userAccelerationZ: 11
    }
  }

  /// The channel's index in `MotionSample.row`: each sensor has four lanes, the fourth unused.
  package var lane: Int { position / 3 * 4 + position % 3 }
}

/// A group of three channels that come from one Core Motion quantity.
package enum Sensor: String, CaseIterable, Hashable, Sendable {
  /// The orientation of the device: roll, pitch and yaw, radians.
  case attitude
  /// The direction of gravity in the device's axes, g.
  case gravity
  /// The angular velocity of the device, radians per second.
  case rotationRate
  /// Acceleration without gravity, g.
  case userAcceleration

  /// The sensor's three channels, in order.
  package var channels: ArraySlice<Channel> {
    let first = Self.allCases.firstIndex(of: self)! * 3
    return Channel.allCases[first..<first + 3]
  }

  /// The unit of the sensor's values.
  package var unit: String {
    switch self {
    case .attitude: "rad"
    case .rotationRate: "rad/s"
    case .gravity, .userAcceleration: "g"
    }
  }
}

/// Wraps and unwraps angles in radians.
enum Angle {
  static let turn = 2 * Float.pi

  /// The angle wrapped to −π…π.
  @inline(__always)
  static func wrapped(_ angle: Float) -> Float {
    angle - turn * (angle / turn).rounded()
  }

  /// The angle plus the whole turns that bring it within π of `previous`.
  @inline(__always)
  static func continued(_ angle: Float, after previous: Float) -> Float {
    let change = angle - previous
    guard change.magnitude > .pi, change.isFinite else { return angle }
    return angle - turn * (change / turn).rounded()
  }

  /// The angles wrapped to −π…π. Angles are rarely outside, so they are wrapped one by one only if one is.
  @inline(__always)
  static func wrapped(_ angles: SIMD4<Float>) -> SIMD4<Float> {
    guard isBeyondHalfTurn(angles) else { return angles }
    var wrapped = angles
    for lane in 0..<3 { wrapped[lane] = Self.wrapped(angles[lane]) }
    return wrapped
  }

  /// The angles plus the whole turns that bring each within π of the one in `previous`.
  @inline(__always)
  static func continued(_ angles: SIMD4<Float>, after previous: SIMD4<Float>) -> SIMD4<Float> {
    guard isBeyondHalfTurn(angles - previous) else { return angles }
    var continued = angles
    for lane in 0..<3 { continued[lane] = Self.continued(angles[lane], after: previous[lane]) }
    return continued
  }

  /// Whether any change of an angle is longer than half a turn.
  @inline(__always)
  static func isBeyondHalfTurn(_ angles: SIMD4<Float>) -> Bool {
    any(angles.magnitudes .> SIMD4(repeating: .pi))
  }
}
