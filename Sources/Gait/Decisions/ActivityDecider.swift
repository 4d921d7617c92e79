/// From samples at the model's rate to what the wearer does: the activity head's windows, smoothed.
struct ActivityDecider: Sendable {
  private var head: DecisionHead
  private var smoother: Smoother
  /// What the wearer does, once that is known.
  private(set) var activity: Activity?

  /// The probability that it takes to change the mind. Held for one window or two, it keeps a stumble from being a walk.
  private static let threshold: Float = 0.9

  init(model: ActivityModel) {
    head = DecisionHead(model.activityHead, stream: model.activityStream, sampleRate: model.sampleRate)
    smoother = Smoother(labels: model.activityHead.labels, settings: model.pauses ?? PauseSettings())
  }

  /// Takes the next sample, which came with the source's sample of `arrival`; returns a change of mind.
  mutating func append(_ sample: MotionSample, arrival: SampleTime) -> ActivityChange? {
    guard let window = head.append(sample) else { return nil }
    smoother.update(window.probabilities, at: window.end)
    let (activity, probability) = smoother.mostProbable
    guard activity != self.activity, probability > Self.threshold else { return nil }
    self.activity = activity
    let middle = window.start.nanoseconds + (window.end.nanoseconds - window.start.nanoseconds) / 2
    return ActivityChange(detected: arrival, onset: SampleTime(nanoseconds: middle), activity: activity)
  }
}
