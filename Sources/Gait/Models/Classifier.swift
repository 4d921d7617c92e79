/// Label probabilities from a binary tree of threshold tests, each of one feature.
///
/// Node 0 is the root. `leafProbabilities` has one row for each leaf, in the order of the nodes.
///
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984. `TreeTrainer` in GaitTraining
/// fits it.
public struct DecisionTree: Hashable, Sendable {
  /// A forest of this one tree.
  private let forest: RandomForest

  /// The nodes.
  public var nodes: FlatTree { forest.nodes }

  /// The label probabilities of each leaf, shape `[leaves × labels]`, row-major.
  public var leafProbabilities: [Float] { forest.leafProbabilities }

  /// The number of features of a window.
  public var featureCount: Int { forest.featureCount }

  /// The number of labels, at least two.
  public var labelCount: Int { forest.labelCount }

  /// A tree from its numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if the nodes are several trees, if there is not one leaf probability for each leaf
  ///   and label, or if those of a leaf are not within 0…1 with a sum of 1.
  public init(nodes: FlatTree, leafProbabilities: [Float], labelCount: Int) throws(ModelError) {
    guard nodes.roots.count == 1 else {
      throw .invalid("the nodes are \(nodes.roots.count) trees, but a decision tree is one")
    }
    forest = try RandomForest(nodes: nodes, leafProbabilities: leafProbabilities, labelCount: labelCount)
  }

  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// - Complexity: O(*depth* + *labels*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    forest.probabilities(of: features, into: output)
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · (depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix { forest.probabilities(of: matrix) }
}

/// Label probabilities as the mean over many decision trees. Each tree is fitted to another selection of windows and
/// features.
///
/// Source: Breiman, Random Forests, Machine Learning 45, 2001. `ForestTrainer` in GaitTraining fits it.
public struct RandomForest: Hashable, Sendable {
  /// The nodes of all trees.
  public let nodes: FlatTree

  /// The label probabilities of each leaf, in the order of the nodes; shape `[leaves × labels]`, row-major.
  public let leafProbabilities: [Float]

  /// The number of features of a window.
  public var featureCount: Int { nodes.featureCount }

  /// The number of labels, at least two.
  public let labelCount: Int

  /// A forest from its numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if there is not one leaf probability for each leaf and label, or if those of a leaf
  ///   are not within 0…1 with a sum of 1.
  public init(
    nodes: FlatTree, leafProbabilities: [Float], labelCount: Int
  ) throws(ModelError) {
    try Self.check(leafProbabilities, leafCount: nodes.leafCount, labelCount: labelCount)
    self.nodes = nodes
    self.leafProbabilities = leafProbabilities
    self.labelCount = labelCount
  }

  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// Order: the trees' probabilities are added in Float, first tree to last, and the sum divided by their number.
  ///
  /// - Complexity: O(*trees* · (*depth* + *labels*)); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    leafProbabilities.withUnsafeBufferPointer { probabilities in
      nodes.forEachLeaf(of: features) { tree, leaf in
        for label in 0..<labelCount {
          let probability = probabilities[leaf &* labelCount &+ label]
          output[label] = tree == 0 ? probability : output[label] + probability
        }
      }
    }
    for label in 0..<labelCount { output[label] /= Float(nodes.roots.count) }
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · trees · (depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      leafProbabilities.withUnsafeBufferPointer { probabilities in
        nodes.forEachBlock(of: matrix, size: WindowBlock.rowCount / 4 * fours) { sums in
          sums.update(repeating: .zero, count: WindowBlock.rowCount / 4 * fours)
        } leaf: { sums, row, _, leaf in
          let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: SIMD4<Float>.self) + row &* fours
          var four = 0
          repeat {
            sums[four] += Self.four(probabilities, at: leaf &* labelCount &+ 4 &* four)
            four &+= 1
          } while four < fours
        } end: { sums, row in
          writeMeans(of: sums, into: output + row * labelCount)
        } single: {
          self.probabilities(of: $1, into: output + $0 * labelCount)
        }
      }
    }
  }

  /// The number of SIMD registers of four that the probabilities of a window take.
  private var fours: Int { (labelCount + 3) / 4 }

  /// Four adjacent values; zeros after the last.
  @inline(__always)
  private static func four(_ values: UnsafeBufferPointer<Float>, at index: Int) -> SIMD4<Float> {
    if index <= values.count &- 4, let start = values.baseAddress {
      return UnsafeRawPointer(start + index).loadUnaligned(as: SIMD4<Float>.self)
    }
    var four = SIMD4<Float>.zero
    for place in index..<values.count { four[place - index] = values[place] }
    return four
  }

  /// Divides the sums of a block of windows, shape `[16 × fours]`, by the number of trees.
  private func writeMeans(of sums: UnsafeMutablePointer<WindowBlock.Values>, into output: UnsafeMutablePointer<Float>) {
    let trees = SIMD4<Float>(repeating: Float(nodes.roots.count))
    var sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: SIMD4<Float>.self)
    let last = output + (WindowBlock.rowCount - 1) * labelCount
    for window in stride(from: output, to: last, by: labelCount) {
      // The lanes after the last label are overwritten by the next window.
      for four in 0..<fours {
        UnsafeMutableRawPointer(window + 4 * four).storeBytes(of: sums[four] / trees, as: SIMD4<Float>.self)
      }
      sums += fours
    }
    for label in 0..<labelCount { last[label] = sums[label / 4][label % 4] / trees[0] }
  }

  /// Throws an error if `values`, shape `[leaves × labels]`, are not probabilities whose sum in every leaf is 1 ± 1e-4.
  private static func check(_ values: [Float], leafCount: Int, labelCount: Int) throws(ModelError) {
    try ModelError.check(labelCount: labelCount)
    try ModelError.check("leafProbabilities", values, rows: leafCount, columns: labelCount)
    for leaf in 0..<leafCount {
      let row = values[leaf * labelCount..<(leaf + 1) * labelCount]
      if let label = row.firstIndex(where: { !(0...1).contains($0) }) {
        throw .invalid(
          "leaf \(leaf) gives label \(label - row.startIndex) the probability \(values[label]), which is not within 0 "
            + "to 1"
        )
      }
      let sum = row.reduce(0, +)
      guard (sum - 1).magnitude <= 1e-4 else {
        throw .invalid("the probabilities of leaf \(leaf) sum to \(sum) instead of 1")
      }
    }
  }
}

/// Label probabilities from a sum of small trees, each fitted to the errors of the trees before it.
///
/// Formula:  zₖ = baseₖ + Σ leaf values of the trees of output k, where tree t belongs to output t mod outputs. Two
/// labels have one output: P(label 1) = 1 ÷ (1 + e⁻ᶻ). Three or more labels have one output each: P(label k) = e^zₖ ÷ Σ
/// e^zⱼ.
///
/// Source: Friedman, Greedy Function Approximation, Annals of Statistics 29, 2001; Chen, Guestrin, XGBoost, KDD 2016.
/// `BoostedTreesTrainer` in GaitTraining fits them.
public struct BoostedTrees: Hashable, Sendable {
  /// The nodes of all trees; the number of trees is a multiple of the outputs.
  public let nodes: FlatTree

  /// The value that each leaf adds to its output's logit, in the order of the nodes; shape `[leaves]`.
  public let leafValues: [Float]

  /// The logits before the first tree; shape `[outputs]`.
  public let baseScores: [Float]

  /// The number of features of a window.
  public var featureCount: Int { nodes.featureCount }

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The number of logits: 1 for two labels; for three or more, one for each label.
  public var outputCount: Int { baseScores.count }

  /// Boosted trees from their numbers, as in a model file.
  ///
  /// - Throws: `ModelError.invalid` if the counts do not fit the leaves and outputs, or a number is outside
  ///   `ModelRanges.weight`.
  public init(
    nodes: FlatTree, leafValues: [Float], baseScores: [Float], labelCount: Int
  ) throws(ModelError) {
    try ModelError.check(labelCount: labelCount)
    let outputs = Logits.count(ofLabels: labelCount)
    try ModelError.check("leafValues", leafValues, columns: nodes.leafCount, within: ModelRanges.weight)
    try ModelError.check("baseScores", baseScores, columns: outputs, within: ModelRanges.weight)
    guard nodes.roots.count.isMultiple(of: outputs) else {
      throw .invalid("\(nodes.roots.count) boosted trees are not a multiple of the \(outputs) outputs")
    }
    self.nodes = nodes
    self.leafValues = leafValues
    self.baseScores = baseScores
    self.labelCount = labelCount
  }

  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// Order: leaf values are added to the base score in Float, first tree to last.
  ///
  /// - Complexity: O(*trees* · *depth* + *labels*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    let outputs = outputCount
    for index in 0..<outputs { output[index] = baseScores[index] }
    var next = 0
    leafValues.withUnsafeBufferPointer { values in
      nodes.forEachLeaf(of: features) { _, leaf in
        output[next] += values[leaf]
        next = next + 1 == outputs ? 0 : next + 1
      }
    }
    Logits.replaceWithProbabilities(output, labelCount: labelCount)
  }

  /// The probabilities of every window of a feature matrix, shape `[windows × labels]`; bit-identical to the
  /// pipeline's.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · (trees · depth + labels)).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      let outputs = outputCount
      leafValues.withUnsafeBufferPointer { values in
        nodes.forEachBlock(of: matrix, size: outputs) { sums in
          for index in 0..<outputs { sums[index] = WindowBlock.Values(repeating: baseScores[index]) }
        } leaf: { sums, row, tree, leaf in
          let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Float.self)
          sums[tree % outputs &* WindowBlock.rowCount &+ row] += values[leaf]
        } end: { sums, row in
          Logits.writeProbabilities(ofBlock: sums, labelCount: labelCount, to: output + row * labelCount)
        } single: {
          self.probabilities(of: $1, into: output + $0 * labelCount)
        }
      }
    }
  }
}

/// A fitted classifier: from a window's scaled features to label probabilities.
///
/// It is a closed enum and not a protocol: a switch costs nothing in the pipeline, and a model file can name the cases.
public enum Classifier: Hashable, Sendable {
  /// Weighted sums of features.
  case logistic(LogisticRegression)
  /// Threshold tests of one feature at a time.
  case decisionTree(DecisionTree)
  /// The mean of many trees.
  case randomForest(RandomForest)
  /// The sum of many small trees.
  case boostedTrees(BoostedTrees)

  /// The number of features of a window.
  public var featureCount: Int {
    switch self {
    case .logistic(let model): model.featureCount
    case .decisionTree(let model): model.featureCount
    case .randomForest(let model): model.featureCount
    case .boostedTrees(let model): model.featureCount
    }
  }

  /// The number of labels, at least two.
  public var labelCount: Int {
    switch self {
    case .logistic(let model): model.labelCount
    case .decisionTree(let model): model.labelCount
    case .randomForest(let model): model.labelCount
    case .boostedTrees(let model): model.labelCount
    }
  }

  /// The probabilities of every window of a matrix of scaled features, shape `[windows × labels]`.
  ///
  /// They are within 1e-6 of the probabilities that a stream gets for the same windows.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    switch self {
    case .logistic(let model): model.probabilities(of: matrix)
    case .decisionTree(let model): model.probabilities(of: matrix)
    case .randomForest(let model): model.probabilities(of: matrix)
    case .boostedTrees(let model): model.probabilities(of: matrix)
    }
  }

  /// Writes the probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// The same window gives the same bits, wherever it is in a recording or a stream. Nothing is allocated.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    switch self {
    case .logistic(let model): model.probabilities(of: features, into: output)
    case .decisionTree(let model): model.probabilities(of: features, into: output)
    case .randomForest(let model): model.probabilities(of: features, into: output)
    case .boostedTrees(let model): model.probabilities(of: features, into: output)
    }
  }
}
