import Gait
import GaitTraining
import Testing

@Suite("Forest trainer")
struct ForestTrainerTests {
  private func trainer(_ change: (inout ForestTrainer) -> Void = { _ in }) -> ForestTrainer {
    var trainer = ForestTrainer()
    trainer.treeCount = 12
    change(&trainer)
    return trainer
  }

  @Test("the same seed gives the same forest, another seed another forest")
  func seeds() throws {
    let data = FittingSamples.classes(rows: 400, features: 9, labels: 3, seed: 1)
    let first = try trainer().fit(data.matrix, labels: data.labels, labelCount: 3)
    #expect(try trainer().fit(data.matrix, labels: data.labels, labelCount: 3) == first)
    #expect(try trainer { $0.seed = 2 }.fit(data.matrix, labels: data.labels, labelCount: 3) != first)
  }

  @Test("a larger forest begins with the same trees")
  func prefix() throws {
    let data = FittingSamples.classes(rows: 200, features: 5, labels: 2, seed: 2)
    let short = try trainer { $0.treeCount = 3 }.fit(data.matrix, labels: data.labels, labelCount: 2)
    let long = try trainer().fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(Array(long.nodes.features.prefix(short.nodes.count)) == short.nodes.features)
    #expect(Array(long.nodes.roots.prefix(3)) == short.nodes.roots)
  }

  @Test("trees respect maximum depth and minimum leaf size", arguments: 1...4)
  func limits(depth: Int) throws {
    let data = FittingSamples.classes(rows: 300, features: 4, labels: 2, seed: 3)
    let forest = try trainer { $0.maximumDepth = depth }.fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(forest.nodes.depth <= depth)
    #expect(forest.nodes.roots.count == 12)
    let stumps = try trainer { $0.minimumLeafSize = 151 }.fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(stumps.nodes.depth == 0)
  }

  @Test("probabilities sum to 1, and follow the labels")
  func probabilities() throws {
    let data = FittingSamples.classes(rows: 600, features: 6, labels: 4, seed: 4)
    let scores = try trainer().fit(data.matrix, labels: data.labels, labelCount: 4).probabilities(of: data.matrix)
    var right = 0
    for row in 0..<600 {
      let scores = Array(scores[row])
      #expect(abs(scores.reduce(0, +) - 1) < 1e-5)
      right += scores.firstIndex(of: scores.max() ?? 0) == data.labels[row] ? 1 : 0
    }
    #expect(right > 450, "\(right) of 600")
  }

  @Test("with one feature and no bagging effect a forest splits where a tree does")
  func oneFeature() throws {
    let matrix = FeatureMatrix(columnCount: 1, values: (0..<100).map { Float($0) })
    let labels = (0..<100).map { $0 < 50 ? 0 : 1 }
    let forest = try trainer { $0.featuresPerSplit = .fraction(1) }.fit(matrix, labels: labels, labelCount: 2)
    for (root, feature) in zip(forest.nodes.roots, forest.nodes.features) where feature >= 0 {
      #expect((45...55).contains(forest.nodes.thresholds[Int(root)]))
    }
  }

  @Test("data that cannot be fitted throws")
  func refuses() {
    let matrix = FeatureMatrix(columnCount: 1, values: [1, .nan])
    #expect(throws: FittingError.notFinite(row: 1, column: 0)) {
      try trainer().fit(matrix, labels: [0, 1], labelCount: 2)
    }
    #expect(throws: FittingError.onlyOneLabel(1)) {
      try trainer().fit(matrix, labels: [1, 1], labelCount: 2)
    }
  }
}
