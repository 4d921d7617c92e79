/// A series of numbers that features are computed from: one of the twelve channels, or one derived from them.
///
/// Features of the derived lanes do not depend on how the device is turned. Below, *u* is the user acceleration, *g*
/// gravity, ĝ = *g* / |*g*|, and ω the rotation rate.
public enum Lane: Hashable, Sendable, CustomStringConvertible {
  /// One of the twelve channels, in the channel's unit. Attitude angles are unwrapped inside the window.
  case channel(Channel)
  /// |u|, g.
  case userAccelerationMagnitude
  /// |ω|, rad/s.
  case rotationRateMagnitude
  /// −u · ĝ, g. With Core Motion's sign it is 1 in free fall and strongly negative at foot strike.
  case vertical
  /// Acceleration perpendicular to the vertical, |u − (u · ĝ) ĝ|, g.
  case horizontal
  /// Total acceleration |g + u|, g, as a raw accelerometer measures it.
  case total
  /// |Δu| × rate, g/s, from sample to sample at the model's rate; 0 for the first sample of a stream and after a gap.
  case jerk
  /// The unit vector ĝ. It has three components, so only `Statistic.sphericalVariance` applies to it.
  case gravityDirection

  /// The lanes with one number a sample: all but `gravityDirection`, channels first.
  public static let scalars: [Lane] = Channel.allCases.map(Lane.channel) + derived

  static let derived: [Lane] = [
    .userAccelerationMagnitude, .rotationRateMagnitude, .vertical, .horizontal, .total, .jerk,
  ]

  /// The unit of the lane's values.
  public var unit: String {
    switch self {
    case .channel(let channel): channel.unit
    case .userAccelerationMagnitude, .vertical, .horizontal, .total: "g"
    case .rotationRateMagnitude: "rad/s"
    case .jerk: "g/s"
    case .gravityDirection: "1"
    }
  }

  /// Whether the lane is the length of a vector, which cannot be negative.
  var isNeverNegative: Bool {
    switch self {
    case .channel, .vertical, .gravityDirection: false
    case .userAccelerationMagnitude, .rotationRateMagnitude, .horizontal, .total, .jerk: true
    }
  }

  /// The channels that the lane is computed from.
  public var neededChannels: [Channel] {
    switch self {
    case .channel(let channel): [channel]
    case .userAccelerationMagnitude, .jerk: Array(Sensor.userAcceleration.channels)
    case .rotationRateMagnitude: Array(Sensor.rotationRate.channels)
    case .vertical, .horizontal, .total: Array(Sensor.gravity.channels + Sensor.userAcceleration.channels)
    case .gravityDirection: Array(Sensor.gravity.channels)
    }
  }

  /// The lane's textual form, such as `userAcceleration.magnitude`, which begins a feature's text.
  public var description: String {
    switch self {
    case .channel(let channel): channel.rawValue
    case .userAccelerationMagnitude: "userAcceleration.magnitude"
    case .rotationRateMagnitude: "rotationRate.magnitude"
    case .vertical: "vertical"
    case .horizontal: "horizontal"
    case .total: "total"
    case .jerk: "jerk"
    case .gravityDirection: "gravity"
    }
  }

  static let all: [Lane] = scalars + [.gravityDirection]
}
