/// The stages that the inputs of a run pass through: the state of a `RunTracker`.
///
///     sample ─▶ gate ─▶ resampler ─▶ windows, step rates ─▶ activity ─▶ pauses ─▶ distance ─▶ record ─▶ events
///
/// Each stage gets its inputs as arguments, and data flows forward only. GPS points ahead of the motion wait in the
/// gate. `RunStages+Start.swift` has the start of a run and its end.
struct RunStages: Sendable {
  /// The model. If the tracker was made without one (`RunTracker.init(sampleRate:options:)`), it is chosen with the
  /// first sample that has an acceleration.
  var model: ActivityModel
  /// Whether the model that fits the stream is still to be chosen.
  var choosesModel: Bool
  let options: RunOptions
  /// The nominal rate of the source.
  let sampleRate: SampleRate
  /// Decides what belongs to the run.
  var gate: RunGate
  /// Judges the motion samples as they come.
  var review: SignalReview
  /// Makes samples at the model's rate.
  var resampler: Resampler
  /// The evidence from which the run can be decided again, without its span and the dropped inputs.
  var kept: RunEvidence
  /// The stages after the resampler.
  var later: LaterStages

  /// Takes the next motion sample.
  mutating func append(_ sample: MotionSample, _ events: inout [RunEvent]) {
    if choosesModel { chooseModel(for: sample) }
    review.append(sample)
    if gate.isNext(sample.time) || admit(sample, &events) { take(sample, &events) }
  }

  /// Takes a motion sample of the run.
  @inline(__always)
  mutating func take(_ sample: MotionSample, _ events: inout [RunEvent]) {
    later.record.advance(to: sample.time, &events)
    gate.advance(to: sample.time)
    if gate.hasWaiting { takeWaiting(&events) }
    resampler.append(sample) { uniform in
      kept.append(uniform, arrival: sample.time)
      later.append(uniform, arrival: sample.time, &events)
    }
  }

  @inline(never)
  private mutating func takeWaiting(_ events: inout [RunEvent]) {
    for sample in gate.takeReached() { take(.location(sample), &events) }
  }

  /// Takes a GPS point.
  mutating func append(_ sample: LocationSample, _ events: inout [RunEvent]) {
    switch gate.append(sample) {
    case .held: break
    case .taken: take(.location(sample), &events)
    case .completesStart: beginWithoutMotion(&events)
    }
  }

  /// Takes an input of the run other than motion.
  mutating func take(_ input: RunInput, _ events: inout [RunEvent]) {
    kept.append(input, arrival: input.time)
    later.append(input, arrival: input.time, &events)
  }
}

/// The stages after the resampler. `RunEvidence` decides a run again with the same stages.
struct LaterStages: Sendable {
  var motion: MotionMeter
  var movement: MovementDecider
  var pauses: PauseDecider
  var speeds: RouteMotion
  var distance: DistanceMeter
  var record: RunRecord

  /// Takes a sample at the model's rate, which a sample of the source at `arrival` completes.
  @inline(__always)
  mutating func append(_ sample: MotionSample, arrival: SampleTime, _ events: inout [RunEvent]) {
    guard let ends = motion.append(sample) else { return record.append(sample) }
    decide(ends, of: sample, arrival: arrival, &events)
  }

  @inline(never)
  private mutating func decide(
    _ ends: MotionMeter.Ends, of sample: MotionSample, arrival: SampleTime, _ events: inout [RunEvent]
  ) {
    if let start = ends.gapStart { record.append(gap: start..<sample.time, before: sample, &events) }
    record.append(sample)
    let cadence = motion.cadencePoint(ends)
    let (before, change) = movement.append(
      isAfterGap: ends.gapStart != nil, cadence, motion.activityWindow(ends), arrival: arrival)
    if let window = motion.pauseWindow(ends) {
      let context = PauseContext(
        windowStart: window.start, arrival: arrival, movement: before, searched: motion.onsets.searched)
      record.noteWindow(until: window.end)
      record.append(pauses.append(window, context, motion.onsets.energies), &events)
    }
    if let change { record.append(change, &events) }
    guard ends.cadence else { return }
    record.reportUndecided(until: sample.time, at: sample, &events)
    guard let cadence else { return }
    record.append(cadence)
    distance.append(cadence)
    recordPath(&events)
  }

  /// Takes an input of the run.
  mutating func append(_ input: RunInput, arrival: SampleTime, _ events: inout [RunEvent]) {
    switch input {
    case .motion(let sample):
      advance(to: arrival, &events)
      append(sample, arrival: arrival, &events)
    case .location(let sample):
      if sample.hasValidCoordinates { advance(to: sample.time, &events) }
      append(sample.cleaned, &events)
    case .altitude(let sample): record.append(sample)
    case .lap(let time):
      advance(to: time, &events)
      record.markLap(at: time, &events)
    case .pause(let autoResume, let time):
      advance(to: time, &events)
      record.append(pauses.pause(autoResume: autoResume, at: time), &events)
    case .resume(let time):
      advance(to: time, &events)
      record.append(pauses.resume(at: time), &events)
    case .policy(let policy, let time):
      guard let decision = pauses.use(policy, at: time) else { return }
      advance(to: time, &events)
      record.append(decision, &events)
    }
  }

  /// Takes a GPS point without invalid values.
  private mutating func append(_ sample: LocationSample, _ events: inout [RunEvent]) {
    speeds.append(sample)
    let assessment = distance.append(sample)
    record.append(sample, assessment, by: distance.route)
    guard assessment != .rejected else { return }
    record.append(pauses.append(sample), &events)
    recordPath(&events)
  }

  private mutating func recordPath(_ events: inout [RunEvent]) {
    record.append(distance.steps, error: distance.error, &events)
    if record.hasBegun { distance.clearSteps() }
  }
}
