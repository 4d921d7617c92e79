/// The sums over one block of rows: over a window, or over the half of one that the next window shares.
///
/// Powers are summed about the block's own mean, and that from the block's first row, not from 0: a lane of 1e6 ± 0.1 keeps
/// its 0.1. Sums run in a fixed order, so the same rows always give the same bits.
struct BlockSums {
  /// The first row and the last.
  var first = Lanes.zero
  var last = Lanes.zero
  /// How far the mean lies from the first row.
  var meanFromFirst = Lanes.zero
  /// Σ of the squares, cubes and fourth powers of the distances from the mean.
  var squares = Lanes.zero
  var cubes = Lanes.zero
  var fourths = Lanes.zero
  /// Σ of each lane's distance from its mean times that of the next channel of its sensor.
  var products = Lanes.zero
  /// Σ|xᵢ − xᵢ₋₁|.
  var differences = Lanes.zero
  var minimum = Lanes.zero
  var maximum = Lanes.zero

  /// How many registers a block's sums fill.
  static let count = MemoryLayout<BlockSums>.stride / MemoryLayout<Lanes>.stride

  @inline(__always)
  var mean: Lanes { first + meanFromFirst }

  init() {}

  /// The sums over `count` rows that stand `stride` registers apart.
  ///
  /// - Parameter deviations: receives the rows without the mean, shape `[count]`.
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

  /// How far the block's mean lies above the mean of it and `next`, a block of as many rows.
  func shift(before next: BlockSums) -> Lanes {
    0.5 * ((first - next.first) + (meanFromFirst - next.meanFromFirst))
  }

  /// The sums over this block and `next`, both of `count` rows.
  ///
  /// Source: Chan, Golub and LeVeque, *Updating formulae and a pairwise algorithm for computing sample variances* (1979); the
  /// higher powers follow in the same way from (x + s)³ and (x + s)⁴.
  func joined(with next: BlockSums, count: Int) -> BlockSums {
    let shift = shift(before: next)
    let square = shift * shift
    let rows = Float(2 * count)
    var sums = self
    sums.last = next.last
    sums.meanFromFirst = meanFromFirst - shift
    sums.squares = squares + next.squares + rows * square
    sums.cubes = cubes + next.cubes + 3 * shift * (squares - next.squares)
    sums.fourths =
      fourths + next.fourths + 4 * shift * (cubes - next.cubes) + 6 * square * (squares + next.squares)
      + rows * square * square
    sums.products = products + next.products + rows * shift * shift.nextOfSensor
    sums.differences = differences + next.differences + (next.first - last).magnitudes
    sums.minimum = minimum.lesser(next.minimum)
    sums.maximum = maximum.greater(next.maximum)
    return sums
  }
}
