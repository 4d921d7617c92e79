/// A fitted classifier: from a window's scaled features to label probabilities.
///
/// A closed enum rather than a protocol: a switch is free in the pipeline, and a model file can name its cases.
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
  /// Agrees with the pipeline's probabilities of the same windows within 1e-6.
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

  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// The same window gives the same bits, wherever it is in a recording or a stream.
  ///
  /// - Complexity: no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    switch self {
    case .logistic(let model): model.probabilities(of: features, into: output)
    case .decisionTree(let model): model.probabilities(of: features, into: output)
    case .randomForest(let model): model.probabilities(of: features, into: output)
    case .boostedTrees(let model): model.probabilities(of: features, into: output)
    }
  }
}
