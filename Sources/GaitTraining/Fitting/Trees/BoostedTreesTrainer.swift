import Gait

/// Grows boosted trees.
///
/// Every round adds one tree per label (a single tree for two labels), fitted to the first and second derivatives of
/// the log-loss at the current scores. Splits are searched between at most 256 bins of each feature. Histograms are
/// integer sums, so the result does not depend on the number of threads. The same seed gives the same trees.
///
/// Source: Friedman, Greedy Function Approximation, Annals of Statistics 29, 2001; Chen, Guestrin, XGBoost, KDD 2016; Ke and
/// others, LightGBM, NeurIPS 2017.
public struct BoostedTreesTrainer: Hashable, Sendable {
  /// The number of rounds.
  ///
  /// Default: 100, as XGBoost, LightGBM and scikit-learn.
  public var roundCount = 100

  /// The learning rate: the factor on each tree's leaf values.
  ///
  /// Default: 0.1, as LightGBM and scikit-learn; smaller needs more rounds.
  public var shrinkage = 0.1

  /// The maximum number of leaves of a tree.
  ///
  /// Default: 31, as LightGBM and scikit-learn.
  public var maximumLeafCount = 31

  /// The maximum depth of a tree.
  ///
  /// Default: 12. Trees grow leaf-wise; the limit keeps a tree of 31 leaves from degenerating into a chain.
  public var maximumDepth = 12

  /// The minimum sum of the loss's second derivatives in a leaf.
  ///
  /// Default: 1, as XGBoost. A window of probability p counts p (1 − p), so a leaf has at least four windows, and more
  /// if the model is already confident.
  public var minimumLeafWeight = 1.0

  /// The L2 penalty on leaf values: it is added to that sum, which shrinks the values of leaves with few windows.
  ///
  /// Default: 1, as XGBoost.
  public var ridge = 1.0

  /// The share of the features that a tree may use, drawn for each tree in groups of eight; 0…1.
  ///
  /// Default: 0.25, as held-out accuracy is the same with all features. Every tree uses at least 8 groups, so sets of up
  /// to 64 features are used whole.
  public var featureShare = 0.25

  /// The seed of the random draws.
  public var seed: UInt64 = 1

  /// A trainer with the defaults.
  public init() {}

  /// Fits boosted trees to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; they need no scaling.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels; a label may be absent as long as two are present.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window, and settings that are not negative.
  /// - Complexity: O(windows · features + rounds · outputs · features · (windows · depth + leaves)).
  public func fit(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) -> BoostedTrees {
    precondition(
      roundCount >= 1 && maximumLeafCount >= 1 && maximumDepth >= 0,
      "boosting needs at least one round and one leaf, and a depth of 0 or more")
    precondition(shrinkage > 0 && shrinkage.isFinite, "the shrinkage must be above zero, not \(shrinkage)")
    precondition(ridge >= 0 && ridge.isFinite, "the ridge must be zero or greater, not \(ridge)")
    precondition(minimumLeafWeight >= 0, "the minimum weight of a leaf must not be negative")
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    precondition(
      featureShare > 0 && featureShare <= 1, "the feature share must be above 0 and at most 1, not \(featureShare)")
    var random = SeededGenerator(seed: seed)
    let bins = BinnedMatrix(matrix, order: random.shuffled(matrix.columnCount))
    let rows = NodeRows((0..<matrix.rowCount).map { Int32($0) })
    var loss = BoostingLoss(labels: labels, labelCount: labelCount)
    var (arrays, values) = (NodeArrays(), [Float]())
    var spare: [NodeHistograms] = []
    let stage = WorkProgress("round of trees", of: roundCount)
    for _ in 0..<roundCount {
      defer { stage.advance() }
      loss.differentiate()
      for output in 0..<loss.outputCount {
        let tree = grower(bins, loss, output, &random).grow(rows, &spare)
        loss.add(tree, to: output)
        arrays.append(tree.arrays)
        values += tree.values
      }
    }
    return Result {
      try BoostedTrees(
        nodes: arrays.nodes(featureCount: matrix.columnCount), leafValues: values, baseScores: loss.baseScores,
        labelCount: labelCount)
    }.get(orTrap: "grown trees must be well formed")
  }

  private func grower(
    _ bins: BinnedMatrix, _ loss: BoostingLoss, _ output: Int, _ random: inout SeededGenerator
  ) -> BoostedTreeGrower {
    let (gradients, curvatures) = (loss.gradients[output], loss.curvatures[output])
    return BoostedTreeGrower(
      matrix: bins, limits: self, gradients: gradients, curvatures: curvatures,
      packed: PackedGradients(gradients: gradients, curvatures: curvatures), lines: drawnLines(bins, &random))
  }

  /// The blocks that a tree may use, by line.
  private func drawnLines(_ bins: BinnedMatrix, _ random: inout SeededGenerator) -> [[Int]] {
    let share = Int(saturating: (featureShare * Double(bins.blockCount)).rounded(.up))
    let drawn = Set(random.shuffled(bins.blockCount).prefix(max(share, 8)))
    return bins.lines.map { $0.filter(drawn.contains) }.filter { !$0.isEmpty }
  }
}

/// The log-loss of boosted trees on their training windows, with its derivatives.
///
/// First derivative: p − y. Second: p (1 − p); for three or more labels only the diagonal of the Hessian.
struct BoostingLoss: Sendable {
  let labels: [Int]
  let labelCount: Int

  /// The logits before the first tree, from the labels' frequencies: shape `[outputs]`.
  let baseScores: [Float]

  /// For each output, the first derivative of every window.
  private(set) var gradients: [[Float]]

  /// For each output, the second derivative of every window.
  private(set) var curvatures: [[Float]]

  /// For each output, the logit of every window.
  private var scores: [[Float]]

  var outputCount: Int { baseScores.count }

  init(labels: [Int], labelCount: Int) {
    self.labels = labels
    self.labelCount = labelCount
    // A label without windows counts as half a window, so that its logarithm is finite.
    let shares = (0..<labelCount).map { label in max(0.5, Double(labels.count { $0 == label })) / Double(labels.count) }
    baseScores = labelCount == 2 ? [Float(logarithm(shares[1] / shares[0]))] : shares.map { Float(logarithm($0)) }
    scores = baseScores.map { [Float](repeating: $0, count: labels.count) }
    gradients = scores
    curvatures = scores
  }

  /// Adds a tree's leaf values to the logits of an output.
  mutating func add(_ tree: BoostedTreeGrower.Tree, to output: Int) {
    for (range, value) in zip(tree.ranges, tree.values) {
      tree.rows.withRows(range) { rows in
        scores[output].withUnsafeMutableBufferPointer { scores in
          for row in rows { scores[Int(row)] += value }
        }
      }
    }
  }

  /// Computes the derivatives at the current logits.
  mutating func differentiate() {
    var probabilities = [Float](repeating: 0, count: labelCount)
    for row in 0..<labels.count {
      for output in 0..<outputCount { probabilities[output] = scores[output][row] }
      probabilities.withUnsafeMutableBufferPointer {
        Logits.replaceWithProbabilities($0.baseAddress!, labelCount: labelCount)
      }
      for output in 0..<outputCount {
        let label = outputCount == 1 ? 1 : output
        let probability = probabilities[label]
        gradients[output][row] = probability - (labels[row] == label ? 1 : 0)
        curvatures[output][row] = probability * (1 - probability)
      }
    }
  }
}
