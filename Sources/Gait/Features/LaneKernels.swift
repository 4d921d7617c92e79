/// Passes over the rows of a block, several lanes at a time.
///
/// A block is `count` rows that stand `stride` registers apart; `rows` points at the wanted register of its first row. Sums
/// run over two interleaved accumulators that are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// How far the mean of each lane lies from the first row.
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

  /// What lies above the mean and what below.
  struct Sides {
    /// Σ of the distances from the mean.
    var distances = Lanes.zero
    /// How many neighbours lie on different sides; one at the mean counts as above.
    var crossings = LaneBits.zero
    /// The newest row.
    var newest: Lanes?
  }

  /// Adds `shift` to the deviations from a block's mean, so that they are those from the window's, and counts their sides.
  ///
  /// - Parameter target: receives the rows, shape `[count]`; may be `deviations` itself.
  static func shift(
    _ deviations: UnsafePointer<Lanes>, by shift: Lanes, count: Int, into target: UnsafeMutablePointer<Lanes>,
    sides: inout Sides
  ) {
    var before = (sides.newest ?? deviations[0] + shift).bits
    var (distances, odd, crossings) = (sides.distances, Lanes.zero, sides.crossings)
    @inline(__always)
    func take(_ row: Int, _ distances: inout Lanes) {
      let here = deviations[row] + shift
      target[row] = here
      distances += here.magnitudes
      // A difference is never −0, so the sign alone says on which side it lies.
      crossings &+= (here.bits ^ before) &>> LaneBits(repeating: 31)
      before = here.bits
    }
    var row = 0
    while row < count - 1 {
      take(row, &distances)
      take(row &+ 1, &odd)
      row &+= 2
    }
    if row < count { take(row, &distances) }
    distances += odd
    sides = Sides(distances: distances, crossings: crossings, newest: Lanes(bits: before))
  }

  /// Sets the lanes of `mask` to 0 in every row.
  static func clear(_ mask: SIMDMask<LaneIntegers>, in rows: UnsafeMutablePointer<Lanes>, count: Int) {
    for row in 0..<count { rows[row].replace(with: Lanes.zero, where: mask) }
  }
}
