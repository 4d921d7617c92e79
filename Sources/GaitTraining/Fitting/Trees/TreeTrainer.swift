import Gait

/// Grows a decision tree (CART).
///
/// A node considers all features and all midpoints between their bins. It takes the split with the least weighted Gini
/// impurity 1 − Σ pₖ² of its two sides. It is not split if a limit is reached or if it is pure. A feature with up to
/// 256 values has a bin for each, so every midpoint between neighbouring values is a candidate. The values of a feature
/// with more than 256 share 256 bins of nearly equal window counts.
///
/// Among equally good splits the lowest feature wins, then the lowest threshold, so nothing is random. A split without
/// an immediate gain is still taken, because two features may be informative only together.
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984. Agrees with the training
/// impurity of scikit-learn's `DecisionTreeClassifier` to 1e-6 on up to 256 values a feature.
public struct TreeTrainer: Hashable, Sendable {
  /// The maximum number of labels.
  private static let labelLimit = 32

  /// The maximum depth of the tree; 0 grows a single leaf.
  ///
  /// Default: 8, at most 256 leaves: still readable, and quick to evaluate on a watch.
  public var maximumDepth = 8

  /// The minimum number of windows in a leaf.
  ///
  /// Default: 20. A fraction of 20 windows has a standard error of up to 0.11. Windows overlap, so fewer windows would
  /// be only a few seconds of one person.
  public var minimumLeafSize = 20

  /// The minimum number of windows of a node that may be split.
  ///
  /// Default: 40, twice the default leaf size; smaller nodes could not be split anyway.
  public var minimumSplitSize = 40

  /// The count added to each label in a leaf before fractions are taken: (countₖ + s) ÷ (count + s · labels).
  ///
  /// Default: 1 (Laplace's rule of succession), so that no leaf has probability 1: a pure leaf of 20 windows of two
  /// labels has probability 0.95. The most probable label does not change. With 0 the fractions are scikit-learn's.
  /// Source: Provost, Domingos, Tree Induction for Probability-Based Ranking, 2003.
  public var smoothing = 1.0

  /// The weight of each label's windows, in impurities and in the leaves' fractions.
  ///
  /// Default: equal. The limits of leaf sizes are numbers of windows, whatever the windows weigh.
  public var labelWeights = FitWeights.equal

  /// A trainer with the defaults.
  public init() {}

  /// Fits a decision tree to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; scaling changes only the thresholds.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels of the tree, at most 32. At least two must occur in `labels`; others may be
  ///     absent.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window; `minimumLeafSize` at least 1; no other setting negative; at most 32 labels.
  /// - Complexity: O(features · windows · depth).
  public func fit(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) -> DecisionTree {
    checkSettings(labelCount: labelCount)
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    var search = PuritySearch(matrix, labels: labels, labelCount: labelCount, limits: self)
    let tree = search.grow((0..<matrix.rowCount).map { Int32($0) })
    return Result {
      try DecisionTree(
        nodes: tree.arrays.nodes(featureCount: matrix.columnCount),
        leafProbabilities: search.leafProbabilities(tree, smoothing: smoothing), labelCount: labelCount)
    }.get(orTrap: "a grown tree must be well formed")
  }

  /// Traps if a setting is out of range, or if there are more than 32 labels.
  func checkSettings(labelCount: Int) {
    precondition(maximumDepth >= 0, "the depth of a tree must not be negative")
    precondition(
      minimumLeafSize >= 1 && minimumSplitSize >= 0,
      "the minimum leaf size must be at least 1 and the minimum split size at least 0")
    precondition(smoothing >= 0 && smoothing.isFinite, "smoothing must be zero or greater, not \(smoothing)")
    precondition(labelCount <= Self.labelLimit, "a tree can have at most \(Self.labelLimit) labels")
  }
}
