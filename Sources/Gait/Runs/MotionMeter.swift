/// The stages that use the motion alone and do not depend on the policy or the pause settings: step rates, and the
/// windows of the activity head and of the pause head.
///
/// All of them take the samples from the same batch: those of the pause head at the end of each of its windows, the
/// others when the batch is full or one of their windows ends.
package struct MotionMeter: Sendable {
  private var batch: SampleBatch
  /// The number of samples of the batch that the pause head has taken.
  private var takenCount = 0
  private var pauses: PauseWindows
  private var features: FeatureWindows
  private var head: DecisionHead
  private var cadence: CadenceMeter?
  private var hops: CadenceHops
  /// The latest energies of the acceleration, which date decisions.
  package private(set) var onsets: OnsetFinder
  /// The latest sample that another model took before.
  private var earlier: SampleTime?

  package init(model: ActivityModel) {
    batch = SampleBatch(sampleRate: model.sampleRate)
    pauses = PauseWindows(model: model)
    features = model.activityWindows
    head = DecisionHead(model.activityHead, sampleRate: model.sampleRate)
    cadence = CadenceMeter(sampleRate: model.sampleRate)
    hops = CadenceHops(sampleRate: model.sampleRate)
    onsets = OnsetFinder(sampleRate: model.sampleRate)
  }

  /// Uses another model with the same rate, before the first window.
  mutating func use(_ model: ActivityModel) {
    let earlier = latestTime
    self = MotionMeter(model: model)
    self.earlier = earlier
  }

  private var latestTime: SampleTime? { batch.latestTime ?? earlier }

  /// The windows, and the gap, that end with a sample.
  package struct Ends: Sendable {
    /// The time of the sample before, if samples are missing after it.
    package fileprivate(set) var gapStart: SampleTime?
    fileprivate var pause: Bool
    fileprivate var activity: Bool
    /// Whether a window of the step rate ends.
    fileprivate(set) var cadence: Bool

    fileprivate var isNone: Bool { gapStart == nil && !pause && !activity && !cadence }
  }

  /// Takes the next sample at the model's rate; returns which windows end with it, and whether a gap does; `nil` if
  /// none of them ends.
  @inline(__always)
  package mutating func append(_ sample: MotionSample) -> Ends? {
    let gapStart = batch.continues(to: sample.time) ? nil : begin(before: sample)
    if batch.append(sample) { return takeBatch(gapStart) }
    return gapStart.map { Ends(gapStart: $0, pause: false, activity: false, cadence: false) }
  }

  /// Begins the windows with a sample, which is the first one or comes after a gap; returns the start of the gap.
  @inline(never)
  private mutating func begin(before sample: MotionSample) -> SampleTime? {
    let gapStart = latestTime
    onsets.append(&batch, from: takenCount)
    pauses.end(with: &batch, from: takenCount)
    features.restart()
    hops.restart()
    batch.restart(before: sample.row)
    takenCount = 0
    expectWindow()
    return gapStart.flatMap { batch.isGap(sample.time.nanoseconds - $0.nanoseconds) ? $0 : nil }
  }

  @inline(never)
  private mutating func takeBatch(_ gapStart: SampleTime?) -> Ends? {
    onsets.append(&batch, from: takenCount)
    let endsPause = pauses.append(&batch, from: takenCount)
    var ends = Ends(gapStart: gapStart, pause: endsPause, activity: false, cadence: false)
    takenCount = batch.count
    if batch.isFull || batch.count == samplesUntilLongWindow {
      ends.activity = features.append(&batch)
      ends.cadence = hops.append(batch.count)
      batch.empty()
      takenCount = 0
    }
    expectWindow()
    return ends.isNone ? nil : ends
  }

  /// The number of samples from the first of the batch to the end of the next window of the activity head or of the
  /// step rate.
  private var samplesUntilLongWindow: Int { min(features.samplesUntilWindow, hops.samplesUntilWindow) }

  private mutating func expectWindow() {
    batch.expect(min(pauses.samplesUntilWindow, samplesUntilLongWindow - batch.count))
  }

  /// The window of the pause head that ends with the latest sample. Call it once.
  package mutating func pauseWindow(_ ends: Ends) -> PauseWindow? { ends.pause ? pauses.measured() : nil }

  /// The window of the activity head that ends with the latest sample. Call it once.
  package mutating func activityWindow(_ ends: Ends) -> ClassifiedWindow? {
    ends.activity ? features.withWindow { head.classify($0, $1) } : nil
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
