/// The stages after the resampler, in order, and the run that they record.
struct RunPipeline: Sendable {
  private var windows: PauseWindows
  private(set) var pauses: PauseDecider
  /// The run, whose end is brought up to date by `settleEnd()`.
  private var run: RunTimeline?
  /// The end of the run; `nil` before it begins. It changes with every sample, apart from the run, which is large.
  private var end: SampleTime?
  private var activities: ActivityDecider
  private var cadence: CadenceMeter?
  private var cadenceHops: CadenceHops
  private var meter: DistanceMeter
  private var progress: RunProgress
  private var snapshots: SnapshotMeter?
  /// Whether something may happen when the run's end moves: with snapshots, goals of moving time, or intervals.
  private let watchesEnd: Bool
  private var previous: SampleTime?
  /// The time of the latest sample with an acceleration.
  private var measured: SampleTime?
  /// The end of the latest window of the pause head, or of the latest hole.
  private var usable: SampleTime?
  /// The stretch without a window, once it is reported.
  private(set) var undecided: Undecided?
  private var model: ActivityModel
  private let options: RunOptions
  private let longestStep: Int64

  init(model: ActivityModel, options: RunOptions) {
    windows = PauseWindows(model: model)
    pauses = PauseDecider(model: model, policy: options.policy)
    activities = ActivityDecider(model: model)
    cadence = CadenceMeter(sampleRate: model.sampleRate)
    cadenceHops = CadenceHops(sampleRate: model.sampleRate)
    meter = DistanceMeter(largestAccuracy: options.largestLocationAccuracy, strides: options.strides)
    progress = RunProgress(options)
    snapshots = SnapshotMeter(options)
    watchesEnd = snapshots != nil || progress.awaitsMovingTime
    self.model = model
    self.options = options
    longestStep = Resampler.longestOutputStep(at: model.sampleRate)
  }

  /// Uses another model with the same rate, before the first window.
  mutating func use(_ model: ActivityModel) {
    windows = PauseWindows(model: model)
    activities = ActivityDecider(model: model)
    self.model = model
    pauses.use(model)
  }

  /// Whether the run has begun.
  var hasBegun: Bool { end != nil }

  /// The run so far.
  var timeline: RunTimeline? {
    guard var run, let end else { return nil }
    run.end = end
    return run
  }

  private mutating func settleEnd() {
    if let end { run?.end = end }
  }

  /// Begins the run at `time`.
  @inline(never)
  mutating func begin(at time: SampleTime) {
    run = RunTimeline(start: time, options: options, pauses: model.pauses)
    end = time
    meter.begin(at: time)
    snapshots?.begin(at: time)
  }

  /// Advances the run's end to `time`.
  @inline(__always)
  mutating func advance(to time: SampleTime, _ events: inout [RunEvent]) {
    guard let end else { return begin(at: time) }
    guard time > end else { return }
    if watchesEnd { watch(from: end, to: time, &events) } else { self.end = time }
  }

  /// Advances the run's end to `time`, with the snapshots, goals and laps on the way.
  @inline(never)
  private mutating func watch(from end: SampleTime, to time: SampleTime, _ events: inout [RunEvent]) {
    if let moment = snapshots?.latest(until: time) {
      settleEnd()
      let (moving, hole) = (movingSeconds(until: moment), hole(until: moment))
      let snapshot = snapshots?.snapshot(
        of: run!, at: moment, moving: moving, isPaused: pauses.machine.isPaused, distance: progress.distance,
        error: meter.error, hole: hole)
      if let snapshot { events.append(.snapshot(snapshot)) }
    }
    self.end = time
    guard progress.awaitsMovingTime else { return }
    settleEnd()
    let moving = movingSeconds(until: time)
    events += progress.reached(moving: moving, at: time)
    if progress.endsInterval(moving: moving) { markLap(at: time, &events) }
  }

  /// The run with a hole at its end and with the shortest slices.
  var finished: RunTimeline? {
    guard var run = timeline else { return nil }
    if let measured, run.end.seconds(since: measured) > RunTimeline.shortestHole { run.addHole(measured..<run.end) }
    run.applyHindsight()
    var meter = meter
    meter.finishSteps(at: run.end)
    if !meter.steps.isEmpty { run.record(meter.steps) }
    run.rescaleWay(by: meter)
    run.removeWander(pauses: previous == nil && options.policy.activities.contains(.still))
    return run
  }

  /// The moving time so far. A hole that has not ended does not count.
  private func movingSeconds(until time: SampleTime) -> Double {
    let start = run!.start
    return run!.movingSeconds(from: start, to: hole(until: time).map { max(start, $0) } ?? time)
  }

  /// The beginning of the hole in the motion that lasts until `time`.
  private func hole(until time: SampleTime) -> SampleTime? {
    measured.flatMap { time.seconds(since: $0) > RunTimeline.shortestHole ? $0 : nil }
  }

  /// Takes a sample at the model's rate.
  mutating func append(_ sample: MotionSample, arrival: SampleTime, _ events: inout [RunEvent]) {
    if let previous, sample.time.nanoseconds - previous.nanoseconds > longestStep {
      reportUndecided(until: previous, at: sample, &events)
      record(gap: previous..<sample.time, &events)
    }
    previous = sample.time
    closeHole(at: sample)
    pauses.append(sample)
    if let window = windows.append(sample) {
      (usable, undecided) = (window.end, nil)
      let runningSince = activities.activity == .running ? activities.start : nil
      let decision = pauses.append(window, arrival: arrival) ?? pauses.observe(runningSince: runningSince, at: arrival)
      if let decision { record(decision, &events) }
    }
    if let change = activities.append(sample, arrival: arrival) {
      run?.activities.append(change)
      events.append(.activity(change))
    }
    if cadenceHops.closesWindow(count: windows.history.count) {
      reportUndecided(until: sample.time, at: sample, &events)
      if let point = cadence?.latestPoint(windows.history) { record(point, &events) }
    }
  }

  /// Reports that no window was decided for some seconds.
  private mutating func reportUndecided(until time: SampleTime, at sample: MotionSample, _ events: inout [RunEvent]) {
    guard undecided == nil, let since = usable ?? run?.start,
      time.seconds(since: since) > Undecided.reportedSeconds
    else { return }
    let stretch = Undecided(since: since, at: sample.time, sample: sample, needed: model.neededChannels)
    undecided = stretch
    events.append(.undecided(stretch))
  }

  @inline(never)
  private mutating func record(gap: Range<SampleTime>, _ events: inout [RunEvent]) {
    pauses.hasSteps = nil
    // A sample that completes late may lie before the run.
    let gap = run?.limited(gap) ?? gap
    run?.gaps.append(gap)
    events.append(.gap(gap))
  }

  /// Records the time since the latest acceleration, if it is a hole that `sample` ends.
  @inline(__always)
  private mutating func closeHole(at sample: MotionSample) {
    let acceleration = sample.userAcceleration
    guard (acceleration.x + acceleration.y + acceleration.z).isFinite else { return }
    if let measured, sample.time.seconds(since: measured) > RunTimeline.shortestHole {
      record(hole: measured..<sample.time)
    }
    measured = sample.time
  }

  @inline(never)
  private mutating func record(hole: Range<SampleTime>) {
    usable = max(usable ?? hole.upperBound, hole.upperBound)
    let hole = run?.limited(hole) ?? hole
    run?.addHole(hole)
  }

  /// Takes a valid input, a sample at the model's rate.
  mutating func append(_ input: RunInput, arrival: SampleTime, _ events: inout [RunEvent]) {
    switch input {
    case .motion(let sample):
      advance(to: arrival, &events)
      append(sample, arrival: arrival, &events)
    case .pause(let autoResume, let time):
      advance(to: time, &events)
      if let decision = pauses.pause(autoResume: autoResume, at: time) { record(decision, &events) }
    case .resume(let time):
      advance(to: time, &events)
      if let decision = pauses.resume(at: time) { record(decision, &events) }
    case .policy(let policy, let time):
      if let decision = pauses.change(to: policy, at: time) {
        advance(to: time, &events)
        record(decision, &events)
      }
    case .lap(let time):
      advance(to: time, &events)
      markLap(at: time, &events)
    case .location(let sample):
      if sample.hasValidCoordinates { advance(to: sample.time, &events) }
      append(sample.cleaned, &events)
    case .altitude(let sample):
      settleEnd()
      run?.record(sample)
    }
  }

  /// Takes a GPS point without invalid values.
  private mutating func append(_ sample: LocationSample, _ events: inout [RunEvent]) {
    let assessment = meter.append(sample)
    if run?.rejected != meter.route.counts { run?.rejected = meter.route.counts }
    switch assessment {
    case .accepted: run?.record(sample)
    case .moved: for held in meter.route.held { run?.record(held) }
    case .rejected: return
    }
    run?.reviewHole(at: sample.time)
    if let decision = pauses.append(sample) { record(decision, &events) }
    recordPath(&events)
  }

  /// Records the new parts of the way.
  private mutating func recordPath(_ events: inout [RunEvent]) {
    guard !meter.steps.isEmpty, hasBegun else { return }
    settleEnd()
    run?.record(meter.steps)
    if !pauses.machine.isPaused { snapshots?.add(meter.steps, of: run!) }
    events += progress.add(meter.steps, isMoving: !pauses.machine.isPaused, timeline: run!)
    meter.clearSteps()
  }

  /// Ends a lap, unless its time is not within the run or another lap ends there.
  private mutating func markLap(at time: SampleTime, _ events: inout [RunEvent]) {
    settleEnd()
    guard let number = run?.markLap(at: time) else { return }
    events.append(.lap(number: number, at: time))
  }

  private mutating func record(_ decision: PauseDecision, _ events: inout [RunEvent]) {
    guard let start = run?.start, let end else { return }
    // A button may be pressed before the run.
    var decision = decision
    decision.event.onset = min(max(decision.event.onset, start), end)
    run?.pauseLog.record(RunEvent(decision))
    events.append(RunEvent(decision))
  }

  private mutating func record(_ point: CadencePoint, _ events: inout [RunEvent]) {
    run?.cadencePoints.append(point)
    pauses.hasSteps = point.stepsPerMinute > 0
    meter.append(point)
    recordPath(&events)
  }
}
