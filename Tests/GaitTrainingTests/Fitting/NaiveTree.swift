import Gait
import GaitTraining

/// A brute-force CART that recounts every split of every node: the naive twin of `TreeTrainer`.
indirect enum NaiveTree {
  case leaf([Float])
  case split(feature: Int, threshold: Float, NaiveTree, NaiveTree)

  init(_ data: FittingSamples.Data, _ rows: [Int], _ limits: TreeTrainer, depth: Int) {
    let counts = Self.counts(data, rows)
    let mayBeSplit = depth < limits.maximumDepth && rows.count >= limits.minimumSplitSize
    guard mayBeSplit, counts.count(where: { $0 > 0 }) > 1, let best = Self.best(data, rows, limits) else {
      let total = Double(rows.count) + limits.smoothing * Double(data.labelCount)
      self = .leaf(counts.map { Float((Double($0) + limits.smoothing) / total) })
      return
    }
    let (left, right) = Self.parts(data, rows, best.feature, best.threshold)
    self = .split(
      feature: best.feature, threshold: best.threshold,
      NaiveTree(data, left, limits, depth: depth + 1), NaiveTree(data, right, limits, depth: depth + 1))
  }

  private static func best(
    _ data: FittingSamples.Data, _ rows: [Int], _ limits: TreeTrainer
  ) -> (feature: Int, threshold: Float)? {
    var best: (feature: Int, threshold: Float)?
    var bestPurity = -1.0
    for feature in 0..<data.matrix.columnCount {
      let values = Set(rows.map { data.matrix.values[$0 * data.matrix.columnCount + feature] }).sorted()
      for (lower, upper) in zip(values, values.dropFirst()) {
        let threshold = lower + (upper - lower) / 2
        let (left, right) = parts(data, rows, feature, threshold)
        guard min(left.count, right.count) >= limits.minimumLeafSize else { continue }
        let purity = purity(data, left) + purity(data, right)
        if purity > bestPurity { (best, bestPurity) = ((feature, threshold), purity) }
      }
    }
    return best
  }

  /// n · (1 − Gini impurity)
  private static func purity(_ data: FittingSamples.Data, _ rows: [Int]) -> Double {
    Double(counts(data, rows).reduce(0) { $0 + $1 * $1 }) / Double(rows.count)
  }

  private static func counts(_ data: FittingSamples.Data, _ rows: [Int]) -> [Int] {
    (0..<data.labelCount).map { label in rows.count { data.labels[$0] == label } }
  }

  private static func parts(
    _ data: FittingSamples.Data, _ rows: [Int], _ feature: Int, _ threshold: Float
  ) -> (left: [Int], right: [Int]) {
    let goesLeft = { (row: Int) in data.matrix.values[row * data.matrix.columnCount + feature] <= threshold }
    return (rows.filter(goesLeft), rows.filter { !goesLeft($0) })
  }

  /// The nodes in preorder.
  func flattened(_ labelCount: Int) -> Flat {
    switch self {
    case .leaf(let probabilities):
      return Flat(features: [-1], thresholds: [0], probabilities: probabilities)
    case .split(let feature, let threshold, let left, let right):
      let (left, right) = (left.flattened(labelCount), right.flattened(labelCount))
      return Flat(
        features: [Int32(feature)] + left.features + right.features,
        thresholds: [threshold] + left.thresholds + right.thresholds,
        probabilities: left.probabilities + right.probabilities)
    }
  }
}

/// The splits and label counts of a tree in preorder, which in a binary tree determines the children too.
struct Flat: Equatable {
  var features: [Int32]
  var thresholds: [Float]
  var probabilities: [Float]

  init(features: [Int32], thresholds: [Float], probabilities: [Float]) {
    self.features = features
    self.thresholds = thresholds
    self.probabilities = probabilities
  }

  init(_ tree: DecisionTree) {
    self.init(features: [], thresholds: [], probabilities: [])
    var pending = [0]
    while let node = pending.popLast() {
      features.append(tree.nodes.features[node])
      thresholds.append(tree.nodes.thresholds[node])
      if tree.nodes.features[node] >= 0 {
        pending += [Int(tree.nodes.rightChildren[node]), Int(tree.nodes.leftChildren[node])]
      } else {
        let leaf = tree.nodes.features[..<node].count { $0 < 0 }
        probabilities += tree.leafProbabilities[leaf * tree.labelCount..<(leaf + 1) * tree.labelCount]
      }
    }
  }
}
