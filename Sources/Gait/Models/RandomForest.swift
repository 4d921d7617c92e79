/// Label probabilities as the mean over many decision trees, each fitted to other windows and features.
///
/// Source: Breiman, Random Forests, Machine Learning 45, 2001. `ForestTrainer` in GaitTraining fits it.
public struct RandomForest: Hashable, Sendable {
  /// The nodes of all trees.
  package let nodes: FlatTree

  /// The label probabilities of each leaf, in the order of the nodes; shape `[leaves × labels]`, row-major.
  public let leafProbabilities: [Float]

  /// The number of features of a window.
  public var featureCount: Int { nodes.featureCount }

  /// The number of labels, at least two.
  public let labelCount: Int

  /// A forest from its numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if the leaf probabilities do not match the leaves or are not probabilities.
  package init(
    nodes: FlatTree, leafProbabilities: [Float], labelCount: Int
  ) throws(ModelError) {
    try LeafProbabilities.check(leafProbabilities, leafCount: nodes.leafCount, labelCount: labelCount)
    self.nodes = nodes
    self.leafProbabilities = leafProbabilities
    self.labelCount = labelCount
  }
}

extension RandomForest {
  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// Order: the trees' probabilities are added in Float, first tree to last, and the sum divided by their number.
  ///
  /// - Complexity: O(*trees* · (*depth* + *labels*)); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    for label in 0..<labelCount { output[label] = 0 }
    leafProbabilities.withUnsafeBufferPointer { probabilities in
      nodes.forEachLeaf(of: features) { _, leaf in
        for label in 0..<labelCount { output[label] += probabilities[leaf &* labelCount &+ label] }
      }
    }
    let count = Float(nodes.roots.count)
    for label in 0..<labelCount { output[label] /= count }
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · trees · (depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      output.update(repeating: 0, count: matrix.rowCount * labelCount)
      leafProbabilities.withUnsafeBufferPointer { probabilities in
        nodes.forEachLeaf(of: matrix) { row, _, leaf in
          for label in 0..<labelCount {
            output[row &* labelCount &+ label] += probabilities[leaf &* labelCount &+ label]
          }
        }
      }
      let count = Float(nodes.roots.count)
      for index in 0..<matrix.rowCount * labelCount { output[index] /= count }
    }
  }
}
