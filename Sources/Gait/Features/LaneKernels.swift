/// Statistics of eight lanes at a time over the rows of a window.
///
/// A window is `count` rows of `stride` groups; `rows` points at the wanted group of its first row. Sums run over two
/// interleaved accumulators that are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// What one pass over the rows finds.
  struct Sums {
    /// Mean of each lane.
    var mean = LaneGroup.zero
    /// How far the mean lies from the first row, to more digits than `mean` has where the lane is far from 0.
    var meanFromFirst = LaneGroup.zero
    /// Mean square about the mean.
    var variance = LaneGroup.zero
    /// Mean distance from the mean.
    var meanAbsoluteDeviation = LaneGroup.zero
    /// Mean third and fourth power of the distance from the mean.
    var third = LaneGroup.zero
    var fourth = LaneGroup.zero
  }

  /// The mean of each lane.
  ///
  /// Distances from the first row are summed, not values: a lane of 1e6 ± 0.1 keeps its 0.1.
  static func mean(_ rows: UnsafePointer<LaneGroup>, stride: Int, count: Int, into sums: inout Sums) {
    let first = rows[0]
    var (even, odd) = (LaneGroup.zero, LaneGroup.zero)
    var row = 1
    while row + 1 < count {
      even += rows[row * stride] - first
      odd += rows[(row + 1) * stride] - first
      row += 2
    }
    if row < count { even += rows[row * stride] - first }
    sums.meanFromFirst = (even + odd) * (1 / Float(count))
    sums.mean = first + sums.meanFromFirst
  }

  /// The mean square about the mean; `deviations` receives the mean-removed rows, shape `[count]`.
  static func variance(
    _ rows: UnsafePointer<LaneGroup>, stride: Int, count: Int, into sums: inout Sums,
    deviations: UnsafeMutablePointer<LaneGroup>
  ) {
    let (first, mean) = (rows[0], sums.meanFromFirst)
    var (even, odd) = (LaneGroup.zero, LaneGroup.zero)
    var row = 0
    while row + 1 < count {
      let one = (rows[row * stride] - first) - mean
      let other = (rows[(row + 1) * stride] - first) - mean
      deviations[row] = one
      deviations[row + 1] = other
      even += one * one
      odd += other * other
      row += 2
    }
    if row < count {
      let last = (rows[row * stride] - first) - mean
      deviations[row] = last
      even += last * last
    }
    sums.variance = (even + odd) * (1 / Float(count))
  }

  /// The mean distance from the mean and the third and fourth moments about it, from mean-removed rows.
  static func higherMoments(_ deviations: UnsafePointer<LaneGroup>, count: Int, into sums: inout Sums) {
    var (distance, third, fourth) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    for row in 0..<count {
      let deviation = deviations[row]
      let square = deviation * deviation
      distance += deviation.magnitudes
      third += square * deviation
      fourth += square * square
    }
    let scale = 1 / Float(count)
    sums.meanAbsoluteDeviation = distance * scale
    sums.third = third * scale
    sums.fourth = fourth * scale
  }

  /// The smallest and the largest value of each lane.
  static func extrema(
    _ rows: UnsafePointer<LaneGroup>, stride: Int, count: Int
  ) -> (minimum: LaneGroup, maximum: LaneGroup) {
    var (minimum, maximum) = (rows[0], rows[0])
    var row = 1
    while row < count {
      let values = rows[row * stride]
      minimum = values.lesser(minimum)
      maximum = values.greater(maximum)
      row += 1
    }
    return (minimum, maximum)
  }

  /// Σ|xᵢ − xᵢ₋₁| of each lane.
  static func absoluteDifferences(_ rows: UnsafePointer<LaneGroup>, stride: Int, count: Int) -> LaneGroup {
    var sum = LaneGroup.zero
    var before = rows[0]
    var row = 1
    while row < count {
      let here = rows[row * stride]
      sum += (here - before).magnitudes
      before = here
      row += 1
    }
    return sum
  }

  /// How many neighbours lie on different sides of 0; a 0 counts as above.
  static func crossings(_ deviations: UnsafePointer<LaneGroup>, count: Int) -> LaneGroup {
    var crossings = LaneGroup.zero
    var wasAbove = deviations[0] .>= .zero
    var row = 1
    while row < count {
      let isAbove = deviations[row] .>= .zero
      crossings += LaneGroup.zero.replacing(with: 1, where: isAbove .^ wasAbove)
      wasAbove = isAbove
      row += 1
    }
    return crossings
  }

  /// Sets the lanes of `mask` to 0 in every row.
  static func clear(_ mask: SIMDMask<SIMD8<Int32>>, in rows: UnsafeMutablePointer<LaneGroup>, count: Int) {
    for row in 0..<count { rows[row].replace(with: LaneGroup.zero, where: mask) }
  }
}
