import Gait
import GaitTraining
import Testing

@Suite("Tree pruning")
struct TreePruningTests {
  private func trainer(_ pruning: TreeTrainer.Pruning) -> TreeTrainer {
    var trainer = TreeTrainer()
    trainer.minimumLeafSize = 1
    trainer.minimumSplitSize = 2
    trainer.smoothing = 0
    trainer.pruning = pruning
    return trainer
  }

  @Test("the pruned tree has the least cost of all subtrees, at any complexity cost", arguments: 1...6)
  func optimal(seed: Int) throws {
    let data = FittingSamples.classes(rows: 60, features: 3, labels: 3, seed: UInt64(seed))
    let whole = try trainer(.none).fit(data.matrix, labels: data.labels, labelCount: 3)
    for complexityCost in [0.001, 0.003, 0.01, 0.02, 0.05, 0.2] {
      let pruned = try trainer(.complexityCost(complexityCost)).fit(data.matrix, labels: data.labels, labelCount: 3)
      let impurity = 1 - pruned.probabilities(of: data.matrix).values.reduce(0) { $0 + Double($1 * $1) } / 60
      let cost = impurity + complexityCost * Double(pruned.leafCount)
      let rows = Array(0..<60)
      #expect(abs(cost - leastCost(whole, 0, rows, data, complexityCost)) < 1e-6, "complexityCost \(complexityCost)")
    }
  }

  /// The least impurity + complexity cost · leaves over all prunings of a tree, by recursion.
  private func leastCost(
    _ tree: DecisionTree, _ node: Int, _ rows: [Int], _ data: FittingSamples.Data, _ complexityCost: Double
  ) -> Double {
    let squares = (0..<3).reduce(0.0) { sum, label in
      let count = Double(rows.count { data.labels[$0] == label })
      return sum + count * count
    }
    let leaf = (Double(rows.count) - squares / Double(rows.count)) / 60 + complexityCost
    guard tree.nodeFeatures[node] >= 0 else { return leaf }
    let isLeft = { (row: Int) in data.matrix.values[row * 3 + Int(tree.nodeFeatures[node])] <= tree.thresholds[node] }
    let below =
      leastCost(tree, Int(tree.leftChildren[node]), rows.filter(isLeft), data, complexityCost)
      + leastCost(tree, Int(tree.rightChildren[node]), rows.filter { !isLeft($0) }, data, complexityCost)
    return min(leaf, below)
  }

  @Test("a complexity cost above every gain leaves one leaf")
  func everything() throws {
    let data = FittingSamples.classes(rows: 100, features: 3, labels: 2, seed: 7)
    #expect(try trainer(.complexityCost(1)).fit(data.matrix, labels: data.labels, labelCount: 2).leafCount == 1)
  }

  @Test("cross-validation over groups prunes splits on noise and keeps splits on signal")
  func crossValidated() throws {
    var noise = FittingSamples.noise(rows: 300, features: 4, labels: 2, values: 100, seed: 8)
    let groups = (0..<300).map { $0 / 30 }
    let cut = try trainer(.crossValidated(folds: 5)).fit(
      noise.matrix, labels: noise.labels, labelCount: 2, groups: groups)
    let whole = try trainer(.none).fit(noise.matrix, labels: noise.labels, labelCount: 2)
    #expect(cut.leafCount < whole.leafCount / 4, "\(cut.leafCount) of \(whole.leafCount) leaves")
    noise.labels = (0..<300).map { noise.matrix.values[$0 * 4] > 12 ? 1 : 0 }
    let kept = try trainer(.crossValidated(folds: 5)).fit(
      noise.matrix, labels: noise.labels, labelCount: 2, groups: groups)
    #expect(kept.leafCount == 2)
  }

  @Test("cross-validation needs two groups")
  func oneGroup() {
    let data = FittingSamples.classes(rows: 50, features: 2, labels: 2, seed: 9)
    let groups = [Int](repeating: 4, count: 50)
    #expect(throws: FittingError.tooFewGroups(1)) {
      try trainer(.crossValidated(folds: 5)).fit(data.matrix, labels: data.labels, labelCount: 2, groups: groups)
    }
  }
}
