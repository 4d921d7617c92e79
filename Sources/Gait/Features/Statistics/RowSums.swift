/// Sums over the rows of a window, several lanes at a time: powers about the mean, products of two channels, and
/// differences from row to row.
struct RowSums {
  /// The first row, and the rows' mean minus the first row.
  let first, meanFromFirst: Lanes
  /// Σx², Σx³ and Σx⁴ about the mean.
  var (squares, cubes, fourths) = (Lanes.zero, Lanes.zero, Lanes.zero)
  /// Σ of each lane's x times the x of the next channel of its sensor.
  var products = Lanes.zero
  /// Σ of the absolute differences between consecutive rows.
  var differences = Lanes.zero

  var mean: Lanes { first + meanFromFirst }

  /// The sums that the features need over `count` rows. Sums that no feature needs may be 0: all but Σx² are computed
  /// together or not at all.
  ///
  /// - Parameter deviations: receives the mean-removed rows.
  init(
    _ rows: LaneRows, count: Int, _ needs: FeaturePlan.Needs, deviations: UnsafeMutablePointer<Lanes>
  ) {
    first = rows[0]
    meanFromFirst = needs.contains(.moments) ? LaneKernels.meanFromFirst(rows, count: count) : .zero
    if !needs.isDisjoint(with: [.higherMoments, .correlation, .differences]) {
      add(rows, count: count, into: deviations, all: true)
    } else if needs.contains(.deviations) {
      add(rows, count: count, into: deviations, all: false)
    }
  }

  @inline(__always)
  private mutating func add(
    _ rows: LaneRows, count: Int, into deviations: UnsafeMutablePointer<Lanes>, all: Bool
  ) {
    let (first, meanFromFirst) = (first, meanFromFirst)
    var (squares, cubes, fourths) = (Lanes.zero, Lanes.zero, Lanes.zero)
    var (products, differences, before) = (Lanes.zero, Lanes.zero, first)
    var (next, row) = (rows.first, 0)
    while row < count {
      let here = next[0]
      let deviation = (here - first) - meanFromFirst
      deviations[row] = deviation
      let square = deviation * deviation
      squares += square
      if all {
        cubes = cubes.adding(square, times: deviation)
        fourths = fourths.adding(square, times: square)
        products = products.adding(deviation, times: deviation.nextOfSensor)
        differences += (before - here).magnitudes
        before = here
      }
      next += rows.stride
      row &+= 1
    }
    (self.squares, self.cubes, self.fourths) = (squares, cubes, fourths)
    (self.products, self.differences) = (products, differences)
  }
}
