import Gait

/// The log-loss of boosted trees on their training windows, with its derivatives.
///
/// First derivative: p − y. Second: p (1 − p); for three or more labels only the diagonal of the Hessian.
struct BoostingLoss: Sendable {
  let labels: [Int]
  let labelCount: Int

  /// The logits before the first tree, from the labels' frequencies: shape `[outputs]`.
  let baseScores: [Float]

  /// For each output, the first derivative of every window.
  private(set) var gradients: [[Float]]

  /// For each output, the second derivative of every window.
  private(set) var curvatures: [[Float]]

  /// For each output, the logit of every window.
  private var scores: [[Float]]

  var outputCount: Int { baseScores.count }

  init(labels: [Int], labelCount: Int) {
    self.labels = labels
    self.labelCount = labelCount
    // A label without windows counts as half a window, so that its logarithm is finite.
    let shares = (0..<labelCount).map { label in max(0.5, Double(labels.count { $0 == label })) / Double(labels.count) }
    baseScores = labelCount == 2 ? [Float(logarithm(shares[1] / shares[0]))] : shares.map { Float(logarithm($0)) }
    scores = baseScores.map { [Float](repeating: $0, count: labels.count) }
    gradients = scores
    curvatures = scores
  }

  /// Adds a tree's leaf values to the logits of an output.
  mutating func add(_ tree: BoostedTreeGrower.Tree, to output: Int) {
    for (range, value) in zip(tree.ranges, tree.values) {
      tree.rows.withRows(range) { rows in
        scores[output].withUnsafeMutableBufferPointer { scores in
          for row in rows { scores[Int(row)] += value }
        }
      }
    }
  }

  /// Computes the derivatives at the current logits.
  mutating func differentiate() {
    var probabilities = [Float](repeating: 0, count: labelCount)
    for row in 0..<labels.count {
      for output in 0..<outputCount { probabilities[output] = scores[output][row] }
      probabilities.withUnsafeMutableBufferPointer {
        Logits.replaceWithProbabilities($0.baseAddress!, labelCount: labelCount)
      }
      for output in 0..<outputCount {
        let label = outputCount == 1 ? 1 : output
        let probability = probabilities[label]
        gradients[output][row] = probability - (labels[row] == label ? 1 : 0)
        curvatures[output][row] = probability * (1 - probability)
      }
    }
  }
}
