import Gait

extension ActivityTrainer.Method: CustomStringConvertible {
  /// The method and its settings in words.
  public var description: String {
    switch self {
    case .logistic(let trainer): "logistic regression, penalty \(plain(trainer.penalty))"
    case .decisionTree(let trainer):
      "decision tree, depth at most \(trainer.maximumDepth), leaves of \(trainer.minimumLeafSize) windows or more"
    case .randomForest(let trainer):
      "random forest, \(trainer.treeCount) trees, depth at most \(trainer.maximumDepth), leaves of "
        + "\(trainer.minimumLeafSize) windows or more, seed \(trainer.seed)"
    case .boostedTrees(let trainer):
      "boosted trees, \(trainer.roundCount) rounds, shrinkage \(plain(trainer.shrinkage)), "
        + "at most \(trainer.maximumLeafCount) leaves"
    }
  }

  /// The classifier for windows, and the scaling that it wants before it.
  ///
  /// - Parameters:
  ///   - matrix: unscaled features, shape `[windows × features]`.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> (classifier: Classifier, scaling: Scaling?) {
    switch self {
    case .logistic(let trainer):
      let scaling = Scaling(standardizing: matrix)
      return (.logistic(try trainer.fit(scaling.apply(to: matrix), labels: labels, labelCount: labelCount)), scaling)
    case .decisionTree(let trainer):
      return (.decisionTree(try trainer.fit(matrix, labels: labels, labelCount: labelCount)), nil)
    case .randomForest(let trainer):
      return (.randomForest(try trainer.fit(matrix, labels: labels, labelCount: labelCount)), nil)
    case .boostedTrees(let trainer):
      return (.boostedTrees(try trainer.fit(matrix, labels: labels, labelCount: labelCount)), nil)
    }
  }
}
