import Gait

/// Finds the splits of classification trees: of single trees and of the trees of a random forest.
struct PuritySearch: SplitSearch, Sendable {
  let matrix: BinnedColumns
  private let labels: [UInt8]
  private let labelCount: Int
  private let limits: TreeTrainer
  /// The weight of each label's windows, a whole number; `nil` if all are equal.
  private let weights: [Int]?
  /// The weight of each label's windows in the leaves' probabilities; the mean over the windows is 1.
  private let leafWeights: [Double]
  private var draws: Draws?

  /// The random draw of features for each node of a forest's tree, and a histogram that all nodes reuse.
  private struct Draws {
    var columns: [Int]
    let count: Int
    var random: SeededGenerator
    var histogram: LabelHistogram
  }

  var maximumDepth: Int { limits.maximumDepth }

  init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.matrix = BinnedColumns(matrix)
    self.labels = labels.map { UInt8($0) }
    self.labelCount = labelCount
    self.limits = limits
    let chosen = limits.labelWeights
    weights = chosen == .equal ? nil : chosen.wholeWeights(labels, labelCount: labelCount)
    leafWeights = chosen.weightsOfMeanOne(labels, labelCount: labelCount)
  }

  /// A copy of the search for one tree of a forest. Every node considers its own random draw of features. If no feature
  /// of the draw has a split, further features are drawn one at a time until one has a split.
  ///
  /// - Parameter count: the number of features that a node considers.
  func drawing(_ count: Int, _ random: SeededGenerator) -> PuritySearch {
    var search = self
    search.draws = Draws(
      columns: Array(0..<matrix.columnCount), count: count, random: random,
      histogram: LabelHistogram(labelCount: labelCount))
    return search
  }

  mutating func search(_ node: inout TreeLeaf<Never>, _ rows: NodeRows) {
    let counts = counts(node.range, rows)
    guard counts.reduce(0, +) >= max(limits.minimumSplitSize, 2 * limits.minimumLeafSize),
      counts.count(where: { $0 > 0 }) > 1
    else { return }
    node.split = rows.withRows(node.range) { rows in
      draws == nil ? best(rows, counts) : bestDrawn(rows, counts)
    }
  }

  mutating func search(
    _ left: inout TreeLeaf<Never>, _ right: inout TreeLeaf<Never>, of parent: Never?, _ rows: NodeRows
  ) {
    search(&left, rows)
    search(&right, rows)
  }

  func recycle(_ histograms: Never) {}

  private func best(_ rows: UnsafeBufferPointer<Int32>, _ counts: [Int]) -> BinSplit? {
    guard rows.count * matrix.columnCount > 100_000 else { return best(0..<matrix.columnCount, rows, counts) }
    let groups = stride(from: 0, to: matrix.columnCount, by: 8).map { $0..<min($0 + 8, matrix.columnCount) }
    nonisolated(unsafe) let rows = rows
    return groups.mappedConcurrently { best($0, rows, counts) }.reduce(nil) { BinSplit.better($0, $1) }
  }

  private func best(_ columns: Range<Int>, _ rows: UnsafeBufferPointer<Int32>, _ counts: [Int]) -> BinSplit? {
    var (best, histogram): (BinSplit?, LabelHistogram) = (nil, LabelHistogram(labelCount: labelCount))
    for column in columns { scan(rows, counts, column, &histogram, &best) }
    return best
  }

  private mutating func bestDrawn(_ rows: UnsafeBufferPointer<Int32>, _ counts: [Int]) -> BinSplit? {
    guard var draws = draws.take() else { return nil }
    defer { self.draws = draws }
    var best: BinSplit?
    for drawn in 0..<draws.columns.count where drawn < draws.count || best == nil {
      draws.columns.swapAt(drawn, drawn + draws.random.index(below: draws.columns.count - drawn))
      scan(rows, counts, draws.columns[drawn], &draws.histogram, &best)
    }
    return best
  }

  private func scan(
    _ rows: UnsafeBufferPointer<Int32>, _ counts: [Int], _ column: Int, _ histogram: inout LabelHistogram,
    _ best: inout BinSplit?
  ) {
    matrix.withColumn(column) { bins in
      histogram.scan(
        bins, binCount: matrix.edges[column].binCount, labels, rows, counts, column: column,
        minimumLeafSize: limits.minimumLeafSize, weights: weights, &best)
    }
  }

  /// The number of the windows of `range` with each label.
  private func counts(_ range: Range<Int>, _ rows: NodeRows) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    rows.withRows(range) { for row in $0 { counts[Int(labels[Int(row)])] += 1 } }
    return counts
  }

  /// The label probabilities of a tree's leaves, shape `[leaves × labels]`: (countₖ + s) ÷ (count + s · labels), where
  /// the counts are weighted. If the divisor is 0, all labels have the same probability.
  func leafProbabilities(_ tree: GrownTree, smoothing: Double) -> [Float] {
    tree.ranges.flatMap { range in
      let counts = zip(counts(range, tree.rows), leafWeights).map { Double($0) * $1 + smoothing }
      let sum = counts.reduce(0, +)
      return counts.map { sum > 0 ? Float($0 / sum) : 1 / Float(labelCount) }
    }
  }
}

/// The number of a node's windows in each bin of one feature with each label, shape `[256 × labels]`. The cost of a
/// scan is proportional to the number of the node's windows.
///
/// Most nodes of a forest contain fewer windows than there are bins. The bins that contain windows are marked in a set
/// of 256 bits, and only these are scanned and cleared.
struct LabelHistogram: Sendable {
  /// A node with at least this many windows scans all bins, which costs less than marking the bins that contain
  /// windows.
  private static let denseSize = 256

  private var counts: [UInt32]
  private let labelCount: Int

  /// An empty histogram.
  init(labelCount: Int) {
    self.labelCount = labelCount
    counts = [UInt32](repeating: 0, count: labelCount * BinEdges.binLimit)
  }

  /// Counts the windows of a node, and clears the histogram afterwards. If the purest split of `column` is purer than
  /// `best`, replaces `best` with it.
  mutating func scan(
    _ bins: UnsafePointer<UInt8>, binCount: Int, _ labels: [UInt8], _ rows: UnsafeBufferPointer<Int32>,
    _ nodeCounts: [Int], column: Int, minimumLeafSize: Int, weights: [Int]?, _ best: inout BinSplit?
  ) {
    let labelCount = labelCount
    var search = PurityScan(
      nodeCounts: nodeCounts, column: column, minimumLeafSize: minimumLeafSize, weights: weights, best: best)
    counts.withUnsafeMutableBufferPointer { counts in
      let counts = counts.baseAddress!
      labels.withUnsafeBufferPointer { labels in
        if rows.count >= Self.denseSize {
          for row in rows { counts[Int(bins[Int(row)]) &* labelCount &+ Int(labels[Int(row)])] &+= 1 }
          search.scan(counts, bins: 0..<binCount)
          counts.update(repeating: 0, count: binCount * labelCount)
        } else {
          var occupied = OccupiedBins()
          for row in rows {
            let bin = Int(bins[Int(row)])
            counts[bin &* labelCount &+ Int(labels[Int(row)])] &+= 1
            occupied.insert(bin)
          }
          search.scan(counts, bins: occupied)
          for bin in occupied { (counts + bin &* labelCount).update(repeating: 0, count: labelCount) }
        }
      }
    }
    best = search.best
  }
}

/// Finds the split of a classification tree's node that leaves the purest sides, by Gini impurity.
///
/// The purity of a side is n · Σ pₖ² = Σ cₖ² ÷ n, where cₖ of its n windows have label k. The purity of a split is the
/// sum over both sides. A window is counted as often as its label weighs. Sums of squares are whole numbers, so the
/// choice between equal splits does not depend on rounding.
private struct PurityScan {
  let nodeCounts: [Int]
  let column: Int
  let minimumLeafSize: Int
  /// The weight of each label's windows, a whole number; `nil` if all are 1.
  let weights: [Int]?
  var best: BinSplit?

  /// - Parameters:
  ///   - histogram: shape `[256 × labels]`.
  ///   - bins: the bins that may contain windows, ascending.
  @inline(__always)
  mutating func scan(_ histogram: UnsafePointer<UInt32>, bins: some Sequence<Int>) {
    let labelCount = nodeCounts.count
    let windows = nodeCounts.reduce(0, +)
    let sizes = weights.map { zip(nodeCounts, $0).map { $0 * $1 } } ?? nodeCounts
    let size = sizes.reduce(0, +)
    let isWeighted = weights != nil
    var bestValue = best?.value ?? -.infinity
    // The last bin on the left of the best split, and the first bin with windows on its right; −1 until they are found.
    var (bestBin, nextBin) = (-1, -1)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: labelCount) { left in
      left.initialize(repeating: 0)
      sizes.withUnsafeBufferPointer { sizes in
        let nodeSum = sizes.reduce(0) { $0 + $1 * $1 }
        // The number of windows on the left, then three sums over the labels: Σ l, Σ l² and Σ n l, where l of a label's
        // n windows are on the left, counted as often as the label weighs.
        var (leftWindows, leftSize, leftSum, mixedSum) = (0, 0, 0, 0)
        for bin in bins {
          var (inBin, weightInBin) = (0, 0)
          for label in 0..<labelCount {
            let found = Int(histogram[bin &* labelCount &+ label])
            let count = isWeighted ? found &* weights![label] : found
            let onLeft = left[label]
            leftSum &+= count &* (2 &* onLeft &+ count)
            mixedSum &+= count &* sizes[label]
            left[label] = onLeft &+ count
            inBin &+= found
            weightInBin &+= count
          }
          guard inBin > 0 else { continue }
          if nextBin < 0 { nextBin = bin }
          leftWindows &+= inBin
          leftSize &+= weightInBin
          guard min(leftWindows, windows - leftWindows) >= minimumLeafSize else { continue }
          let rightSum = nodeSum &- 2 &* mixedSum &+ leftSum
          let value = Double(leftSum) / Double(leftSize) + Double(rightSum) / Double(size - leftSize)
          guard value > bestValue else { continue }
          (bestValue, bestBin, nextBin) = (value, bin, -1)
        }
      }
    }
    if bestBin >= 0 { best = BinSplit(column: column, bin: bestBin, nextBin: nextBin, value: bestValue) }
  }
}

/// A set of bins as 256 bits; iterates in ascending order.
struct OccupiedBins: Sequence, IteratorProtocol {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var word = 0

  mutating func insert(_ bin: Int) {
    withUnsafeMutableBytes(of: &bits) { $0[bin &>> 3] |= 1 &<< UInt8(truncatingIfNeeded: bin & 7) }
  }

  /// Removes and returns the lowest bin; `nil` for an empty set.
  mutating func next() -> Int? {
    withUnsafeMutableBytes(of: &bits) { bytes in
      let bits = bytes.assumingMemoryBound(to: UInt64.self)
      while word < 4 {
        let current = bits[word]
        if current != 0 {
          bits[word] = current & (current &- 1)
          return word &* 64 &+ current.trailingZeroBitCount
        }
        word &+= 1
      }
      return nil
    }
  }
}
