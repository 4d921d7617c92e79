/// One of the twelve values of a motion sample, by its Core Motion name.
public enum Channel: String, CaseIterable, Hashable, Sendable {
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

  /// The angles wrapped to −π…π. Angles are rarely outside, so only then are they wrapped one by one.
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
