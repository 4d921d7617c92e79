/// Decides the activity from samples at the model's rate: the activity head's windows, smoothed.
struct ActivityDecider: Sendable {
  private var head: DecisionHead
  private var filter: RejectionFilter
  private var smoother: Smoother
  /// The activity, once known.
  private(set) var activity: Activity?
  /// The start of the window that changed the activity.
  private(set) var start: SampleTime?

  /// The probability that a change of activity needs. One or two windows reach it, so a stumble is not a walk.
  private static let threshold: Float = 0.9

  init(model: ActivityModel) {
    head = DecisionHead(model.activityHead, stream: model.activityStream, sampleRate: model.sampleRate)
    filter = RejectionFilter(model.activityHead, sampleRate: model.sampleRate)
    smoother = Smoother(
      activities: model.activityHead.labels.map(model.activity(of:)), settings: model.pauses ?? PauseSettings(),
      rejects: model.rejectsUnknown)
  }

  /// Takes the next sample; returns a change of activity, if it completes a window.
  ///
  /// - Parameter arrival: the time of the source's latest sample.
  @inline(__always)
  mutating func append(_ sample: MotionSample, arrival: SampleTime) -> ActivityChange? {
    head.append(sample) ? decide(arrival: arrival) : nil
  }

  @inline(never)
  private mutating func decide(arrival: SampleTime) -> ActivityChange? {
    let window = head.classify()
    smoother.update(window.probabilities, at: window.end, isRejected: filter.rejects(window))
    let (activity, probability) = smoother.mostProbable
    guard activity != self.activity, probability > Self.threshold else { return nil }
    self.activity = activity
    let middle = window.start.nanoseconds + (window.end.nanoseconds - window.start.nanoseconds) / 2
    start = window.start
    return ActivityChange(decidedAt: arrival, onset: SampleTime(nanoseconds: middle), activity: activity)
  }
}

/// One head of a model on a stream at the model's rate: windows, features, probabilities.
struct DecisionHead: Sendable {
  private var features: FeatureStream
  private let scorer: WindowScorer

  /// - Parameter stream: the head's windows, before the first sample.
  init(_ head: ActivityModel.Head, stream: FeatureStream, sampleRate: SampleRate) {
    features = stream
    scorer = WindowScorer(head: head, sampleRate: sampleRate)
  }

  /// Takes the next sample; returns whether it completes a window, which `classify` judges before the next sample.
  @inline(__always)
  mutating func append(_ sample: MotionSample) -> Bool { features.append(sample) }

  /// Classifies the latest window. Call it once, as it scales the features in place.
  mutating func classify() -> ClassifiedWindow { features.withWindow { scorer.classify($1, start: $0) } }
}
