/// Sums along one lane that is contiguous in time, eight samples at a time.
///
/// Kernels may read up to seven Floats past the end of a lane; their values do not affect results.
enum SeriesKernels {
  /// The number of zeros required after a mean-removed series, for the lagged products.
  static let padding = 24

  /// Eight consecutive values.
  @inline(__always)
  static func group(_ values: UnsafePointer<Float>, at index: Int) -> LaneGroup {
    UnsafeRawPointer(values + index).loadUnaligned(as: LaneGroup.self)
  }

  /// A mask of the first `count` of eight lanes.
  @inline(__always)
  private static func places(below count: Int) -> SIMDMask<SIMD8<Int32>> {
    SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7) .< SIMD8(repeating: Int32(truncatingIfNeeded: count))
  }

  /// Eight consecutive values, with `filler` from index `count` on.
  @inline(__always)
  static func group(_ values: UnsafePointer<Float>, at index: Int, below count: Int, filler: Float) -> LaneGroup {
    if index &+ 8 <= count { return group(values, at: index) }
    let fillers = LaneGroup(repeating: filler)
    return index < count
      ? fillers.replacing(with: group(values, at: index), where: places(below: count - index)) : fillers
  }

  /// Calls `body` with eight values of a lane at a time, with `filler` past its end.
  @inline(__always)
  static func forEachGroup(
    _ lane: UnsafePointer<Float>, count: Int, filler: Float, _ body: (LaneGroup) -> Void
  ) {
    var index = 0
    let pairs = count & ~15
    while index < pairs {
      body(group(lane, at: index))
      body(group(lane, at: index &+ 8))
      index &+= 16
    }
    while index < count {
      body(group(lane, at: index, below: count, filler: filler))
      index &+= 8
    }
  }

  /// The mean minus the first value. Differences are summed, so that a lane of 1e6 ± 0.1 keeps its 0.1.
  static func meanFromFirst(_ lane: UnsafePointer<Float>, count: Int) -> Float {
    let first = lane[0]
    var sums = LaneGroup.zero
    forEachGroup(lane, count: count, filler: first) { sums += $0 - first }
    return sums.total / Float(count)
  }

  /// Writes x − mean, followed by zeros, and returns its mean square.
  static func removeMean(
    _ lane: UnsafePointer<Float>, count: Int, meanFromFirst: Float, into series: UnsafeMutablePointer<Float>
  ) -> Float {
    let first = lane[0]
    let output = UnsafeMutableRawPointer(series)
    var squares = LaneGroup.zero
    var index = 0
    let whole = count & ~7
    while index < whole {
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
    while index &+ 8 <= count {
      sums += (group(lane, at: index) - group(lane, at: index - 1)).magnitudes
      index &+= 8
    }
    if index < count {
      let differences = group(lane, at: index) - group(lane, at: index - 1)
      sums += LaneGroup.zero.replacing(with: differences.magnitudes, where: places(below: count - index))
    }
    return sums.total
  }

  /// The number of zero crossings; a 0 counts as positive.
  static func crossings(_ series: UnsafePointer<Float>, count: Int) -> Float {
    @inline(__always)
    func changes(at index: Int) -> SIMD8<UInt32> {
      let (here, before) = (group(series, at: index), group(series, at: index - 1))
      return (unsafeBitCast(here, to: SIMD8<UInt32>.self) ^ unsafeBitCast(before, to: SIMD8<UInt32>.self)) &>> 31
    }
    var sums = SIMD8<UInt32>.zero
    var index = 1
    while index &+ 8 <= count {
      sums &+= changes(at: index)
      index &+= 8
    }
    if index < count { sums &+= SIMD8.zero.replacing(with: changes(at: index), where: places(below: count - index)) }
    return Float((sums.lowHalf &+ sums.highHalf).wrappedSum())
  }

  /// The mean absolute deviation and the third and fourth central moments of a mean-removed series.
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

  /// Σ xᵢ xᵢ₊ₖ for one lag k, over a series followed by `padding` zeros, eight samples at a time.
  static func product(_ series: UnsafePointer<Float>, lag: Int, count: Int) -> Float {
    var sums = LaneGroup.zero
    let (shifted, end) = (series + lag, count &- lag)
    var index = 0
    while index < end {
      sums = sums.adding(group(series, at: index), times: group(shifted, at: index))
      index &+= 8
    }
    return sums.total
  }

  /// Σ xᵢ².
  static func energy(_ series: UnsafePointer<Float>, count: Int) -> Float {
    var sums = LaneGroup.zero
    forEachGroup(series, count: count, filler: 0) { sums = sums.adding($0, times: $0) }
    return sums.total
  }

  /// Σ xᵢ xᵢ₊ₖ for one lag k, eight samples at a time, over a series that other values follow. `product` needs zeros
  /// after the series; for it, the lanes of the rotation rate would have to be copied in every window.
  static func boundedProduct(_ series: UnsafePointer<Float>, lag: Int, count: Int) -> Float {
    var sums = LaneGroup.zero
    let (shifted, end) = (series + lag, count &- lag)
    var index = 0
    while index < end {
      let values = group(shifted, at: index, below: end, filler: 0)
      sums = sums.adding(group(series, at: index, below: end, filler: 0), times: values)
      index &+= 8
    }
    return sums.total
  }

  /// Σ xᵢ xᵢ₊ₖ for four lags k from `lag` on, over a series followed by `padding` zeros, eight samples at a time.
  static func fourProducts(
    _ series: UnsafePointer<Float>, lag: Int, count: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    let products = fourProducts(series, seriesCount: 1, stride: 0, lag: lag, count: count)
    UnsafeMutableRawPointer(sums).storeBytes(of: products, as: SIMD4<Float>.self)
  }

  /// The same, summed over series that begin `stride` values apart.
  @inline(__always)
  static func fourProducts(
    _ series: UnsafePointer<Float>, seriesCount: Int, stride: Int, lag: Int, count: Int
  ) -> SIMD4<Float> {
    var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    let end = count &- lag
    for number in 0..<seriesCount {
      let series = series + number &* stride
      let shifted = series + lag
      var index = 0
      while index < end {
        let values = group(series, at: index)
        s0 = s0.adding(values, times: group(shifted, at: index))
        s1 = s1.adding(values, times: group(shifted, at: index &+ 1))
        s2 = s2.adding(values, times: group(shifted, at: index &+ 2))
        s3 = s3.adding(values, times: group(shifted, at: index &+ 3))
        index &+= 8
      }
    }
    return LaneGroup.totals(s0, s1, s2, s3)
  }

  /// The number of lags in `manyProducts`: with more, the sums would not fit the registers of a baseline processor.
  static let manyLags = 24

  /// Σ xᵢ xᵢ₊ₖ for `manyLags` lags k from `lag` on, over a series followed by `padding` zeros. It takes one sample at a
  /// time and eight lags side by side, so no lanes need to be summed.
  static func manyProducts(
    _ series: UnsafePointer<Float>, lag: Int, count: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    var (s0, s1, s2) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    let (shifted, end) = (series + lag, count &- lag)
    @inline(__always)
    func add(_ value: Float, at index: Int, groups: Int) {
      let value = LaneGroup(repeating: value)
      s0 = s0.adding(value, times: group(shifted, at: index))
      if groups > 1 { s1 = s1.adding(value, times: group(shifted, at: index &+ 8)) }
      if groups > 2 { s2 = s2.adding(value, times: group(shifted, at: index &+ 16)) }
    }
    var index = 0
    while index < end &- 19 {
      let four = UnsafeRawPointer(series + index).loadUnaligned(as: SIMD4<Float>.self)
      for place in 0..<4 { add(four[place], at: index &+ place, groups: 3) }
      index &+= 4
    }
    // For the last samples, skip the lags whose second factor lies past the end of the series.
    while index < end &- 8 {
      add(series[index], at: index, groups: index < end &- 16 ? 3 : 2)
      index &+= 1
    }
    while index < end {
      add(series[index], at: index, groups: 1)
      index &+= 1
    }
    let sums = UnsafeMutableRawPointer(sums)
    sums.storeBytes(of: s0, as: LaneGroup.self)
    sums.storeBytes(of: s1, toByteOffset: 32, as: LaneGroup.self)
    sums.storeBytes(of: s2, toByteOffset: 64, as: LaneGroup.self)
  }
}

extension [Float] {
  /// Writes `count` values from `start` on without their mean into `series`, from `place` on; returns their mean
  /// square.
  func removeMean(from start: Int, count: Int, into series: inout [Float], at place: Int = 0) -> Float {
    withUnsafeBufferPointer { values in
      series.withUnsafeMutableBufferPointer { series in
        guard let lane = values.baseAddress.map({ $0 + start }), let output = series.baseAddress.map({ $0 + place })
        else { return 0 }
        let mean = SeriesKernels.meanFromFirst(lane, count: count)
        return SeriesKernels.removeMean(lane, count: count, meanFromFirst: mean, into: output)
      }
    }
  }
}
