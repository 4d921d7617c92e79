import Gait

/// Grows boosted trees.
///
/// Every round adds one tree per label (a single tree for two labels), fitted to the first and second derivatives of
/// the log-loss at the current scores. Splits are searched between at most 256 bins of each feature. The sums of
/// derivatives are integer sums, so the result does not depend on the number of threads. The same seed gives the same
/// trees.
///
/// Source: Friedman, Greedy Function Approximation, Annals of Statistics 29, 2001; Chen, Guestrin, XGBoost, KDD 2016;
/// Ke and others, LightGBM, NeurIPS 2017.
public struct BoostedTreesTrainer: Hashable, Sendable {
  /// The number of rounds.
  ///
  /// Default: 100, as XGBoost, LightGBM and scikit-learn.
  public var roundCount = 100

  /// The learning rate: the factor on each tree's leaf values.
  ///
  /// Default: 0.1, as LightGBM and scikit-learn. A smaller rate needs more rounds.
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
  /// Default: 1, as XGBoost. A window of probability p adds p (1 − p), at most ¼. With equal label weights, a leaf
  /// therefore has at least four windows, and more where the probabilities are near 0 or 1.
  public var minimumLeafWeight = 1.0

  /// The L2 penalty on leaf values. It is added to the sum of second derivatives, which makes the values of leaves with
  /// few windows smaller.
  ///
  /// Default: 1, as XGBoost.
  public var ridge = 1.0

  /// The share of the features that a tree may use, drawn for each tree; 0…1.
  ///
  /// Default: 0.25. Held-out accuracy is the same with all features. If the share is less than 64 features, a tree may
  /// use 64; if there are no more than 64, it may use all.
  public var featureShare = 0.25

  /// The weight of each label's windows in the loss.
  ///
  /// Default: equal. Other weights are scaled to a mean of 1 over the windows, so that `minimumLeafWeight` and `ridge`
  /// keep their meaning.
  public var labelWeights = FitWeights.equal

  /// The seed of the random draws.
  public var seed: UInt64 = 1

  /// A trainer with the defaults.
  public init() {}

  /// Fits boosted trees to `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; they need no scaling.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels. At least two must occur in `labels`; others may be absent.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window; `roundCount` and `maximumLeafCount` at least 1; `shrinkage` above 0;
  ///   `featureShare` above 0 and at most 1; no other setting negative.
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
    let bins = BinnedColumns(matrix)
    let share = max(Int(saturating: (featureShare * Double(matrix.columnCount)).rounded(.up)), 64)
    let rows = (0..<matrix.rowCount).map { Int32($0) }
    var loss = BoostingLoss(
      labels: labels, labelCount: labelCount, weights: labelWeights.weightsOfMeanOne(labels, labelCount: labelCount))
    var (arrays, values) = (NodeArrays(), [Float]())
    var spare: [NodeHistograms] = []
    let stage = WorkProgress("round of trees", of: roundCount)
    for _ in 0..<roundCount {
      defer { stage.advance() }
      loss.differentiate()
      for output in 0..<loss.outputCount {
        let packed = PackedGradients(gradients: loss.gradients[output], curvatures: loss.curvatures[output])
        var search = GainSearch(
          matrix: bins, limits: self, packed: packed,
          columns: Array(random.shuffled(matrix.columnCount).prefix(share)), spare: spare)
        let tree = search.grow(rows, maximumLeafCount: maximumLeafCount)
        spare = search.spare
        arrays.append(tree.arrays)
        values += loss.add(tree, to: output, limits: self)
      }
    }
    return Result {
      try BoostedTrees(
        nodes: arrays.nodes(featureCount: matrix.columnCount), leafValues: values, baseScores: loss.baseScores,
        labelCount: labelCount)
    }.get(orTrap: "grown trees must be well formed")
  }
}

/// The log-loss of boosted trees on their training windows, with its derivatives.
///
/// The first derivative is w (p − y), where w is the label's weight. The second is w p (1 − p). For three or more
/// labels it is only the diagonal of the Hessian.
struct BoostingLoss: Sendable {
  private static let leastWeight = 1e-3

  let labels: [Int]
  let labelCount: Int

  /// The weight of each label's windows, shape `[labels]`; the mean over the windows is 1.
  private let weights: [Float]

  /// The logits before the first tree, from the labels' weighted frequencies: shape `[outputs]`.
  let baseScores: [Float]

  /// For each output, the first derivative of every window.
  private(set) var gradients: [[Float]]

  /// For each output, the second derivative of every window.
  private(set) var curvatures: [[Float]]

  /// For each output, the logit of every window.
  private var scores: [[Float]]

  var outputCount: Int { baseScores.count }

  /// - Parameter weights: the weight of each label's windows; the mean over the windows is 1.
  init(labels: [Int], labelCount: Int, weights: [Double]) {
    self.labels = labels
    self.labelCount = labelCount
    self.weights = weights.map { Float($0) }
    // A label whose windows weigh less than 0.5 together, such as a label without windows, counts as 0.5, so that its
    // logarithm is finite.
    let shares = (0..<labelCount).map { label in
      max(0.5, Double(labels.count { $0 == label }) * weights[label]) / Double(labels.count)
    }
    baseScores = labelCount == 2 ? [Float(logarithm(shares[1] / shares[0]))] : shares.map { Float(logarithm($0)) }
    scores = baseScores.map { [Float](repeating: $0, count: labels.count) }
    gradients = scores
    curvatures = scores
  }

  /// Adds a tree's leaf values to the logits of an output, and returns the values.
  ///
  /// A leaf's value is −G ÷ (H + ridge) · shrinkage, where G and H are the sums of the unrounded first and second
  /// derivatives over the leaf's windows, in Double and in the order of the windows. The divisor is at least
  /// `leastWeight`: if all probabilities are 0 or 1, H is 0 at the root of a tree without a split, and `ridge` may be
  /// 0.
  mutating func add(_ tree: GrownTree, to output: Int, limits: BoostedTreesTrainer) -> [Float] {
    tree.ranges.map { range in
      tree.rows.withRows(range) { rows in
        var (gradient, curvature) = (0.0, 0.0)
        for row in rows {
          gradient += Double(gradients[output][Int(row)])
          curvature += Double(curvatures[output][Int(row)])
        }
        let value = Float(-gradient / max(curvature + limits.ridge, Self.leastWeight) * limits.shrinkage)
        scores[output].withUnsafeMutableBufferPointer { scores in
          for row in rows { scores[Int(row)] += value }
        }
        return value
      }
    }
  }

  /// Computes the derivatives at the current logits.
  mutating func differentiate() {
    var probabilities = [Float](repeating: 0, count: labelCount)
    for row in 0..<labels.count {
      for output in 0..<outputCount { probabilities[output] = scores[output][row] }
      probabilities.withUnsafeMutableBufferPointer {
        // The derivatives of nearly certain labels are differences, so the exponentials are those of the C library.
        Logits.replaceWithProbabilities($0.baseAddress!, labelCount: labelCount) { exponential($0) }
      }
      let weight = weights[labels[row]]
      for output in 0..<outputCount {
        let label = outputCount == 1 ? 1 : output
        let probability = probabilities[label]
        gradients[output][row] = weight * (probability - (labels[row] == label ? 1 : 0))
        curvatures[output][row] = weight * probability * (1 - probability)
      }
    }
  }
}
