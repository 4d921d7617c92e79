/// Wraps and unwraps angles in radians.
enum Angle {
  static let turn = 2 * Float.pi

  /// The angle wrapped to −π…π.
  @inline(__always)
  static func wrapped(_ angle: Float) -> Float {
    angle - turn * (angle / turn).rounded()
  }

  /// The angle plus the whole turns that bring it within π of `previous`.
  @inline(__always)
  static func continued(_ angle: Float, after previous: Float) -> Float {
    let change = angle - previous
    guard change.magnitude > .pi, change.isFinite else { return angle }
    return angle - turn * (change / turn).rounded()
  }

  /// The angles wrapped to −π…π. Angles are rarely outside, so only then are they wrapped one by one.
  @inline(__always)
  static func wrapped(_ angles: SIMD4<Float>) -> SIMD4<Float> {
    guard isBeyondHalfTurn(angles) else { return angles }
    var wrapped = angles
    for lane in 0..<3 { wrapped[lane] = Self.wrapped(angles[lane]) }
    return wrapped
  }

  /// The angles plus the whole turns that bring each within π of the one in `previous`.
  @inline(__always)
  static func continued(_ angles: SIMD4<Float>, after previous: SIMD4<Float>) -> SIMD4<Float> {
    guard isBeyondHalfTurn(angles - previous) else { return angles }
    var continued = angles
    for lane in 0..<3 { continued[lane] = Self.continued(angles[lane], after: previous[lane]) }
    return continued
  }

  @inline(__always)
  private static func isBeyondHalfTurn(_ angles: SIMD4<Float>) -> Bool {
    let beyond = SIMD4<Float>.zero.replacing(with: 1, where: (angles .> .pi) .| (angles .< -.pi))
    return beyond.sum() > 0
  }
}
