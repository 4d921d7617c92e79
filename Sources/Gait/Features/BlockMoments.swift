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
