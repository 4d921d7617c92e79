import Gait

/// Grows a decision tree.
///
/// CART: every node takes, among all features and all midpoints between neighbouring values, the split whose two sides
/// have the least Gini impurity 1 − Σ pₖ² (weighted by their windows), until a limit is reached or a node is pure. Each
/// feature is sorted once; the sorted order is then handed down the tree, so every level costs one pass over the data.
/// Between equally good splits the lowest feature wins, then the lowest threshold, so nothing is random. A split that
/// gains nothing yet is still taken (two features may tell only together).
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984. The same training impurity as
/// scikit-learn's `DecisionTreeClassifier` to 1e-6.
public struct TreeTrainer: Hashable, Sendable {
  /// Where a node looks for its split.
  public enum Search: String, Hashable, Sendable, CaseIterable {
    /// At every midpoint between neighbouring values.
    case exact
    /// At the edges of at most 256 bins of about equally many windows, which are made once: many times faster.
    case histogram
  }

  /// Where a node looks for its split.
  ///
  /// Default: exact, which takes about a second for 100,000 windows of 200 features at depth 8.
  public var search = Search.exact

  /// What makes a split good.
  ///
  /// Default: Gini, as scikit-learn; the trees of the two criteria seldom differ in accuracy.
  public var criterion = SplitCriterion.gini

  /// The most questions between the root and a leaf; 0 grows a single leaf.
  ///
  /// Default: 8, at most 256 leaves, which a person can still read and a wrist can still walk in a few nanoseconds.
  public var maximumDepth = 8

  /// The fewest windows of a leaf.
  ///
  /// Default: 20. A fraction of 20 windows has a standard error of up to 0.11; windows overlap, so fewer would mean
  /// only a few seconds of one person.
  public var minimumLeafSize = 20

  /// The fewest windows of a node that may be split.
  ///
  /// Default: 40, twice the default leaf: smaller nodes could not be split anyway.
  public var minimumSplitSize = 40

  /// What is added to each label's count in a leaf before fractions are taken: (countₖ + s) ÷ (count + s · labels).
  ///
  /// Default: 1 (Laplace's rule of succession), so that no leaf is ever certain: a pure leaf of 20 says 0.95 of two
  /// labels, not 1. The most probable label stays the same. 0 gives scikit-learn's plain fractions. Source: Provost,
  /// Domingos, Tree Induction for Probability-Based Ranking, 2003.
  public var smoothing = 1.0

  /// What becomes of a grown tree.
  public enum Pruning: Hashable, Sendable {
    /// It stays as it is.
    case none
    /// A leaf costs this much in impurity times share of the windows: what does not earn it is cut (scikit-learn's
    /// `ccp_alpha`).
    case complexityCost(Double)
    /// The complexity cost is chosen by cross-validation over groups, dealt to this many folds.
    case crossValidated(folds: Int)
  }

  /// What becomes of a grown tree.
  ///
  /// Default: none, because the limits keep the tree small, and pruning by cross-validation grows one more tree for each
  /// fold.
  public var pruning = Pruning.none

  /// A trainer with the defaults.
  public init() {}

  /// The tree for `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; scaling them changes nothing but the thresholds' unit.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels of the tree; a label may be absent as long as two are present.
  ///   - groups: the group of each window, such as its subject; needed to prune by cross-validation, which keeps each group
  ///     whole.
  /// - Throws: `FittingError` if there is nothing to learn from, or only one group to prune by.
  /// - Precondition: one label a window, and settings that are not negative.
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
      let grower = HistogramTreeGrower(BinnedMatrix(matrix), labels: labels, labelCount: labelCount, limits: self)
      return grower.grow()
    }
  }

  /// Traps where a setting makes no sense.
  func checkSettings(labelCount: Int) {
    precondition(maximumDepth >= 0, "the depth of a tree must not be negative")
    precondition(minimumLeafSize >= 1 && minimumSplitSize >= 0, "a leaf holds at least one window")
    precondition(smoothing >= 0 && smoothing.isFinite, "smoothing must be zero or greater, not \(smoothing)")
    if case .complexityCost(let complexityCost) = pruning {
      precondition(complexityCost >= 0, "the complexityCost of a leaf must not be negative")
    }
    if case .crossValidated(let folds) = pruning { precondition(folds >= 2, "cross-validation needs at least 2 folds") }
    precondition(
      labelCount <= SortedColumns.labelLimit, "a tree can tell at most \(SortedColumns.labelLimit) labels apart")
  }

  /// Whether a node may have children, as far as its windows decide it.
  func maySplit(_ counts: [Int], depth: Int) -> Bool {
    let size = counts.reduce(0, +)
    return depth < maximumDepth && size >= max(minimumSplitSize, 2 * minimumLeafSize)
      && counts.count(where: { $0 > 0 }) > 1
  }
}
