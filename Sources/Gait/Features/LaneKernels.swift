/// Kernels over the rows of a block, several lanes at a time.
///
/// A block is `count` rows that are `stride` registers apart; `rows` points at the part's register of the first row.
/// Sums use two interleaved accumulators that are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// Each lane's mean minus its value in the first row.
  static func meanFromFirst(_ rows: UnsafePointer<Lanes>, stride: Int, count: Int) -> Lanes {
    let first = rows[0]
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var (row, next) = (1, rows + stride)
    while row < count - 1 {
      even += next[0] - first
      odd += next[stride] - first
      (row, next) = (row &+ 2, next + 2 &* stride)
    }
    if row < count { even += next[0] - first }
    return (even + odd) * (1 / Float(count))
  }

  /// Σ of the squares about the mean; `deviations` receives the mean-removed rows, shape `[count]`.
  static func removeMean(
    _ rows: UnsafePointer<Lanes>, stride: Int, count: Int, meanFromFirst: Lanes,
    into deviations: UnsafeMutablePointer<Lanes>
  ) -> Lanes {
    let first = rows[0]
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var (row, next) = (0, rows)
    while row < count - 1 {
      let one = (next[0] - first) - meanFromFirst
      let other = (next[stride] - first) - meanFromFirst
      (deviations[row], deviations[row &+ 1]) = (one, other)
      even = even.adding(one, times: one)
      odd = odd.adding(other, times: other)
      (row, next) = (row &+ 2, next + 2 &* stride)
    }
    if row < count {
      let last = (next[0] - first) - meanFromFirst
      deviations[row] = last
      even = even.adding(last, times: last)
    }
    return even + odd
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
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var row = 0
    while row < count - 1 {
      let (one, other) = (deviations[row], deviations[row &+ 1])
      even = even.adding(one, times: one.nextOfSensor)
      odd = odd.adding(other, times: other.nextOfSensor)
      row &+= 2
    }
    if row < count { even = even.adding(deviations[row], times: deviations[row].nextOfSensor) }
    return even + odd
  }

  /// The smallest and the largest value of each lane.
  static func extrema(_ rows: UnsafePointer<Lanes>, stride: Int, count: Int) -> (minimum: Lanes, maximum: Lanes) {
    var (minimum, maximum) = (rows[0], rows[0])
    var next = rows
    for _ in 1..<count {
      next += stride
      minimum = next[0].lesser(minimum)
      maximum = next[0].greater(maximum)
    }
    return (minimum, maximum)
  }

  /// Σ|xᵢ − xᵢ₋₁| of each lane.
  static func absoluteDifferences(_ rows: UnsafePointer<Lanes>, stride: Int, count: Int) -> Lanes {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var (row, next, before) = (1, rows + stride, rows[0])
    while row < count - 1 {
      let (one, other) = (next[0], next[stride])
      even += (one - before).magnitudes
      odd += (other - one).magnitudes
      before = other
      (row, next) = (row &+ 2, next + 2 &* stride)
    }
    if row < count { even += (next[0] - before).magnitudes }
    return even + odd
  }

  /// The deviation and mean-crossing sums of a window.
  struct DeviationSums {
    /// Σ of the absolute deviations from the mean.
    var absolute = Lanes.zero
    /// The number of mean crossings; a sample at the mean counts as above.
    var crossings = LaneBits.zero
    /// The deviations of the last row.
    var lastRow: Lanes?
  }

  /// Adds `shift` to the deviations from a block's mean, which gives those from the window's mean, and updates `sums`.
  ///
  /// - Parameter target: receives the rows, shape `[count]`; may be `deviations` itself.
  static func shift(
    _ deviations: UnsafePointer<Lanes>, by shift: Lanes, count: Int, into target: UnsafeMutablePointer<Lanes>,
    sums: inout DeviationSums
  ) {
    var before = (sums.lastRow ?? deviations[0] + shift).bits
    var (even, odd, crossings) = (sums.absolute, Lanes.zero, sums.crossings)
    @inline(__always)
    func take(_ row: Int, _ absolute: inout Lanes) {
      let here = deviations[row] + shift
      target[row] = here
      absolute += here.magnitudes
      // A difference is never −0, so the sign bit tells whether it is below the mean.
      crossings &+= (here.bits ^ before) &>> LaneBits(repeating: 31)
      before = here.bits
    }
    var row = 0
    while row < count - 1 {
      take(row, &even)
      take(row &+ 1, &odd)
      row &+= 2
    }
    if row < count { take(row, &even) }
    even += odd
    sums = DeviationSums(absolute: even, crossings: crossings, lastRow: Lanes(bits: before))
  }

  /// Sets the lanes of `mask` to 0 in every row.
  static func clear(_ mask: SIMDMask<LaneIntegers>, in rows: UnsafeMutablePointer<Lanes>, count: Int) {
    for row in 0..<count { rows[row].replace(with: Lanes.zero, where: mask) }
  }
}
