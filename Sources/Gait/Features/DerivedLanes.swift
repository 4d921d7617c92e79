/// Every lane of one sample, channels and derived, as 24 consecutive Floats.
///
/// The spare fourth lane of each sensor's group holds the lane that is derived from that sensor.
struct DerivedLanes {
  /// Roll, pitch, yaw; jerk.
  var attitude: SIMD4<Float>
  /// Gravity; total.
  var gravity: SIMD4<Float>
  /// Rotation rate; its magnitude.
  var rotationRate: SIMD4<Float>
  /// User acceleration; its magnitude.
  var userAcceleration: SIMD4<Float>
  /// ĝ; vertical.
  var direction: SIMD4<Float>
  /// Horizontal; three spare.
  var others: SIMD4<Float>

  /// The lanes of a sample.
  ///
  /// - Parameters:
  ///   - row: the sample, laid out as `MotionSample.row`.
  ///   - previous: the user acceleration of the sample before; the sample's own at the start of a stream.
  ///   - rate: the sample rate, hertz.
  @inline(__always)
  init(_ row: SIMD16<Float>, after previous: SIMD4<Float>, rate: Float) {
    attitude = row.lowHalf.lowHalf
    gravity = row.lowHalf.highHalf
    rotationRate = row.highHalf.lowHalf
    let u = row.highHalf.highHalf
    userAcceleration = u
    direction = gravity / Self.length(gravity)
    let along = (u * direction).sum()
    let across = u - along * direction
    others = SIMD4(Self.length(across), 0, 0, 0)
    attitude.w = Self.length(u - previous) * rate
    gravity.w = Self.length(gravity + u)
    rotationRate.w = Self.length(rotationRate)
    userAcceleration.w = Self.length(u)
    direction.w = -along
  }

  @inline(__always)
  private static func length(_ vector: SIMD4<Float>) -> Float {
    (vector * vector).sum().squareRoot()
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
