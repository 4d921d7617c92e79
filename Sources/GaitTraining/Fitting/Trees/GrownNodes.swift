import Gait

/// A classification tree under construction: its nodes, and the number of windows of each label in each node.
struct GrownNodes: Sendable {
  private(set) var arrays = NodeArrays()

  /// Shape `[nodes × labels]`, inner nodes included.
  private(set) var counts: [Int] = []

  let labelCount: Int

  init(labelCount: Int) {
    self.labelCount = labelCount
  }

  /// Adds a leaf with its label counts below `parent`, and returns its index.
  mutating func append(_ counts: [Int], childOf parent: Int?, isLeft: Bool) -> Int {
    self.counts += counts
    return arrays.append(childOf: parent, isLeft: isLeft)
  }

  /// Turns a leaf into a split node; its children are appended later.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    arrays.split(node, feature: feature, threshold: threshold)
  }

  /// The number of windows of each label in a node.
  func counts(of node: Int) -> ArraySlice<Int> { counts[node * labelCount..<(node + 1) * labelCount] }

  /// The label probabilities of all leaves, shape `[leaves × labels]`: (countₖ + s) ÷ (count + s · labels).
  func leafProbabilities(smoothing: Double) -> [Float] {
    arrays.leaves.flatMap { node in
      let total = Double(counts(of: node).reduce(0, +)) + smoothing * Double(labelCount)
      return counts(of: node).map { Float((Double($0) + smoothing) / total) }
    }
  }

  /// The finished tree.
  func tree(featureCount: Int, smoothing: Double) -> DecisionTree {
    do {
      return try DecisionTree(
        nodeFeatures: arrays.features, thresholds: arrays.thresholds, leftChildren: arrays.leftChildren,
        rightChildren: arrays.rightChildren, leafProbabilities: leafProbabilities(smoothing: smoothing),
        featureCount: featureCount, labelCount: labelCount)
    } catch {
      preconditionFailure("a grown tree must be well formed: \(error)")
    }
  }
}
