/// Label probabilities from a sequence of questions, each about one feature.
///
/// The tree is five flat arrays, node 0 the root. An inner node sends a window to its left child when the node's
/// feature is at most its threshold, else to its right child (so what is not a number goes right). Every child comes
/// after its parent, so every walk ends. The leaves, in the order of their nodes, own the rows of `leafProbabilities`.
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984; the layout is that of treelite.
/// Grown by `TreeTrainer` in GaitTraining.
public struct DecisionTree: Hashable, Sendable {
  /// The feature that each node looks at, or −1 for a leaf; shape `[nodes]`.
  public let nodeFeatures: [Int32]

  /// The largest value that goes left, in the feature's (scaled) unit; shape `[nodes]`, 0 for a leaf by convention.
  public let thresholds: [Float]

  /// Where a window goes when its feature is at most the threshold, or −1 for a leaf; shape `[nodes]`.
  public let leftChildren: [Int32]

  /// Where a window goes when its feature is above the threshold, or −1 for a leaf; shape `[nodes]`.
  public let rightChildren: [Int32]

  /// The label probabilities of each leaf, shape `[leaves × labels]`, row-major.
  public let leafProbabilities: [Float]

  /// The number of features of a window.
  public let featureCount: Int

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The row of `leafProbabilities` that belongs to each node that is a leaf, else −1; shape `[nodes]`.
  private let leafRows: [Int32]

  /// The number of nodes, leaves included.
  public var nodeCount: Int { nodeFeatures.count }

  /// The number of leaves.
  public var leafCount: Int { (nodeCount + 1) / 2 }

  /// The number of questions on the longest way from the root to a leaf; 0 if the root is a leaf.
  ///
  /// - Complexity: O(nodes).
  public var depth: Int {
    var depths = [Int](repeating: 0, count: nodeCount)
    var deepest = 0
    for node in 0..<nodeCount where nodeFeatures[node] >= 0 {
      depths[Int(leftChildren[node])] = depths[node] + 1
      depths[Int(rightChildren[node])] = depths[node] + 1
      deepest = max(deepest, depths[node] + 1)
    }
    return deepest
  }

  /// A tree from its numbers, as a model file holds them; shapes and meaning as the properties of the same names.
  ///
  /// - Throws: `ModelShapeError` if the arrays do not describe one tree with probabilities in its leaves.
  public init(
    nodeFeatures: [Int32], thresholds: [Float], leftChildren: [Int32], rightChildren: [Int32],
    leafProbabilities: [Float], featureCount: Int, labelCount: Int
  ) throws(ModelShapeError) {
    guard featureCount > 0 else { throw .noFeatures }
    guard labelCount > 1 else { throw .tooFewLabels(labelCount) }
    self.nodeFeatures = nodeFeatures
    self.thresholds = thresholds
    self.leftChildren = leftChildren
    self.rightChildren = rightChildren
    self.leafProbabilities = leafProbabilities
    self.featureCount = featureCount
    self.labelCount = labelCount
    var leafRows: [Int32] = []
    var leaves: Int32 = 0
    for feature in nodeFeatures {
      leafRows.append(feature == -1 ? leaves : -1)
      leaves += feature == -1 ? 1 : 0
    }
    self.leafRows = leafRows
    try checkNodes()
    try checkLeaves(count: Int(leaves))
  }
}

// MARK: - Scoring

extension DecisionTree {
  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// - Complexity: O(*depth* + *labels*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    let row = Int(leafRows[leaf(of: features)])
    for label in 0..<labelCount { output[label] = leafProbabilities[row * labelCount + label] }
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; the road's, to the last bit.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · (depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    precondition(
      matrix.columnCount == featureCount,
      "a matrix of \(matrix.columnCount) features for a tree of \(featureCount)")
    let rowCount = matrix.rowCount
    let values = [Float](unsafeUninitializedCapacity: rowCount * labelCount) { output, count in
      count = rowCount * labelCount
      matrix.values.withUnsafeBufferPointer { features in
        guard let features = features.baseAddress, let output = output.baseAddress else { return }
        for row in 0..<rowCount {
          probabilities(of: features + row * featureCount, into: output + row * labelCount)
        }
      }
    }
    return FeatureMatrix(columnCount: labelCount, values: values)
  }

  /// The node of the leaf where a window ends.
  private func leaf(of features: UnsafePointer<Float>) -> Int {
    var node = 0
    while true {
      let feature = nodeFeatures[node]
      if feature < 0 { return node }
      node = Int(features[Int(feature)] <= thresholds[node] ? leftChildren[node] : rightChildren[node])
    }
  }
}

// MARK: - Checks

extension DecisionTree {
  private func checkNodes() throws(ModelShapeError) {
    guard nodeCount > 0 else { throw .noNodes }
    try ModelShapeError.check(.thresholds, thresholds, columns: nodeCount)
    for (part, children) in [(ModelShapeError.Part.leftChildren, leftChildren), (.rightChildren, rightChildren)]
    where children.count != nodeCount {
      throw .wrongCount(part, expected: nodeCount, found: children.count)
    }
    var parents = [Int](repeating: 0, count: nodeCount)
    for node in 0..<nodeCount {
      let feature = Int(nodeFeatures[node])
      for child in [Int(leftChildren[node]), Int(rightChildren[node])] {
        if feature == -1 {
          guard child == -1 else { throw .leafWithChild(node: node, child: child) }
        } else {
          try checkChild(child, of: node, feature: feature)
          parents[child] += 1
        }
      }
    }
    if let node = parents.indices.dropFirst().first(where: { parents[$0] != 1 }) {
      throw .parentCount(node: node, found: parents[node])
    }
  }

  private func checkChild(_ child: Int, of node: Int, feature: Int) throws(ModelShapeError) {
    guard (0..<featureCount).contains(feature) else {
      throw .unknownFeature(node: node, feature: feature, featureCount: featureCount)
    }
    guard (0..<nodeCount).contains(child) else {
      throw .childOutOfRange(node: node, child: child, nodeCount: nodeCount)
    }
    guard child > node else { throw .childNotAfterParent(node: node, child: child) }
  }

  private func checkLeaves(count: Int) throws(ModelShapeError) {
    try ModelShapeError.check(.leafProbabilities, leafProbabilities, rows: count, columns: labelCount)
    for leaf in 0..<count {
      var sum: Float = 0
      for label in 0..<labelCount {
        let value = leafProbabilities[leaf * labelCount + label]
        guard (0...1).contains(value) else {
          throw .probabilityOutOfRange(leaf: leaf, label: label, value: value)
        }
        sum += value
      }
      guard (sum - 1).magnitude <= 1e-4 else { throw .probabilitiesDoNotSumToOne(leaf: leaf, sum: sum) }
    }
  }
}
