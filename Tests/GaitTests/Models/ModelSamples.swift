import Gait
import GaitTestSupport

/// Seeded numbers and models for the tests of models.
enum ModelSamples {
  static func floats(_ count: Int, in range: ClosedRange<Float>, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float.random(in: range, using: &generator) }
  }

  static func matrix(rows: Int, columns: Int, in range: ClosedRange<Float> = -3...3, seed: UInt64) -> FeatureMatrix {
    FeatureMatrix(columnCount: columns, values: floats(rows * columns, in: range, seed: seed))
  }

  static func logistic(features: Int, labels: Int, seed: UInt64) throws -> LogisticRegression {
    let outputs = labels == 2 ? 1 : labels
    return try LogisticRegression(
      weights: floats(outputs * features, in: -1...1, seed: seed),
      intercepts: floats(outputs, in: -1...1, seed: seed + 1),
      featureCount: features, labelCount: labels)
  }

  /// A tree that tests whether feature 0 is at most 1 and, on the right, whether feature 1 is at most −2.
  static func tree() throws -> DecisionTree {
    try DecisionTree(
      nodes: FlatTree(
        features: [0, -1, 1, -1, -1], thresholds: [1, 0, -2, 0, 0],
        leftChildren: [1, -1, 3, -1, -1], rightChildren: [2, -1, 4, -1, -1], featureCount: 2),
      leafProbabilities: [1, 0, 0.25, 0.75, 0.5, 0.5], labelCount: 2)
  }

  /// Trees of random shapes, each with one of the numbers of `tests`.
  static func trees(tests: [Int], features: Int, seed: UInt64) throws -> FlatTree {
    var generator = SplitMix64(seed: seed)
    var (columns, thresholds, left, right, roots) = ([Int32](), [Float](), [Int32](), [Int32](), [Int32]())
    func add(_ tests: Int) -> Int32 {
      let node = columns.count
      columns.append(tests == 0 ? -1 : Int32.random(in: 0..<Int32(features), using: &generator))
      thresholds.append(tests == 0 ? 0 : Float.random(in: -2...2, using: &generator))
      left.append(-1)
      right.append(-1)
      if tests > 0 {
        let below = Int.random(in: 0..<tests, using: &generator)
        left[node] = add(below)
        right[node] = add(tests - 1 - below)
      }
      return Int32(node)
    }
    for count in tests { roots.append(add(count)) }
    return try FlatTree(
      features: columns, thresholds: thresholds, leftChildren: left, rightChildren: right, roots: roots,
      featureCount: features)
  }

  /// A full tree whose leaves have different probabilities, with nodes in breadth-first order.
  static func fullTree(depth: Int, features: Int) throws -> DecisionTree {
    let leaves = 1 << depth
    let questions = leaves - 1
    let none = [Int32](repeating: -1, count: leaves)
    return try DecisionTree(
      nodes: FlatTree(
        features: (0..<questions).map { Int32($0 * 7 % features) } + none,
        thresholds: floats(questions, in: -1...1, seed: UInt64(depth)) + [Float](repeating: 0, count: leaves),
        leftChildren: (0..<questions).map { Int32(2 * $0 + 1) } + none,
        rightChildren: (0..<questions).map { Int32(2 * $0 + 2) } + none, featureCount: features),
      leafProbabilities: (0..<leaves).flatMap { leaf -> [Float] in
        let share = Float(leaf) / Float(leaves)
        return [share, 1 - share]
      }, labelCount: 2)
  }
}

extension Classifier {
  /// The pipeline's score of one window.
  func score(_ features: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: labelCount) { output, count in
      features.withUnsafeBufferPointer { features in
        guard let from = features.baseAddress, let into = output.baseAddress else { return }
        probabilities(of: from, into: into)
      }
      count = labelCount
    }
  }
}
