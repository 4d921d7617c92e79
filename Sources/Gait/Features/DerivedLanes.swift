/// Every lane of one sample, channels and derived, as 24 consecutive Floats in three groups.
///
/// The spare fourth lane of each sensor holds a lane that is derived from that sensor.
struct DerivedLanes {
  /// Roll, pitch, yaw, jerk; gravity, total.
  var attitudeAndGravity: LaneGroup
  /// Rotation rate and its magnitude; user acceleration and its magnitude.
  var rotationAndAcceleration: LaneGroup
  /// ĝ, vertical; horizontal, three spare.
  var derived: LaneGroup

  /// The number of groups.
  static let groupCount = 3

  /// The lanes of a sample.
  ///
  /// - Parameters:
  ///   - row: the sample, laid out as `MotionSample.row`.
  ///   - previous: the user acceleration of the sample before; the sample's own at the start of a stream.
  ///   - rate: the sample rate, hertz.
  @inline(__always)
  init(_ row: SIMD16<Float>, after previous: SIMD4<Float>, rate: Float) {
    var attitude = row.lowHalf.lowHalf
    var gravity = row.lowHalf.highHalf
    var rotationRate = row.highHalf.lowHalf
    var acceleration = row.highHalf.highHalf
    let change = acceleration - previous
    let total = gravity + acceleration
    var direction = gravity / (gravity * gravity).sum().squareRoot()
    let along = (acceleration * direction).sum()
    let across = acceleration - along * direction
    let squares = SIMD4(
      (change * change).sum(), (total * total).sum(), (rotationRate * rotationRate).sum(),
      (acceleration * acceleration).sum())
    let lengths = squares.squareRoot()
    attitude.w = lengths[0] * rate
    gravity.w = lengths[1]
    rotationRate.w = lengths[2]
    acceleration.w = lengths[3]
    direction.w = -along
    attitudeAndGravity = LaneGroup(lowHalf: attitude, highHalf: gravity)
    rotationAndAcceleration = LaneGroup(lowHalf: rotationRate, highHalf: acceleration)
    derived = LaneGroup(
      lowHalf: direction, highHalf: SIMD4((across * across).sum().squareRoot(), 0, 0, 0))
  }

  /// Where the values of a lane stand among the 24.
  static func positions(of lane: Lane) -> [Int] {
    switch lane {
    case .channel(let channel): [channel.lane]
    case .jerk: [3]
    case .total: [7]
    case .rotationRateMagnitude: [11]
    case .userAccelerationMagnitude: [15]
    case .gravityDirection: [16, 17, 18]
    case .vertical: [19]
    case .horizontal: [20]
    }
  }

  /// The positions that hold angles.
  static let angles = 0..<3
}
