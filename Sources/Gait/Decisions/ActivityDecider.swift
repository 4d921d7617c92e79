/// Decides the activity from the windows of the model's activity head, whose probabilities it smooths over time.
package struct ActivityDecider: Sendable {
  private var smoother: Smoother
  /// The activity, once known.
  private var activity: Activity?
  /// The start of the window that changed the activity.
  private var start: SampleTime?

  /// The activity changes to one whose smoothed probability is above this. It takes one or two windows to rise, so that
  /// a stumble is not a walk.
  private static let threshold: Float = 0.9

  package init(model: ActivityModel) {
    smoother = Smoother(
      activities: model.activityHead.labels.map(model.activity(of:)), settings: model.pauses ?? PauseSettings(),
      rejects: model.rejectsUnknown)
  }

  /// The start of the window that changed the activity to running; `nil` if the activity is not running.
  package var runningSince: SampleTime? { activity == .running ? start : nil }

  /// Takes the next window; returns the change of activity that it causes, or `nil`.
  ///
  /// - Parameter arrival: the time of the source's latest sample.
  package mutating func append(_ window: ClassifiedWindow, arrival: SampleTime) -> ActivityChange? {
    smoother.update(window.probabilities, at: window.end, isRejected: window.isRejected)
    let (activity, probability) = smoother.mostProbable
    guard activity != self.activity, probability > Self.threshold else { return nil }
    self.activity = activity
    let middle = window.start.nanoseconds + (window.end.nanoseconds - window.start.nanoseconds) / 2
    start = window.start
    return ActivityChange(decidedAt: arrival, onset: SampleTime(nanoseconds: middle), activity: activity)
  }
}
