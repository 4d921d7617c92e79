/// Classifies the windows of a stream with a model's activity head, each window independently.
///
///     MotionSample ─▶ Resampler ─▶ Window ─▶ Features ─▶ ActivityModel ─▶ ClassifiedWindow
///
/// `RunTracker` adds the decisions about a run. A classifier is a value; copies are independent. Time comes only from
/// the samples, never from a clock.
///
///     var classifier = try WindowClassifier(model: model, sampleRate: .hertz(50))
///     for sample in samples {
///       for window in classifier.append(sample) { print(window.end.seconds, window.label) }
///     }
///
/// The same samples give the same windows to the last bit, in batches of any size and in `ActivityModel.classify(_:)`.
/// After the first window, nothing is allocated except for returned arrays that are not empty.
public struct WindowClassifier: Sendable {
  /// The model.
  public let model: ActivityModel

  private var resampler: Resampler
  private var features: FeatureStream
  private let scorer: WindowScorer

  /// A classifier of a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to accept a source slower than `ActivityModel.slowestSource`, whose steps alias to
  ///     lower frequencies.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies,
  ///   `ModelError.estimatedGravity` if the model does not accept estimated gravity.
  public init(
    model: ActivityModel, sampleRate: SampleRate, gravityIsEstimated: Bool = false, allowsSlowSource: Bool = false
  ) throws(ModelError) {
    try model.checkStream(
      at: sampleRate, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    self.model = model
    resampler = Resampler(from: sampleRate, to: model.sampleRate, sensors: model.neededSensors)
    features = model.activityStream
    scorer = WindowScorer(head: model.activityHead, sampleRate: model.sampleRate)
  }

  /// The longest delay from the end of a window to the sample that closes it, seconds, for evenly spaced samples: the
  /// resampler's delay.
  public var delay: Double { resampler.delay }

  /// The number of samples dropped because they arrived late or their time is outside `SampleTime.range`.
  public var droppedSampleCount: Int { resampler.droppedCount }

  /// Takes the next sample and returns the windows that it closes, usually none.
  ///
  /// A sample that is not later than the previous one is dropped and counted. A step of more than four periods of the
  /// source is a gap (more than 1.5 periods, if the source has the model's rate). No window spans a gap. A window with
  /// a missing value in a channel that the model needs is skipped.
  ///
  /// - Returns: the closed windows in order of time; usually none.
  public mutating func append(_ sample: MotionSample) -> [ClassifiedWindow] {
    var windows: [ClassifiedWindow] = []
    append(sample) { windows.append($0) }
    return windows
  }

  /// Takes the next sample and calls `body` with each window that it closes. Allocates nothing after the first window.
  public mutating func append(_ sample: MotionSample, forEachWindow body: (ClassifiedWindow) -> Void) {
    resampler.append(sample) { sample in
      features.append(sample) { start, features in
        body(scorer.classify(features, start: start))
      }
    }
  }
}
