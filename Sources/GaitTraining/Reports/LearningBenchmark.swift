import Gait

/// Times one learner on given rows, and measures the quality of its model.
package struct LearningBenchmark: Hashable, Sendable, Encodable {
  /// The learner.
  package enum Learner: String, CaseIterable, Sendable {
    /// Logistic regression, to a gradient tolerance of 1e-4 as scikit-learn's default.
    case logistic
    /// One tree of depth 8 from histograms, binning included.
    case histogramTree
    /// One tree of depth 8 from exact splits, sorting included.
    case exactTree
    /// A random forest of 100 trees.
    case forest
    /// 100 boosted trees of 31 leaves, each on all features.
    case boosted

    /// The method, with the same settings as its peers in other libraries.
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

  /// The fit's wall time in seconds, the minimum over repetitions.
  package let fitSeconds: Double
  /// Training rows scored per second as one matrix, in the fastest repetition.
  package let rowsPerSecond: Double
  /// Nanoseconds to score a single row: the mean over 256 KiB of held-out rows, in the fastest of a hundred passes for
  /// each repetition. The rows are in the cache, as a window's features are in the pipeline.
  package let nanosecondsPerRow: Double
  /// The mean log-loss of the training rows, in nats.
  package let trainingLogLoss: Double
  /// The mean log-loss of the held-out rows, in nats.
  package let heldOutLogLoss: Double
  /// The fraction of held-out rows whose most probable label is correct.
  package let heldOutAccuracy: Double

  /// Times fitting and scoring.
  ///
  /// - Throws: `FittingError` if the rows cannot be fitted.
  /// - Precondition: at least one repetition.
  package init(_ learner: Learner, on data: LearningData, repetitions: Int) throws(FittingError) {
    precondition(repetitions >= 1, "a benchmark needs at least one repetition")
    let method = learner.method
    var fitted: Classifier?
    var fastest = Double.infinity
    for _ in 0..<repetitions {
      let start = ContinuousClock.now
      // Without scaling: the rows are already standardised.
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
    let training = Self.evaluated(classifier.probabilities(of: data.training), data.trainingLabels)
    let heldOut = Self.evaluated(classifier.probabilities(of: data.heldOut), data.heldOutLabels)
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

  private static func evaluated(_ scores: FeatureMatrix, _ labels: [Int]) -> (logLoss: Double, accuracy: Double) {
    var (loss, correct) = (0.0, 0)
    for (row, label) in labels.enumerated() {
      let probabilities = Array(scores[row])
      loss -= logarithm(Double(max(probabilities[label], .leastNormalMagnitude)))
      correct += probabilities.allSatisfy { $0 <= probabilities[label] } ? 1 : 0
    }
    return (loss / Double(labels.count), Double(correct) / Double(labels.count))
  }
}

extension Duration {
  fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
