import Gait
import GaitTraining

/// Times each stage of the pipeline for a recording in memory, on one core.
///
/// Every stage runs several times over the whole recording; the median over repetitions is reported with its spread.
/// Times depend on the machine and its load: compare ratios taken in the same run.
package struct PipelineBenchmark: Sendable, Encodable {
  /// The time of one stage.
  package struct Stage: Hashable, Sendable, Encodable {
    /// `resample`, `features`, `score`, or `whole` for the whole pipeline.
    package let name: String
    /// Nanoseconds per window, the median over repetitions.
    package let nanosecondsPerWindow: Double
    /// The slowest repetition minus the fastest, as a fraction of the median.
    package let spread: Double
  }

  /// The stages in order, `whole` last.
  package let stages: [Stage]
  /// Windows per second of the whole pipeline.
  package let windowsPerSecond: Double
  /// Source samples per second of the whole pipeline.
  package let samplesPerSecond: Double
  /// The number of windows in the recording.
  package let windows: Int

  /// Times the pipeline of a model.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model.
  package init(model: ActivityModel, recording: Recording, repetitions: Int) throws(ModelError) {
    let head = model.activityHead
    let resampled = Self.resampled(recording, to: model.sampleRate)
    let matrix = Self.features(head.features, head.window, model.sampleRate, of: resampled)
    let classifier = try WindowClassifier(model: model, sampleRate: recording.sampleRate)
    let resampler = Resampler(from: recording.sampleRate, to: model.sampleRate)
    let stream = try FeatureStream(features: head.features, shape: head.window, sampleRate: model.sampleRate)
    let samples = (0..<recording.count).map { recording[$0] }
    let stages: [(String, () -> Float)] = [
      ("resample", { Self.resample(samples, with: resampler) }),
      ("features", { Self.sum(resampled, with: stream) }),
      ("score", { Self.score(matrix, head: head, sampleRate: model.sampleRate) }),
      (
        "whole",
        {
          var classifier = classifier
          var sum: Float = 0
          for sample in samples { classifier.append(sample) { sum += $0.probabilities[0] } }
          return sum
        }
      ),
    ]
    self.init(stages, windows: matrix.rowCount, samples: recording.count, repetitions: repetitions)
  }

  /// Times resampling and a set of features without a model.
  ///
  /// - Throws: `ModelError.invalid` if the features do not fit windows of `shape`.
  package init(
    features: [Feature], shape: WindowShape, sampleRate: SampleRate, recording: Recording, repetitions: Int
  ) throws(ModelError) {
    let stream = try FeatureStream(features: features, shape: shape, sampleRate: sampleRate)
    let resampler = Resampler(from: recording.sampleRate, to: sampleRate)
    let resampled = Self.resampled(recording, to: sampleRate)
    let windows = Self.features(features, shape, sampleRate, of: resampled).rowCount
    let samples = (0..<recording.count).map { recording[$0] }
    let stages: [(String, () -> Float)] = [
      ("resample", { Self.resample(samples, with: resampler) }),
      ("features", { Self.sum(resampled, with: stream) }),
      (
        "whole",
        {
          // As in `Recording.features`.
          var sum: Float = 0
          recording.forEachWindow(of: stream, through: resampler) { sum += $1[0] }
          return sum
        }
      ),
    ]
    self.init(stages, windows: windows, samples: recording.count, repetitions: repetitions)
  }

  private init(
    _ work: [(name: String, run: () -> Float)], windows: Int, samples: Int, repetitions: Int
  ) {
    stages = work.map { name, run in
      let timing = Timing(repetitions: repetitions, warmsUp: true, run)
      return Stage(
        name: name, nanosecondsPerWindow: timing.median * 1e9 / Double(max(1, windows)), spread: timing.spread)
    }
    let whole = stages[stages.count - 1].nanosecondsPerWindow
    self.windows = windows
    windowsPerSecond = windows > 0 ? 1e9 / whole : 0
    samplesPerSecond = windows > 0 ? Double(samples) / Double(windows) * 1e9 / whole : 0
  }
}

extension PipelineBenchmark {
  private static func resampled(_ recording: Recording, to rate: SampleRate) -> [MotionSample] {
    var resampler = Resampler(from: recording.sampleRate, to: rate)
    var samples: [MotionSample] = []
    for index in 0..<recording.count { resampler.append(recording[index]) { samples.append($0) } }
    return samples
  }

  private static func resample(_ samples: [MotionSample], with resampler: Resampler) -> Float {
    var resampler = resampler
    var sum: Float = 0
    for sample in samples { resampler.append(sample) { sum += $0.gravity.x } }
    return sum
  }

  private static func features(
    _ features: [Feature], _ shape: WindowShape, _ rate: SampleRate, of samples: [MotionSample]
  ) -> FeatureMatrix {
    var matrix = FeatureMatrix(columnCount: features.count)
    guard var stream = try? FeatureStream(features: features, shape: shape, sampleRate: rate) else { return matrix }
    for sample in samples { stream.append(sample) { matrix.append($1) } }
    return matrix
  }

  private static func sum(_ samples: [MotionSample], with stream: FeatureStream) -> Float {
    var stream = stream
    var sum: Float = 0
    for sample in samples { stream.append(sample) { sum += $1[0] } }
    return sum
  }

  private static func score(_ matrix: FeatureMatrix, head: ActivityModel.Head, sampleRate: SampleRate) -> Float {
    let scorer = WindowScorer(head: head, sampleRate: sampleRate)
    var row = [Float](repeating: 0, count: matrix.columnCount)
    var sum: Float = 0
    row.withUnsafeMutableBufferPointer { row in
      matrix.values.withUnsafeBufferPointer { values in
        for index in 0..<matrix.rowCount {
          row.baseAddress!.update(from: values.baseAddress! + index * row.count, count: row.count)
          sum += scorer.classify(row, start: SampleTime(nanoseconds: 0)).probabilities[0]
        }
      }
    }
    return sum
  }
}
