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

/// The label probabilities of the leaves of classification trees.
enum LeafProbabilities {
  /// Throws unless `values`, shape `[leaves × labels]`, are probabilities that sum to 1 in every leaf.
  static func check(_ values: [Float], leafCount: Int, labelCount: Int) throws(ModelError) {
    guard labelCount > 1 else { throw .fault(.tooFewLabels(labelCount)) }
    try ModelFault.check(.leafProbabilities, values, rows: leafCount, columns: labelCount)
    for leaf in 0..<leafCount {
      var sum: Float = 0
      for label in 0..<labelCount {
        let value = values[leaf * labelCount + label]
        guard (0...1).contains(value) else {
          throw .fault(.probabilityOutOfRange(leaf: leaf, label: label, value: value))
        }
        sum += value
      }
      guard (sum - 1).magnitude <= 1e-4 else { throw .fault(.probabilitiesDoNotSumToOne(leaf: leaf, sum: sum)) }
    }
  }
}
