import Gait

/// Grows a random forest.
///
/// Every tree is fitted to a bootstrap sample of the windows, and every node considers its own random draw of features.
/// The forest's probabilities are the mean over its trees. Splits are searched between at most 256 bins of each
/// feature. The draws of a tree depend only on the seed and the tree's number, so the same seed gives the same forest
/// for any number of threads.
///
/// Source: Breiman, Random Forests, Machine Learning 45, 2001. Its held-out accuracy is within one standard error of
/// scikit-learn's `RandomForestClassifier` with the same settings.
public struct ForestTrainer: Hashable, Sendable {
  /// The number of features that a node considers for its split.
  public enum FeatureShare: Hashable, Sendable {
    /// The square root of the number of features, rounded.
    case squareRoot
    /// A fraction of the features, 0…1.
    case fraction(Double)

    /// The number of features, at least one.
    func count(of featureCount: Int) -> Int {
      let share =
        switch self {
        case .squareRoot: Double(featureCount).squareRoot()
        case .fraction(let fraction): fraction * Double(featureCount)
        }
      return min(max(1, Int(share.rounded())), featureCount)
    }
  }

  /// The number of trees.
  ///
  /// Default: 100, as scikit-learn; more trees change the accuracy little.
  public var treeCount = 100

  /// The maximum depth of a tree.
  ///
  /// Default: 16, which limits the size of the model file; forests need deep trees.
  public var maximumDepth = 16

  /// The minimum number of windows in a leaf.
  ///
  /// Default: 5, which limits the size of the model file; scikit-learn uses 1. Windows overlap, so several windows of
  /// one person are nearly the same.
  public var minimumLeafSize = 5

  /// The number of features that a node considers for its split.
  ///
  /// Default: the square root, as Breiman proposes for classification.
  public var featuresPerSplit = FeatureShare.squareRoot

  /// The impurity that a split minimises.
  ///
  /// Default: Gini, as scikit-learn.
  public var criterion = SplitCriterion.gini

  /// The seed of all random draws.
  public var seed: UInt64 = 1

  /// A trainer with the defaults.
  public init() {}

  /// Fits a random forest to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; they need no scaling.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels, at most 32; a label may be absent as long as two are present.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window, at least one tree, and settings that are not negative.
  /// - Complexity: O(windows · features + trees · windows · features per split · depth).
  public func fit(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) -> RandomForest {
    precondition(treeCount >= 1, "a forest has at least one tree")
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    var limits = TreeTrainer()
    limits.maximumDepth = maximumDepth
    limits.minimumLeafSize = minimumLeafSize
    limits.minimumSplitSize = 2 * minimumLeafSize
    limits.checkSettings(labelCount: labelCount)
    let grower = RandomTreeGrower(
      BinnedColumns(matrix), labels: labels.map { UInt8($0) }, labelCount: labelCount,
      featuresPerSplit: featuresPerSplit.count(of: matrix.columnCount), limits: limits,
      purity: Purity(criterion, rowCount: matrix.rowCount))
    let trees = (0..<treeCount).map { UInt64($0) }.mappedConcurrently(showing: "tree") { tree in
      var random = SeededGenerator(seed: seed, keys: [tree])
      let rows = Self.bootstrap(matrix.rowCount, &random)
      return grower.grow(rows, &random)
    }
    return Self.forest(of: trees, featureCount: matrix.columnCount, labelCount: labelCount)
  }

  /// A bootstrap sample: `count` windows drawn with replacement, ascending.
  private static func bootstrap(_ count: Int, _ random: inout SeededGenerator) -> [Int32] {
    var draws = [Int32](repeating: 0, count: count)
    for _ in 0..<count { draws[random.index(below: count)] += 1 }
    return draws.indices.flatMap { repeatElement(Int32($0), count: Int(draws[$0])) }
  }

  private static func forest(of trees: [GrownNodes], featureCount: Int, labelCount: Int) -> RandomForest {
    var arrays = NodeArrays()
    for tree in trees { arrays.append(tree.arrays) }
    return Result {
      try RandomForest(
        nodes: arrays.nodes(featureCount: featureCount),
        leafProbabilities: trees.flatMap { $0.leafProbabilities(smoothing: 0) }, labelCount: labelCount)
    }.get(orTrap: "a grown forest must be well formed")
  }
}

/// Grows one tree of a random forest; every node considers its own random draw of features.
struct RandomTreeGrower {
  private let matrix: BinnedColumns
  private let labels: [UInt8]
  private let labelCount: Int
  private let featuresPerSplit: Int
  private let limits: TreeTrainer
  private let purity: Purity

  /// - Parameter purity: shared by all trees of a forest, because its table may be as long as the number of windows.
  init(
    _ matrix: BinnedColumns, labels: [UInt8], labelCount: Int, featuresPerSplit: Int, limits: TreeTrainer,
    purity: Purity
  ) {
    self.matrix = matrix
    self.labels = labels
    self.labelCount = labelCount
    self.featuresPerSplit = featuresPerSplit
    self.limits = limits
    self.purity = purity
  }

  /// Grows a tree.
  ///
  /// - Parameters:
  ///   - rows: the tree's windows, which may repeat.
  ///   - random: the generator that draws the features of each node.
  func grow(_ rows: [Int32], _ random: inout SeededGenerator) -> GrownNodes {
    var rows = NodeRows(rows)
    var columns = Array(0..<matrix.columnCount)
    var histogram = SparseHistogram(labelCount: labelCount)
    return GrownNodes.grown(rowCount: rows.rows.count, labelCount: labelCount) { range, depth in
      let counts = rows.labelCounts(range, labels, labelCount: labelCount)
      guard limits.maySplit(counts, depth: depth),
        let split = bestSplit(range, rows, counts, &columns, &histogram, &random)
      else { return (counts, nil) }
      let middle = rows.partition(range, of: matrix, at: split)
      return (counts, (split.column, split.threshold(matrix.edges[split.column]), middle))
    }
  }

  /// The purest split of `featuresPerSplit` drawn features. If none of them has a split, further features are drawn one
  /// at a time until one has.
  private func bestSplit(
    _ range: Range<Int>, _ rows: NodeRows, _ counts: [Int], _ columns: inout [Int],
    _ histogram: inout SparseHistogram, _ random: inout SeededGenerator
  ) -> BinSplit? {
    let search = BinSplitSearch(purity: purity, minimumLeafSize: limits.minimumLeafSize, counts: counts)
    var best: BinSplit?
    for drawn in 0..<columns.count where drawn < featuresPerSplit || best == nil {
      columns.swapAt(drawn, drawn + random.index(below: columns.count - drawn))
      let column = columns[drawn]
      rows.withRows(range) { histogram.scan(matrix, labels, $0, column: column, search, &best) }
    }
    return best
  }
}

/// The histogram of one feature of one node, shape `[labels × 256]`, at a cost proportional to the number of the node's
/// windows.
///
/// Most nodes of a forest contain few windows. Their occupied bins are marked in a set of 256 bits, and only these are
/// scanned and cleared. With six labels, a forest takes twice as long if every node scans all bins; with two labels, 1.2
/// times as long if every node marks its bins (8,000 and 20,000 windows of 60 features).
struct SparseHistogram {
  /// From this many windows on, scanning all bins is cheaper than marking the occupied ones.
  private static let denseSize = 256

  private var counts: [UInt32]
  private let labelCount: Int

  /// An empty histogram.
  init(labelCount: Int) {
    self.labelCount = labelCount
    counts = [UInt32](repeating: 0, count: labelCount * BinEdges.binLimit)
  }

  /// Counts the windows of a node, replaces `best` with the best split of `column` if that is better, and clears the
  /// histogram.
  mutating func scan(
    _ matrix: BinnedColumns, _ labels: [UInt8], _ rows: UnsafeBufferPointer<Int32>, column: Int,
    _ search: BinSplitSearch, _ best: inout BinSplit?
  ) {
    let isDense = rows.count >= Self.denseSize
    counts.withUnsafeMutableBufferPointer { counts in
      let counts = counts.baseAddress!
      let occupied = matrix.withColumn(column) { bins in
        labels.withUnsafeBufferPointer { labels in
          isDense
            ? Self.fillDense(counts, bins, labels.baseAddress!, rows)
            : Self.fillSparse(counts, bins, labels.baseAddress!, rows)
        }
      }
      if isDense {
        search.scan(counts, bins: 0..<matrix.edges[column].binCount, column: column, &best)
        counts.update(repeating: 0, count: labelCount * BinEdges.binLimit)
      } else {
        search.scan(counts, bins: occupied, column: column, &best)
        for bin in occupied {
          for label in 0..<labelCount { counts[label &* BinEdges.binLimit &+ bin] = 0 }
        }
      }
    }
  }

  private static func fillDense(
    _ counts: UnsafeMutablePointer<UInt32>, _ bins: UnsafePointer<UInt8>, _ labels: UnsafePointer<UInt8>,
    _ rows: UnsafeBufferPointer<Int32>
  ) -> OccupiedBins {
    for row in rows {
      let bin = Int(bins[Int(row)])
      counts[Int(labels[Int(row)]) &* BinEdges.binLimit &+ bin] &+= 1
    }
    return OccupiedBins()
  }

  private static func fillSparse(
    _ counts: UnsafeMutablePointer<UInt32>, _ bins: UnsafePointer<UInt8>, _ labels: UnsafePointer<UInt8>,
    _ rows: UnsafeBufferPointer<Int32>
  ) -> OccupiedBins {
    var occupied = OccupiedBins()
    for row in rows {
      let bin = Int(bins[Int(row)])
      counts[Int(labels[Int(row)]) &* BinEdges.binLimit &+ bin] &+= 1
      occupied.insert(bin)
    }
    return occupied
  }
}

/// A set of bins as 256 bits; iterates in ascending order.
struct OccupiedBins: Sequence, IteratorProtocol {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var word = 0

  mutating func insert(_ bin: Int) {
    withUnsafeMutableBytes(of: &bits) { $0[bin &>> 3] |= 1 &<< UInt8(truncatingIfNeeded: bin & 7) }
  }

  /// Removes and returns the lowest bin.
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
