/// The true motion of a phone: its attitude and acceleration on a fine time grid, without sensor errors.
struct MotionTrack {
  /// Grid points per second. Every sample rate samples the same track.
  static let hertz = 400.0

  /// The time between grid points, seconds.
  static let step = 1 / hertz

  /// Standard gravity, m/s².
  static let standardGravity = 9.80665

  /// The rotation from device axes to world axes; shape `[grid points]`.
  var attitude: [Rotation] = []

  /// Acceleration of the phone in world axes, g, positive in the direction of increasing speed; shape `[grid points]`.
  var acceleration: [SIMD3<Double>] = []

  init(capacity: Int) {
    attitude.reserveCapacity(capacity)
    acceleration.reserveCapacity(capacity)
  }
}

/// A phone attached by a spring and a damper: cloth, flesh or an elbow. Slow motion passes unchanged; impacts make it
/// ring.
///
/// Equation: r″ = −ω²r − 2ζω r′ − a, where r is the phone's position relative to a body with acceleration a; the
/// phone's acceleration is a + r″.
struct SpringMount {
  private let stiffness: Double
  private let friction: Double
  private var place = SIMD3<Double>.zero
  private var speed = SIMD3<Double>.zero

  init(hertz: Double, damping: Double) {
    let omega = 2 * Double.pi * hertz
    stiffness = omega * omega
    friction = 2 * damping * omega
  }

  /// Advances by one grid step and returns the phone's position, in the unit of `drive` × s², and its acceleration over
  /// that step.
  mutating func follow(_ drive: SIMD3<Double>) -> (place: SIMD3<Double>, acceleration: SIMD3<Double>) {
    let relative = -place * stiffness - speed * friction - drive
    speed += relative * MotionTrack.step
    place += speed * MotionTrack.step
    return (place, relative + drive)
  }
}
