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
/// The same samples give the same events and the same run to the last bit, in batches of any size. Once started, a tracker
/// allocates less than once per hundred windows: for evidence, and for returned arrays that are not empty.
public struct RunTracker: Sendable {
  /// The model.
  public let model: ActivityModel
  private var kept: RunEvidence
  private var resampler: Resampler
  private var pipeline: RunPipeline
  private let options: RunOptions

  /// A tracker for a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - options: the policy, splits, goals and snapshots.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to accept a source slower than `ActivityModel.slowestSource`, whose steps alias to lower
  ///     frequencies.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies,
  ///   `ModelError.estimatedGravity` if the model does not accept estimated gravity.
  public init(
    model: ActivityModel, sampleRate: SampleRate, options: RunOptions = RunOptions(), gravityIsEstimated: Bool = false,
    allowsSlowSource: Bool = false
  ) throws(ModelError) {
    try model.checkStream(
      at: sampleRate, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    self.model = model
    self.options = options
    resampler = Resampler(from: sampleRate, to: model.sampleRate)
    kept = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
    pipeline = RunPipeline(model: model, options: options)
  }

  /// A tracker that uses `ActivityModel.running`, the model that comes with Gait.
  ///
  /// - Parameters:
  ///   - sampleRate: the nominal rate of the source; the spacing may vary around it.
  ///   - options: the policy, splits, goals and snapshots.
  /// - Throws: `ModelError.sourceTooSlow` if the source is too slow for the model's frequencies.
  public init(sampleRate: SampleRate, options: RunOptions = RunOptions()) throws(ModelError) {
    try self.init(model: .running, sampleRate: sampleRate, options: options)
  }

  /// The evidence of the run, from which it can be decided again, unless `RunOptions.keepsEvidence` is off.
  public var evidence: RunEvidence {
    var evidence = kept
    evidence.span = pipeline.timeline.map { $0.start...$0.end }
    return evidence
  }

  /// The number of samples dropped because they arrived late or their time is outside `SampleTime.range`.
  public var droppedSampleCount: Int { resampler.droppedCount }
  /// Whether the run is paused.
  public var isPaused: Bool { pipeline.pauses.machine.isPaused }
  /// The probability of an activity that pauses the run, 0…1.
  public var stoppingProbability: Float { pipeline.pauses.stoppingProbability }
  /// The run so far; `nil` before the first sample.
  public var timeline: RunTimeline? { pipeline.timeline }

  /// Takes the next sample; returns its events, usually none.
  ///
  /// A sample that is not later than the previous one, or whose time is outside `SampleTime.range`, is dropped and counted.
  /// Gaps and missing values never cause a decision. The work per sample is bounded, whatever its time.
  ///
  /// - Returns: the events, in order.
  @discardableResult
  public mutating func append(_ sample: MotionSample) -> [RunEvent] {
    var events: [RunEvent] = []
    if sample.time.isValid { pipeline.advance(to: sample.time, &events) }
    resampler.append(sample) { uniform in
      kept.append(uniform, arrival: sample.time)
      pipeline.append(uniform, arrival: sample.time, &events)
    }
    return events
  }

  /// Takes a GPS point; returns its events. Its time is on the clock of the motion samples. Invalid points are ignored (see
  /// `LocationSample`).
  @discardableResult
  public mutating func append(_ sample: LocationSample) -> [RunEvent] {
    take(.location(sample))
  }

  /// Takes a reading of a barometer; returns its events.
  @discardableResult
  public mutating func append(_ sample: AltitudeSample) -> [RunEvent] { [] }

  /// Pauses the run manually.
  ///
  /// - Parameters:
  ///   - autoResume: whether movement may resume the run; otherwise only `resume(at:)` does.
  ///   - time: the time of the pause, on the clock of the samples. Outside `SampleTime.range` the call is ignored.
  @discardableResult
  public mutating func pause(autoResume: Bool = false, at time: SampleTime) -> [RunEvent] {
    take(.pause(autoResume: autoResume, time))
  }

  /// Resumes the run manually. Outside `SampleTime.range` the call is ignored.
  @discardableResult
  public mutating func resume(at time: SampleTime) -> [RunEvent] {
    take(.resume(time))
  }

  /// The run, from the first sample to the last. A run without samples has no duration.
  public func finish() -> RunTimeline {
    pipeline.timeline ?? RunTimeline(start: SampleTime(nanoseconds: 0), options: options, pauses: model.pauses)
  }

  private mutating func take(_ input: RunEvidence.Input) -> [RunEvent] {
    guard input.isUsable else { return [] }
    var events: [RunEvent] = []
    kept.append(input)
    pipeline.append(input, &events)
    return events
  }
}

extension ActivityModel {
  /// The run in a recording: the same, to the last bit, as from a `RunTracker` that takes its samples one by one.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model or lacks a channel that it needs.
  public func track(_ recording: Recording, options: RunOptions = RunOptions()) throws(ModelError) -> RunTimeline {
    try requireChannels(of: recording)
    var tracker = try RunTracker(
      model: self, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated)
    for index in 0..<recording.count { _ = tracker.append(recording[index]) }
    return tracker.finish()
  }
}
