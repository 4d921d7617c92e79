/// The last stage: records the results of the other stages in the run, and makes the events.
struct RunRecord: Sendable {
  /// The run. `settleEnd()` updates its end.
  private var run: RunTimeline?
  /// The end of the run; `nil` before it begins. It changes with every sample, so it is kept apart from the run, which
  /// is large.
  private var end: SampleTime?
  private var progress: RunProgress
  private var snapshots: SnapshotMeter?
  /// Whether events may follow when the run's end moves: with snapshots, goals of moving time, or intervals.
  private let watchesEnd: Bool
  private var isPaused = false
  /// The standard errors of the distance so far.
  private var distanceError = DistanceError.none
  /// The time of the latest sample with an acceleration.
  private var measured: SampleTime?
  /// The end of the latest window of the pause head, or of the latest hole in the motion (`RunTimeline.holes`).
  private var usable: SampleTime?
  /// The stretch without a window that was reported; `nil` after the next window.
  private(set) var undecided: Undecided?
  /// The channels that a window needs.
  var neededChannels: Set<Channel>
  private let options: RunOptions
  private let settings: PauseSettings?

  init(model: ActivityModel, options: RunOptions) {
    progress = RunProgress(options)
    snapshots = SnapshotMeter(options)
    watchesEnd = snapshots != nil || progress.awaitsMovingTime
    neededChannels = model.neededChannels
    (self.options, settings) = (options, model.pauses)
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
  mutating func begin(at time: SampleTime) {
    run = RunTimeline(start: time, options: options, pauses: settings)
    end = time
    snapshots?.begin(at: time)
  }

  /// Advances the run's end to `time`.
  @inline(__always)
  mutating func advance(to time: SampleTime, _ events: inout [RunEvent]) {
    guard let end, time > end else { return }
    if watchesEnd { watch(from: end, to: time, &events) } else { self.end = time }
  }

  /// Advances the run's end to `time`, with the snapshots, goals and laps until then.
  @inline(never)
  private mutating func watch(from end: SampleTime, to time: SampleTime, _ events: inout [RunEvent]) {
    if let moment = snapshots?.latest(until: time) {
      settleEnd()
      let (moving, hole) = (movingSeconds(until: moment), hole(until: moment))
      let snapshot = snapshots?.snapshot(
        of: run!, at: moment, moving: moving, isPaused: isPaused, distance: progress.distance, error: distanceError,
        hole: hole)
      if let snapshot { events.append(.snapshot(snapshot)) }
    }
    self.end = time
    guard progress.awaitsMovingTime else { return }
    settleEnd()
    let moving = movingSeconds(until: time)
    events += progress.reached(moving: moving, at: time)
    if progress.endsInterval(moving: moving) { markLap(at: time, &events) }
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

  // MARK: Motion

  /// Takes a sample at the model's rate: its acceleration ends a hole.
  @inline(__always)
  mutating func append(_ sample: MotionSample) {
    let acceleration = sample.userAcceleration
    guard (acceleration.x + acceleration.y + acceleration.z).isFinite else { return }
    if let measured, sample.time.seconds(since: measured) > RunTimeline.shortestHole {
      record(hole: measured..<sample.time)
    }
    measured = sample.time
  }

  /// Takes the gap before a sample.
  mutating func append(gap: Range<SampleTime>, before sample: MotionSample, _ events: inout [RunEvent]) {
    reportUndecided(until: gap.lowerBound, at: sample, &events)
    // A sample may be earlier than the run, as in trimmed evidence, to which samples belong by their arrival.
    let gap = run?.limited(gap) ?? gap
    run?.gaps.append(gap)
    events.append(.gap(gap))
  }

  @inline(never)
  private mutating func record(hole: Range<SampleTime>) {
    usable = max(usable ?? hole.upperBound, hole.upperBound)
    let hole = run?.limited(hole) ?? hole
    run?.addHole(hole)
  }

  /// Reports, once, that no window of the pause head was decided for more than `Undecided.reportedSeconds`.
  mutating func reportUndecided(until time: SampleTime, at sample: MotionSample, _ events: inout [RunEvent]) {
    guard undecided == nil, let since = usable ?? run?.start,
      time.seconds(since: since) > Undecided.reportedSeconds
    else { return }
    let stretch = Undecided(since: since, at: sample.time, sample: sample, needed: neededChannels)
    undecided = stretch
    events.append(.undecided(stretch))
  }

  /// Notes that a window of the pause head was decided.
  mutating func noteWindow(until time: SampleTime) { (usable, undecided) = (time, nil) }

  // MARK: Decisions

  /// Takes a decision to pause or to resume, if there is one.
  mutating func append(_ decision: PauseEvent?, _ events: inout [RunEvent]) {
    guard let decision, let start = run?.start, let end, let event = run?.pauseLog.record(decision, within: start...end)
    else { return }
    isPaused = event.isPause
    events.append(RunEvent(event))
  }

  /// Takes a change of activity.
  mutating func append(_ change: ActivityChange, _ events: inout [RunEvent]) {
    run?.activities.append(change)
    events.append(.activity(change))
  }

  /// Takes a step rate.
  mutating func append(_ point: CadencePoint) { run?.cadencePoints.append(point) }

  // MARK: Places

  /// Takes a GPS point as the route's filter has assessed it.
  mutating func append(_ sample: LocationSample, _ assessment: RouteFilter.Assessment, by route: RouteFilter) {
    if run?.rejected != route.counts { run?.rejected = route.counts }
    switch assessment {
    case .accepted: run?.record(sample)
    case .moved: for held in route.held { run?.record(held) }
    case .rejected: return
    }
    run?.reviewHole(at: sample.time)
  }

  /// Takes path steps, and how far the distance may be wrong.
  mutating func append(_ steps: [PathStep], error: @autoclosure () -> DistanceError, _ events: inout [RunEvent]) {
    if snapshots != nil { distanceError = error() }
    guard !steps.isEmpty, hasBegun else { return }
    settleEnd()
    run?.record(steps)
    if !isPaused { snapshots?.add(steps, of: run!) }
    events += progress.add(steps, isMoving: !isPaused, timeline: run!)
  }

  /// Takes a barometer's reading.
  mutating func append(_ sample: AltitudeSample) {
    settleEnd()
    run?.record(sample)
  }

  /// Ends a lap, unless its time is not within the run or another lap ends there.
  mutating func markLap(at time: SampleTime, _ events: inout [RunEvent]) {
    settleEnd()
    guard let number = run?.markLap(at: time) else { return }
    events.append(.lap(number: number, at: time))
  }

  // MARK: The end

  /// The finished run: a hole at its end is added, its pauses and rides are decided with hindsight, and its distance is
  /// corrected by what the whole run shows. `nil` before the run begins.
  func finished(by distance: DistanceMeter, _ motion: RouteMotion) -> RunTimeline? {
    guard var run = timeline else { return nil }
    if let measured, run.end.seconds(since: measured) > RunTimeline.shortestHole { run.addHole(measured..<run.end) }
    let stepless = SteplessMovement(
      cadence: run.cadencePoints, motion: motion, route: run.route, from: run.start, to: run.end)
    run.apply(stepless)
    run.applyHindsight()
    var distance = distance
    distance.finishSteps(at: run.end)
    if !distance.steps.isEmpty { run.record(distance.steps) }
    run.rescalePath(by: distance)
    run.measure(stepless.slower.map(\.time))
    run.correctByPlaces(pauses: measured == nil && options.policy.activities.contains(.still))
    return run
  }
}
