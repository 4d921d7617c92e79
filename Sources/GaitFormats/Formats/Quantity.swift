import Gait

/// A vector that a logger records, as three columns.
enum Quantity: CaseIterable {
  case attitude, gravity, rotationRate, userAcceleration
  /// Acceleration including gravity.
  case totalAcceleration

  /// The sensor that the quantity belongs to.
  var sensor: Sensor {
    switch self {
    case .attitude: .attitude
    case .gravity: .gravity
    case .rotationRate: .rotationRate
    case .userAcceleration, .totalAcceleration: .userAcceleration
    }
  }

  /// Whether the quantity is measured in g.
  var isAcceleration: Bool { self == .gravity || self == .userAcceleration || self == .totalAcceleration }
}

/// The sign convention of a source's axes.
///
/// Core Motion's accelerations are those of inertial forces: at rest gravity points down, and a push to the right gives
/// a reading to the left. Android's convention has the opposite sign for both, and opposite senses for yaw and pitch.
/// Rotation rates and roll agree.
enum SignConvention {
  case coreMotion, android

  /// The factors to Core Motion's signs for the three columns of `quantity`.
  func factors(for quantity: Quantity) -> SIMD3<Float> {
    switch (self, quantity) {
    case (.coreMotion, _), (.android, .rotationRate): SIMD3(1, 1, 1)
    case (.android, .attitude): SIMD3(1, -1, -1)
    case (.android, _): SIMD3(-1, -1, -1)
    }
  }
}

/// The source of a recording's user acceleration and gravity.
enum AccelerationSource {
  /// The source has both, each in columns of its own.
  case separate
  /// Gravity is the total minus the user acceleration.
  case totalAndUser
  /// The user acceleration is the total minus gravity.
  case totalAndGravity
  /// The source has only the total.
  case total
  /// The source has only the user acceleration.
  case user

  /// The source in a file with `quantities`; `nil` if they include no acceleration.
  init?(_ quantities: Set<Quantity>) {
    let hasGravity = quantities.contains(.gravity)
    let hasTotal = quantities.contains(.totalAcceleration)
    switch (quantities.contains(.userAcceleration), hasGravity, hasTotal) {
    case (true, true, _): self = .separate
    case (true, false, true): self = .totalAndUser
    case (false, true, true): self = .totalAndGravity
    case (false, false, true): self = .total
    case (true, false, false): self = .user
    case (false, _, false): return nil
    }
  }

  /// The index in a row of the first of the three values of `quantity`; `nil` if the quantity is not read.
  func firstLane(of quantity: Quantity) -> Int? {
    switch (quantity, self) {
    case (.totalAcceleration, .separate), (.totalAcceleration, .user): nil
    case (.totalAcceleration, .totalAndUser): Channel.gravityX.lane
    default: quantity.sensor.channels.first?.lane
    }
  }

  /// The channels of a recording of `quantities`.
  func channels(of quantities: Set<Quantity>) -> Set<Channel> {
    var sensors = [Sensor.userAcceleration]
    if quantities.contains(.attitude) { sensors.append(.attitude) }
    if quantities.contains(.rotationRate) { sensors.append(.rotationRate) }
    switch self {
    case .separate, .totalAndUser, .totalAndGravity: sensors.append(.gravity)
    case .total, .user: break
    }
    return Set(sensors.flatMap(\.channels))
  }

  /// If rows hold the total acceleration and one of its two parts, subtracts that part from the total, in place.
  func separate(_ rows: inout [SIMD16<Float>]) {
    switch self {
    case .separate, .total, .user: return
    case .totalAndUser:
      for index in rows.indices { rows[index].lowHalf.highHalf -= rows[index].highHalf.highHalf }
    case .totalAndGravity:
      for index in rows.indices { rows[index].highHalf.highHalf -= rows[index].lowHalf.highHalf }
    }
  }
}
