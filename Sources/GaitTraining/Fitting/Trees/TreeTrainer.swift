import Gait

/// Grows a decision tree.
///
/// CART: every node takes, among all features and all midpoints between neighbouring values, the split with the least
/// weighted Gini impurity 1 − Σ pₖ² of its two sides, until a limit is reached or a node is pure. Each feature is
/// sorted once and the order is partitioned down the tree, so every level costs one pass over the data. Among equally
/// good splits the lowest feature wins, then the lowest threshold, so nothing is random. A split without an immediate
/// gain is still taken, because two features may be informative only together.
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984. Agrees with the training
/// impurity of scikit-learn's `DecisionTreeClassifier` to 1e-6.
public struct TreeTrainer: Hashable, Sendable {
  /// The candidate thresholds of a split.
  public enum Search: String, Hashable, Sendable, CaseIterable {
    /// Every midpoint between neighbouring values.
    case exact
    /// The edges of at most 256 bins of nearly equal window counts, computed once: faster for 20,000 windows or more,
    /// twice as fast for 100,000.
    case histogram
  }

  /// The candidate thresholds of a split.
  ///
  /// Default: exact, which takes about a second for 100,000 windows of 200 features at depth 8.
  public var search = Search.exact

  /// The impurity that a split minimises.
  ///
  /// Default: Gini, as scikit-learn; the trees of the two criteria seldom differ in accuracy.
  public var criterion = SplitCriterion.gini

  /// The maximum depth of the tree; 0 grows a single leaf.
  ///
  /// Default: 8, at most 256 leaves: still readable, and evaluated in a few nanoseconds on a watch.
  public var maximumDepth = 8

  /// The minimum number of windows in a leaf.
  ///
  /// Default: 20. A fraction of 20 windows has a standard error of up to 0.11. Windows overlap, so fewer would cover
  /// only a few seconds of one person.
  public var minimumLeafSize = 20

  /// The minimum number of windows of a node that may be split.
  ///
  /// Default: 40, twice the default leaf size; smaller nodes could not be split anyway.
  public var minimumSplitSize = 40

  /// The count added to each label in a leaf before fractions are taken: (countₖ + s) ÷ (count + s · labels).
  ///
  /// Default: 1 (Laplace's rule of succession), so that no leaf has probability 1: a pure leaf of 20 windows of two
  /// labels has probability 0.95. The most probable label does not change. 0 gives scikit-learn's plain fractions.
  /// Source: Provost, Domingos, Tree Induction for Probability-Based Ranking, 2003.
  public var smoothing = 1.0

  /// The pruning of a grown tree.
  public enum Pruning: Hashable, Sendable {
    /// No pruning.
    case none
    /// Cost-complexity pruning at this cost of a leaf, in impurity times share of the windows (scikit-learn's
    /// `ccp_alpha`).
    case complexityCost(Double)
    /// The complexity cost is selected by cross-validation over groups, dealt to this many folds.
    case crossValidated(folds: Int)
  }

  /// The pruning of a grown tree.
  ///
  /// Default: none. The limits keep the tree small, and cross-validation grows one more tree for each fold.
  public var pruning = Pruning.none

  /// A trainer with the defaults.
  public init() {}

  /// Fits a decision tree to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; scaling changes only the thresholds.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels of the tree; a label may be absent as long as two are present.
  ///   - groups: the group of each window, such as its subject. Required for pruning by cross-validation, which never
  ///     splits a group.
  /// - Throws: `FittingError` if the data cannot be fitted, or has one group only and pruning needs two.
  /// - Precondition: one label per window, and settings that are not negative.
  /// - Complexity: O(features · windows · (log windows + depth)); memory for features · windows values twice over.
  public func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int, groups: [Int]? = nil
  ) throws(FittingError) -> DecisionTree {
    checkSettings(labelCount: labelCount)
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    let grown = grow(matrix, labels: labels, labelCount: labelCount)
    let tree = try pruned(grown, matrix, labels: labels, groups: groups)
    return tree.tree(featureCount: matrix.columnCount, smoothing: smoothing)
  }

  private func pruned(
    _ tree: GrownNodes, _ matrix: FeatureMatrix, labels: [Int], groups: [Int]?
  ) throws(FittingError) -> GrownNodes {
    guard pruning != .none else { return tree }
    let purity = Purity(criterion, rowCount: matrix.rowCount)
    let path = TreePruning(tree, purity)
    switch pruning {
    case .none: return tree
    case .complexityCost(let complexityCost): return path.pruned(tree, complexityCost: complexityCost)
    case .crossValidated(let folds):
      guard let groups else { preconditionFailure("pruning by cross-validation needs the windows' groups") }
      let labelCount = tree.labelCount
      let complexityCost = try ComplexityCostSelection(
        matrix, labels: labels, groups: groups, foldCount: folds, purity: purity
      ) { rows in
        grow(matrix.rows(at: rows), labels: rows.map { labels[$0] }, labelCount: labelCount)
      }
      return path.pruned(tree, complexityCost: complexityCost.best(for: path))
    }
  }

  private func grow(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) -> GrownNodes {
    switch search {
    case .exact:
      var grower = TreeGrower(matrix, labels: labels, labelCount: labelCount, limits: self)
      return grower.grow()
    case .histogram:
      return HistogramTreeGrower(matrix, labels: labels, labelCount: labelCount, limits: self).grow()
    }
  }

  /// Traps if a setting is invalid.
  func checkSettings(labelCount: Int) {
    precondition(maximumDepth >= 0, "the depth of a tree must not be negative")
    precondition(
      minimumLeafSize >= 1 && minimumSplitSize >= 0,
      "the minimum leaf size must be at least 1 and the minimum split size at least 0")
    precondition(smoothing >= 0 && smoothing.isFinite, "smoothing must be zero or greater, not \(smoothing)")
    if case .complexityCost(let complexityCost) = pruning {
      precondition(complexityCost >= 0, "the complexity cost of a leaf must not be negative")
    }
    if case .crossValidated(let folds) = pruning { precondition(folds >= 2, "cross-validation needs at least 2 folds") }
    precondition(
      labelCount <= SortedColumns.labelLimit, "a tree can have at most \(SortedColumns.labelLimit) labels")
  }

  /// Whether the limits allow a node to be split, given its label counts.
  func maySplit(_ counts: [Int], depth: Int) -> Bool {
    let size = counts.reduce(0, +)
    return depth < maximumDepth && size >= max(minimumSplitSize, 2 * minimumLeafSize)
      && counts.count(where: { $0 > 0 }) > 1
  }
}
