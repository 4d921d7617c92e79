import Gait

/// Times each stage of the pipeline for a recording in memory, on one core.
///
/// Every stage runs several times over the whole recording; the median over repetitions is reported with its spread.
/// Times depend on the machine and its load: compare ratios taken in the same run.
package struct PipelineBenchmark: Sendable {
  /// The time of one stage.
  package struct Stage: Hashable, Sendable, Encodable {
    /// `resample`, `features`, `score`, or `whole` for the whole pipeline.
    package let name: String
    /// Nanoseconds per window, the median over repetitions.
    package let nanosecondsPerWindow: Double
    /// The slowest repetition minus the fastest, as a fraction of the median.
    package let spread: Double
  }

  /// The time of a call with a single sample.
  package struct Append: Hashable, Sendable, Encodable {
    /// Nanoseconds per call, the mean over all calls.
    package let meanNanoseconds: Double
    /// Nanoseconds for a call that closes a window, the median.
    package let closingNanoseconds: Double
    /// Nanoseconds for a call that closes a window, the 99.9th percentile.
    package let closingNanoseconds999: Double
  }

  /// The stages in order, `whole` last.
  package let stages: [Stage]
  /// Calls with a single sample; absent without a model.
  package let append: Append?
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
    let stream = model.activityStream
    let samples = (0..<recording.count).map { recording[$0] }
    var timer = StageTimer(windows: matrix.rowCount, repetitions: repetitions)
    timer.time("resample") { Self.resample(samples, with: resampler) }
    timer.time("features") { Self.sum(resampled, with: stream) }
    timer.time("score") { Self.score(matrix, head: head, sampleRate: model.sampleRate) }
    timer.time("whole") {
      var classifier = classifier
      var sum: Float = 0
      for sample in samples { classifier.append(sample) { sum += $0.probabilities[0] } }
      return sum
    }
    self.init(timer, samples: recording.count, append: Self.append(samples, to: classifier))
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
    var timer = StageTimer(windows: windows, repetitions: repetitions)
    timer.time("resample") { Self.resample(samples, with: resampler) }
    timer.time("features") { Self.sum(resampled, with: stream) }
    timer.time("whole") {
      // As in `Recording.features`.
      var sum: Float = 0
      recording.forEachWindow(of: stream, through: resampler) { sum += $1[0] }
      return sum
    }
    self.init(timer, samples: recording.count, append: nil)
  }

  private init(_ timer: StageTimer, samples: Int, append: Append?) {
    let whole = timer.stages.last!.nanosecondsPerWindow
    stages = timer.stages
    windows = timer.windows
    windowsPerSecond = timer.windows > 0 ? 1e9 / whole : 0
    samplesPerSecond = timer.windows > 0 ? Double(samples) / Double(timer.windows) * 1e9 / whole : 0
    self.append = append
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

  private static func append(_ samples: [MotionSample], to classifier: WindowClassifier) -> Append {
    var classifier = classifier
    let clock = ContinuousClock()
    var (total, closing) = (0.0, [Double]())
    for sample in samples {
      var closes = false
      let start = clock.now
      classifier.append(sample) { _ in closes = true }
      let nanoseconds = (clock.now - start).nanoseconds
      total += nanoseconds
      if closes { closing.append(nanoseconds) }
    }
    closing.sort()
    guard !closing.isEmpty else { return Append(meanNanoseconds: 0, closingNanoseconds: 0, closingNanoseconds999: 0) }
    return Append(
      meanNanoseconds: total / Double(samples.count), closingNanoseconds: closing[closing.count / 2],
      closingNanoseconds999: closing[min(closing.count - 1, closing.count * 999 / 1000)])
  }
}

/// Runs stages repeatedly and keeps the median of each.
private struct StageTimer {
  let windows: Int
  let repetitions: Int
  var stages: [PipelineBenchmark.Stage] = []
  /// A sum of the stages' results, so that the compiler cannot eliminate the work.
  private var checksum: Float = 0

  init(windows: Int, repetitions: Int) {
    self.windows = windows
    self.repetitions = repetitions
  }

  mutating func time(_ name: String, _ work: () -> Float) {
    let clock = ContinuousClock()
    checksum += work()
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = clock.now
      checksum += work()
      times.append((clock.now - start).nanoseconds / Double(max(1, windows)))
    }
    times.sort()
    let median = times[times.count / 2]
    stages.append(
      PipelineBenchmark.Stage(
        name: name, nanosecondsPerWindow: median, spread: median > 0 ? (times.last! - times[0]) / median : 0))
  }
}

extension Duration {
  fileprivate var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
