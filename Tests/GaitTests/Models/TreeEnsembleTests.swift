import Gait
import Testing

@Suite("Forests and boosted trees")
struct TreeEnsembleTests {
  /// Two trees over two features, with one test and two tests.
  private static func nodes(_ change: (inout Arrays) -> Void = { _ in }) throws -> FlatTree {
    var arrays = Arrays()
    change(&arrays)
    return try arrays.nodes()
  }

  private struct Arrays {
    var features: [Int32] = [0, -1, -1, 1, 0, -1, -1, -1]
    var thresholds: [Float] = [0.5, 0, 0, -1, 2, 0, 0, 0]
    var leftChildren: [Int32] = [1, -1, -1, 4, 5, -1, -1, -1]
    var rightChildren: [Int32] = [2, -1, -1, 7, 6, -1, -1, -1]
    var roots: [Int32] = [0, 3]
    var featureCount = 2

    func nodes() throws -> FlatTree {
      try FlatTree(
        features: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        roots: roots, featureCount: featureCount)
    }
  }

  private static func forest() throws -> RandomForest {
    try RandomForest(
      nodes: nodes(), leafProbabilities: [1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1, 0.75, 0.25], labelCount: 2)
  }

  @Test("a forest's probabilities are the mean over its trees")
  func mean() throws {
    let forest = Classifier.randomForest(try Self.forest())
    #expect(forest.score([0.5, -1]) == [0.625, 0.375])
    #expect(forest.score([3, -2]) == [0.25, 0.75])
    #expect(forest.score([.nan, .nan]) == [0.625, 0.375])
    #expect(try Self.nodes().depth == 2)
  }

  @Test("boosted trees add their leaf values to the base scores, output by output")
  func sum() throws {
    let two = Classifier.boostedTrees(
      try BoostedTrees(nodes: Self.nodes(), leafValues: [1, -1, 0, 0.5, 2], baseScores: [-3], labelCount: 2))
    #expect(two.score([0, 0]) == [0.5, 0.5])
    let five = try FlatTree(
      features: [-1, -1, -1], thresholds: [0, 0, 0], leftChildren: [-1, -1, -1], rightChildren: [-1, -1, -1],
      roots: [0, 1, 2], featureCount: 1)
    let three = Classifier.boostedTrees(
      try BoostedTrees(nodes: five, leafValues: [1, 2, 3], baseScores: [2, 1, 0], labelCount: 3))
    for probability in three.score([7]) { #expect(abs(probability - 1 / 3) < 1e-7) }
  }

  @Test("a matrix is scored like the pipeline, to the last bit")
  func matrixEqualsPipeline() throws {
    let matrix = ModelSamples.matrix(rows: 53, columns: 2, seed: 1)
    let models: [Classifier] = [
      .randomForest(try Self.forest()),
      .boostedTrees(
        try BoostedTrees(nodes: Self.nodes(), leafValues: [1, -1, 0, 0.5, 2], baseScores: [-3], labelCount: 2)),
    ]
    for model in models {
      let scores = model.probabilities(of: matrix)
      for row in 0..<53 { #expect(Array(scores[row]) == model.score(Array(matrix[row]))) }
      #expect(model.probabilities(of: FeatureMatrix(columnCount: 2)).rowCount == 0)
    }
  }

  @Test func `A matrix is scored like its rows, for trees of any size and any number of windows and labels`() throws {
    for (seed, tests) in [[0], [1, 0, 2], [3, 30, 31, 32], [31, 5, 200], [100]].enumerated() {
      for features in [1, 3, 4, 5, 70] {
        let nodes = try ModelSamples.trees(tests: tests, features: features, seed: UInt64(seed))
        for labels in 2...6 {
          let rows = [15, 16, 17, 40][(seed + features + labels) % 4]
          var values = ModelSamples.floats(rows * features, in: -3...3, seed: UInt64(labels))
          for index in stride(from: 0, to: values.count, by: 17) { values[index] = .nan }
          let matrix = FeatureMatrix(columnCount: features, values: values)
          let shares = ModelSamples.floats(nodes.leafCount, in: 0...1, seed: UInt64(labels))
          let none = [Float](repeating: 0, count: labels - 2)
          let outputs = labels == 2 ? 1 : labels
          let boosted = try ModelSamples.trees(
            tests: tests + [Int](repeating: 4, count: (outputs - tests.count % outputs) % outputs), features: features,
            seed: UInt64(seed))
          let models: [Classifier] = [
            .randomForest(
              try RandomForest(
                nodes: nodes, leafProbabilities: shares.flatMap { [$0] + none + [1 - $0] }, labelCount: labels)),
            .boostedTrees(
              try BoostedTrees(
                nodes: boosted, leafValues: ModelSamples.floats(boosted.leafCount, in: -3...3, seed: 4),
                baseScores: ModelSamples.floats(outputs, in: -1...1, seed: 5), labelCount: labels)),
          ]
          for model in models {
            let scores = model.probabilities(of: matrix)
            for row in 0..<rows {
              #expect(
                Array(scores[row]) == model.score(Array(matrix[row])),
                "\(tests) tests, \(features) features, \(labels) labels, row \(row) of \(rows)")
            }
          }
        }
      }
    }
  }

  @Test("malformed trees are rejected")
  func rejectsMalformed() {
    func check(_ expected: String, _ change: @escaping (inout Arrays) -> Void) {
      #expect(throws: ModelError.invalid(expected)) { try Self.nodes(change) }
    }
    check("a tree needs at least one node") { $0.roots = [] }
    check("tree 1 begins with node 8, which is missing, the child of a node, or the root of another tree") {
      $0.roots[1] = 8
    }
    check("tree 0 begins with node -1, which is missing, the child of a node, or the root of another tree") {
      $0.roots[0] = -1
    }
    check("tree 1 begins with node 0, which is missing, the child of a node, or the root of another tree") {
      $0.roots[1] = 0
    }
    check("tree 1 begins with node 4, which is missing, the child of a node, or the root of another tree") {
      $0.roots[1] = 4
    }
    check("node 3 is the child of 0 nodes where a tree has exactly one parent") { $0.roots = [0] }
    check("node 5 is the child of 2 nodes where a tree has exactly one parent") { $0.rightChildren[3] = 5 }
    check("node 4 has the child 3, which does not come after it") { $0.leftChildren[4] = 3 }
    check("node 4 has the child 8, but the nodes are 0 to 7") { $0.leftChildren[4] = 8 }
    check("node 3 compares feature 1, but the features are 0 to 0 (a leaf has -1)") { $0.featureCount = 1 }
  }

  @Test("leaves and base scores of the wrong count or value are rejected")
  func rejectsValues() {
    func boosted(_ leaves: [Float], _ base: [Float], _ labels: Int) throws -> BoostedTrees {
      try BoostedTrees(nodes: Self.nodes(), leafValues: leaves, baseScores: base, labelCount: labels)
    }
    #expect(throws: ModelError.invalid("leafValues has 4 numbers; the model's shape needs 5")) {
      try boosted([1, 2, 3, 4], [0], 2)
    }
    #expect(throws: ModelError.invalid("baseScores has 2 numbers; the model's shape needs 1")) {
      try boosted([1, 2, 3, 4, 5], [0, 0], 2)
    }
    #expect(throws: ModelError.invalid("leafValues[1] is not a finite number")) {
      try boosted([1, .nan, 3, 4, 5], [0], 2)
    }
    #expect(throws: ModelError.invalid("2 boosted trees are not a multiple of the 3 outputs")) {
      try boosted([1, 2, 3, 4, 5], [0, 0, 0], 3)
    }
    #expect(throws: ModelError.invalid("a classifier needs at least two labels, not 1")) {
      try boosted([1, 2, 3, 4, 5], [0], 1)
    }
    #expect(throws: ModelError.invalid("leafProbabilities has 2 numbers; the model's shape needs 10")) {
      try RandomForest(nodes: Self.nodes(), leafProbabilities: [1, 0], labelCount: 2)
    }
  }
}
