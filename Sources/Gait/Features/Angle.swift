/// Arithmetic on angles in radians that jump from π to −π.
enum Angle {
  private static let turn = 2 * Float.pi

  /// The same angle within −π…π.
  @inline(__always)
  static func wrapped(_ angle: Float) -> Float {
    angle - turn * (angle / turn).rounded()
  }

  /// The same angle, whole turns added so that it lies within half a turn of `previous`.
  @inline(__always)
  static func continued(_ angle: Float, after previous: Float) -> Float {
    let change = angle - previous
    guard change.magnitude > .pi, change.isFinite else { return angle }
    return angle - turn * (change / turn).rounded()
  }
}
