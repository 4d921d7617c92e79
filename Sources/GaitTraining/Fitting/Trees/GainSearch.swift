import Gait

/// Finds the splits of one boosted tree.
struct GainSearch: SplitSearch {
  let matrix: BinnedColumns
  let limits: BoostedTreesTrainer
  let packed: PackedGradients

  /// The features that the tree may use.
  let columns: [Int]

  /// Histograms that are no longer used; the search of other nodes overwrites them.
  var spare: [NodeHistograms]

  /// The number of features that one parallel part of a search handles.
  private static let partWidth = 32

  var maximumDepth: Int { limits.maximumDepth }

  mutating func recycle(_ histograms: NodeHistograms) { spare.append(histograms) }

  /// The best split of a node whose histograms were summed over its windows, and the best split of its sibling, whose
  /// histograms were computed by subtraction.
  private typealias Splits = (counted: BinSplit?, sibling: BinSplit?)

  mutating func search(_ root: inout TreeLeaf<NodeHistograms>, _ rows: NodeRows) {
    let counted = spare.popLast() ?? NodeHistograms(columnCount: columns.count)
    store(bestSplits(counted, root.range, rows, sibling: nil).counted, counted, for: &root)
  }

  /// Sums the histograms of the child with fewer windows, and subtracts them from the parent's histograms, which gives
  /// those of the other child.
  mutating func search(
    _ left: inout TreeLeaf<NodeHistograms>, _ right: inout TreeLeaf<NodeHistograms>, of parent: NodeHistograms?,
    _ rows: NodeRows
  ) {
    guard let parent else { return }
    let counted = spare.popLast() ?? NodeHistograms(columnCount: columns.count)
    let isLeftSmaller = left.range.count <= right.range.count
    let best = bestSplits(counted, isLeftSmaller ? left.range : right.range, rows, sibling: parent)
    store(isLeftSmaller ? best.counted : best.sibling, isLeftSmaller ? counted : parent, for: &left)
    store(isLeftSmaller ? best.sibling : best.counted, isLeftSmaller ? parent : counted, for: &right)
  }

  private func store(_ split: BinSplit?, _ histograms: NodeHistograms, for leaf: inout TreeLeaf<NodeHistograms>) {
    leaf.histograms = histograms
    guard let split else { return }
    let (gradient, curvature) = packed.sums(histograms.feature(0))
    let sum = Double(gradient) * Double(packed.gradientUnit)
    let parent = sum * sum / (Double(curvature) * Double(packed.curvatureUnit) + limits.ridge)
    // A gain of at most 1e-6 of the unsplit node's value may be rounding of Float: the node is not split.
    guard split.value - parent > 1e-6 * parent else { return }
    (leaf.split, leaf.gain) = (split, split.value - parent)
  }

  /// Sums the histograms of the windows in `range` into `counted`, and finds the node's best split.
  ///
  /// If `sibling` is not `nil`, it has the histograms of the parent. The sums in `counted` are subtracted from them,
  /// which gives the sibling's histograms, and the sibling's best split is found too.
  private func bestSplits(
    _ counted: NodeHistograms, _ range: Range<Int>, _ rows: NodeRows, sibling: NodeHistograms?
  ) -> Splits {
    let scan = GainScan(
      gradientUnit: packed.gradientUnit, curvatureUnit: packed.curvatureUnit, ridge: Float(limits.ridge),
      minimumLeafWeight: max(Float(limits.minimumLeafWeight), packed.curvatureUnit))
    let ordered = rows.withRows(range) { $0.map { packed.words[Int($0)] } }
    let parts = stride(from: 0, to: columns.count, by: Self.partWidth).map {
      $0..<min($0 + Self.partWidth, columns.count)
    }
    var best = [Splits](repeating: (nil, nil), count: parts.count)
    best.withUnsafeMutableBufferPointer { best in
      nonisolated(unsafe) let best = best
      let isWorthwhile = (range.count + 1000) * columns.count > 80_000
      Parallel.perform(parts.count, isWorthwhile: isWorthwhile) { index in
        let part = parts[index]
        ordered.withUnsafeBufferPointer { ordered in
          rows.withRows(range) { rows in
            for first in stride(from: part.lowerBound, to: part.upperBound, by: NodeHistograms.groupWidth) {
              let group = first..<min(first + NodeHistograms.groupWidth, part.upperBound)
              counted.fill(matrix, columns, at: group, rows, ordered)
            }
          }
        }
        sibling?.subtract(counted, at: part)
        best[index] = (split(counted, part, scan), sibling.flatMap { split($0, part, scan) })
      }
    }
    return best.reduce((nil, nil)) { (.better($0.counted, $1.counted), .better($0.sibling, $1.sibling)) }
  }

  private func split(_ histograms: NodeHistograms, _ part: Range<Int>, _ scan: GainScan) -> BinSplit? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BinEdges.binLimit) { prefix in
      var best: BinSplit?
      for position in part {
        let column = columns[position]
        scan.scan(
          histograms.feature(position), binCount: matrix.edges[column].binCount, column: column, prefix.baseAddress!,
          &best)
      }
      return best
    }
  }
}

/// Sums of packed derivatives for a node of a boosted tree: one for each feature and bin, over the node's windows.
/// Shape `[features × 256]`.
///
/// The sums are integers. A node's histograms minus those of one child are therefore exactly those of the other child.
/// The sums do not depend on the order of the windows or on threads.
final class NodeHistograms: @unchecked Sendable {
  /// The number of features whose histograms are filled in one pass over a node's windows. The histograms of eight
  /// features fit in the first-level cache together.
  static let groupWidth = 8

  private let sums: UnsafeMutableBufferPointer<UInt64>

  /// All zero until `fill`.
  init(columnCount: Int) {
    sums = .allocate(capacity: columnCount * BinEdges.binLimit)
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// The histogram of the feature at `position` of `GainSearch.columns`, shape `[256]`.
  func feature(_ position: Int) -> UnsafePointer<UInt64> { UnsafePointer(target(position)) }

  private func target(_ position: Int) -> UnsafeMutablePointer<UInt64> {
    sums.baseAddress! + position * BinEdges.binLimit
  }

  /// Sums over a node's windows for at most eight features.
  ///
  /// - Parameters:
  ///   - positions: the positions of the features in `columns`.
  ///   - rows: the node's windows.
  ///   - summands: the derivatives of these windows, in their order.
  func fill(
    _ matrix: BinnedColumns, _ columns: [Int], at positions: Range<Int>, _ rows: UnsafeBufferPointer<Int32>,
    _ summands: UnsafeBufferPointer<UInt64>
  ) {
    let (size, first) = (BinEdges.binLimit, target(positions.lowerBound))
    first.update(repeating: 0, count: positions.count * size)
    guard positions.count == Self.groupWidth else {
      for position in positions {
        let target = target(position)
        matrix.withColumn(columns[position]) { bins in
          for index in rows.indices { target[Int(bins[Int(rows[index])])] &+= summands[index] }
        }
      }
      return
    }
    matrix.withBins { bins in
      func column(_ offset: Int) -> UnsafePointer<UInt8> {
        bins + columns[positions.lowerBound + offset] * matrix.rowCount
      }
      let (a, b, c, d) = (column(0), column(1), column(2), column(3))
      let (e, f, g, h) = (column(4), column(5), column(6), column(7))
      for index in rows.indices {
        let (row, summand) = (Int(rows[index]), summands[index])
        first[Int(a[row])] &+= summand
        (first + size)[Int(b[row])] &+= summand
        (first + 2 &* size)[Int(c[row])] &+= summand
        (first + 3 &* size)[Int(d[row])] &+= summand
        (first + 4 &* size)[Int(e[row])] &+= summand
        (first + 5 &* size)[Int(f[row])] &+= summand
        (first + 6 &* size)[Int(g[row])] &+= summand
        (first + 7 &* size)[Int(h[row])] &+= summand
      }
    }
  }

  /// Subtracts one child's sums from the parent's, for the features at `positions`; the other child's sums remain.
  func subtract(_ child: NodeHistograms, at positions: Range<Int>) {
    let (first, other) = (target(positions.lowerBound), child.target(positions.lowerBound))
    for index in 0..<positions.count * BinEdges.binLimit { first[index] &-= other[index] }
  }
}

/// Finds the split of a boosted tree's node that lowers the loss most.
///
/// Formula:  gain = Gₗ² ÷ (Hₗ + ridge) + Gᵣ² ÷ (Hᵣ + ridge), where G and H are the sums of the first and second
/// derivatives on a side; in Float, four bins at a time. The value of the unsplit node is the same for all its splits,
/// so it is not subtracted here.
///
/// Source: Chen, Guestrin, XGBoost: A Scalable Tree Boosting System, KDD 2016, equation 7.
struct GainScan {
  let gradientUnit: Float
  let curvatureUnit: Float
  let ridge: Float
  /// The minimum sum of the second derivatives of a side, above zero.
  let minimumLeafWeight: Float

  private typealias Lanes = SIMD4<Float>

  /// Finds the best split of `column`, and replaces `best` with it if it is better.
  ///
  /// - Parameters:
  ///   - histogram: packed derivatives, shape `[256]`.
  ///   - prefix: scratch, shape `[256]`.
  func scan(
    _ histogram: UnsafePointer<UInt64>, binCount: Int, column: Int, _ prefix: UnsafeMutablePointer<UInt64>,
    _ best: inout BinSplit?
  ) {
    let whole = (binCount + 3) & ~3
    // The sums are read and written by pointers. With arrays, the compiler for AVX2 puts the sum and the number of a
    // bin into one vector register, which is much slower.
    var sum: UInt64 = 0
    var (place, target) = (histogram, prefix)
    while place < histogram + binCount {
      sum &+= place[0]
      target[0] = sum
      (place, target) = (place + 1, target + 1)
    }
    for bin in binCount..<whole { prefix[bin] = sum }
    guard let (bin, gain) = bestBin(prefix, whole / 4, total: sum), Double(gain) > best?.value ?? -.infinity else {
      return
    }
    let next = (bin + 1..<binCount).first { histogram[$0] != 0 } ?? bin + 1
    best = BinSplit(column: column, bin: bin, nextBin: next, value: Double(gain))
  }

  /// The last bin on the left of the split with the highest gain, the first such bin on a tie; `nil` if every split has
  /// a side below `minimumLeafWeight`.
  private func bestBin(
    _ prefix: UnsafeMutablePointer<UInt64>, _ steps: Int, total: UInt64
  ) -> (bin: Int, gain: Float)? {
    let allGradients = Lanes(repeating: Float(Int32(truncatingIfNeeded: total >> 32)) * gradientUnit)
    let allCurvatures = Lanes(repeating: Float(Int32(truncatingIfNeeded: total)) * curvatureUnit)
    let (ridge, least) = (Lanes(repeating: ridge), Lanes(repeating: minimumLeafWeight))
    var bestGains = Lanes(repeating: -1)
    var bestSteps = Lanes.zero
    let halves = UnsafeRawPointer(prefix)
    for step in 0..<steps {
      let words = halves.load(fromByteOffset: 32 &* step, as: SIMD8<Int32>.self)
      let left = Lanes(words.oddHalf) * gradientUnit
      let leftWeight = Lanes(words.evenHalf) * curvatureUnit
      let (right, rightWeight) = (allGradients - left, allCurvatures - leftWeight)
      var gains = left * left / (leftWeight + ridge) + right * right / (rightWeight + ridge)
      gains.replace(with: Lanes(repeating: -1), where: (leftWeight .< least) .| (rightWeight .< least))
      let isBetter = gains .> bestGains
      bestGains.replace(with: gains, where: isBetter)
      bestSteps.replace(with: Lanes(repeating: Float(step)), where: isBetter)
    }
    var best: (bin: Int, gain: Float)?
    for lane in 0..<4 where bestGains[lane] >= 0 {
      let bin = 4 * Int(bestSteps[lane]) + lane
      if let current = best, (-current.gain, current.bin) <= (-bestGains[lane], bin) { continue }
      best = (bin, bestGains[lane])
    }
    return best
  }
}

/// The first and second derivatives of every window's loss as fixed-point integers, two in a 64-bit word.
///
/// The upper half is the signed first derivative, the lower half the second. Words are added as integers. The
/// derivatives are scaled so that the sum over all windows fits in 32 bits, and a sum of second derivatives never
/// overflows into the upper half. Integer sums are exact, so a histogram does not depend on the order of its windows,
/// on threads, or on being computed by subtraction.
///
/// For 100,000 windows the rounding error is at most 1/43,000 of the largest derivative; for fewer windows it is less.
/// It affects only the choice of splits: leaf values use the unrounded derivatives.
struct PackedGradients: Sendable {
  /// Shape `[windows]`.
  let words: [UInt64]
  /// The value of one unit of the first derivatives.
  let gradientUnit: Float
  /// The value of one unit of the second derivatives.
  let curvatureUnit: Float

  /// - Parameters:
  ///   - gradients: first derivatives, shape `[windows]`.
  ///   - curvatures: second derivatives, not negative, shape `[windows]`.
  init(gradients: [Float], curvatures: [Float]) {
    let room = Float(Int32.max / Int32(gradients.count))
    let gradientScale = room / max(gradients.reduce(0) { max($0, $1.magnitude) }, .leastNormalMagnitude * room)
    let curvatureScale = room / max(curvatures.reduce(0) { max($0, $1) }, .leastNormalMagnitude * room)
    words = [UInt64](unsafeUninitializedCapacity: gradients.count) { words, count in
      count = gradients.count
      for row in 0..<count {
        let gradient = Int64(Int32((gradients[row] * gradientScale).rounded()))
        let curvature = Int32((curvatures[row] * curvatureScale).rounded())
        words[row] = UInt64(bitPattern: gradient) << 32 &+ UInt64(UInt32(bitPattern: curvature))
      }
    }
    gradientUnit = 1 / gradientScale
    curvatureUnit = 1 / curvatureScale
  }

  /// The sums over all windows of a node, in units, from the histogram of any one feature: each feature has all windows
  /// of the node.
  func sums(_ histogram: UnsafePointer<UInt64>) -> (gradient: Int32, curvature: Int32) {
    let sum = (0..<BinEdges.binLimit).reduce(0 as UInt64) { $0 &+ histogram[$1] }
    return (Int32(truncatingIfNeeded: sum >> 32), Int32(truncatingIfNeeded: sum))
  }
}
