/// The sums of a run of rows, several lanes at a time: of their powers about the run's own mean, and of their neighbours.
///
/// The sums of two runs of equal length give those of both. With 2e the difference of their means, a mean-removed sample of the first
/// becomes x − e and one of the second x + e, and Σx is 0 in each. e is at most the standard deviation of both, so no digits are lost.
struct RowSums {
  /// The first and the last row, and the mean minus the first row.
  var first, last, meanFromFirst: Lanes
  /// Σx², Σx³ and Σx⁴ about the mean.
  var (squares, cubes, fourths) = (Lanes.zero, Lanes.zero, Lanes.zero)
  /// Σ of each lane's x times that of the next channel of its sensor.
  var products = Lanes.zero
  /// Σ of the distances between neighbours.
  var differences = Lanes.zero

  var mean: Lanes { first + meanFromFirst }

  /// The sums of `count` rows that the features need; others stay 0. Powers above the square are summed for all or none.
  ///
  /// - Parameter deviations: receives the mean-removed rows.
  init(
    _ rows: LaneRows, count: Int, _ needs: FeaturePlan.Needs, deviations: UnsafeMutablePointer<Lanes>
  ) {
    (first, last) = (rows[0], rows[count - 1])
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
        differences += (here - before).magnitudes
        before = here
      }
      next += rows.stride
      row &+= 1
    }
    (self.squares, self.cubes, self.fourths) = (squares, cubes, fourths)
    (self.products, self.differences) = (products, differences)
  }

  /// Half of the difference of the means of two runs.
  @inline(__always)
  static func halfStep(from a: RowSums, to b: RowSums) -> Lanes {
    0.5 * ((b.first - a.first) + (b.meanFromFirst - a.meanFromFirst))
  }

  /// The sums of a run and the one after it, `count` rows together.
  init(_ a: RowSums, _ b: RowSums, count: Int) {
    let step = Self.halfStep(from: a, to: b)
    let square = step * step
    (first, last, meanFromFirst) = (a.first, b.last, a.meanFromFirst + step)
    squares = (a.squares + b.squares).adding(square, times: Lanes(repeating: Float(count)))
    cubes = (a.cubes + b.cubes).adding(3 * step, times: b.squares - a.squares)
    fourths = a.fourths + b.fourths
    fourths = fourths.adding(4 * step, times: b.cubes - a.cubes)
    fourths = fourths.adding(square, times: 6 * (a.squares + b.squares) + Float(count) * square)
    products = (a.products + b.products).adding(Float(count) * step, times: step.nextOfSensor)
    differences = a.differences + b.differences + (b.first - a.last).magnitudes
  }
}

/// The sums of half-windows where windows overlap by half: each half is summed once for the two windows that share it. Without it the
/// full set of features (the workload `features/full/128`) takes 1.08 times the instructions.
///
/// The sums of products k rows apart, for the autocorrelation, are shared as well. With a and b the mean-removed rows of two halves of n
/// rows, and e as in `RowSums`, the sum over the window is
///
///     Σaa + Σbb + Σab + e · (F(a) + 2 L(a) − 2 F(b) − L(b)) + (2n − 3k) · e²
///
/// where Σab has the pairs across the middle, and F and L are the sums of a half's first and last k rows.
struct HalfWindows: Sendable {
  private let layout: Layout
  /// For each part the newest half and the one before it, which take turns.
  private var halves: [Lanes]
  private var halfCount = 0

  /// The layout of a half: its `RowSums`, its mean-removed rows between zeros, and Σaa for each lag.
  private struct Layout: Sendable {
    /// The number of rows, and that of lags at most.
    let rowCount, lagCount: Int
    /// The zero rows before and after the others.
    static let padding = Autocorrelation.block

    var rows: Int { MemoryLayout<RowSums>.size / MemoryLayout<Lanes>.size + Self.padding }
    var products: Int { rows + rowCount + Self.padding }
    var size: Int { products + lagCount }

    /// Whether the products of a part are shared: no lag is longer than a half.
    func sharesLags(of part: FeaturePlan.Part) -> Bool {
      !part.summedLags.isEmpty && part.summedLags.upperBound <= rowCount + 1
    }

    /// The offset of a half.
    func offset(_ half: Int, _ part: FeaturePlan.Part) -> Int { (2 * part.register + half % 2) * size }
  }

  /// `nil` unless windows of `length` every `hop` rows overlap by half.
  init?(length: Int, hop: Int, parts: [FeaturePlan.Part]) {
    guard 2 * hop == length, !parts.isEmpty else { return nil }
    layout = Layout(rowCount: hop, lagCount: parts.map { Autocorrelation.sumCount($0.summedLags) }.max() ?? 0)
    halves = Array(repeating: .zero, count: 2 * parts.count * layout.size)
  }

  /// Forgets all halves, as the next window does not follow the previous one.
  mutating func restart() { halfCount = 0 }

  /// Sums the half that a window adds, or both halves after `restart`.
  ///
  /// - Parameter window: the window, shape `[length × parts.count]`.
  mutating func append(_ window: UnsafePointer<Lanes>, _ parts: [FeaturePlan.Part]) {
    for index in (halfCount == 0 ? 0 : 1)..<2 {
      halfCount += 1
      let (newest, layout) = (halfCount, layout)
      halves.withUnsafeMutableBufferPointer { halves in
        for part in parts where !part.needs.isEmpty {
          let first = window + index * layout.rowCount * parts.count + part.register
          let half = halves.baseAddress! + layout.offset(newest, part)
          Self.add(part, LaneRows(first: first, stride: parts.count), to: half, layout)
        }
      }
    }
  }

  private static func add(
    _ part: FeaturePlan.Part, _ rows: LaneRows, to half: UnsafeMutablePointer<Lanes>, _ layout: Layout
  ) {
    let sums = RowSums(rows, count: layout.rowCount, part.needs, deviations: half + layout.rows)
    UnsafeMutableRawPointer(half).storeBytes(of: sums, as: RowSums.self)
    guard layout.sharesLags(of: part) else { return }
    Autocorrelation.sumProducts(
      of: half + layout.rows, length: layout.rowCount, lags: part.summedLags, into: half + layout.products)
  }

  /// The sums of a part over the window that ends with the newest half.
  func sums(of part: FeaturePlan.Part) -> RowSums {
    withHalves(of: part) { RowSums(Self.sums($0), Self.sums($1), count: 2 * layout.rowCount) }
  }

  private static func sums(_ half: UnsafePointer<Lanes>) -> RowSums { UnsafeRawPointer(half).load(as: RowSums.self) }

  /// Calls `body` with the half before the newest one, and the newest.
  @inline(__always)
  private func withHalves<Result>(
    of part: FeaturePlan.Part, _ body: (_ a: UnsafePointer<Lanes>, _ b: UnsafePointer<Lanes>) -> Result
  ) -> Result {
    halves.withUnsafeBufferPointer {
      body($0.baseAddress! + layout.offset(halfCount &- 1, part), $0.baseAddress! + layout.offset(halfCount, part))
    }
  }

  /// Whether the products of a part are shared.
  func sharesLags(of part: FeaturePlan.Part) -> Bool { layout.sharesLags(of: part) }

  /// Writes the sums of products of a part's lags over the window that ends with the newest half.
  func sumProducts(of part: FeaturePlan.Part, into results: UnsafeMutablePointer<Lanes>) {
    let (layout, lags) = (layout, part.summedLags)
    withHalves(of: part) { halfA, halfB in
      let step = RowSums.halfStep(from: Self.sums(halfA), to: Self.sums(halfB))
      let (a, b) = (halfA + layout.rows, halfB + layout.rows)
      Autocorrelation.sumProducts(across: a, b, length: layout.rowCount, lags: lags, into: results)
      // The rows at the ends of the halves, before those of the lag.
      var (edges, lag) = (Lanes.zero, 0)
      var (front, back) = (a, a + (layout.rowCount - 1))
      var (nextFront, nextBack) = (b, b + (layout.rowCount - 1))
      @inline(__always)
      func extendEdges() {
        edges += (front[0] - nextBack[0]) + 2 * (back[0] - nextFront[0])
        (front, back, nextFront, nextBack) = (front + 1, back - 1, nextFront + 1, nextBack - 1)
        lag &+= 1
      }
      while lag < lags.lowerBound { extendEdges() }
      let square = step * step
      var rest = square * Float(2 * layout.rowCount - 3 * lags.lowerBound)
      var (within, other, result) = (halfA + layout.products, halfB + layout.products, results)
      while lag < lags.upperBound {
        result[0] += (within[0] + other[0] + rest).adding(step, times: edges)
        rest -= 3 * square
        (within, other, result) = (within + 1, other + 1, result + 1)
        extendEdges()
      }
    }
  }
}
