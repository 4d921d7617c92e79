import Gait

/// Grows boosted trees.
///
/// Every round adds one tree for each label (one in all for two labels), fitted to the first and second derivatives of the
/// log-loss where the trees so far have left it. Splits are sought between at most 256 bins of each feature; histograms are
/// sums of whole numbers, so the result does not depend on the number of threads. The same seed gives the same trees.
///
/// Source: Friedman, Greedy Function Approximation, Annals of Statistics 29, 2001; Chen, Guestrin, XGBoost, KDD 2016; Ke and
/// others, LightGBM, NeurIPS 2017.
public struct BoostedTreesTrainer: Hashable, Sendable {
  /// The number of rounds.
  ///
  /// Default: 100, as XGBoost, LightGBM and scikit-learn.
  public var roundCount = 100

  /// How much of each tree's correction is taken.
  ///
  /// Default: 0.1, as LightGBM and scikit-learn; smaller needs more rounds.
  public var shrinkage = 0.1

  /// The most leaves of a tree.
  ///
  /// Default: 31, as LightGBM and scikit-learn.
  public var maximumLeafCount = 31

  /// The most questions between a root and a leaf.
  ///
  /// Default: 12. Trees grow where it pays most; the limit keeps one of 31 leaves from becoming a chain.
  public var maximumDepth = 12

  /// The least sum of the loss's second derivatives in a leaf.
  ///
  /// Default: 1, as XGBoost. A window whose probability is p counts p (1 − p): at least four windows, and more where the model
  /// is already sure.
  public var minimumLeafWeight = 1.0

  /// What is added to that sum before a leaf's value is taken, which draws values of light leaves to 0.
  ///
  /// Default: 1, as XGBoost.
  public var ridge = 1.0

  /// The share of the features that a tree may look at, drawn anew for each tree in groups of eight; 0…1.
  ///
  /// Default: 0.25. With the full set and one person of the twelve shared of MotionSense left out at a time, six-class
  /// accuracy is 95.2 % with it and 95.1 % with all features (`Scripts/judge-defaults`). Every tree sees at least 8 groups, so that sets of up to 64
  /// features are seen whole.
  public var featureShare = 0.25

  /// What the draws follow from.
  public var seed: UInt64 = 1

  /// A trainer with the defaults.
  public init() {}

  /// The trees for `matrix`.
  ///
  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`; they need no scaling.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels; a label may be absent as long as two are present.
  /// - Throws: `FittingError` if there is nothing to learn from.
  /// - Precondition: one label a window, and settings that are not negative.
  /// - Complexity: O(windows · features + rounds · outputs · features · (windows · depth + leaves)).
  public func fit(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) -> BoostedTrees {
    precondition(roundCount >= 1 && maximumLeafCount >= 1 && maximumDepth >= 0, "boosting needs a tree with a leaf")
    precondition(shrinkage > 0 && shrinkage.isFinite, "the shrinkage must be above zero, not \(shrinkage)")
    precondition(ridge >= 0 && ridge.isFinite, "the ridge must be zero or greater, not \(ridge)")
    precondition(minimumLeafWeight >= 0, "the weight of a leaf must not be negative")
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    precondition(featureShare > 0 && featureShare <= 1, "a tree looks at a share of 0…1 of the features")
    var random = SeededGenerator(seed: seed)
    let bins = BinnedMatrix(matrix, order: random.shuffled(matrix.columnCount))
    let rows = NodeRows((0..<matrix.rowCount).map { Int32($0) })
    var loss = BoostingLoss(labels: labels, labelCount: labelCount)
    var (arrays, values) = (NodeArrays(), [Float]())
    var spare: [GradientHistograms] = []
    for _ in 0..<roundCount {
      loss.differentiate()
      for output in 0..<loss.outputCount {
        let tree = grower(bins, loss, output, &random).grow(rows, &spare)
        loss.add(tree, to: output)
        arrays.append(tree.arrays)
        values += tree.values
      }
    }
    do {
      return try BoostedTrees(
        nodes: arrays.nodes(featureCount: matrix.columnCount), leafValues: values, baseScores: loss.baseScores,
        labelCount: labelCount)
    } catch {
      preconditionFailure("grown trees must be well formed: \(error)")
    }
  }

  private func grower(
    _ bins: BinnedMatrix, _ loss: BoostingLoss, _ output: Int, _ random: inout SeededGenerator
  ) -> BoostedTreeGrower {
    let (gradients, curvatures) = (loss.gradients[output], loss.curvatures[output])
    return BoostedTreeGrower(
      matrix: bins, limits: self, gradients: gradients, curvatures: curvatures,
      packed: PackedGradients(gradients: gradients, curvatures: curvatures), lines: drawnLines(bins, &random))
  }

  /// The blocks that a tree may look at, by line.
  private func drawnLines(_ bins: BinnedMatrix, _ random: inout SeededGenerator) -> [[Int]] {
    let share = Int((featureShare * Double(bins.blockCount)).rounded(.up))
    let drawn = Set(random.shuffled(bins.blockCount).prefix(max(share, 8)))
    return bins.lines.map { $0.filter(drawn.contains) }.filter { !$0.isEmpty }
  }
}
