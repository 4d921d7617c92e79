/// A part's rows of a window: one register of every packed row.
struct LaneRows {
  let first: UnsafePointer<Lanes>
  /// The number of registers from one row to the next.
  let stride: Int

  @inline(__always)
  subscript(row: Int) -> Lanes { first[row &* stride] }
}

/// Kernels over the rows of a window, several lanes at a time.
///
/// The mean is summed relative to the first row, and powers about the mean, so that a lane of 1e6 ± 0.1 keeps its 0.1.
/// Sums use two interleaved accumulators that are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// Σ of a term for each row.
  @inline(__always)
  private static func sum(_ rows: Range<Int>, _ add: (_ row: Int, _ sum: inout Lanes) -> Void) -> Lanes {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var row = rows.lowerBound
    while row < rows.upperBound - 1 {
      add(row, &even)
      add(row &+ 1, &odd)
      row &+= 2
    }
    if row < rows.upperBound { add(row, &even) }
    return even + odd
  }

  /// Each lane's mean minus its value in the first row.
  static func meanFromFirst(_ rows: LaneRows, count: Int) -> Lanes {
    let first = rows[0]
    return sum(1..<count) { $1 += rows[$0] - first } * (1 / Float(count))
  }

  /// Writes the mean-removed rows, shape `[count]`; returns their sums as `deviationSums` does.
  static func removeMean(
    _ rows: LaneRows, count: Int, meanFromFirst: Lanes, into deviations: UnsafeMutablePointer<Lanes>
  ) -> (absolute: Lanes, crossings: LaneBits) {
    let first = rows[0]
    return sums(count, first: .zero - meanFromFirst, absolute: true) { row in
      let deviation = (rows[row] - first) - meanFromFirst
      deviations[row] = deviation
      return deviation
    }
  }

  /// Σ of the absolute deviations, or 0 without `absolute`, and the number of mean crossings; a sample at the mean counts as
  /// above.
  @inline(__always)
  static func deviationSums(
    _ deviations: UnsafePointer<Lanes>, count: Int, absolute: Bool
  ) -> (absolute: Lanes, crossings: LaneBits) {
    sums(count, first: deviations[0], absolute: absolute) { deviations[$0] }
  }

  @inline(__always)
  private static func sums(
    _ count: Int, first: Lanes, absolute: Bool, _ deviation: (Int) -> Lanes
  ) -> (absolute: Lanes, crossings: LaneBits) {
    var (before, crossings) = (first.bits, LaneBits.zero)
    let sum = sum(0..<count) { row, sum in
      let here = deviation(row)
      if absolute { sum += here.magnitudes }
      // A difference is never −0, so the sign bit tells whether it is below the mean.
      crossings &+= (here.bits ^ before) &>> LaneBits(repeating: 31)
      before = here.bits
    }
    return (sum, crossings)
  }

  /// The smallest and the largest value of each lane.
  static func extrema(_ rows: LaneRows, count: Int) -> (minimum: Lanes, maximum: Lanes) {
    var (minimum, maximum) = (rows[0], rows[0])
    var next = rows.first
    for _ in 1..<count {
      next += rows.stride
      minimum = next[0].lesser(minimum)
      maximum = next[0].greater(maximum)
    }
    return (minimum, maximum)
  }
}
