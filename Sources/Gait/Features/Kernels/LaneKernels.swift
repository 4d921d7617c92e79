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

  /// Writes the mean-removed rows, shape `[count]`, and sums their absolute values and the number of mean crossings; a sample at
  /// the mean counts as above.
  static func removeMean(
    _ rows: LaneRows, count: Int, meanFromFirst: Lanes, into deviations: UnsafeMutablePointer<Lanes>
  ) -> (absolute: Lanes, crossings: LaneBits) {
    let first = rows[0]
    var (before, crossings) = ((Lanes.zero - meanFromFirst).bits, LaneBits.zero)
    let sum = sum(0..<count) { row, sum in
      let deviation = (rows[row] - first) - meanFromFirst
      deviations[row] = deviation
      sum += deviation.magnitudes
      // A difference is never −0, so the sign bit tells whether it is below the mean.
      crossings &+= (deviation.bits ^ before) &>> LaneBits(repeating: 31)
      before = deviation.bits
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
