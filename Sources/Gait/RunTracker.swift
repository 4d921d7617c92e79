/// The whole road, from one sample after another to a run.
///
///     MotionSample ─▶ Resampler ─▶ windows ─▶ features ─▶ ActivityModel ─▶ Smoother ─▶ AutoPause ─▶ RunTimeline
///
/// A tracker is a value: copy it and both copies go on alone. Time comes from the samples only, never from a clock.
///
///     var tracker = try RunTracker(model: model, sampleRate: .hertz(50))
///     for await sample in motion {
///       for event in tracker.append(sample) {            // usually empty
///         if case .paused(let pause) = event { workout.pause(at: pause.onset) }
///       }
///     }
///     let run = tracker.finish()
///
/// The same samples in any portions give the same events and the same run to the last bit. In its stride a tracker
/// allocates less than once in a hundred windows: for the evidence that it keeps, and for arrays that are not empty.
public struct RunTracker: Sendable {
  /// The model that decides.
  public let model: ActivityModel
  private var kept: RunEvidence
  private var resampler: Resampler
  private var pipeline: RunPipeline
  private let options: RunOptions

  /// A tracker for a stream of samples at `sampleRate`.
  ///
  /// - Parameters:
  ///   - model: the model that decides.
  ///   - sampleRate: the rate that the source states; uneven spacing about it does no harm.
  ///   - options: the policy, the splits and whatever else is to be noticed.
  ///   - gravityIsEstimated: whether the samples come from a `GravityEstimator`.
  ///   - allowsSlowSource: whether to take a source slower than `ActivityModel.slowestSource` nevertheless, whose steps
  ///     fold into frequencies where there are none.
  /// - Throws: `StreamError.tooSlow` where the source cannot hold the motion that the model looks at,
  ///   `StreamError.estimatedGravity` where the model does not accept that.
  public init(
    model: ActivityModel, sampleRate: SampleRate, options: RunOptions = RunOptions(), gravityIsEstimated: Bool = false,
    allowsSlowSource: Bool = false
  ) throws(StreamError) {
    try model.checkStream(
      at: sampleRate, gravityIsEstimated: gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    self.model = model
    self.options = options
    resampler = Resampler(from: sampleRate, to: model.sampleRate)
    kept = RunEvidence(sampleRate: model.sampleRate, isKept: options.keepsEvidence)
    pipeline = RunPipeline(model: model, options: options)
  }

  /// A tracker that tells running, walking and keeping still apart with the model that comes with Gait.
  ///
  /// - Parameters:
  ///   - sampleRate: the rate that the source states; uneven spacing about it does no harm.
  ///   - options: what the wearer chose.
  /// - Throws: `StreamError.tooSlow` where the source cannot hold the motion that the model looks at.
  public init(sampleRate: SampleRate, options: RunOptions = RunOptions()) throws(StreamError) {
    try self.init(model: .running, sampleRate: sampleRate, options: options)
  }

  /// What the run is decided from, to be decided anew, unless `RunOptions.keepsEvidence` is off.
  public var evidence: RunEvidence {
    var evidence = kept
    evidence.span = pipeline.timeline.map { $0.start...$0.end }
    return evidence
  }

  /// How many samples were dropped because they came late or their time is outside `SampleTime.range`.
  public var droppedSampleCount: Int { resampler.droppedCount }
  /// Whether the clock stands.
  public var isPaused: Bool { pipeline.pauses.machine.isPaused }
  /// The probability that the clock should stand, 0…1, as the policy sees it.
  public var stoppingProbability: Float { pipeline.pauses.stoppingProbability }
  /// The run so far; `nil` before the first sample.
  public var timeline: RunTimeline? { pipeline.timeline }

  /// Takes the next sample and returns what was noticed, usually nothing.
  ///
  /// A sample that is not later than the one before, or whose time is outside `SampleTime.range`, is dropped and counted. A
  /// gap or a missing value decides nothing. However far a sample lies behind the one before, the work is that of one sample.
  public mutating func append(_ sample: MotionSample) -> [RunEvent] {
    var events: [RunEvent] = []
    if sample.time.isValid { pipeline.advance(to: sample.time, &events) }
    resampler.append(sample) { uniform in
      kept.append(uniform, arrival: sample.time)
      pipeline.append(uniform, arrival: sample.time, &events)
    }
    return events
  }

  /// Takes a location and returns what was noticed. Its time is on the clock of the motion samples; a location that no run
  /// can use (see `LocationSample`) is ignored.
  public mutating func append(_ sample: LocationSample) -> [RunEvent] {
    take(.location(sample))
  }

  /// Stops the clock because the wearer says so.
  ///
  /// - Parameters:
  ///   - autoResume: whether the machine may start it again once the wearer moves; otherwise only `resume(at:)` does.
  ///   - time: when, on the clock of the samples; outside `SampleTime.range` the call is ignored.
  public mutating func pause(autoResume: Bool = false, at time: SampleTime) -> [RunEvent] {
    take(.pause(autoResume: autoResume, time))
  }

  /// Starts the clock because the wearer says so. A time outside `SampleTime.range` is ignored.
  public mutating func resume(at time: SampleTime) -> [RunEvent] {
    take(.resume(time))
  }

  /// The run, from the first sample to the last. A run without samples lasts no time.
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
  /// The run that a recording holds: the same as feeding its samples to a `RunTracker` one by one, to the last bit.
  ///
  /// - Throws: `StreamError` where the recording is too slow for the model or lacks a channel it needs.
  public func track(_ recording: Recording, options: RunOptions = RunOptions()) throws(StreamError) -> RunTimeline {
    try requireChannels(of: recording)
    var tracker = try RunTracker(
      model: self, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated)
    for index in 0..<recording.count { _ = tracker.append(recording[index]) }
    return tracker.finish()
  }
}
