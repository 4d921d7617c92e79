/// The start of a run, button presses, and the run after its last input.
extension RunStages {
  init(model: ActivityModel, choosesModel: Bool, sampleRate: SampleRate, options: RunOptions) {
    (self.model, self.choosesModel, self.options, self.sampleRate) = (model, choosesModel, options, sampleRate)
    gate = RunGate(options)
    // Only models of attitude read angles, and resampling them costs work.
    let sensors = Set(model.neededChannels.map(\.sensor)).union([.gravity, .rotationRate, .userAcceleration])
    resampler = Resampler(
      from: sampleRate, to: model.sampleRate, sensors: sensors,
      longestDelay: min(1, max(0, options.sampleDelaySeconds)))
    review = SignalReview(sampleRate: sampleRate)
    kept = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
    later = LaterStages(model: model, options: options)
  }

  /// Chooses the model with the first sample that has an acceleration: `runningLinear` if that sample has no gravity.
  /// Samples without an acceleration change nothing.
  @inline(never)
  mutating func chooseModel(for sample: MotionSample) {
    guard sample.time.isValid, sample.userAcceleration.sum().isFinite else { return }
    choosesModel = false
    guard !sample.gravity.sum().isFinite else { return }
    model = .runningLinear
    later.use(model)
  }

  /// Takes a barometer's reading.
  mutating func append(_ sample: AltitudeSample, _ events: inout [RunEvent]) {
    guard sample.isUsable, later.record.hasBegun, gate.isOnClock(sample.time) else { return }
    take(.altitude(sample), &events)
  }

  /// Takes a button press or a change of policy.
  mutating func press(_ input: RunInput, _ events: inout [RunEvent]) {
    guard input.time.isValid else { return }
    if case .lap = input, !gate.hasMotion, !gate.isWithoutMotion { return }
    if gate.hasMotion {
      for sample in gate.release(until: input.time) { take(.location(sample), &events) }
    } else {
      gate.hold(input)
    }
    take(input, &events)
  }

  /// Takes a motion sample that is the first, late, or far from the latest one; returns whether the run continues with
  /// it.
  @inline(never)
  mutating func admit(_ sample: MotionSample, _ events: inout [RunEvent]) -> Bool {
    let before = dropped.samples
    let role = gate.role(of: sample)
    let count = dropped.samples
    if count.leadingZeroBitCount < before.leadingZeroBitCount, let time = gate.latest {
      events.append(.dropped(count: count, at: time))
    }
    switch role {
    case .first: beginWithMotion(at: sample.time, &events)
    case .taken: break
    case .held: return false
    case .confirmed(let samples):
      if let start = gate.start, samples[0].time < start {
        resampler.restart()
        gate.begin(at: samples[0].time)
        begin(at: samples[0].time, with: [])
      }
      for sample in samples { take(sample, &events) }
      return false
    }
    return true
  }

  /// Begins the run with its first motion sample. GPS points from before that sample are dropped; button presses stay.
  private mutating func beginWithMotion(at time: SampleTime, _ events: inout [RunEvent]) {
    let points = gate.isWithoutMotion ? later.record.timeline?.route ?? [] : gate.points
    let presses = gate.presses
    gate.begin(at: time)
    begin(at: time, with: presses)
    for sample in points where gate.append(sample) == .taken { take(.location(sample), &events) }
  }

  /// Begins a run without motion from the held inputs, if there are any and no run has begun.
  mutating func beginWithoutMotion(_ events: inout [RunEvent]) {
    guard let time = gate.startWithoutMotion else { return }
    let inputs = gate.beginWithoutMotion()
    begin(at: time, with: [])
    for input in inputs {
      // The events of a button press were already returned.
      var returned: [RunEvent] = []
      take(input, &returned)
      if input.isLocation { events += returned }
    }
  }

  /// Begins the run, or begins it again, with the button presses before it.
  private mutating func begin(at time: SampleTime, with presses: [RunInput]) {
    // At the first beginning, both are still as `init` made them.
    if later.record.hasBegun {
      kept = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
      later = LaterStages(model: model, options: options)
    }
    later.begin(at: time)
    var returned: [RunEvent] = []
    for press in presses { take(press, &returned) }
  }

  // MARK: After the last input

  /// The inputs dropped so far.
  var dropped: DroppedInputs {
    DroppedInputs(
      cachedLocations: gate.cachedCount, offClockLocations: gate.offClockCount,
      samples: resampler.droppedCount + gate.droppedCount, lateLocations: gate.lateCount)
  }

  /// The stages after the last input: waiting points and held motion are dropped, and held points become a run.
  private var settled: RunStages {
    var stages = self
    stages.gate.dropHeld()
    var events: [RunEvent] = []
    stages.beginWithoutMotion(&events)
    return stages
  }

  /// The run so far.
  var timeline: RunTimeline? { later.record.timeline?.counting(dropped) }

  /// The run, its slices decided with hindsight.
  var finished: RunTimeline {
    let settled = settled
    let run = settled.later.finished?.counting(settled.dropped)
    return run ?? RunTimeline(start: SampleTime(nanoseconds: 0), options: options, pauses: model.pauses)
  }

  /// The evidence of the run.
  var evidence: RunEvidence {
    let settled = settled
    var evidence = settled.kept
    evidence.span = settled.later.record.timeline.map { $0.start...$0.end }
    evidence.dropped = settled.dropped
    return evidence
  }
}

extension LaterStages {
  init(model: ActivityModel, options: RunOptions) {
    motion = MotionMeter(model: model)
    movement = MovementDecider(model: model)
    pauses = PauseDecider(model: model, policy: options.policy)
    speeds = RouteMotion()
    distance = DistanceMeter(largestAccuracy: options.largestLocationAccuracy, strides: options.strides)
    record = RunRecord(model: model, options: options)
  }

  /// Begins the run at `time`.
  mutating func begin(at time: SampleTime) {
    distance.begin(at: time)
    record.begin(at: time)
  }

  /// Advances the run's end to `time`, or begins the run there.
  mutating func advance(to time: SampleTime, _ events: inout [RunEvent]) {
    if record.hasBegun { record.advance(to: time, &events) } else { begin(at: time) }
  }

  /// Uses another model with the same rate, before the first window.
  mutating func use(_ model: ActivityModel) {
    motion.use(model)
    movement = MovementDecider(model: model)
    pauses.use(model)
    record.neededChannels = model.neededChannels
  }

  /// The run, decided with hindsight; `nil` before it begins.
  var finished: RunTimeline? { record.finished(by: distance, speeds) }
}
