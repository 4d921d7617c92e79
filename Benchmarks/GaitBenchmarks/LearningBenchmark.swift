import Foundation
import Gait
import GaitTraining

/// Times one learner on given rows, and measures the quality of its model.
package struct LearningBenchmark: Hashable, Sendable, Encodable {
  /// The learner.
  package enum Learner: String, CaseIterable, Sendable {
    /// Logistic regression, to a gradient tolerance of 1e-4 as scikit-learn's default.
    case logistic
    /// One tree of depth 8, binning included.
    case tree
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
      case .tree: return .decisionTree(TreeTrainer())
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
    let method = learner.method
    var fitted: Classifier?
    let fit = try Timing(repetitions: repetitions) { () throws(FittingError) in
      // Without scaling: the rows are already standardised.
      fitted = try method.classifier(data.training, labels: data.trainingLabels, labelCount: data.labelCount)
      return 0
    }
    let classifier = fitted!
    fitSeconds = fit.least
    let score = Timing(repetitions: repetitions) { classifier.probabilities(of: data.training).values[0] }
    rowsPerSecond = Double(data.training.rowCount) / score.least
    let few = data.heldOut.rows(at: Array(0..<min(data.heldOut.rowCount, 65536 / data.heldOut.columnCount + 1)))
    let single = Timing(repetitions: 100 * repetitions) { Self.scoreOneByOne(few, classifier) }
    nanosecondsPerRow = single.least * 1e9 / Double(few.rowCount)
    let training = Self.evaluated(classifier.probabilities(of: data.training), data.trainingLabels)
    let heldOut = Self.evaluated(classifier.probabilities(of: data.heldOut), data.heldOutLabels)
    trainingLogLoss = training.logLoss
    heldOutLogLoss = heldOut.logLoss
    heldOutAccuracy = heldOut.accuracy
  }

  private static func scoreOneByOne(_ matrix: FeatureMatrix, _ classifier: Classifier) -> Float {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: classifier.labelCount) { output in
      matrix.values.withUnsafeBufferPointer { values in
        for row in 0..<matrix.rowCount {
          classifier.probabilities(of: values.baseAddress! + row * matrix.columnCount, into: output.baseAddress!)
        }
      }
      return output[0]
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

/// The training and held-out rows of a benchmark, the same for every learner.
package struct LearningData: Sendable {
  /// The training features, shape `[windows × features]`.
  package let training: FeatureMatrix
  /// Their labels.
  package let trainingLabels: [Int]
  /// The held-out features, shape `[windows × features]`.
  package let heldOut: FeatureMatrix
  /// Their labels.
  package let heldOutLabels: [Int]
  /// The number of labels.
  package let labelCount: Int

  /// Reads a file: four little-endian UInt32 (training rows, held-out rows, columns, labels), the values as Float32,
  /// row by row, and a label for each row as UInt8.
  ///
  /// - Throws: `LearningDataError`.
  package init(contentsOf url: URL) throws(LearningDataError) {
    let data: Data
    do { data = try Data(contentsOf: url) } catch { throw .cannotRead(file: url.relativePath) }
    let sizes = (0..<4).map { index in
      data.count < 16
        ? 0 : data.withUnsafeBytes { Int(UInt32(littleEndian: $0.load(fromByteOffset: 4 * index, as: UInt32.self))) }
    }
    let (rows, columns, labelCount) = (sizes[0] + sizes[1], sizes[2], sizes[3])
    let (valueCount, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard sizes[0] > 0, sizes[1] > 0, columns > 0, labelCount > 1, !overflow, valueCount <= data.count,
      data.count == 16 + 4 * valueCount + rows
    else { throw .wrongSize(file: url.relativePath) }
    let values = [Float](unsafeUninitializedCapacity: valueCount) { values, count in
      data.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[16..<16 + 4 * valueCount]))
      }
      count = valueCount
    }
    let labels = data.suffix(rows).map { Int($0) }
    // A byte distinguishes 256 labels. The header's number is not trusted beyond that, because it sizes allocations.
    guard labelCount <= 256, labels.allSatisfy({ $0 < labelCount }) else { throw .wrongLabel(file: url.relativePath) }
    training = FeatureMatrix(columnCount: columns, values: Array(values.prefix(sizes[0] * columns)))
    heldOut = FeatureMatrix(columnCount: columns, values: Array(values.suffix(sizes[1] * columns)))
    trainingLabels = Array(labels.prefix(sizes[0]))
    heldOutLabels = Array(labels.suffix(sizes[1]))
    self.labelCount = labelCount
  }
}

/// An error in reading a file of benchmark rows.
package enum LearningDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist or cannot be read.
  case cannotRead(file: String)
  /// The file's length does not match its header.
  case wrongSize(file: String)
  /// A label is not below the number of labels, or there are more than 256 labels.
  case wrongLabel(file: String)

  /// What is wrong, where, and the cure.
  package var description: String {
    switch self {
    case .cannotRead(let file): "\(file): the file cannot be read; check the path."
    case .wrongSize(let file):
      "\(file): the file's length does not match its header; write it with Benchmarks/peers/learning_data.py."
    case .wrongLabel(let file):
      "\(file): a label is out of range, or there are more than 256 labels; write the file again with"
        + " Benchmarks/peers/learning_data.py."
    }
  }
}
