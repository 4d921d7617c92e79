/// A rotation in space as a unit quaternion. For a device's attitude: what turns device axes into world axes.
///
/// World axes are x forward (or wherever the phone's reference lies), y to the left, z up.
struct Rotation {
  /// The quaternion's vector part: axis × sine of half the angle.
  var vector: SIMD3<Double>
  /// The quaternion's scalar part: cosine of half the angle.
  var scalar: Double

  static let identity = Rotation(vector: .zero, scalar: 1)

  init(vector: SIMD3<Double>, scalar: Double) {
    self.vector = vector
    self.scalar = scalar
  }

  /// The rotation about the direction of `turn` by its length in radians.
  init(turn: SIMD3<Double>) {
    let angle = (turn * turn).sum().squareRoot()
    guard angle > 1e-12 else {
      self.init(vector: turn / 2, scalar: 1)
      return
    }
    self.init(vector: turn * (PortableMath.sine(angle / 2) / angle), scalar: PortableMath.cosine(angle / 2))
  }

  static func about(x angle: Double) -> Rotation { Rotation(turn: SIMD3(angle, 0, 0)) }
  static func about(y angle: Double) -> Rotation { Rotation(turn: SIMD3(0, angle, 0)) }
  static func about(z angle: Double) -> Rotation { Rotation(turn: SIMD3(0, 0, angle)) }

  var inverse: Rotation { Rotation(vector: -vector, scalar: scalar) }

  var normalized: Rotation {
    let length = ((vector * vector).sum() + scalar * scalar).squareRoot()
    return Rotation(vector: vector / length, scalar: scalar / length)
  }

  /// First `right`, then `left`.
  static func * (left: Rotation, right: Rotation) -> Rotation {
    Rotation(
      vector: right.vector * left.scalar + left.vector * right.scalar + left.vector.cross(right.vector),
      scalar: left.scalar * right.scalar - (left.vector * right.vector).sum())
  }

  /// The vector, turned.
  func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let twice = vector.cross(point) * 2
    return point + twice * scalar + vector.cross(twice)
  }

  /// The turn from this rotation to `next` as seen from the device, radians; for turns of less than 0.1 rad to 1e-3 of it.
  func smallTurn(to next: Rotation) -> SIMD3<Double> {
    let step = inverse * next
    return step.vector * (step.scalar < 0 ? -2 : 2)
  }

  /// Where gravity points in device axes, g; length 1.
  var gravity: SIMD3<Double> { inverse(SIMD3(0, 0, -1)) }

  /// Roll about y, pitch about x and yaw about z, radians, as Core Motion gives them: yaw first, then pitch, then roll.
  ///
  /// So gravity = (sin roll · cos pitch, −sin pitch, −cos roll · cos pitch), which MotionSense's recordings obey to 1e-6.
  var angles: SIMD3<Double> {
    let down = gravity
    let ahead = self(SIMD3(0, 1, 0))
    return SIMD3(
      PortableMath.arcTangent(y: down.x, x: -down.z),
      PortableMath.arcTangent(y: -down.y, x: (down.x * down.x + down.z * down.z).squareRoot()),
      PortableMath.arcTangent(y: -ahead.x, x: ahead.y))
  }
}

extension SIMD3<Double> {
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
