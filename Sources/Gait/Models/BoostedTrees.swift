/// Label probabilities from a sum of small trees, each fitted to the errors of the trees before it.
///
/// Formula:  zₖ = baseₖ + Σ leaf values of the trees of output k, where tree t belongs to output t mod outputs. Two
/// labels have one output: P(label 1) = 1 ÷ (1 + e⁻ᶻ); three or more have one each: P(label k) = e^zₖ ÷ Σ e^zⱼ.
///
/// Source: Friedman, Greedy Function Approximation, Annals of Statistics 29, 2001; Chen, Guestrin, XGBoost, KDD 2016.
/// `BoostedTreesTrainer` in GaitTraining fits them.
public struct BoostedTrees: Hashable, Sendable {
  /// The nodes of all trees; the number of trees is a multiple of the outputs.
  package let nodes: FlatTree

  /// The value that each leaf adds to its output's logit, in the order of the nodes; shape `[leaves]`.
  public let leafValues: [Float]

  /// The logits before the first tree; shape `[outputs]`.
  public let baseScores: [Float]

  /// The number of features of a window.
  public var featureCount: Int { nodes.featureCount }

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The number of logits: 1 for two labels, else one per label.
  public var outputCount: Int { baseScores.count }

  /// Boosted trees from their numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if a count does not match or a number is outside `ModelRanges.weight`.
  package init(
    nodes: FlatTree, leafValues: [Float], baseScores: [Float], labelCount: Int
  ) throws(ModelError) {
    guard labelCount > 1 else { throw .fault(.tooFewLabels(labelCount)) }
    let outputs = Logits.count(ofLabels: labelCount)
    try ModelFault.check(.leafValues, leafValues, columns: nodes.leafCount, within: ModelRanges.weight)
    try ModelFault.check(.baseScores, baseScores, columns: outputs, within: ModelRanges.weight)
    guard nodes.roots.count.isMultiple(of: outputs) else {
      throw .fault(.treesNotMultipleOfOutputs(trees: nodes.roots.count, outputs: outputs))
    }
    self.nodes = nodes
    self.leafValues = leafValues
    self.baseScores = baseScores
    self.labelCount = labelCount
  }
}

extension BoostedTrees {
  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// Order: leaf values are added to the base score in Float, first tree to last.
  ///
  /// - Complexity: O(*trees* · *depth* + *labels*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    let outputs = outputCount
    for index in 0..<outputs { output[index] = baseScores[index] }
    var next = 0
    leafValues.withUnsafeBufferPointer { values in
      nodes.forEachLeaf(of: features) { _, leaf in
        output[next] += values[leaf]
        next = next + 1 == outputs ? 0 : next + 1
      }
    }
    Logits.replaceWithProbabilities(output, labelCount: labelCount)
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · (trees · depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      let outputs = outputCount
      for row in 0..<matrix.rowCount {
        for index in 0..<outputs { output[row * labelCount + index] = baseScores[index] }
      }
      leafValues.withUnsafeBufferPointer { values in
        nodes.forEachLeaf(of: matrix) { row, tree, leaf in
          output[row &* labelCount &+ (outputs == 1 ? 0 : tree % outputs)] += values[leaf]
        }
      }
      for row in 0..<matrix.rowCount {
        Logits.replaceWithProbabilities(output + row * labelCount, labelCount: labelCount)
      }
    }
  }
}
