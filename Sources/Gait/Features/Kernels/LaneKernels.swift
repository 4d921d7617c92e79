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

  /// Σ of the squares about the mean; `deviations` receives the mean-removed rows, shape `[count]`.
  static func removeMean(
    _ rows: LaneRows, count: Int, meanFromFirst: Lanes, into deviations: UnsafeMutablePointer<Lanes>
  ) -> Lanes {
    let first = rows[0]
    return sum(0..<count) { row, sum in
      let deviation = (rows[row] - first) - meanFromFirst
      deviations[row] = deviation
      sum = sum.adding(deviation, times: deviation)
    }
  }

  /// Σ of the cubes and of the fourth powers.
  static func higherPowers(_ deviations: UnsafePointer<Lanes>, count: Int) -> (cubes: Lanes, fourths: Lanes) {
    var (evenCubes, evenFourths, oddCubes, oddFourths) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    var row = 0
    while row < count - 1 {
      let (one, other) = (deviations[row], deviations[row &+ 1])
      let (square, otherSquare) = (one * one, other * other)
      evenCubes = evenCubes.adding(square, times: one)
      evenFourths = evenFourths.adding(square, times: square)
      oddCubes = oddCubes.adding(otherSquare, times: other)
      oddFourths = oddFourths.adding(otherSquare, times: otherSquare)
      row &+= 2
    }
    if row < count {
      let square = deviations[row] * deviations[row]
      evenCubes = evenCubes.adding(square, times: deviations[row])
      evenFourths = evenFourths.adding(square, times: square)
    }
    return (evenCubes + oddCubes, evenFourths + oddFourths)
  }

  /// Σ of each lane times the next channel of its sensor.
  static func productsWithNext(_ deviations: UnsafePointer<Lanes>, count: Int) -> Lanes {
    sum(0..<count) { $1 = $1.adding(deviations[$0], times: deviations[$0].nextOfSensor) }
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

  /// Σ|xᵢ − xᵢ₋₁| of each lane.
  static func absoluteDifferences(_ rows: LaneRows, count: Int) -> Lanes {
    var before = rows[0]
    return sum(1..<count) { row, sum in
      let here = rows[row]
      sum += (here - before).magnitudes
      before = here
    }
  }

  /// Σ of the absolute deviations, or 0 without `absolute`, and the number of mean crossings; a sample at the mean counts as
  /// above.
  @inline(__always)
  static func deviationSums(
    _ deviations: UnsafePointer<Lanes>, count: Int, absolute: Bool
  ) -> (absolute: Lanes, crossings: LaneBits) {
    var (before, crossings) = (deviations[0].bits, LaneBits.zero)
    let sum = sum(0..<count) { row, sum in
      let here = deviations[row]
      if absolute { sum += here.magnitudes }
      // A difference is never −0, so the sign bit tells whether it is below the mean.
      crossings &+= (here.bits ^ before) &>> LaneBits(repeating: 31)
      before = here.bits
    }
    return (sum, crossings)
  }
}
