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
        + "at most \(trainer.maximumLeafCount) leaves, seed \(trainer.seed)"
    }
  }

  /// Fits the classifier, and the scaling of its input if it needs one.
  ///
  /// - Parameters:
  ///   - matrix: unscaled features, shape `[windows × features]`.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - groups: the group of each window, which no split of the windows may cut.
  func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int, groups: [Int]
  ) throws(FittingError) -> (classifier: Classifier, scaling: Scaling?) {
    switch self {
    case .logistic:
      let scaling = Scaling(standardizing: matrix)
      return (try classifier(scaling.apply(to: matrix), labels: labels, labelCount: labelCount), scaling)
    case .decisionTree(let trainer):
      return (.decisionTree(try trainer.fit(matrix, labels: labels, labelCount: labelCount, groups: groups)), nil)
    case .randomForest, .boostedTrees:
      return (try classifier(matrix, labels: labels, labelCount: labelCount), nil)
    }
  }

  /// Fits the classifier to features that are already scaled, without groups.
  func classifier(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> Classifier {
    switch self {
    case .logistic(let trainer): .logistic(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .decisionTree(let trainer): .decisionTree(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .randomForest(let trainer): .randomForest(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .boostedTrees(let trainer): .boostedTrees(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    }
  }
}
