/// Label probabilities from a binary tree of threshold tests, each of one feature.
///
/// Node 0 is the root. `leafProbabilities` has one row for each leaf, in the order of the nodes.
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984. `TreeTrainer` in GaitTraining
/// fits it.
public struct DecisionTree: Hashable, Sendable {
  /// The nodes.
  package let nodes: FlatTree

  /// The label probabilities of each leaf, shape `[leaves × labels]`, row-major.
  public let leafProbabilities: [Float]

  /// The number of features of a window.
  public var featureCount: Int { nodes.featureCount }

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The feature that each node tests, or −1 for a leaf; shape `[nodes]`.
  public var nodeFeatures: [Int32] { nodes.features }

  /// The largest value that goes left, in the feature's (scaled) unit; shape `[nodes]`, 0 for a leaf by convention.
  public var thresholds: [Float] { nodes.thresholds }

  /// The next node if the feature is at most the threshold, or −1 for a leaf; shape `[nodes]`.
  public var leftChildren: [Int32] { nodes.leftChildren }

  /// The next node if the feature is above the threshold, or −1 for a leaf; shape `[nodes]`.
  public var rightChildren: [Int32] { nodes.rightChildren }

  /// The number of nodes, leaves included.
  public var nodeCount: Int { nodes.count }

  /// The number of leaves.
  public var leafCount: Int { nodes.leafCount }

  /// The number of tests on the longest path from the root to a leaf; 0 if the root is a leaf.
  public var depth: Int { nodes.depth }

  /// A tree from its numbers, as in a model file; the parameters have the shapes of the properties of the same names.
  ///
  /// - Throws: `ModelError.invalid` if the arrays do not describe one tree with probabilities in its leaves.
  public init(
    nodeFeatures: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32],
    leafProbabilities: [Float], featureCount: Int, labelCount: Int
  ) throws(ModelError) {
    nodes = try FlatTree(
      features: nodeFeatures, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
      roots: [0], featureCount: featureCount)
    try LeafProbabilities.check(leafProbabilities, leafCount: nodes.leafCount, labelCount: labelCount)
    self.leafProbabilities = leafProbabilities
    self.labelCount = labelCount
  }
}

// MARK: - Scoring

extension DecisionTree {
  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// - Complexity: O(*depth* + *labels*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    leafProbabilities.withUnsafeBufferPointer { probabilities in
      nodes.forEachLeaf(of: features) { _, leaf in
        for label in 0..<labelCount { output[label] = probabilities[leaf &* labelCount &+ label] }
      }
    }
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · (depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      leafProbabilities.withUnsafeBufferPointer { probabilities in
        nodes.forEachLeaf(of: matrix) { row, _, leaf in
          for label in 0..<labelCount {
            output[row &* labelCount &+ label] = probabilities[leaf &* labelCount &+ label]
          }
        }
      }
    }
  }
}
