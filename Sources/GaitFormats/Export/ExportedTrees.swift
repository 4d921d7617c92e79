import Gait

/// Trees as flat rows of nodes, as in ONNX and Core ML: the leaves' outputs are summed for each label.
struct ExportedTrees {
  /// A node of a tree.
  struct Node {
    /// The tree's number.
    var tree: Int
    /// The node's number in its tree; 0 is the root.
    var node: Int
    /// The split; `nil` for a leaf.
    var split: Split?
    /// A leaf's outputs; empty for a split.
    var outputs: [Output] = []
  }

  /// A leaf's contribution to a label.
  struct Output {
    var label: Int
    var value: Float
  }

  /// A split on a feature: one child if the value is at most the threshold, the other if it is greater or NaN.
  struct Split {
    var feature: Int
    var threshold: Float
    var whenAtMost: Int
    var otherwise: Int
  }

  /// The nodes, tree after tree.
  let nodes: [Node]
  /// The base score of each label, before the first tree.
  let base: [Float]
  /// Whether the sums are logits, to which softmax is applied; otherwise they are probabilities.
  let areLogits: Bool
  /// The number of trees.
  let treeCount: Int

  /// The trees of a classifier; `nil` if it has none.
  init?(_ classifier: Classifier) {
    switch classifier {
    case .logistic: return nil
    case .decisionTree(let tree): self.init(tree.nodes, tree.leafProbabilities, labelCount: tree.labelCount)
    case .randomForest(let forest): self.init(forest.nodes, forest.leafProbabilities, labelCount: forest.labelCount)
    case .boostedTrees(let boosted): self.init(boosted)
    }
  }

  /// A tree, or a forest, with probabilities in its leaves; each tree is weighted by its share of the mean.
  private init(_ trees: FlatTree, _ leafProbabilities: [Float], labelCount: Int) {
    let share = 1 / Float(trees.roots.count)
    self.init(trees, base: Array(repeating: 0, count: labelCount), areLogits: false) { _, leaf in
      (0..<labelCount).map { Output(label: $0, value: share * leafProbabilities[leaf * labelCount + $0]) }
    }
  }

  /// Boosted trees. With two labels, the first has a logit of 0, because the softmax of (0, z) is the sigmoid of z.
  private init(_ boosted: BoostedTrees) {
    let isBinary = boosted.labelCount == 2
    self.init(boosted.nodes, base: (isBinary ? [0] : []) + boosted.baseScores, areLogits: true) { tree, leaf in
      [Output(label: isBinary ? 1 : tree % boosted.outputCount, value: boosted.leafValues[leaf])]
    }
  }

  private init(
    _ trees: FlatTree, base: [Float], areLogits: Bool, outputs: (_ tree: Int, _ leaf: Int) -> [Output]
  ) {
    self.base = base
    self.areLogits = areLogits
    treeCount = trees.roots.count
    let places = Self.places(trees)
    var leaf = 0
    let nodes = places.indices.map { index in
      let place = places[index]
      guard trees.features[index] < 0 else {
        let split = Split(
          feature: Int(trees.features[index]), threshold: trees.thresholds[index],
          whenAtMost: places[Int(trees.leftChildren[index])].node,
          otherwise: places[Int(trees.rightChildren[index])].node)
        return Node(tree: place.tree, node: place.node, split: split)
      }
      leaf += 1
      return Node(tree: place.tree, node: place.node, outputs: outputs(place.tree, leaf - 1))
    }
    self.nodes = nodes.sorted { ($0.tree, $0.node) < ($1.tree, $1.node) }
  }

  /// Each node's tree and its number in the tree. Children follow their parents, so one pass suffices.
  private static func places(_ trees: FlatTree) -> [(tree: Int, node: Int)] {
    var treeIndices = [Int](repeating: 0, count: trees.count)
    for (tree, root) in trees.roots.enumerated() { treeIndices[Int(root)] = tree }
    for node in 0..<trees.count where trees.features[node] >= 0 {
      treeIndices[Int(trees.leftChildren[node])] = treeIndices[node]
      treeIndices[Int(trees.rightChildren[node])] = treeIndices[node]
    }
    var counts = [Int](repeating: 0, count: trees.roots.count)
    return treeIndices.map { tree in
      counts[tree] += 1
      return (tree, counts[tree] - 1)
    }
  }
}

extension LogisticRegression {
  /// The weights and intercepts for unscaled features; the softmax of the weighted sums is the probabilities.
  ///
  /// - Returns: weights, shape `[labels × features]`, and intercepts. With two labels, those of the first are 0: the
  ///   softmax of (0, z) is the sigmoid of z.
  func unscaled(by scaling: Scaling?) -> (weights: [Double], intercepts: [Double]) {
    let mean = scaling?.mean ?? Array(repeating: 0, count: featureCount)
    let deviation = scaling?.standardDeviation ?? Array(repeating: 1, count: featureCount)
    var result: (weights: [Double], intercepts: [Double]) =
      labelCount == 2 ? (Array(repeating: 0, count: featureCount), [0]) : ([], [])
    for output in 0..<outputCount {
      var intercept = Double(intercepts[output])
      for feature in 0..<featureCount {
        let weight = Double(weights[output * featureCount + feature]) / Double(deviation[feature])
        result.weights.append(weight)
        intercept -= weight * Double(mean[feature])
      }
      result.intercepts.append(intercept)
    }
    return result
  }
}
