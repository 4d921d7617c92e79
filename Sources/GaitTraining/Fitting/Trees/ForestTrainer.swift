import Gait

/// Grows a random forest.
///
/// Every tree is fitted to a bootstrap sample of the windows, and every node considers its own random draw of features.
/// The forest's probabilities are the mean over its trees. Splits are searched between at most 256 bins of each
/// feature. The draws of a tree depend only on the seed and the tree's number. The same seed therefore gives the same
/// forest for any number of threads.
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

    /// The number of features that a node considers out of `featureCount`, at least one.
    func count(of featureCount: Int) -> Int {
      let share =
        switch self {
        case .squareRoot: Double(featureCount).squareRoot()
        case .fraction(let fraction): fraction * Double(featureCount)
        }
      return min(max(1, Int(saturating: share.rounded())), featureCount)
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

  /// The weight of each label's windows, in impurities and in the leaves' fractions.
  ///
  /// Default: equal.
  public var labelWeights = FitWeights.equal

  /// The seed of all random draws.
  public var seed: UInt64 = 1

  /// A trainer with the defaults.
  public init() {}

  /// Fits a random forest to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; they need no scaling.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels, at most 32. At least two must occur in `labels`; others may be absent.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window; `treeCount` and `minimumLeafSize` at least 1; `maximumDepth` not negative;
  ///   at most 32 labels.
  /// - Complexity: O(windows · features + trees · windows · features per split · depth).
  public func fit(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) -> RandomForest {
    precondition(treeCount >= 1, "a forest has at least one tree")
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    var limits = TreeTrainer()
    limits.maximumDepth = maximumDepth
    limits.minimumLeafSize = minimumLeafSize
    limits.minimumSplitSize = 2 * minimumLeafSize
    limits.labelWeights = labelWeights
    limits.checkSettings(labelCount: labelCount)
    let search = PuritySearch(matrix, labels: labels, labelCount: labelCount, limits: limits)
    let drawn = featuresPerSplit.count(of: matrix.columnCount)
    let trees = (0..<treeCount).map { UInt64($0) }.mappedConcurrently(showing: "tree") { tree in
      var random = SeededGenerator(seed: seed, keys: [tree])
      let rows = Self.bootstrap(matrix.rowCount, &random)
      var search = search.drawing(drawn, random)
      let grown = search.grow(rows)
      return (arrays: grown.arrays, probabilities: search.leafProbabilities(grown, smoothing: 0))
    }
    var arrays = NodeArrays()
    for tree in trees { arrays.append(tree.arrays) }
    return Result {
      try RandomForest(
        nodes: arrays.nodes(featureCount: matrix.columnCount), leafProbabilities: trees.flatMap(\.probabilities),
        labelCount: labelCount)
    }.get(orTrap: "a grown forest must be well formed")
  }

  /// A bootstrap sample: `count` windows drawn with replacement, ascending.
  private static func bootstrap(_ count: Int, _ random: inout SeededGenerator) -> [Int32] {
    var draws = [Int32](repeating: 0, count: count)
    for _ in 0..<count { draws[random.index(below: count)] += 1 }
    return draws.indices.flatMap { repeatElement(Int32($0), count: Int(draws[$0])) }
  }
}
