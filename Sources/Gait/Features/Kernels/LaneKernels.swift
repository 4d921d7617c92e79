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

/// The central moments, extrema and other sums of one block of rows: a window, or the half of one that the next window
/// shares.
///
/// Powers are summed about the block's mean, and the mean relative to the block's first row, so that a lane of 1e6 ±
/// 0.1 keeps its 0.1. Sums run in a fixed order, so the same rows always give the same bits.
struct BlockMoments {
  /// The first row and the last.
  var first = Lanes.zero
  var last = Lanes.zero
  /// The mean minus the first row.
  var meanFromFirst = Lanes.zero
  /// Σ of the squares, cubes and fourth powers of the deviations from the mean.
  var squares = Lanes.zero
  var cubes = Lanes.zero
  var fourths = Lanes.zero
  /// Σ of each lane's deviation times that of the next channel of its sensor.
  var products = Lanes.zero
  /// Σ|xᵢ − xᵢ₋₁|.
  var differences = Lanes.zero
  var minimum = Lanes.zero
  var maximum = Lanes.zero

  /// The size of a `BlockMoments` in registers.
  static let count = MemoryLayout<BlockMoments>.stride / MemoryLayout<Lanes>.stride

  @inline(__always)
  var mean: Lanes { first + meanFromFirst }

  init() {}

  /// The sums over `count` rows that are `stride` registers apart.
  ///
  /// - Parameter deviations: receives the mean-removed rows, shape `[count]`.
  init(
    _ rows: UnsafePointer<Lanes>, stride: Int, count: Int, needs: FeaturePlan.Needs,
    deviations: UnsafeMutablePointer<Lanes>
  ) {
    (first, last) = (rows[0], rows[(count - 1) * stride])
    if needs.contains(.extrema) { (minimum, maximum) = LaneKernels.extrema(rows, stride: stride, count: count) }
    if needs.contains(.differences) {
      differences = LaneKernels.absoluteDifferences(rows, stride: stride, count: count)
    }
    guard needs.contains(.moments) else { return }
    meanFromFirst = LaneKernels.meanFromFirst(rows, stride: stride, count: count)
    guard needs.contains(.deviations) else { return }
    squares = LaneKernels.removeMean(
      rows, stride: stride, count: count, meanFromFirst: meanFromFirst, into: deviations)
    if needs.contains(.higherMoments) { (cubes, fourths) = LaneKernels.higherPowers(deviations, count: count) }
    if needs.contains(.correlation) { products = LaneKernels.productsWithNext(deviations, count: count) }
  }

  /// Adds `turns` to every row.
  mutating func add(turns: Lanes) {
    first += turns
    last += turns
    minimum += turns
    maximum += turns
  }

  /// Combines the sums with those of `next`, the following block of the same `count` rows, with `turns` added to its
  /// rows.
  ///
  /// Source: Chan, Golub and LeVeque, *Updating formulae and a pairwise algorithm for computing sample variances*
  /// (1979); the higher powers follow likewise from (x + s)³ and (x + s)⁴.
  ///
  /// - Returns: this block's mean minus the mean of both.
  mutating func join(_ next: UnsafePointer<BlockMoments>, turns: Lanes, count: Int) -> Lanes {
    let nextFirst = next.pointee.first + turns
    let shift = 0.5 * ((first - nextFirst) + (meanFromFirst - next.pointee.meanFromFirst))
    let square = shift * shift
    let rows = Float(2 * count)
    let (bothSquares, bothCubes) = (squares + next.pointee.squares, cubes + next.pointee.cubes)
    let (lessSquares, lessCubes) = (squares - next.pointee.squares, cubes - next.pointee.cubes)
    fourths =
      fourths + next.pointee.fourths + 4 * shift * lessCubes + 6 * square * bothSquares + rows * square * square
    cubes = bothCubes + 3 * shift * lessSquares
    squares = bothSquares + rows * square
    products = products + next.pointee.products + rows * shift * shift.nextOfSensor
    differences = differences + next.pointee.differences + (nextFirst - last).magnitudes
    meanFromFirst -= shift
    last = next.pointee.last + turns
    minimum = minimum.lesser(next.pointee.minimum + turns)
    maximum = maximum.greater(next.pointee.maximum + turns)
    return shift
  }
}

extension Angle {
  /// The whole turns, in radians, that bring each angle among `lanes` within π of `previous`.
  ///
  /// - Parameter limits: π for lanes that are angles, infinity for others.
  static func turns(of lanes: Lanes, after previous: Lanes, limits: Lanes) -> Lanes {
    let change = lanes - previous
    guard any(change.magnitudes .> limits) else { return .zero }
    var turns = Lanes.zero
    for lane in 0..<Lanes.scalarCount where change[lane].magnitude > limits[lane] && change[lane].isFinite {
      turns[lane] = -turn * (change[lane] / turn).rounded()
    }
    return turns
  }

  /// Copies `count` rows, `stride` registers apart, and unwraps their angles from the first row on.
  ///
  /// - Parameter limits: see `turns(of:after:limits:)`.
  static func unwrap(
    _ rows: UnsafePointer<Lanes>, stride: Int, count: Int, limits: Lanes, into copy: UnsafeMutablePointer<Lanes>
  ) {
    var (next, previous, turns) = (rows, rows[0], Lanes.zero)
    for row in 0..<count {
      var here = next[0] + turns
      if any((here - previous).magnitudes .> limits) {
        turns = Self.turns(of: next[0], after: previous, limits: limits)
        here = next[0] + turns
      }
      copy[row] = here
      previous = here
      next += stride
    }
  }
}
