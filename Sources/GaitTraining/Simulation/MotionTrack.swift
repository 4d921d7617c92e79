/// What truly happens to a phone: its attitude and acceleration on a fine grid of times, before any sensor sees them.
struct MotionTrack {
  /// Grid points in a second. Every sample rate reads the same track.
  static let hertz = 400.0

  /// The time from one grid point to the next, seconds.
  static let step = 1 / hertz

  /// Standard gravity, m/s².
  static let standardGravity = 9.80665

  /// What turns device axes into world axes; shape `[grid points]`.
  var attitude: [Rotation] = []

  /// Acceleration of the phone in world axes, g, positive the way it speeds up; shape `[grid points]`.
  var acceleration: [SIMD3<Double>] = []

  init(capacity: Int) {
    attitude.reserveCapacity(capacity)
    acceleration.reserveCapacity(capacity)
  }
}

/// A phone held by a spring and a damper: cloth, flesh or an elbow. Slow motion passes unchanged, jolts make it ring.
///
/// Equation: r″ = −ω²r − 2ζω r′ − a, for r the phone's place against a body that accelerates by a; the phone feels a + r″.
struct SprungPhone {
  private let stiffness: Double
  private let friction: Double
  private var place = SIMD3<Double>.zero
  private var speed = SIMD3<Double>.zero

  init(hertz: Double, damping: Double) {
    let omega = 2 * Double.pi * hertz
    stiffness = omega * omega
    friction = 2 * damping * omega
  }

  /// The phone's place one grid step later, in the unit of `drive` × s², and its acceleration over that step.
  mutating func follow(_ drive: SIMD3<Double>) -> (place: SIMD3<Double>, acceleration: SIMD3<Double>) {
    let relative = -place * stiffness - speed * friction - drive
    speed += relative * MotionTrack.step
    place += speed * MotionTrack.step
    return (place, relative + drive)
  }
}
