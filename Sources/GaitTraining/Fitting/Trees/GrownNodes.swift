import Gait

/// A classification tree in the making: its nodes, and the windows of each label in each of them.
struct GrownNodes: Sendable {
  private(set) var arrays = NodeArrays()

  /// Shape `[nodes × labels]`, inner nodes included.
  private(set) var counts: [Int] = []

  let labelCount: Int

  init(labelCount: Int) {
    self.labelCount = labelCount
  }

  /// Adds a leaf with its windows of each label, and hangs it where it belongs; returns its number.
  mutating func append(_ counts: [Int], childOf parent: Int?, isLeft: Bool) -> Int {
    self.counts += counts
    return arrays.append(childOf: parent, isLeft: isLeft)
  }

  /// Makes a leaf ask a question; its children are appended after it.
  mutating func split(_ node: Int, feature: Int, threshold: Float) {
    arrays.split(node, feature: feature, threshold: threshold)
  }

  /// The windows of each label in a node.
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
