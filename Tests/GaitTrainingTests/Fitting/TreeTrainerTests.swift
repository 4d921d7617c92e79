import Gait
import GaitTraining
import Testing

@Suite("Tree trainer")
struct TreeTrainerTests {
  @Test("grows the same tree as a brute-force CART, on all small sizes of random data")
  func naiveTwin() throws {
    for rows in 2...24 {
      for values in [2, 3, 8, 1000] {
        for labels in 2...3 {
          let data = FittingSamples.noise(
            rows: rows, features: 3, labels: labels, values: values, seed: UInt64(rows * 10_000 + values * 10 + labels))
          for (depth, leaf) in [(1, 1), (3, 1), (8, 1), (8, 3)] {
            var trainer = TreeTrainer()
            trainer.maximumDepth = depth
            trainer.minimumLeafSize = leaf
            trainer.minimumSplitSize = 2
            let tree = try trainer.fit(data.matrix, labels: data.labels, labelCount: labels)
            let naive = NaiveTree(data, Array(0..<rows), trainer, depth: 0)
            #expect(
              naive.flattened(labels) == Flat(tree),
              "\(rows) rows, \(values) values, \(labels) labels, depth \(depth), leaf \(leaf)")
          }
        }
      }
    }
  }

  @Test("respects its limits", arguments: 0...6, [1, 5, 30])
  func limits(depth: Int, leaf: Int) throws {
    let data = FittingSamples.classes(rows: 500, features: 4, labels: 3, seed: 15)
    var trainer = TreeTrainer()
    trainer.maximumDepth = depth
    trainer.minimumLeafSize = leaf
    trainer.minimumSplitSize = 2
    trainer.smoothing = 0
    let tree = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
    #expect(tree.nodes.depth <= depth)
    #expect(tree.nodes.leafCount <= 1 << depth)
    #expect(leafSizes(tree, data.matrix).allSatisfy { $0 >= leaf })
  }

  @Test("a node smaller than the split size stays a leaf")
  func splitSize() throws {
    let data = FittingSamples.classes(rows: 100, features: 2, labels: 2, seed: 16)
    var trainer = TreeTrainer()
    trainer.minimumSplitSize = 101
    #expect(try trainer.fit(data.matrix, labels: data.labels, labelCount: 2).nodes.leafCount == 1)
    trainer.minimumSplitSize = 100
    #expect(try trainer.fit(data.matrix, labels: data.labels, labelCount: 2).nodes.leafCount > 1)
  }

  /// The number of windows in each leaf, keyed by the path to the leaf.
  private func leafSizes(_ tree: DecisionTree, _ matrix: FeatureMatrix) -> [Int] {
    var sizes: [Int: Int] = [:]
    for row in 0..<matrix.rowCount {
      let features = Array(matrix[row])
      var node = 0
      while tree.nodes.features[node] >= 0 {
        let goesLeft = features[Int(tree.nodes.features[node])] <= tree.nodes.thresholds[node]
        node = Int(goesLeft ? tree.nodes.leftChildren[node] : tree.nodes.rightChildren[node])
      }
      sizes[node, default: 0] += 1
    }
    return Array(sizes.values)
  }

  @Test("two features that are informative only together are both used")
  func exclusiveOr() throws {
    var matrix = FeatureMatrix(columnCount: 2)
    var labels: [Int] = []
    for index in 0..<160 {
      let (a, b) = (index % 2, index / 2 % 2)
      matrix.append([Float(a), Float(b)])
      labels.append(a ^ b)
    }
    var trainer = TreeTrainer()
    trainer.smoothing = 0
    let tree = try trainer.fit(matrix, labels: labels, labelCount: 2)
    #expect(tree.nodes.depth == 2)
    #expect(tree.leafProbabilities.allSatisfy { $0 == 0 || $0 == 1 })
    #expect(tree.nodes.thresholds.filter { $0 != 0 } == [0.5, 0.5, 0.5])
  }

  @Test("smoothing shrinks the range of leaf probabilities and keeps their order")
  func smoothing() throws {
    let matrix = FeatureMatrix(columnCount: 1, values: (0..<40).map { $0 < 20 ? 0 : 1 })
    let labels = (0..<40).map { $0 < 20 ? 0 : 1 }
    let smoothed = try TreeTrainer().fit(matrix, labels: labels, labelCount: 2)
    let (likely, unlikely) = (Float(21.0 / 22.0), Float(1.0 / 22.0))
    #expect(smoothed.leafProbabilities == [likely, unlikely, unlikely, likely])
    var plain = TreeTrainer()
    plain.smoothing = 0
    #expect(try plain.fit(matrix, labels: labels, labelCount: 2).leafProbabilities == [1, 0, 0, 1])
  }

  @Test("a threshold is at or above the left value and below the right one, however close they are")
  func thresholds() {
    let values: [Float] = [
      -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1,
      Float(1).nextUp, Float(1).nextUp.nextUp, 1e30, .greatestFiniteMagnitude,
    ]
    for (index, lower) in values.enumerated() {
      for upper in values.dropFirst(index + 1) {
        let threshold = BinEdges.middle(of: lower, and: upper)
        #expect(lower <= threshold, "between \(lower) and \(upper): \(threshold)")
        #expect(threshold < upper, "between \(lower) and \(upper): \(threshold)")
      }
    }
    #expect(BinEdges.middle(of: 1, and: 2) == 1.5)
    #expect(BinEdges.middle(of: 3e38, and: 3.2e38).isFinite)
  }

  @Test("negative values, both zeros and subnormals are sorted numerically")
  func sorting() throws {
    let values: [Float] = [0.5, -0.0, -3, 0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 7, -1e30, 1e30]
    let columns = BinnedColumns(FeatureMatrix(columnCount: 1, values: values))
    let ranks = values.map { value in Set(values.filter { $0 < value }).count }
    #expect(values.indices.map { columns.bin(row: $0, column: 0) } == ranks)
  }

  @Test("with more values than bins the first split is about as pure as the best of all values")
  func manyValues() throws {
    let data = FittingSamples.classes(rows: 1200, features: 2, labels: 3, seed: 21)
    var trainer = TreeTrainer()
    trainer.maximumDepth = 1
    trainer.smoothing = 0
    func purity(_ tree: Flat) -> Float {
      (0..<1200).reduce(0) { sum, row in
        let isLeft = data.matrix.values[row * 2 + Int(tree.features[0])] <= tree.thresholds[0]
        return sum + tree.probabilities[isLeft ? 0..<3 : 3..<6].reduce(0) { $0 + $1 * $1 } / 1200
      }
    }
    let binned = Flat(try trainer.fit(data.matrix, labels: data.labels, labelCount: 3))
    let exact = NaiveTree(data, Array(0..<1200), trainer, depth: 0).flattened(3)
    #expect(purity(binned) > purity(exact) - 0.005)
  }

  @Test("the same data gives the same tree; scaling changes only thresholds")
  func deterministic() throws {
    let data = FittingSamples.classes(rows: 400, features: 3, labels: 3, seed: 17)
    let tree = try TreeTrainer().fit(data.matrix, labels: data.labels, labelCount: 3)
    #expect(try TreeTrainer().fit(data.matrix, labels: data.labels, labelCount: 3) == tree)
    let larger = FeatureMatrix(columnCount: 3, values: data.matrix.values.map { $0 * 4 })
    let other = try TreeTrainer().fit(larger, labels: data.labels, labelCount: 3)
    #expect(other.nodes.features == tree.nodes.features)
    #expect(other.leafProbabilities == tree.leafProbabilities)
    #expect(other.nodes.thresholds == tree.nodes.thresholds.map { $0 * 4 })
  }
}
