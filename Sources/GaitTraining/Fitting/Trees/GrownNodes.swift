import Gait

/// The nodes of a classification tree in the making, each before its children.
struct GrownNodes: Sendable {
  private(set) var features: [Int32] = []
  private(set) var thresholds: [Float] = []
  private(set) var leftChildren: [Int32] = []
  private(set) var rightChildren: [Int32] = []

  /// The windows of each label in each node, leaves and others, shape `[nodes × labels]`.
  private(set) var counts: [Int] = []

  let labelCount: Int

  var count: Int { features.count }

  init(labelCount: Int) {
    self.labelCount = labelCount
  }

  /// Adds a leaf, and hangs it where it belongs.
  ///
  /// - Parameters:
  ///   - counts: the windows of each label.
  ///   - parent: the node that it is a child of; `nil` for the root.
  ///   - isLeft: which child it is.
  /// - Returns: the number of the node.
  mutating func append(_ counts: [Int], childOf parent: Int?, isLeft: Bool) -> Int {
    let node = features.count
    features.append(-1)
    thresholds.append(0)
    leftChildren.append(-1)
    rightChildren.append(-1)
    self.counts += counts
    if let parent {
      if isLeft { leftChildren[parent] = Int32(node) } else { rightChildren[parent] = Int32(node) }
    }
    return node
  }

  /// Makes a leaf ask a question; its children are appended after it.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    features[node] = Int32(feature)
    thresholds[node] = threshold
  }

  /// The windows of each label in a node.
  func counts(of node: Int) -> ArraySlice<Int> { counts[node * labelCount..<(node + 1) * labelCount] }

  /// The label probabilities of a leaf: (countₖ + smoothing) ÷ (count + smoothing · labels).
  func probabilities(of node: Int, smoothing: Double) -> [Float] {
    let total = Double(counts(of: node).reduce(0, +)) + smoothing * Double(labelCount)
    return counts(of: node).map { Float((Double($0) + smoothing) / total) }
  }

  /// The finished tree.
  func tree(featureCount: Int, smoothing: Double) -> DecisionTree {
    let leaves = features.indices.filter { features[$0] < 0 }
    do {
      return try DecisionTree(
        nodeFeatures: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        leafProbabilities: leaves.flatMap { probabilities(of: $0, smoothing: smoothing) },
        featureCount: featureCount, labelCount: labelCount)
    } catch {
      preconditionFailure("a grown tree must be well formed: \(error)")
    }
  }
}
