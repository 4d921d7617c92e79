/// Eight lanes that are computed side by side.
///
/// Two SSE or NEON registers, one of AVX: wide enough that a build for newer processors gains, narrow enough that the plain
/// build has registers left over.
typealias LaneGroup = SIMD8<Float>

extension SIMD8<Float> {
  /// Each lane's distance from 0.
  @inline(__always)
  var magnitudes: LaneGroup {
    let mask = SIMD8<UInt32>(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD8<UInt32>.self) & mask, to: LaneGroup.self)
  }

  /// The lanes from the last to the first.
  @inline(__always)
  var reversed: LaneGroup { LaneGroup(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0]) }

  /// The sum of all lanes, added in pairs.
  @inline(__always)
  var total: Float {
    let fours = lowHalf + highHalf
    let twos = fours.lowHalf + fours.highHalf
    return twos.x + twos.y
  }

  /// The greatest of all lanes.
  @inline(__always)
  var greatest: Float {
    let fours = lowHalf.greater(highHalf)
    let twos = fours.greater(SIMD4(lowHalf: fours.highHalf, highHalf: fours.highHalf))
    return twos.x < twos.y ? twos.y : twos.x
  }

  /// The least of all lanes.
  @inline(__always)
  var least: Float {
    let fours = lowHalf.lesser(highHalf)
    let twos = fours.lesser(SIMD4(lowHalf: fours.highHalf, highHalf: fours.highHalf))
    return twos.y < twos.x ? twos.y : twos.x
  }

  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .< self) }

  /// The greater of two values in each lane.
  @inline(__always)
  func greater(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .> self) }
}

extension SIMD4<Float> {
  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .< self) }

  /// The greater of two values in each lane.
  @inline(__always)
  func greater(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .> self) }

  /// The natural logarithm of each lane, for positive normal values; within 1e-7 of the larger of 1 and the result.
  ///
  /// x = m · 2ᵉ with m about 1, and ln m = 2 artanh((m − 1) / (m + 1)) by its series.
  @inline(__always)
  var logarithms: SIMD4<Float> {
    // Subtracting the bits of √½ first makes m run from √½ to √2.
    let offset = SIMD4<UInt32>(repeating: 0x3f35_04f3)
    let bits = unsafeBitCast(self, to: SIMD4<UInt32>.self) &- offset
    let fraction = bits & SIMD4<UInt32>(repeating: 0x007f_ffff)
    let m = unsafeBitCast(fraction &+ offset, to: SIMD4<Float>.self)
    // The exponent as a Float: its bits put under those of 2²³, 256 added so that it is not negative.
    let shifted = (bits &+ SIMD4<UInt32>(repeating: 0x8000_0000)) &>> SIMD4<UInt32>(repeating: 23)
    let exponent =
      unsafeBitCast(shifted | SIMD4<UInt32>(repeating: 0x4b00_0000), to: SIMD4<Float>.self)
      - SIMD4<Float>(repeating: 8_388_864)
    let one = SIMD4<Float>(repeating: 1)
    let s = (m - one) / (m + one)
    let z = s * s
    var series = z * SIMD4<Float>(repeating: 2 / 9) + SIMD4<Float>(repeating: 2 / 7)
    series = series * z + SIMD4<Float>(repeating: 2 / 5)
    series = series * z + SIMD4<Float>(repeating: 2 / 3)
    series = series * z + SIMD4<Float>(repeating: 2)
    return exponent * SIMD4<Float>(repeating: 0.693_147_18) + series * s
  }
}
