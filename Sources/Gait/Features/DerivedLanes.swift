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

  /// Derived lanes that somebody needs; the others may be left out.
  struct Wanted: OptionSet, Sendable {
    let rawValue: UInt8
    static let jerk = Wanted(rawValue: 1)
    static let rotation = Wanted(rawValue: 2)
    static let horizontal = Wanted(rawValue: 4)
  }

  /// The lanes of a sample.
  ///
  /// - Parameters:
  ///   - row: the sample, laid out as `MotionSample.row`.
  ///   - previous: the user acceleration of the sample before; the sample's own at the start of a stream.
  ///   - rate: the sample rate, hertz.
  ///   - wanted: which of the optional lanes to compute; the others are 0.
  @inline(__always)
  init(_ row: SIMD16<Float>, after previous: SIMD4<Float>, rate: Float, wanted: Wanted) {
    var attitude = row.lowHalf.lowHalf
    var gravity = row.lowHalf.highHalf
    var rotationRate = row.highHalf.lowHalf
    var acceleration = row.highHalf.highHalf
    let total = gravity + acceleration
    let gravityLength = Self.dot(gravity, gravity).squareRoot()
    var direction = gravity * (1 / gravityLength)
    let along = Self.dot(acceleration, direction)
    var horizontal: Float = 0
    if wanted.contains(.horizontal) {
      let across = acceleration - along * direction
      horizontal = Self.dot(across, across).squareRoot()
    }
    if wanted.contains(.jerk) {
      let change = acceleration - previous
      attitude.w = Self.dot(change, change).squareRoot() * rate
    }
    if wanted.contains(.rotation) { rotationRate.w = Self.dot(rotationRate, rotationRate).squareRoot() }
    gravity.w = Self.dot(total, total).squareRoot()
    acceleration.w = Self.dot(acceleration, acceleration).squareRoot()
    direction.w = -along
    attitudeAndGravity = LaneGroup(lowHalf: attitude, highHalf: gravity)
    rotationAndAcceleration = LaneGroup(lowHalf: rotationRate, highHalf: acceleration)
    derived = LaneGroup(lowHalf: direction, highHalf: SIMD4(horizontal, 0, 0, 0))
  }

  /// The scalar product of two vectors whose fourth lane is 0.
  @inline(__always)
  private static func dot(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let products = a * b
    let halves = products.lowHalf + products.highHalf
    return halves.x + halves.y
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

  /// A position that always holds 0.
  static let alwaysZero = 23

  /// The positions that hold angles.
  static let angles = 0..<3
}
