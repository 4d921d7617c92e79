/// The state of a `RunTracker`: the resampler, the stages after it, and what the run keeps.
struct RunEngine: Sendable {
  /// The model; that of `RunTracker.init(sampleRate:options:)` is chosen with the first acceleration.
  private(set) var model: ActivityModel
  /// Whether the model that fits the stream is still to be chosen.
  var choosesModel = false
  /// The evidence without its span and the dropped inputs.
  private var samples: RunEvidence
  private(set) var resampler: Resampler
  /// What is wrong with the motion samples.
  private(set) var review: SignalReview
  private(set) var pipeline: RunPipeline
  private var gate: RunGate
  /// The motion samples far from the latest one, which agree with each other and are too few yet.
  private var strays: [MotionSample] = []
  /// Whether `strays` are taken.
  private var takesStrays = false
  /// The number of motion samples that were dropped before the resampler.
  private var strayCount = 0
  let options: RunOptions
  /// The nominal rate of the source.
  let sampleRate: SampleRate

  init(model: ActivityModel, sampleRate: SampleRate, options: RunOptions) {
    self.model = model
    self.options = options
    self.sampleRate = sampleRate
    // Angles take a seventh of the resampler's work, and only models of attitude read them.
    let sensors = Set(model.neededChannels.map(\.sensor)).union([.gravity, .rotationRate, .userAcceleration])
    resampler = Resampler(
      from: sampleRate, to: model.sampleRate, sensors: sensors,
      longestDelay: min(1, max(0, options.sampleDelaySeconds)))
    review = SignalReview(sampleRate: sampleRate)
    samples = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
    pipeline = RunPipeline(model: model, options: options)
    gate = RunGate(
      largestAccuracy: options.largestLocationAccuracy, longestDelaySeconds: max(0, options.locationDelaySeconds))
  }

  /// The evidence of the run.
  var evidence: RunEvidence {
    let settled = settled
    var evidence = settled.samples
    evidence.span = settled.pipeline.timeline.map { $0.start...$0.end }
    evidence.dropped = settled.dropped
    return evidence
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample, _ events: inout [RunEvent]) {
    if choosesModel { chooseModel(for: sample) }
    review.append(sample)
    guard sample.time.isValid && gate.isNext(sample.time) || admit(sample, &events) else { return }
    advance(to: sample.time, &events)
    resampler.append(sample) { uniform in
      samples.append(uniform, arrival: sample.time)
      pipeline.append(uniform, arrival: sample.time, &events)
    }
  }

  /// Takes a GPS point.
  mutating func append(_ sample: LocationSample, _ events: inout [RunEvent]) {
    switch gate.append(sample) {
    case .held: break
    case .taken: take(.location(sample), &events)
    case .completesStart: beginWithoutMotion(&events)
    }
  }

  /// Takes a barometer's reading.
  mutating func append(_ sample: AltitudeSample, _ events: inout [RunEvent]) {
    guard sample.isUsable, pipeline.hasBegun, gate.isOnClock(sample.time) else { return }
    take(.altitude(sample), &events)
  }

  /// Ends a lap.
  mutating func lap(at time: SampleTime, _ events: inout [RunEvent]) {
    if gate.hasMotion || gate.isWithoutMotion { press(.lap(at: time), &events) }
  }

  /// The run, from the first motion sample to the last, its slices decided with hindsight.
  var finished: RunTimeline {
    let settled = settled
    let run = settled.pipeline.finished.map { $0.counting(settled.dropped) }
    return run ?? RunTimeline(start: SampleTime(nanoseconds: 0), options: options, pauses: model.pauses)
  }

  // MARK: The start of a run

  /// The inputs dropped so far.
  var dropped: DroppedInputs {
    DroppedInputs(
      cachedLocations: gate.cachedCount, offClockLocations: gate.offClockCount,
      samples: resampler.droppedCount + strayCount, lateLocations: gate.lateCount)
  }

  /// The engine after the last input: GPS points that wait for motion are dropped, held points become a run.
  var settled: RunEngine {
    var engine = self
    engine.gate.countWaiting()
    engine.strayCount += strays.count
    var events: [RunEvent] = []
    engine.beginWithoutMotion(&events)
    return engine
  }

  /// Chooses the model that fits the stream, if the sample has an acceleration.
  private mutating func chooseModel(for sample: MotionSample) {
    guard sample.time.isValid, sample.userAcceleration.sum().isFinite else { return }
    choosesModel = false
    guard !sample.gravity.sum().isFinite else { return }
    model = .runningLinear
    pipeline.use(model)
  }

  /// Advances the run to a motion sample.
  @inline(__always)
  private mutating func advance(to time: SampleTime, _ events: inout [RunEvent]) {
    pipeline.advance(to: time, &events)
    gate.advance(to: time)
    if gate.hasWaiting { takeReached(&events) }
  }

  // MARK: Motion out of step

  /// The number of motion samples that agree on a clock far from the latest sample: fewer are wrong times.
  private static let confirmingCount = 3

  /// Takes a motion sample that is the first one, late, or far from the latest one; returns whether the run goes on with it.
  ///
  /// As `RouteFilter` does for places: samples far from the latest one are held until several agree with each other. If one
  /// continues the motion again, the held ones were wrong.
  @inline(never)
  private mutating func admit(_ sample: MotionSample, _ events: inout [RunEvent]) -> Bool {
    guard sample.time.isValid else {
      drop(1, &events)
      return false
    }
    guard let latest = gate.latest else {
      beginWithMotion(at: sample.time, &events)
      return true
    }
    guard !takesStrays else { return true }
    let (isLate, isFar) = (sample.time <= latest, gate.isFar(sample.time, from: latest))
    if isFar, !isLate || gate.hasSingleSample {
      hold(sample, &events)
      return false
    }
    guard isLate else {
      dropStrays(&events)
      return true
    }
    // The resampler sorts it, or drops it.
    guard options.sampleDelaySeconds <= 0 else { return true }
    drop(1, &events)
    return false
  }

  /// Holds a sample far from the latest one. With enough of them the run goes on with them, or begins with them if they are
  /// earlier.
  private mutating func hold(_ sample: MotionSample, _ events: inout [RunEvent]) {
    if let last = strays.last, sample.time <= last.time || gate.isFar(sample.time, from: last.time) {
      dropStrays(&events)
    }
    strays.append(sample)
    gate.holdMotion(true)
    guard strays.count >= Self.confirmingCount else { return }
    let confirmed = strays
    strays = []
    gate.holdMotion(false)
    if let start = gate.start, confirmed[0].time < start {
      drop(1, &events)
      resampler.restart()
      gate.begin(at: confirmed[0].time)
      begin(at: confirmed[0].time, with: [])
    }
    takesStrays = true
    for sample in confirmed { append(sample, &events) }
    takesStrays = false
  }

  private mutating func dropStrays(_ events: inout [RunEvent]) {
    let count = strays.count
    strays.removeAll()
    gate.holdMotion(false)
    drop(count, &events)
  }

  /// Counts dropped samples; an event tells when their number reaches 1, 2, 4, 8 and so on.
  private mutating func drop(_ count: Int, _ events: inout [RunEvent]) {
    strayCount += count
    let total = dropped.samples
    guard total.leadingZeroBitCount < (total - count).leadingZeroBitCount, let time = gate.latest else { return }
    events.append(.dropped(count: total, at: time))
  }

  @inline(never)
  private mutating func takeReached(_ events: inout [RunEvent]) {
    for sample in gate.takeReached() { take(.location(sample), &events) }
  }

  /// Begins the run with its first motion sample. Earlier GPS points are dropped; button presses stay.
  @inline(never)
  private mutating func beginWithMotion(at time: SampleTime, _ events: inout [RunEvent]) {
    let points = gate.isWithoutMotion ? pipeline.timeline?.route ?? [] : gate.points
    let presses = gate.presses
    gate.begin(at: time)
    begin(at: time, with: presses)
    for sample in points where gate.append(sample) == .taken { take(.location(sample), &events) }
  }

  /// Begins a run of GPS points, if there are inputs and no run.
  private mutating func beginWithoutMotion(_ events: inout [RunEvent]) {
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
    // The first beginning finds both as they were made.
    if pipeline.hasBegun {
      samples = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
      pipeline = RunPipeline(model: model, options: options)
    }
    pipeline.begin(at: time)
    var returned: [RunEvent] = []
    for press in presses { take(press, &returned) }
  }

  /// Takes a button press.
  mutating func press(_ input: RunInput, _ events: inout [RunEvent]) {
    guard input.time.isValid else { return }
    if gate.hasMotion {
      for sample in gate.release(until: input.time) { take(.location(sample), &events) }
    } else {
      gate.hold(input)
    }
    take(input, &events)
  }

  private mutating func take(_ input: RunInput, _ events: inout [RunEvent]) {
    samples.append(input, arrival: input.time)
    pipeline.append(input, arrival: input.time, &events)
  }
}
