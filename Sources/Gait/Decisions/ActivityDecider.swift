/// Decides the activity from samples at the model's rate: the activity head's windows, smoothed.
struct ActivityDecider: Sendable {
  private var head: DecisionHead
  private var smoother: Smoother
  /// The activity, once known.
  private(set) var activity: Activity?

  /// The probability that a change of activity needs. One or two windows reach it, so a stumble is not a walk.
  private static let threshold: Float = 0.9

  init(model: ActivityModel) {
    head = DecisionHead(model.activityHead, stream: model.activityStream, sampleRate: model.sampleRate)
    smoother = Smoother(labels: model.activityHead.labels, settings: model.pauses ?? PauseSettings())
  }

  /// Takes the next sample, made from the source's sample at `arrival`; returns a change of activity.
  mutating func append(_ sample: MotionSample, arrival: SampleTime) -> ActivityChange? {
    guard let window = head.append(sample) else { return nil }
    smoother.update(window.probabilities, at: window.end)
    let (activity, probability) = smoother.mostProbable
    guard activity != self.activity, probability > Self.threshold else { return nil }
    self.activity = activity
    let middle = window.start.nanoseconds + (window.end.nanoseconds - window.start.nanoseconds) / 2
    return ActivityChange(decidedAt: arrival, onset: SampleTime(nanoseconds: middle), activity: activity)
  }
}
