/// The stages that use the motion alone and do not depend on the policy or the pause settings: step rates, and the
/// windows of the activity head and of the pause head.
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

  /// The windows, and the gap, that end with a sample.
  package struct Ends: Sendable {
    /// The time of the sample before, if samples are missing after it.
    package fileprivate(set) var gapStart: SampleTime?
    fileprivate var pause: Bool
    fileprivate var activity: Bool
    /// Whether a window of the step rate ends.
    fileprivate(set) var cadence: Bool
  }

  /// Takes the next sample at the model's rate; returns which windows end with it, and whether a gap does; `nil` if
  /// none of them ends.
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
    return Ends(gapStart: isAfterGap ? before : nil, pause: endsPause, activity: endsActivity, cadence: endsCadence)
  }

  /// The window of the pause head that ends with the latest sample. Call it once.
  package mutating func pauseWindow(_ ends: Ends) -> PauseWindow? { ends.pause ? pauses.measured() : nil }

  /// The window of the activity head that ends with the latest sample. Call it once.
  package mutating func activityWindow(_ ends: Ends) -> ClassifiedWindow? {
    ends.activity ? activities.classify() : nil
  }

  /// The step rate of the window that ends with the latest sample; `nil` if none ends, if an acceleration is missing in
  /// it, or if the model's rate is below `CadenceMeter.slowestSource`.
  package mutating func cadencePoint(_ ends: Ends) -> CadencePoint? {
    ends.cadence ? cadence?.latestPoint(pauses.history) : nil
  }
}

/// The stage that decides the activity, and keeps whether the wearer takes steps.
package struct MovementDecider: Sendable {
  private var activity: ActivityDecider
  private var latest = StepState()

  package init(model: ActivityModel) { activity = ActivityDecider(model: model) }

  /// Takes the results of the windows that end with a sample; returns the movement before the sample, and a change of
  /// activity.
  ///
  /// A decision about a pause uses the movement before the sample, so that it does not depend on whether a window of
  /// another length ends with the same sample.
  ///
  /// - Parameters:
  ///   - isAfterGap: whether samples are missing before the sample.
  ///   - cadence: the step rate of the window that ends with the sample; `nil` if none ends.
  ///   - window: the window of the activity head that ends with the sample; `nil` if none ends.
  ///   - arrival: the time of the source's latest sample.
  package mutating func append(
    isAfterGap: Bool, _ cadence: CadencePoint?, _ window: ClassifiedWindow?, arrival: SampleTime
  ) -> (before: StepState, change: ActivityChange?) {
    if isAfterGap { latest.hasSteps = nil }
    let before = latest
    if let cadence { latest.hasSteps = cadence.stepsPerMinute > 0 }
    guard let window else { return (before, nil) }
    let change = activity.append(window, arrival: arrival)
    latest.runningSince = activity.runningSince
    return (before, change)
  }
}
