/// What the windows that end with a sample show.
package struct MotionWindows: Sendable {
  /// From the last sample before to this one, if samples are missing between them.
  package var gap: Range<SampleTime>?
  /// The window of the pause head.
  package var pause: PauseWindow?
  /// The window of the activity head.
  package var activity: ClassifiedWindow?
  /// Whether a window of the step rate ends.
  var endsCadence = false
  /// Its step rate, unless an acceleration is missing in it.
  package var cadence: CadencePoint?

  package init(gap: Range<SampleTime>?) { self.gap = gap }
}

/// The stages that look at the motion alone, whatever the policy and the settings of pauses: step rates, and the windows of the
/// activity head and of the pause head.
package struct MotionMeter: Sendable {
  private var pauses: PauseWindows
  private var activities: DecisionHead
  private var cadence: CadenceMeter?
  private var hops: CadenceHops
  /// The latest energies of the acceleration, which date decisions.
  package private(set) var onsets: OnsetFinder
  private var previous: SampleTime?
  private let longestStep: Int64

  package init(model: ActivityModel) {
    pauses = PauseWindows(model: model)
    activities = DecisionHead(model.activityHead, stream: model.activityStream, sampleRate: model.sampleRate)
    cadence = CadenceMeter(sampleRate: model.sampleRate)
    hops = CadenceHops(sampleRate: model.sampleRate)
    onsets = OnsetFinder(sampleRate: model.sampleRate)
    longestStep = Resampler.longestOutputStep(at: model.sampleRate)
  }

  /// Uses another model with the same rate, before the first window.
  mutating func use(_ model: ActivityModel) {
    let previous = previous
    self = MotionMeter(model: model)
    self.previous = previous
  }

  /// What ends with a sample.
  package struct Ends: Sendable {
    /// The time of the sample before, if samples are missing after it.
    fileprivate var before: SampleTime?
    fileprivate var pause: Bool
    fileprivate var activity: Bool
    fileprivate var cadence: Bool
  }

  /// Takes the next sample at the model's rate; returns which windows end with it, or a gap, and `nil` if nothing does.
  @inline(__always)
  package mutating func append(_ sample: MotionSample) -> Ends? {
    let (time, before) = (sample.time, previous ?? sample.time)
    previous = time
    onsets.append(sample)
    let isAfterGap = time.nanoseconds - before.nanoseconds > longestStep
    let endsPause = pauses.closesWindow(sample)
    let endsActivity = activities.append(sample)
    let endsCadence = hops.closesWindow(count: pauses.history.count)
    guard isAfterGap || endsPause || endsActivity || endsCadence else { return nil }
    return Ends(before: isAfterGap ? before : nil, pause: endsPause, activity: endsActivity, cadence: endsCadence)
  }

  /// The windows that end with the latest sample, at `time`. Call it once.
  package mutating func windows(_ ends: Ends, at time: SampleTime) -> MotionWindows {
    var windows = MotionWindows(gap: ends.before.map { $0..<time })
    if ends.pause { windows.pause = pauses.measured() }
    if ends.activity { windows.activity = activities.classify() }
    windows.endsCadence = ends.cadence
    if ends.cadence { windows.cadence = cadence?.latestPoint(pauses.history) }
    return windows
  }
}

/// The stage of steps and activity: what the wearer does.
package struct MovementDecider: Sendable {
  private var activity: ActivityDecider
  private var latest = StepState()

  package init(model: ActivityModel) { activity = ActivityDecider(model: model) }

  /// Takes what the windows show; returns the movement before the sample that ended them, and a change of activity.
  ///
  /// A decision about a pause uses the movement before: it does not depend on whether a window of another length ends with the
  /// same sample.
  ///
  /// - Parameter arrival: the time of the source's latest sample.
  package mutating func append(
    _ windows: MotionWindows, arrival: SampleTime
  ) -> (before: StepState, change: ActivityChange?) {
    if windows.gap != nil { latest.hasSteps = nil }
    let before = latest
    if let point = windows.cadence { latest.hasSteps = point.stepsPerMinute > 0 }
    let change = windows.activity.flatMap { activity.append($0, arrival: arrival) }
    latest.runningSince = activity.runningSince
    return (before, change)
  }
}
