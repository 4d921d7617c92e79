/// Eight lanes that are computed side by side.
///
/// Two SSE or NEON registers, one of AVX: wide enough that a build for newer processors gains, narrow enough that the plain
/// build has registers left over.
typealias LaneGroup = SIMD8<Float>

/// The bit patterns of eight lanes.
private typealias Bits = SIMD8<UInt32>

extension SIMD8<Float> {
  /// Each lane's distance from 0.
  @inline(__always)
  var magnitudes: LaneGroup {
    let mask = Bits(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: Bits.self) & mask, to: LaneGroup.self)
  }

  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .< self) }

  /// The greater of two values in each lane.
  @inline(__always)
  func greater(_ other: LaneGroup) -> LaneGroup { replacing(with: other, where: other .> self) }

  /// The natural logarithm of each lane, for positive normal values; within 1e-7 of the larger of 1 and the result.
  ///
  /// x = m · 2ᵉ with m about 1, and ln m = 2 artanh((m − 1) / (m + 1)) by its series.
  @inline(__always)
  var logarithms: LaneGroup {
    // Subtracting the bits of √½ first makes m run from √½ to √2.
    let offset = Bits(repeating: 0x3f35_04f3)
    let bits = unsafeBitCast(self, to: Bits.self) &- offset
    let fraction = bits & Bits(repeating: 0x007f_ffff)
    let m = unsafeBitCast(fraction &+ offset, to: LaneGroup.self)
    // The exponent as a Float: its bits put under those of 2²³, 256 added so that it is not negative.
    let shifted = (bits &+ Bits(repeating: 0x8000_0000)) &>> Bits(repeating: 23)
    let exponent =
      unsafeBitCast(shifted | Bits(repeating: 0x4b00_0000), to: LaneGroup.self) - LaneGroup(repeating: 8_388_864)
    let one = LaneGroup(repeating: 1)
    let s = (m - one) / (m + one)
    let z = s * s
    var series = z * LaneGroup(repeating: 2 / 9) + LaneGroup(repeating: 2 / 7)
    series = series * z + LaneGroup(repeating: 2 / 5)
    series = series * z + LaneGroup(repeating: 2 / 3)
    series = series * z + LaneGroup(repeating: 2)
    return exponent * LaneGroup(repeating: 0.693_147_18) + series * s
  }
}
