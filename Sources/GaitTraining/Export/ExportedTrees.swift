import Gait

/// Trees as flat rows, as both ONNX and Core ML hold them: their outputs are added up for each label.
struct ExportedTrees {
  /// A node of a tree.
  struct Node {
    var tree: Int
    var node: Int
    /// What is asked, or `nil` for a leaf.
    var question: Question?
    /// What a leaf adds to each label; empty for a question.
    var outputs: [Float] = []
  }

  /// Goes to one child where the feature is at most the threshold, else, and where it is not a number, to the other.
  struct Question {
    var feature: Int
    var threshold: Float
    var whenAtMost: Int
    var otherwise: Int
  }

  /// The nodes of all trees, each tree's in order.
  private(set) var nodes: [Node] = []

  /// Trees whose leaves' probabilities are added, each with the weight 1.
  init(_ trees: [DecisionTree]) {
    for (number, tree) in trees.enumerated() {
      var leaf = 0
      for node in 0..<tree.nodeCount {
        guard tree.nodeFeatures[node] < 0 else {
          let question = Question(
            feature: Int(tree.nodeFeatures[node]), threshold: tree.thresholds[node],
            whenAtMost: Int(tree.leftChildren[node]), otherwise: Int(tree.rightChildren[node]))
          nodes.append(Node(tree: number, node: node, question: question))
          continue
        }
        let row = tree.leafProbabilities[leaf * tree.labelCount..<(leaf + 1) * tree.labelCount]
        nodes.append(Node(tree: number, node: node, question: nil, outputs: Array(row)))
        leaf += 1
      }
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
