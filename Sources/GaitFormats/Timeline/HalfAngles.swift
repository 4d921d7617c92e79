import Foundation

/// Sines and cosines of half the angles of an attitude, and the arcsine of a small sine, by power series.
///
/// Sines are accurate to a few units in their last place, cosines to a few units in the last place of 1.
enum HalfAngles {
  /// The sine and cosine of half of each angle.
  static func sinesAndCosines(of angles: SIMD4<Double>) -> (sines: SIMD4<Double>, cosines: SIMD4<Double>) {
    guard max(abs(angles.x), abs(angles.y), abs(angles.z), abs(angles.w)) <= furthest else {
      var (sines, cosines) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
      for index in 0..<4 { (sines[index], cosines[index]) = (sin(angles[index] / 2), cos(angles[index] / 2)) }
      return (sines, cosines)
    }
    // The series of a quarter of the angle needs few terms; the double-angle formulas follow.
    let quarters = angles * 0.25
    let square = quarters * quarters
    let sines = quarters * sineOverAngle(square)
    let doubled = sines + sines
    return (doubled * cosine(square), 1 - doubled * sines)
  }

  /// The angle whose sine is `sine`, at most 1/8.
  static func arcSine(_ sine: Double) -> Double {
    let x = sine * sine
    var sum = 143.0 / 10240 + x * (6435.0 / 557_056)
    sum = 231.0 / 13312 + x * sum
    sum = 63.0 / 2816 + x * sum
    sum = 35.0 / 1152 + x * sum
    sum = 5.0 / 112 + x * sum
    sum = 3.0 / 40 + x * sum
    sum = 1.0 / 6 + x * sum
    return sine + sine * (x * sum)
  }

  /// Half a turn, the limit of Core Motion's angles, with a margin for rounding.
  private static let furthest = 3.15

  /// 1 − x²/3! + x⁴/5! − … at x², at most 0.62.
  @inline(__always)
  private static func sineOverAngle(_ square: SIMD4<Double>) -> SIMD4<Double> {
    var sum = 1.0 / 6_227_020_800 - square * (1.0 / 1_307_674_368_000)
    sum = -1.0 / 39_916_800 + square * sum
    sum = 1.0 / 362_880 + square * sum
    sum = -1.0 / 5040 + square * sum
    sum = 1.0 / 120 + square * sum
    sum = -1.0 / 6 + square * sum
    return 1 + square * sum
  }

  /// 1 − x²/2! + x⁴/4! − … at x², at most 0.62.
  @inline(__always)
  private static func cosine(_ square: SIMD4<Double>) -> SIMD4<Double> {
    var sum = -1.0 / 87_178_291_200 + square * (1.0 / 20_922_789_888_000)
    sum = 1.0 / 479_001_600 + square * sum
    sum = -1.0 / 3_628_800 + square * sum
    sum = 1.0 / 40320 + square * sum
    sum = -1.0 / 720 + square * sum
    sum = 1.0 / 24 + square * sum
    sum = -0.5 + square * sum
    return 1 + square * sum
  }
}
