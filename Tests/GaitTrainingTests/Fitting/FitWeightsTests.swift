import Gait
import GaitTraining
import Testing

@Suite("Label weights of a fit")
struct FitWeightsTests {
  /// Few distinct values, so that bins are the same with repeated windows.
  private let data = FittingSamples.noise(rows: 120, features: 3, labels: 3, values: 8, seed: 4)
  private let weights = FitWeights.indexed([1, 3, 2])

  /// The data with every window as often as its label weighs.
  private var repeated: FittingSamples.Data {
    let rows = data.labels.indices.flatMap { Array(repeating: $0, count: [1, 3, 2][data.labels[$0]]) }
    return FittingSamples.Data(
      matrix: data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: data.labelCount)
  }

  @Test func `A weighted tree is the tree of repeated windows`() throws {
    var trainer = TreeTrainer()
    (trainer.maximumDepth, trainer.minimumLeafSize, trainer.minimumSplitSize, trainer.smoothing) = (4, 1, 2, 0)
    let expected = try trainer.fit(repeated.matrix, labels: repeated.labels, labelCount: 3)
    trainer.labelWeights = weights
    let tree = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
    #expect(tree.nodes.leafCount == expected.nodes.leafCount)
    #expect(tree.nodes.leafCount > 4)
    for (one, other) in zip(
      tree.probabilities(of: data.matrix).values, expected.probabilities(of: data.matrix).values)
    {
      #expect(abs(one - other) < 1e-6)
    }
  }

  @Test func `Weighted boosted trees are those of repeated windows`() throws {
    // Classes that differ, so that no two splits are nearly as good.
    let data = FittingSamples.classes(rows: 120, features: 3, labels: 3, seed: 3)
    let rows = data.labels.indices.flatMap { Array(repeating: $0, count: [1, 3, 2][data.labels[$0]]) }
    let repeated = FittingSamples.Data(
      matrix: data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: 3)
    var trainer = BoostedTreesTrainer()
    // Limits of leaves count derivatives, of which repeated windows have more.
    (trainer.roundCount, trainer.maximumLeafCount, trainer.ridge, trainer.minimumLeafWeight) = (2, 2, 0, 0)
    let expected = try trainer.fit(repeated.matrix, labels: repeated.labels, labelCount: 3)
    trainer.labelWeights = weights
    let trees = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
    for (one, other) in zip(
      trees.probabilities(of: data.matrix).values, expected.probabilities(of: data.matrix).values)
    {
      #expect(abs(one - other) < 1e-3)
    }
  }

  @Test func `A rare label is found more often with balanced weights, by a forest as well`() throws {
    let rare = FittingSamples.classes(rows: 400, features: 2, labels: 2, seed: 9)
    let rows = rare.labels.indices.filter { rare.labels[$0] == 0 || $0.isMultiple(of: 8) }
    let (matrix, labels) = (rare.matrix.rows(at: rows), rows.map { rare.labels[$0] })
    var trainer = ForestTrainer()
    (trainer.treeCount, trainer.maximumDepth) = (20, 3)
    func found(_ weights: FitWeights) throws -> Int {
      trainer.labelWeights = weights
      let scores = try trainer.fit(matrix, labels: labels, labelCount: 2).probabilities(of: matrix).values
      return labels.indices.count { scores[2 * $0 + 1] > 0.5 }
    }
    #expect(try found(.balanced) > found(.equal))
    #expect(try found(.indexed([2, 2])) == found(.equal))
  }
}
