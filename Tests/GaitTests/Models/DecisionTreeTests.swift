import Gait
import Testing

@Suite("Decision tree")
struct DecisionTreeTests {
  @Test("a feature equal to the threshold goes left, NaN goes right")
  func directions() throws {
    let tree = Classifier.decisionTree(try ModelSamples.tree())
    #expect(tree.score([1, 9]) == [1, 0])
    #expect(tree.score([Float(1).nextUp, -2]) == [0.25, 0.75])
    #expect(tree.score([2, 0]) == [0.5, 0.5])
    #expect(tree.score([.nan, -9]) == [0.25, 0.75])
    #expect(tree.score([-.infinity, 0]) == [1, 0])
  }

  @Test("a matrix is scored like the pipeline, to the last bit")
  func matrixEqualsPipeline() throws {
    let tree = try ModelSamples.tree()
    let matrix = ModelSamples.matrix(rows: 50, columns: 2, seed: 1)
    let scores = tree.probabilities(of: matrix)
    for row in 0..<50 {
      #expect(Array(scores[row]) == Classifier.decisionTree(tree).score(Array(matrix[row])))
    }
    #expect(tree.probabilities(of: FeatureMatrix(columnCount: 2)).rowCount == 0)
  }

  @Test("a matrix is scored like the pipeline, for any number of features, nodes and windows")
  func matrixEqualsPipelineForAnyShape() throws {
    for features in [1, 5, 16, 40, 300] {
      for depth in 0...5 {
        let tree = try ModelSamples.fullTree(depth: depth, features: features)
        for rows in [1, 2, 31, 32, 33, 65] {
          let matrix = ModelSamples.matrix(rows: rows, columns: features, seed: UInt64(rows))
          let zeros = FeatureMatrix(columnCount: features, values: [Float](repeating: 0, count: rows * features))
          for matrix in [matrix, zeros] {
            let scores = tree.probabilities(of: matrix)
            for row in 0..<rows {
              #expect(
                Array(scores[row]) == Classifier.decisionTree(tree).score(Array(matrix[row])),
                "\(features) features, depth \(depth), row \(row) of \(rows)")
            }
          }
        }
      }
    }
  }

  @Test("depth counts tests, leafCount leaves")
  func size() throws {
    let tree = try ModelSamples.tree()
    #expect(tree.nodes.depth == 2)
    #expect(tree.nodes.leafCount == 3)
    #expect(tree.nodes.count == 5)
    let leaf = try DecisionTree(
      nodes: FlatTree(features: [-1], thresholds: [0], leftChildren: [-1], rightChildren: [-1], featureCount: 1),
      leafProbabilities: [0.1, 0.2, 0.7], labelCount: 3)
    #expect(leaf.nodes.depth == 0)
    #expect(leaf.nodes.leafCount == 1)
    #expect(Classifier.decisionTree(leaf).score([0]) == [0.1, 0.2, 0.7])
  }

  @Test func `A decision tree is one tree`() throws {
    let two = try FlatTree(
      features: [-1, -1], thresholds: [0, 0], leftChildren: [-1, -1], rightChildren: [-1, -1], roots: [0, 1],
      featureCount: 1)
    #expect(throws: ModelError.invalid("the nodes are 2 trees, but a decision tree is one")) {
      try DecisionTree(nodes: two, leafProbabilities: [1, 0, 0, 1], labelCount: 2)
    }
  }

  @Test("a malformed tree is rejected", arguments: Malformed.all)
  func rejectsMalformed(_ malformed: Malformed) {
    #expect(throws: ModelError.invalid(malformed.expected)) { try malformed.tree() }
  }
}

/// A tree of three nodes with one fault.
struct Malformed: CustomTestStringConvertible {
  var nodeFeatures: [Int32] = [0, -1, -1]
  var thresholds: [Float] = [0.5, 0, 0]
  var leftChildren: [Int32] = [1, -1, -1]
  var rightChildren: [Int32] = [2, -1, -1]
  var leafProbabilities: [Float] = [1, 0, 0, 1]
  var featureCount = 1
  var labelCount = 2
  var expected = ""

  var testDescription: String { expected }

  func tree() throws -> DecisionTree {
    try DecisionTree(
      nodes: FlatTree(
        features: nodeFeatures, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        featureCount: featureCount),
      leafProbabilities: leafProbabilities, labelCount: labelCount)
  }

  init(_ expected: String, _ change: (inout Malformed) -> Void) {
    change(&self)
    self.expected = expected
  }

  static var all: [Malformed] { shapes + links + leaves }

  private static var shapes: [Malformed] {
    [
      Malformed("a tree needs at least one node") {
        $0.nodeFeatures = []
        $0.thresholds = []
        $0.leftChildren = []
        $0.rightChildren = []
        $0.leafProbabilities = []
      },
      Malformed("a model needs at least one feature") { $0.featureCount = 0 },
      Malformed("a classifier needs at least two labels, not 1") { $0.labelCount = 1 },
      Malformed("leafProbabilities is too large for memory") { $0.labelCount = .max },
      Malformed("thresholds has 2 numbers; the model's shape needs 3") { $0.thresholds = [0, 0] },
      Malformed("leftChildren has 1 numbers; the model's shape needs 3") { $0.leftChildren = [1] },
      Malformed("rightChildren has 4 numbers; the model's shape needs 3") { $0.rightChildren = [2, -1, -1, -1] },
      Malformed("leafProbabilities has 2 numbers; the model's shape needs 4") { $0.leafProbabilities = [1, 0] },
      Malformed("thresholds[0] is not a finite number") { $0.thresholds = [.nan, 0, 0] },
    ]
  }

  private static var links: [Malformed] {
    [
      Malformed("node 0 compares feature 1, but the features are 0 to 0 (a leaf has -1)") { $0.nodeFeatures[0] = 1 },
      Malformed("node 0 compares feature -2, but the features are 0 to 0 (a leaf has -1)") { $0.nodeFeatures[0] = -2 },
      Malformed("node 0 has the child 3, but the nodes are 0 to 2") { $0.rightChildren[0] = 3 },
      Malformed("node 0 has the child -1, but the nodes are 0 to 2") { $0.leftChildren[0] = -1 },
      Malformed("node 0 has the child 0, which does not come after it") { $0.leftChildren[0] = 0 },
      Malformed("node 2 has the child 1, which does not come after it") {
        $0.nodeFeatures[2] = 0
        $0.leftChildren[2] = 1
      },
      Malformed("node 1 is the child of 0 nodes where a tree has exactly one parent") { $0.leftChildren[0] = 2 },
      Malformed("node 1 is the child of 2 nodes where a tree has exactly one parent") { $0.rightChildren[0] = 1 },
      Malformed("node 1 is a leaf but has the child 2 where a leaf has -1") { $0.leftChildren[1] = 2 },
    ]
  }

  private static var leaves: [Malformed] {
    [
      Malformed("leafProbabilities[3] is not a finite number") { $0.leafProbabilities[3] = .nan },
      Malformed("leaf 0 gives label 1 the probability -0.5, which is not within 0 to 1") {
        $0.leafProbabilities[1] = -0.5
      },
      Malformed("leaf 1 gives label 1 the probability 1.5, which is not within 0 to 1") {
        $0.leafProbabilities[3] = 1.5
      },
      Malformed("the probabilities of leaf 0 sum to 1.25 instead of 1") { $0.leafProbabilities[1] = 0.25 },
    ]
  }
}
