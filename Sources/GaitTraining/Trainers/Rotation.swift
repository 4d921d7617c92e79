/// A rotation as a unit quaternion. A device's attitude rotates device axes into world axes.
///
/// World axes: x forward (or along the phone's reference direction), y left, z up.
package struct Rotation {
  /// The quaternion's vector part: axis × sine of half the angle.
  package var vector: SIMD3<Double>
  /// The quaternion's scalar part: cosine of half the angle.
  package var scalar: Double

  package static let identity = Rotation(vector: .zero, scalar: 1)

  package init(vector: SIMD3<Double>, scalar: Double) {
    self.vector = vector
    self.scalar = scalar
  }

  /// The rotation about the direction of `turn` by its length in radians.
  package init(turn: SIMD3<Double>) {
    let angle = (turn * turn).sum().squareRoot()
    guard angle > 1e-12 else {
      self.init(vector: turn / 2, scalar: 1)
      return
    }
    self.init(vector: turn * (PortableMath.sine(angle / 2) / angle), scalar: PortableMath.cosine(angle / 2))
  }

  package static func about(x angle: Double) -> Rotation { Rotation(turn: SIMD3(angle, 0, 0)) }
  package static func about(y angle: Double) -> Rotation { Rotation(turn: SIMD3(0, angle, 0)) }
  package static func about(z angle: Double) -> Rotation { Rotation(turn: SIMD3(0, 0, angle)) }

  package var inverse: Rotation { Rotation(vector: -vector, scalar: scalar) }

  package var normalized: Rotation {
    let length = ((vector * vector).sum() + scalar * scalar).squareRoot()
    return Rotation(vector: vector / length, scalar: scalar / length)
  }

  /// The composition: first `right`, then `left`.
  package static func * (left: Rotation, right: Rotation) -> Rotation {
    Rotation(
      vector: right.vector * left.scalar + left.vector * right.scalar + left.vector.cross(right.vector),
      scalar: left.scalar * right.scalar - (left.vector * right.vector).sum())
  }

  /// The rotated vector.
  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let twice = vector.cross(point) * 2
    return point + twice * scalar + vector.cross(twice)
  }

  /// The rotation vector from this rotation to `next` in device axes, radians. Below 0.1 rad it is accurate to 1e-3 of
  /// its length.
  package func smallTurn(to next: Rotation) -> SIMD3<Double> {
    let step = inverse * next
    return step.vector * (step.scalar < 0 ? -2 : 2)
  }

  /// The direction of gravity in device axes, g; length 1.
  package var gravity: SIMD3<Double> { inverse(SIMD3(0, 0, -1)) }

  /// Roll about y, pitch about x and yaw about z, radians, in Core Motion's convention: yaw first, then pitch, then
  /// roll.
  ///
  /// Gravity is (sin roll · cos pitch, −sin pitch, −cos roll · cos pitch); MotionSense's recordings agree to 1e-6.
  package var angles: SIMD3<Double> {
    let down = gravity
    let ahead = self(SIMD3(0, 1, 0))
    return SIMD3(
      PortableMath.arcTangent(y: down.x, x: -down.z),
      PortableMath.arcTangent(y: -down.y, x: (down.x * down.x + down.z * down.z).squareRoot()),
      PortableMath.arcTangent(y: -ahead.x, x: ahead.y))
  }
}

extension SIMD3<Double> {
  package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
