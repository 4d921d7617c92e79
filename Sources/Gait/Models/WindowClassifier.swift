/// What a model's activity head says about a stream, window after window, with no memory from one window to the next.
///
///     MotionSample ─▶ Resampler ─▶ Window ─▶ Features ─▶ ActivityModel ─▶ ClassifiedWindow
///
/// `RunTracker` goes on from there to decisions about a run. A classifier is a value: copy it and both copies go on alone.
/// Time comes from the samples only, never from a clock.
///
///     var classifier = try WindowClassifier(model: model, sampleRate: .hertz(50))
///     for sample in samples {
///       for window in classifier.append(sample) { print(window.end.seconds, window.label) }
///     }
///
/// Handing samples over one by one or in any portions gives the same windows to the last bit, and so does
/// `ActivityModel.classify(_:)`. Once the first window has closed nothing is allocated, except for the arrays of
/// `append(_:)` that are not empty.
public struct WindowClassifier: Sendable {
  /// The model that decides.
  public let model: ActivityModel

  private var resampler: Resampler
  private var features: FeatureStream
  private let scorer: WindowScorer

  /// A classifier of a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model that decides.
  ///   - sampleRate: the rate that the source states; uneven spacing about it does no harm.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to accept a source slower than `ActivityModel.slowestSource`, whose steps alias to lower
  ///     frequencies.
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

  /// How long after the end of a window the sample that closes it comes at the latest, seconds, where samples come evenly:
  /// the resampler's delay.
  public var delay: Double { resampler.delay }

  /// How many samples were dropped because they came late.
  public var droppedSampleCount: Int { resampler.droppedCount }

  /// Takes the next sample and returns the windows that it closes, usually none.
  ///
  /// A sample that is not later than the one before is dropped and counted. A step of more than four periods of the source
  /// is a gap (of more than one and a half, where the source has the model's rate), which no window spans. A window with a
  /// missing value in a channel that the model needs is not classified.
  ///
  /// - Returns: the closed windows in order of time; usually none.
  public mutating func append(_ sample: MotionSample) -> [ClassifiedWindow] {
    var windows: [ClassifiedWindow] = []
    append(sample) { windows.append($0) }
    return windows
  }

  /// Takes the next sample and hands each window that it closes to `body`, by the same rules. Allocates nothing once the
  /// first window has closed.
  public mutating func append(_ sample: MotionSample, forEachWindow body: (ClassifiedWindow) -> Void) {
    resampler.append(sample) { sample in
      features.append(sample) { start, features in
        body(scorer.classify(features, start: start))
      }
    }
  }
}
