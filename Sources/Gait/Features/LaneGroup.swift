/// Eight lanes side by side in a packed row: two registers in a baseline build, one in a build for newer processors.
typealias LaneGroup = SIMD8<Float>

extension SIMD8<Float> {
  /// Each lane's absolute value.
  @inline(__always)
  var magnitudes: LaneGroup {
    let mask = SIMD8<UInt32>(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD8<UInt32>.self) & mask, to: LaneGroup.self)
  }

  /// self + a · b; fused in a build for newer processors.
  @inline(__always)
  func adding(_ a: LaneGroup, times b: LaneGroup) -> LaneGroup {
    #if GAIT_X86_64_V3
      addingProduct(a, b)
    #else
      self + a * b
    #endif
  }

  /// The lanes in reverse order.
  @inline(__always)
  var reversed: LaneGroup { LaneGroup(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0]) }

  /// The sum of all lanes, by pairwise addition.
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
  /// self + a · b.
  @inline(__always)
  func adding(_ a: SIMD4, times b: SIMD4) -> SIMD4 {
    #if GAIT_X86_64_V3
      addingProduct(a, b)
    #else
      self + a * b
    #endif
  }

  /// Each lane's absolute value.
  @inline(__always)
  var magnitudes: SIMD4 {
    let mask = SIMD4<UInt32>(repeating: 0x7fff_ffff)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & mask, to: SIMD4.self)
  }

  /// The smaller of two values in each lane.
  @inline(__always)
  func lesser(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .< self) }

  /// The greater of two values in each lane.
  @inline(__always)
  func greater(_ other: SIMD4) -> SIMD4 { replacing(with: other, where: other .> self) }
}
