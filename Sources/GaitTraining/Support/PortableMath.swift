/// Trigonometry from additions, multiplications and square roots only, which IEEE 754 rounds identically everywhere.
///
/// The last bits of `sin` and `atan2` differ between systems, but simulated recordings must be the same on all of them.
package enum PortableMath {
  /// The sine of `angle` radians, to 1e-15 absolute for angles up to a million. A larger angle is first shortened by
  /// `reduced`.
  package static func sine(_ angle: Double) -> Double {
    let angle = reduced(angle)
    let quarter = (angle * (2 / Double.pi)).rounded()
    return quarterSine(angle, quarter: quarter, turn: Int(saturating: quarter))
  }

  /// The cosine of `angle` radians, to 1e-15 absolute for angles up to a million.
  package static func cosine(_ angle: Double) -> Double {
    let angle = reduced(angle)
    let quarter = (angle * (2 / Double.pi)).rounded()
    return quarterSine(angle, quarter: quarter, turn: Int(saturating: quarter) &+ 1)
  }

  /// The angle of the point (`x`, `y`) in radians, `-π...π`, to 1e-14; 0 at the origin.
  package static func arcTangent(y: Double, x: Double) -> Double {
    guard x != 0 || y != 0 else { return 0 }
    let steep = y.magnitude > x.magnitude
    let ratio = steep ? x.magnitude / y.magnitude : y.magnitude / x.magnitude
    var angle = smallArcTangent(ratio)
    if steep { angle = .pi / 2 - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// The angle. Beyond a million, the remainder after whole turns: the number of quarter turns of a larger angle would
  /// not be exact, and may fit no integer. The remainder is exact, and the same everywhere.
  private static func reduced(_ angle: Double) -> Double {
    angle.magnitude <= 1e6 ? angle : angle.remainder(dividingBy: 2 * .pi)
  }

  /// The sine of `angle` minus `quarter` quarter turns, advanced by `turn` quarter turns.
  private static func quarterSine(_ angle: Double, quarter: Double, turn: Int) -> Double {
    // π/2 in two parts: 33 bits with exact products, and the rest (fdlibm's e_rem_pio2.c).
    let rest = (angle - quarter * 1.57079632673412561417) - quarter * 6.07710050650619224932e-11
    switch turn & 3 {
    case 0: return sineSeries(rest)
    case 1: return cosineSeries(rest)
    case 2: return -sineSeries(rest)
    default: return -cosineSeries(rest)
    }
  }

  /// The Taylor series of the sine, to 1e-16 within ±π/4; unrolled because it dominates the time of a simulation.
  private static func sineSeries(_ x: Double) -> Double {
    let square = x * x
    var sum = 1 - square * (1 / 272)
    sum = 1 - sum * square * (1 / 210)
    sum = 1 - sum * square * (1 / 156)
    sum = 1 - sum * square * (1 / 110)
    sum = 1 - sum * square * (1 / 72)
    sum = 1 - sum * square * (1 / 42)
    sum = 1 - sum * square * (1 / 20)
    sum = 1 - sum * square * (1 / 6)
    return x * sum
  }

  /// The Taylor series of the cosine, to 1e-16 within ±π/4.
  private static func cosineSeries(_ x: Double) -> Double {
    let square = x * x
    var sum = 1 - square * (1 / 240)
    sum = 1 - sum * square * (1 / 182)
    sum = 1 - sum * square * (1 / 132)
    sum = 1 - sum * square * (1 / 90)
    sum = 1 - sum * square * (1 / 56)
    sum = 1 - sum * square * (1 / 30)
    sum = 1 - sum * square * (1 / 12)
    sum = 1 - sum * square * (1 / 2)
    return sum
  }

  /// The arc tangent of `ratio`, `0...1`: four times a quarter of the angle, from Gregory's series.
  private static func smallArcTangent(_ ratio: Double) -> Double {
    let half = ratio / (1 + (1 + ratio * ratio).squareRoot())
    let quarter = half / (1 + (1 + half * half).squareRoot())
    var sum = 0.0
    for n in stride(from: 21.0, to: 0, by: -2) { sum = 1 / n - sum * quarter * quarter }
    return 4 * quarter * sum
  }
}
