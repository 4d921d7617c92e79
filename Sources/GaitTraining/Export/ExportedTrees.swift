import Gait

/// Trees as flat rows, as both ONNX and Core ML hold them: their outputs are added up for each label.
struct ExportedTrees {
  /// A node of a tree.
  struct Node {
    /// The tree's number.
    var tree: Int
    /// The node's number in its tree; 0 is the root.
    var node: Int
    /// What is asked, or `nil` for a leaf.
    var question: Question?
    /// What a leaf adds to each label; empty for a question.
    var outputs: [Output] = []
  }

  /// What a leaf adds to a label.
  struct Output {
    var label: Int
    var value: Float
  }

  /// Goes to one child where the feature is at most the threshold, else, and where it is not a number, to the other.
  struct Question {
    var feature: Int
    var threshold: Float
    var whenAtMost: Int
    var otherwise: Int
  }

  /// The nodes, tree after tree.
  let nodes: [Node]
  /// What each label has before the first tree.
  let base: [Float]
  /// Whether the sums are logits, of which the softmax is the probabilities; else they are the probabilities.
  let areLogits: Bool
  /// The number of trees.
  let treeCount: Int

  /// A tree, whose leaves hold probabilities.
  init(_ tree: DecisionTree) {
    self.init(tree.nodes, base: Array(repeating: 0, count: tree.labelCount), areLogits: false) { _, leaf in
      (0..<tree.labelCount).map { Output(label: $0, value: tree.leafProbabilities[leaf * tree.labelCount + $0]) }
    }
  }

  /// A forest, each tree with its share of the mean.
  init(_ forest: RandomForest) {
    let share = 1 / Float(forest.nodes.roots.count)
    self.init(forest.nodes, base: Array(repeating: 0, count: forest.labelCount), areLogits: false) { _, leaf in
      (0..<forest.labelCount).map {
        Output(label: $0, value: share * forest.leafProbabilities[leaf * forest.labelCount + $0])
      }
    }
  }

  /// Boosted trees. Of two labels the first has a logit of 0, for the softmax of (0, z) is the sigmoid of z.
  init(_ boosted: BoostedTrees) {
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
        let question = Question(
          feature: Int(trees.features[index]), threshold: trees.thresholds[index],
          whenAtMost: places[Int(trees.leftChildren[index])].node,
          otherwise: places[Int(trees.rightChildren[index])].node)
        return Node(tree: place.tree, node: place.node, question: question)
      }
      leaf += 1
      return Node(tree: place.tree, node: place.node, outputs: outputs(place.tree, leaf - 1))
    }
    self.nodes = nodes.sorted { ($0.tree, $0.node) < ($1.tree, $1.node) }
  }

  /// For each node its tree, and its number in it: children come after their parents, so one pass finds both.
  private static func places(_ trees: FlatTree) -> [(tree: Int, node: Int)] {
    var homes = [Int](repeating: 0, count: trees.count)
    for (tree, root) in trees.roots.enumerated() { homes[Int(root)] = tree }
    for node in 0..<trees.count where trees.features[node] >= 0 {
      homes[Int(trees.leftChildren[node])] = homes[node]
      homes[Int(trees.rightChildren[node])] = homes[node]
    }
    var counts = [Int](repeating: 0, count: trees.roots.count)
    return homes.map { tree in
      counts[tree] += 1
      return (tree, counts[tree] - 1)
    }
  }
}

extension LogisticRegression {
  /// The weighted sums of unscaled features, one for each label, whose softmax is the probabilities.
  ///
  /// - Returns: weights, shape `[labels × features]`, and intercepts. Of two labels the first has none of either: the softmax of
  ///   (0, z) is the sigmoid of z.
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
