import Gait

/// How long one learner takes for given rows, and how good its model is.
public struct LearningBenchmark: Hashable, Sendable, Encodable {
  /// What to time.
  public enum Learner: String, CaseIterable, Sendable {
    /// Logistic regression, to a largest derivative of 1e-4 as scikit-learn.
    case logistic
    /// One tree of depth 8 from histograms, binning included.
    case histogramTree
    /// One tree of depth 8 from exact splits, sorting included.
    case exactTree
    /// A random forest of 100 trees.
    case forest
    /// 100 boosted trees of 31 leaves, each of which may look at all features.
    case boosted

    /// What is fitted, with the settings that its peers are given too.
    var method: ActivityTrainer.Method {
      switch self {
      case .logistic:
        var trainer = LogisticTrainer()
        trainer.gradientTolerance = 1e-4
        return .logistic(trainer)
      case .histogramTree:
        var trainer = TreeTrainer()
        trainer.search = .histogram
        return .decisionTree(trainer)
      case .exactTree: return .decisionTree(TreeTrainer())
      case .forest: return .randomForest(ForestTrainer())
      case .boosted:
        var trainer = BoostedTreesTrainer()
        trainer.featureShare = 1
        return .boostedTrees(trainer)
      }
    }
  }

  /// The fit's wall time in seconds, the least of all repetitions.
  public let fitSeconds: Double
  /// Rows scored in a second as a matrix, on the rows learned from, in the fastest repetition.
  public let rowsPerSecond: Double
  /// Nanoseconds to score one row alone, the mean over as many held-out rows as 256 KiB hold, in the fastest of a hundred
  /// passes for each repetition: on the road a window's features have just been computed, and lie in the cache as these do.
  public let nanosecondsPerRow: Double
  /// The mean log-loss of the rows learned from, in nats.
  public let trainingLogLoss: Double
  /// The mean log-loss of the held-out rows, in nats.
  public let heldOutLogLoss: Double
  /// The fraction of held-out rows whose most probable label is right.
  public let heldOutAccuracy: Double

  /// Times fitting and scoring.
  ///
  /// - Throws: `FittingError` where the rows cannot be learned from.
  /// - Precondition: at least one repetition.
  public init(_ learner: Learner, on data: LearningData, repetitions: Int) throws(FittingError) {
    precondition(repetitions >= 1, "a benchmark needs at least one repetition")
    let method = learner.method
    var fitted: Classifier?
    var fastest = Double.infinity
    for _ in 0..<repetitions {
      let start = ContinuousClock.now
      // As they are: the rows are standardised already.
      fitted = try method.classifier(data.training, labels: data.trainingLabels, labelCount: data.labelCount)
      fastest = min(fastest, (ContinuousClock.now - start).inSeconds)
    }
    let classifier = fitted!
    fitSeconds = fastest
    let score = Self.leastSeconds(repetitions) { _ = classifier.probabilities(of: data.training) }
    rowsPerSecond = Double(data.training.rowCount) / score
    let few = data.heldOut.rows(at: Array(0..<min(data.heldOut.rowCount, 65536 / data.heldOut.columnCount + 1)))
    let single = Self.leastSeconds(100 * repetitions) { Self.scoreOneByOne(few, classifier) }
    nanosecondsPerRow = single * 1e9 / Double(few.rowCount)
    let training = Self.judged(classifier.probabilities(of: data.training), data.trainingLabels)
    let heldOut = Self.judged(classifier.probabilities(of: data.heldOut), data.heldOutLabels)
    trainingLogLoss = training.logLoss
    heldOutLogLoss = heldOut.logLoss
    heldOutAccuracy = heldOut.accuracy
  }

  private static func leastSeconds(_ repetitions: Int, _ work: () -> Void) -> Double {
    (0..<repetitions).reduce(.infinity) { least, _ in
      let start = ContinuousClock.now
      work()
      return min(least, (ContinuousClock.now - start).inSeconds)
    }
  }

  private static func scoreOneByOne(_ matrix: FeatureMatrix, _ classifier: Classifier) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: classifier.labelCount) { output in
      matrix.values.withUnsafeBufferPointer { values in
        for row in 0..<matrix.rowCount {
          classifier.probabilities(of: values.baseAddress! + row * matrix.columnCount, into: output.baseAddress!)
        }
      }
    }
  }

  private static func judged(_ scores: FeatureMatrix, _ labels: [Int]) -> (logLoss: Double, accuracy: Double) {
    var (loss, right) = (0.0, 0)
    for (row, label) in labels.enumerated() {
      let probabilities = Array(scores[row])
      loss -= logarithm(Double(max(probabilities[label], .leastNormalMagnitude)))
      right += probabilities.allSatisfy { $0 <= probabilities[label] } ? 1 : 0
    }
    return (loss / Double(labels.count), Double(right) / Double(labels.count))
  }
}

extension Duration {
  fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
