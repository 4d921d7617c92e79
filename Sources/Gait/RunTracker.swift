/// Tracks a run from a stream of samples: the whole pipeline.
///
///     MotionSample ─▶ Resampler ─▶ windows ─▶ features ─▶ ActivityModel ─▶ Smoother ─▶ AutoPause ─▶ RunTimeline
///
/// A tracker is a value; copies are independent. Time comes only from the samples, never from a clock.
///
///     var tracker = try RunTracker(model: model, sampleRate: .hertz(50))
///     for await sample in motion {
///       for event in tracker.append(sample) {            // usually empty
///         if case .paused(let pause) = event { workout.pause(at: pause.onset) }
///       }
///     }
///     let run = tracker.finish()
///
/// The same samples give the same events and the same run to the last bit, in batches of any size. Once started, a
/// tracker allocates less than once per hundred windows: for evidence, and for returned arrays that are not empty.
public struct RunTracker: Sendable {
  /// The stages with their state, several kilobytes. A property such as `stoppingProbability` reads them without
  /// copying them.
  private var stages: CopyOnWrite<RunStages>

  /// A tracker for a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - options: the policy, splits, goals and snapshots.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to accept a source slower than `ActivityModel.slowestSource`, whose steps alias to
  ///     lower frequencies.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies,
  ///   `ModelError.estimatedGravity` if the model does not accept estimated gravity, `ModelError.invalid` for
  ///   options that a tracker does not take, such as splits of 0 m: the same that `RunOptions.init(from:)` rejects.
  public init(
    model: ActivityModel, sampleRate: SampleRate, options: RunOptions = RunOptions(), gravityIsEstimated: Bool = false,
    allowsSlowSource: Bool = false
  ) throws(ModelError) {
    try self.init(
      model, sampleRate, options, choosesModel: false, gravityIsEstimated: gravityIsEstimated,
      allowsSlowSource: allowsSlowSource)
  }

  private init(
    _ model: ActivityModel, _ sampleRate: SampleRate, _ options: RunOptions, choosesModel: Bool,
    gravityIsEstimated: Bool = false, allowsSlowSource: Bool = false
  ) throws(ModelError) {
    try model.checkStream(
      at: sampleRate, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    try options.check()
    stages = CopyOnWrite(RunStages(model: model, choosesModel: choosesModel, sampleRate: sampleRate, options: options))
  }

  /// A tracker that uses the model that comes with Gait: `ActivityModel.running`, or `ActivityModel.runningLinear` for
  /// a stream whose first acceleration comes without gravity (NaN).
  ///
  /// - Parameters:
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - options: the policy, splits, goals and snapshots.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies, `ModelError.invalid`
  ///   for options that a tracker does not take.
  public init(sampleRate: SampleRate, options: RunOptions = RunOptions()) throws(ModelError) {
    try self.init(.running, sampleRate, options, choosesModel: true)
  }

  /// The model. With `init(sampleRate:options:)` it is `ActivityModel.running`, until a first acceleration without
  /// gravity replaces it by `ActivityModel.runningLinear`.
  public var model: ActivityModel { stages.value.model }
  package var options: RunOptions { stages.value.options }
  /// The nominal rate of the source.
  package var sampleRate: SampleRate { stages.value.sampleRate }
  /// The evidence of the run: with it, the run can be decided again under another policy. Empty if
  /// `RunOptions.keepsEvidence` is off.
  public var evidence: RunEvidence { stages.value.evidence }

  /// The number of samples dropped because they arrived late or their time is outside `SampleTime.range`.
  public var droppedSampleCount: Int { stages.value.dropped.samples }
  /// The number of samples interpolated where some were missing for at most 0.3 s, at the source's rate.
  public var bridgedSampleCount: Int { stages.value.resampler.bridgedCount }
  /// What is wrong with the motion samples, such as numbers in another unit, or times of another rate than the stated
  /// one. The first minute is judged. Empty if nothing is wrong.
  public var findings: [SignalFinding] { stages.value.review.findings + rateFindings }
  /// A finding if the times of the samples give another rate than the stated one.
  package var rateFindings: [SignalFinding] { stages.value.resampler.findings(stated: sampleRate) }
  /// Whether the run is paused.
  public var isPaused: Bool { stages.value.later.pauses.isPaused }
  /// Why no window has been decided for 10 s; `nil` if windows are decided. `RunEvent.undecided` reports it.
  public var undecided: Undecided? { stages.value.later.record.undecided }
  /// The probability of an activity that pauses the run, 0…1.
  public var stoppingProbability: Float { stages.value.later.pauses.stoppingProbability }
  /// The run so far; `nil` before it begins with the first motion sample or, without motion, the tenth GPS point.
  public var timeline: RunTimeline? { stages.value.timeline }

  /// Takes the next input and returns its events, usually none. It calls the method for the input's kind.
  @discardableResult
  public mutating func append(_ input: RunInput) -> [RunEvent] {
    switch input {
    case .motion(let sample): append(sample)
    case .location(let sample): append(sample)
    case .altitude(let sample): append(sample)
    case .lap(let time): lap(at: time)
    case .pause, .resume, .policy: press(input)
    }
  }

  /// Takes the next sample; returns its events, usually none.
  ///
  /// - **Late samples**: a sample that is not later than the previous one, or whose time is outside `SampleTime.range`,
  ///   is dropped and counted. With `RunOptions.sampleDelaySeconds`, samples may be late by that much.
  /// - **Early samples**: one or two samples in a row that are more than a minute ahead are dropped and counted; the
  ///   event is `.dropped`. A third one that agrees with them is a new time of the source, and counts.
  /// - **Gaps**: up to 0.3 s without samples are bridged and counted. Longer gaps and missing values never cause a
  ///   decision.
  /// - **Rate**: if the samples' rate differs from the stated one by more than a quarter, the tracker adapts within 32
  ///   samples.
  ///
  /// All samples must be of one source. Samples of a watch and a phone together would give wrong steps; `MotionSources`
  /// of GaitRuns chooses between them. The work per sample is bounded, whatever its time.
  ///
  /// - Returns: the events, in order.
  @discardableResult
  public mutating func append(_ sample: MotionSample) -> [RunEvent] {
    var events: [RunEvent] = []
    stages.value.append(sample, &events)
    return events
  }

  /// Takes a GPS point; returns its events.
  ///
  /// The time of the point is on the clock of the motion samples. Supply motion and GPS in order of time. A point more
  /// than a second ahead of the motion is kept until the motion reaches it.
  ///
  /// Points from before the first motion sample and points of another clock are dropped and counted
  /// (`RunTimeline.cachedLocationCount` and `.offClockLocationCount`). Other points that cannot be used are counted by
  /// reason (`RunTimeline.rejectedLocations`). Without motion, the run begins with the first of ten points.
  @discardableResult
  public mutating func append(_ sample: LocationSample) -> [RunEvent] {
    var events: [RunEvent] = []
    stages.value.append(sample, &events)
    return events
  }

  /// Takes a reading of a barometer. A reading is ignored if it is invalid, late, from before the run or of another
  /// clock.
  @discardableResult
  public mutating func append(_ sample: AltitudeSample) -> [RunEvent] {
    var events: [RunEvent] = []
    stages.value.append(sample, &events)
    return events
  }

  /// Pauses the run manually.
  ///
  /// - Parameters:
  ///   - autoResume: whether movement may resume the run; otherwise only `resume(at:)` does.
  ///   - time: the time of the pause, on the clock of the samples. Outside `SampleTime.range` the call is ignored.
  @discardableResult
  public mutating func pause(autoResume: Bool = false, at time: SampleTime) -> [RunEvent] {
    press(.pause(autoResume: autoResume, at: time))
  }

  /// Resumes the run manually. Outside `SampleTime.range` the call is ignored.
  @discardableResult
  public mutating func resume(at time: SampleTime) -> [RunEvent] {
    press(.resume(at: time))
  }

  /// The activities that pause the run now.
  public var policy: PausePolicy { stages.value.later.pauses.policy }

  /// Changes the policy during the run. The next window is judged by the new policy. A policy that never pauses ends an
  /// automatic pause at `time`; a manual pause stays.
  ///
  /// - Parameters:
  ///   - policy: the activities that pause the run from now on.
  ///   - time: the time of the change, on the clock of the samples. Outside `SampleTime.range` the call is ignored.
  @discardableResult
  public mutating func change(to policy: PausePolicy, at time: SampleTime) -> [RunEvent] {
    press(.policy(policy, at: time))
  }

  /// Ends a lap, also in a pause. A time before the end of an earlier lap divides that lap.
  ///
  /// Like a pause, a lap after the latest sample extends the run to its time. A lap before the run, at a time
  /// outside `SampleTime.range`, or where a lap ended already, is ignored.
  ///
  /// - Parameter time: the time of the button press, on the clock of the samples.
  @discardableResult
  public mutating func lap(at time: SampleTime) -> [RunEvent] {
    var events: [RunEvent] = []
    stages.value.press(.lap(at: time), &events)
    return events
  }

  /// The run, from the first motion sample to the last. Its slices are decided again with hindsight.
  ///
  /// Without motion, the run is that of the GPS points. A run without samples has no duration.
  public func finish() -> RunTimeline { stages.value.finished }

  private mutating func press(_ input: RunInput) -> [RunEvent] {
    var events: [RunEvent] = []
    stages.value.press(input, &events)
    return events
  }

  /// Appends the samples of a recording, or of the next block of one, with GPS points and laps interleaved by time.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - locations: GPS points on the clock of the samples, in order.
  ///   - laps: the times at which laps end, in order.
  ///   - body: called after each sample with the stopping probability.
  package mutating func append(
    contentsOf recording: Recording, locations: [LocationSample] = [], laps: [SampleTime] = [],
    _ body: (MotionSample, Float) -> Void = { _, _ in }
  ) {
    var (locations, laps) = (locations[...], laps[...])
    for index in 0..<recording.count {
      let sample = recording[index]
      while let location = locations.first, location.time <= sample.time { _ = append(locations.removeFirst()) }
      while let lap = laps.first, lap <= sample.time { self.lap(at: laps.removeFirst()) }
      _ = append(sample)
      body(sample, stoppingProbability)
    }
    for location in locations { _ = append(location) }
    for lap in laps { self.lap(at: lap) }
  }

  /// Begins the run with the GPS points just before the first motion sample, if they are an unbroken series. The two
  /// sensors of a recording need not begin together. Points that a receiver had cached are not taken: they are fewer
  /// and farther apart.
  ///
  /// - Parameters:
  ///   - locations: GPS points on the clock of the samples, in order.
  ///   - start: the time of the first motion sample.
  package mutating func begin(withLeadOf locations: [LocationSample], to start: SampleTime) {
    guard let first = Self.lead(of: locations, to: start) else { return }
    append(MotionSample(time: first, row: SIMD16(repeating: .nan)))
  }

  private static func lead(of locations: [LocationSample], to start: SampleTime) -> SampleTime? {
    let before = locations.prefix { $0.time < start }.filter(\.time.isValid)
    guard let last = before.last, start.seconds(since: last.time) <= longestLeadStep else { return nil }
    var first = last.time
    var count = 0
    for point in before.reversed() {
      let step = first.seconds(since: point.time)
      guard 0...longestLeadStep ~= step, start.seconds(since: point.time) <= longestLead else { break }
      (first, count) = (point.time, count + 1)
    }
    return count >= fewestLeadPoints ? first : nil
  }

  /// The longest step between the GPS points before the motion, seconds; the longest time of them, seconds; the fewest
  /// points.
  private static let (longestLeadStep, longestLead, fewestLeadPoints) = (3.0, 60.0, 8)
}

extension ActivityModel {
  /// The run in a recording: the same, to the last bit, as from a `RunTracker` that takes its samples one by one.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model or lacks a channel that it needs.
  public func track(_ recording: Recording, options: RunOptions = RunOptions()) throws(ModelError) -> RunTimeline {
    try track(recording, locations: [], options: options)
  }

  /// The run in a recording with its GPS points, as `gait track` decides it.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model or lacks a channel.
  package func track(
    _ recording: Recording, locations: [LocationSample], options: RunOptions = RunOptions()
  ) throws(ModelError) -> RunTimeline {
    try requireChannels(of: recording)
    var tracker = try RunTracker(
      model: self, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated)
    tracker.begin(withLeadOf: locations, to: recording.start)
    tracker.append(contentsOf: recording, locations: locations)
    return tracker.finish()
  }
}
