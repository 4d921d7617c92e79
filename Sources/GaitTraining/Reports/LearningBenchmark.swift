import Gait

/// How long one learner takes for given rows, and how good its model is.
public struct LearningBenchmark: Hashable, Sendable, Encodable {
  /// What to time.
  public enum Task: String, CaseIterable, Sendable {
    /// Logistic regression, to a largest derivative of 1e-5.
    case logistic
    /// One tree of depth 8 from histograms, binning included.
    case histogramTree
    /// One tree of depth 8 from exact splits, sorting included.
    case exactTree
    /// A random forest of 100 trees.
    case forest
    /// 100 boosted trees of 31 leaves.
    case boosted
  }

  /// The fit's wall time in seconds.
  public let seconds: Double
  /// The mean log-loss of the rows learned from, in nats.
  public let trainingLogLoss: Double
  /// The mean log-loss of the held-out rows, in nats.
  public let heldOutLogLoss: Double
  /// The fraction of held-out rows whose most probable label is right.
  public let heldOutAccuracy: Double

  /// Times one fit.
  public init(_ task: Task, on data: LearningData) throws(FittingError) {
    let start = ContinuousClock.now
    let classifier = try Self.fit(task, data.training, data.trainingLabels, data.labelCount)
    let duration = ContinuousClock.now - start
    seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    let training = Self.judged(classifier.probabilities(of: data.training), data.trainingLabels)
    let heldOut = Self.judged(classifier.probabilities(of: data.heldOut), data.heldOutLabels)
    trainingLogLoss = training.logLoss
    heldOutLogLoss = heldOut.logLoss
    heldOutAccuracy = heldOut.accuracy
  }

  private static func fit(
    _ task: Task, _ matrix: FeatureMatrix, _ labels: [Int], _ labelCount: Int
  ) throws(FittingError) -> Classifier {
    switch task {
    case .logistic:
      var trainer = LogisticTrainer()
      trainer.gradientTolerance = 1e-5
      return .logistic(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .histogramTree, .exactTree:
      var trainer = TreeTrainer()
      trainer.search = task == .exactTree ? .exact : .histogram
      return .decisionTree(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .forest:
      return .randomForest(try ForestTrainer().fit(matrix, labels: labels, labelCount: labelCount))
    case .boosted:
      return .boostedTrees(try BoostedTreesTrainer().fit(matrix, labels: labels, labelCount: labelCount))
    }
  }

  private static func judged(_ scores: FeatureMatrix, _ labels: [Int]) -> (logLoss: Double, accuracy: Double) {
    var (loss, right) = (0.0, 0)
    for (row, label) in labels.enumerated() {
      let probabilities = Array(scores[row])
      loss -= Double(logarithm(max(probabilities[label], .leastNormalMagnitude)))
      right += probabilities.allSatisfy { $0 <= probabilities[label] } ? 1 : 0
    }
    return (loss / Double(labels.count), Double(right) / Double(labels.count))
  }
}
