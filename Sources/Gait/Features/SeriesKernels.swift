/// Sums along one lane that is contiguous in time, eight samples at a time.
///
/// Kernels may read up to seven Floats behind a lane; what stands there changes no result.
enum SeriesKernels {
  /// How many zeros must stand behind a mean-removed series, so that it may be shifted against itself.
  static let padding = 24

  /// Eight consecutive values.
  @inline(__always)
  static func group(_ values: UnsafePointer<Float>, at index: Int) -> LaneGroup {
    UnsafeRawPointer(values + index).loadUnaligned(as: LaneGroup.self)
  }

  /// Which of eight places are below `count`.
  @inline(__always)
  private static func places(below count: Int) -> SIMDMask<SIMD8<Int32>> {
    SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7) .< SIMD8(repeating: Int32(truncatingIfNeeded: count))
  }

  /// Eight consecutive values; `filler` takes the places from `count` on.
  @inline(__always)
  static func group(_ values: UnsafePointer<Float>, at index: Int, below count: Int, filler: Float) -> LaneGroup {
    if index + 8 <= count { return group(values, at: index) }
    let fillers = LaneGroup(repeating: filler)
    return index < count
      ? fillers.replacing(with: group(values, at: index), where: places(below: count - index)) : fillers
  }

  /// Hands a lane to `body` eight values at a time; `filler` takes the places behind its end.
  @inline(__always)
  static func forEachGroup(
    _ lane: UnsafePointer<Float>, count: Int, filler: Float, _ body: (LaneGroup) -> Void
  ) {
    var index = 0
    while index + 8 <= count {
      body(group(lane, at: index))
      index &+= 8
    }
    if index < count { body(group(lane, at: index, below: count, filler: filler)) }
  }

  /// How far the mean lies from the first value: distances are summed, so that a lane of 1e6 ± 0.1 keeps its 0.1.
  static func meanFromFirst(_ lane: UnsafePointer<Float>, count: Int) -> Float {
    let first = lane[0]
    var sums = LaneGroup.zero
    forEachGroup(lane, count: count, filler: first) { sums += $0 - first }
    return sums.total / Float(count)
  }

  /// Writes x − mean and returns its mean square; the series ends in `padding` zeros.
  static func removeMean(
    _ lane: UnsafePointer<Float>, count: Int, meanFromFirst: Float, into series: UnsafeMutablePointer<Float>
  ) -> Float {
    let first = lane[0]
    let output = UnsafeMutableRawPointer(series)
    var squares = LaneGroup.zero
    var index = 0
    while index + 8 <= count {
      let values = (group(lane, at: index) - first) - meanFromFirst
      output.storeBytes(of: values, toByteOffset: 4 &* index, as: LaneGroup.self)
      squares += values * values
      index &+= 8
    }
    if index < count {
      let values = (group(lane, at: index) - first) - meanFromFirst
      let last = LaneGroup.zero.replacing(with: values, where: places(below: count - index))
      output.storeBytes(of: last, toByteOffset: 4 &* index, as: LaneGroup.self)
      squares += last * last
      index &+= 8
    }
    output.storeBytes(of: LaneGroup.zero, toByteOffset: 4 &* index, as: LaneGroup.self)
    output.storeBytes(of: LaneGroup.zero, toByteOffset: 4 &* index + 32, as: LaneGroup.self)
    return squares.total / Float(count)
  }

  /// The smallest and the largest value.
  static func extrema(_ lane: UnsafePointer<Float>, count: Int) -> (minimum: Float, maximum: Float) {
    var (minimum, maximum) = (LaneGroup(repeating: lane[0]), LaneGroup(repeating: lane[0]))
    forEachGroup(lane, count: count, filler: lane[0]) {
      minimum = $0.lesser(minimum)
      maximum = $0.greater(maximum)
    }
    return (minimum.least, maximum.greatest)
  }

  /// Σ|xᵢ − xᵢ₋₁|.
  static func absoluteDifferences(_ lane: UnsafePointer<Float>, count: Int) -> Float {
    var sums = LaneGroup.zero
    var index = 1
    while index + 8 <= count {
      sums += (group(lane, at: index) - group(lane, at: index - 1)).magnitudes
      index &+= 8
    }
    if index < count {
      let differences = group(lane, at: index) - group(lane, at: index - 1)
      sums += LaneGroup.zero.replacing(with: differences.magnitudes, where: places(below: count - index))
    }
    return sums.total
  }

  /// How many neighbours lie on different sides of 0; a 0 counts as above.
  static func crossings(_ series: UnsafePointer<Float>, count: Int) -> Float {
    @inline(__always)
    func changes(at index: Int) -> SIMD8<UInt32> {
      let (here, before) = (group(series, at: index), group(series, at: index - 1))
      return (unsafeBitCast(here, to: SIMD8<UInt32>.self) ^ unsafeBitCast(before, to: SIMD8<UInt32>.self)) &>> 31
    }
    var sums = SIMD8<UInt32>.zero
    var index = 1
    while index + 8 <= count {
      sums &+= changes(at: index)
      index &+= 8
    }
    if index < count { sums &+= SIMD8.zero.replacing(with: changes(at: index), where: places(below: count - index)) }
    return Float((sums.lowHalf &+ sums.highHalf).wrappedSum())
  }

  /// The mean distance from the mean and the third and fourth moments about it, from a mean-removed series.
  static func higherMoments(
    _ series: UnsafePointer<Float>, count: Int
  ) -> (distance: Float, third: Float, fourth: Float) {
    var (distance, third, fourth) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    forEachGroup(series, count: count, filler: 0) {
      let square = $0 * $0
      distance += $0.magnitudes
      third += square * $0
      fourth += square * square
    }
    let scale = 1 / Float(count)
    return (distance.total * scale, third.total * scale, fourth.total * scale)
  }

  /// Σ aᵢ bᵢ for four series b that begin `stride` apart, over `count` samples rounded up to whole groups; wherever one of
  /// the factors lies beyond its end, the other must be 0.
  @inline(__always)
  static func products(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, stride: Int, count: Int
  ) -> SIMD4<Float> {
    var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    var index = 0
    while index < count {
      let values = group(a, at: index)
      s0 += values * group(b, at: index)
      s1 += values * group(b + stride, at: index)
      s2 += values * group(b + 2 * stride, at: index)
      s3 += values * group(b + 3 * stride, at: index)
      index &+= 8
    }
    return SIMD4.totals(
      s0.lowHalf + s0.highHalf, s1.lowHalf + s1.highHalf, s2.lowHalf + s2.highHalf, s3.lowHalf + s3.highHalf)
  }
}
