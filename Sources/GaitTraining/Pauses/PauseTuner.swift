import Gait

/// A model on runs with ground truth, prepared for repeated evaluation with different pause settings.
///
/// Samples are resampled and windows are classified once, because pause settings change neither. The later stages are
/// those of `RunTracker`, so the pauses are the same, bit for bit.
public struct PauseTrial: Sendable {
  private let runs: [Run]
  private let models: [ActivityModel]
  private let policy: PausePolicy

  /// The windows of a run, and the index of its model in `models`.
  private struct Run: Sendable {
    var truth: ComposedRun
    var model: Int
    /// The ends of windows, in order.
    var ends: [WindowEnd] = []
    /// The windows of the pause head. They are stored apart from `ends` because they are large, and only smoothing
    /// needs them.
    var pauses: [PauseWindow] = []
    var activities: [ClassifiedWindow] = []
    /// The energies of all samples with an acceleration.
    var energies: [OnsetFinder.Energy] = []
  }

  /// A sample at which one or more windows end.
  private struct WindowEnd: Sendable {
    var isAfterGap: Bool
    var cadence: CadencePoint?
    var hasActivity: Bool
    /// The time of the source's latest sample.
    var arrival: SampleTime
    /// The window of the pause head that ends here; `nil` if no window does. Its movement depends on the settings, so
    /// it is decided later.
    var context: PauseContext?
  }

  /// The smoothed probabilities and the movement at each window of each run. Of the settings, they depend only on those
  /// that `smoothsAlike` compares.
  struct Smoothed: Sendable {
    fileprivate let settings: PauseSettings
    fileprivate let ofRuns: [[SmoothedWindow]]
  }

  /// A window of the pause head after smoothing.
  fileprivate struct SmoothedWindow: Sendable {
    var context: PauseContext
    var probabilities: PauseProbabilities?
  }

  /// Classifies the windows of `runs` with `model`, for reports with different settings.
  ///
  /// - Throws: `EvaluationError` if a recording's rate is too low for the model or a channel is missing.
  public init(_ model: ActivityModel, on runs: [ComposedRun], policy: PausePolicy) throws(EvaluationError) {
    try self.init([model], on: runs.map { ($0, 0) }, policy: policy)
  }

  /// Classifies the windows of runs with several models, which have the same settings. Each run comes with the index of
  /// its model.
  init(_ models: [ActivityModel], on runs: [(ComposedRun, Int)], policy: PausePolicy) throws(EvaluationError) {
    self.models = models
    self.policy = policy
    self.runs = try runs.mappedConcurrently(showing: "run") { (part) throws(EvaluationError) in
      let (run, model) = (part.0, models[part.1])
      do throws(ModelError) { try model.check(run.recording) } catch { throw .recording(run.recording.name, error) }
      return Self.prepared(run, model, position: part.1)
    }
  }

  private static func prepared(_ truth: ComposedRun, _ model: ActivityModel, position: Int) -> Run {
    let recording = truth.recording
    var resampler = Resampler(from: recording.sampleRate, to: model.sampleRate)
    var motion = MotionMeter(model: model)
    var run = Run(truth: truth, model: position)
    for index in 0..<recording.count {
      let source = recording[index]
      resampler.append(source) { sample in
        let ends = motion.append(sample)
        if let energy = OnsetFinder.Energy(sample) { run.energies.append(energy) }
        guard let ends else { return }
        let activity = motion.activityWindow(ends)
        var end = WindowEnd(
          isAfterGap: ends.gapStart != nil, cadence: motion.cadencePoint(ends), hasActivity: activity != nil,
          arrival: source.time)
        if let activity { run.activities.append(activity) }
        if let window = motion.pauseWindow(ends) {
          run.pauses.append(window)
          end.context = PauseContext(
            windowStart: window.start, arrival: source.time, movement: StepState(),
            searched: run.energies.count - motion.onsets.searched.count..<run.energies.count)
        }
        run.ends.append(end)
      }
    }
    return run
  }

  /// The report with the model's own settings, or with the default settings if it has none.
  public func report() -> PauseReport { report(with: models[0].pauses ?? PauseSettings()) }

  /// The report with other settings.
  ///
  /// - Precondition: the settings are valid.
  public func report(with settings: PauseSettings) -> PauseReport { report(with: settings, smoothed(with: settings)) }

  /// The smoothed probabilities with other settings, for `report(with:_:)`.
  func smoothed(with settings: PauseSettings) -> Smoothed {
    let models = models(with: settings)
    let windows = runs.mappedConcurrently { run in
      var movement = MovementDecider(model: models[run.model])
      var decider = PauseDecider(model: models[run.model], policy: policy)
      var (smoothed, activities) = ([SmoothedWindow](), run.activities[...])
      for end in run.ends {
        let activity = end.hasActivity ? activities.removeFirst() : nil
        let before = movement.append(
          isAfterGap: end.isAfterGap, end.cadence, activity, arrival: end.arrival
        ).before
        guard var context = end.context else { continue }
        context.movement = before
        let probabilities = decider.probabilities(after: run.pauses[smoothed.count], hasSteps: before.hasSteps)
        smoothed.append(SmoothedWindow(context: context, probabilities: probabilities))
      }
      return smoothed
    }
    return Smoothed(settings: settings, ofRuns: windows)
  }

  /// The report with other settings that smooth in the same way.
  ///
  /// - Precondition: the settings have the same likelihood exponent, durations and step rules as those of `smoothed`.
  func report(with settings: PauseSettings, _ smoothed: Smoothed) -> PauseReport {
    var report = PauseReport()
    for (log, run) in zip(logs(with: settings, smoothed), runs) { report.add(log, of: run.truth) }
    return report
  }

  /// The pauses of each run with the model's own settings, or with the default settings if it has none.
  package func logs() -> [PauseLog] {
    let settings = models[0].pauses ?? PauseSettings()
    return logs(with: settings, smoothed(with: settings))
  }

  /// The pauses of each run with other settings that smooth in the same way.
  private func logs(with settings: PauseSettings, _ smoothed: Smoothed) -> [PauseLog] {
    precondition(settings.smoothsAlike(as: smoothed.settings), "the probabilities were smoothed with other settings")
    let models = models(with: settings)
    return Array(zip(runs, smoothed.ofRuns)).mappedConcurrently { run, windows in
      var decider = PauseDecider(model: models[run.model], policy: policy)
      var log = PauseLog(mergeGapSeconds: settings.mergeGapSeconds)
      for (index, window) in windows.enumerated() {
        // If the activity has ended a pause, the later probabilities depend on that decision, so they are computed
        // again.
        let probabilities =
          decider.wasOverruled
          ? decider.probabilities(after: run.pauses[index], hasSteps: window.context.movement.hasSteps)
          : window.probabilities
        if let decision = decider.decide(probabilities, window.context, run.energies) {
          log.record(decision, within: run.truth.recording.start...window.context.arrival)
        }
      }
      return log
    }
  }

  private func models(with settings: PauseSettings) -> [ActivityModel] {
    models.map { model in Result { try model.with(pauses: settings) }.get(orTrap: "invalid pause settings") }
  }

  /// The report at each of several pause thresholds. A resume threshold above the pause threshold is lowered to it; all
  /// other settings are unchanged.
  public func tradeOff(at thresholds: [Float]) -> [(pauseAbove: Float, report: PauseReport)] {
    let settings = models[0].pauses ?? PauseSettings()
    let smoothed = smoothed(with: settings)
    return thresholds.map { threshold in
      var settings = settings
      settings.pauseAbove = threshold
      settings.resumeBelow = min(settings.resumeBelow, threshold)
      return (threshold, report(with: settings, smoothed))
    }
  }
}

extension PauseSettings {
  /// Whether the smoothed probabilities after each window are the same with other settings.
  fileprivate func smoothsAlike(as other: PauseSettings) -> Bool {
    likelihoodExponent == other.likelihoodExponent && expectedDurationSeconds == other.expectedDurationSeconds
      && smallestStepBandRatio == other.smallestStepBandRatio && findsQuietWalks == other.findsQuietWalks
  }
}

/// Finds the pause settings with the lowest cost by grid search.
///
/// The cost is in seconds per change between running and standing. It is a fixed number for each false pause, missed
/// pause and false resume, divided by the number of changes, plus the median delays beyond `freePauseLatency` and
/// `freeResumeLatency`. Settings of equal cost rank from the least to the most sensitive, because recordings without
/// difficult moments would favour the most sensitive ones. For the same reason, false pauses and false resumes are
/// counted with thresholds that are easier to pass by `margin` logits.
public struct PauseTuner: Hashable, Sendable {
  /// The cost of a false pause, seconds.
  public var falsePause = 60.0
  /// The cost of a missed pause (in a stop of more than 5 s), seconds.
  public var missedPause = 60.0
  /// The cost of a false resume, seconds.
  public var falseResume = 30.0
  /// The median pause delay up to which delay costs nothing, seconds.
  public var freePauseLatency = 1.5
  /// The median resume delay up to which delay costs nothing, seconds.
  public var freeResumeLatency = 1.0
  /// How far thresholds are moved, logits: the pause threshold down when false pauses are counted, the resume threshold
  /// up when false resumes are counted.
  public var margin: Float = 4
  /// The candidate pause thresholds.
  public var pauseThresholds: [Float] = [0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995]
  /// The candidate resume thresholds.
  public var resumeThresholds: [Float] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
  /// The candidates for `PauseSettings.likelihoodExponent`, the exponent of a window's probabilities.
  public var likelihoodExponents: [Float] = [0.2, 0.3, 0.5]
  /// The candidate resume dwells, seconds. None is below 0.2 s, the hop of the pause head's windows, so that one window
  /// never resumes a run: the first window with shaking still contains too much rest to be recognised as shaking, and
  /// recordings of standing people contain no shaking.
  public var resumeDwells = [0.2, 0.4]

  /// The defaults.
  public init() {}

  /// Candidate settings with their report and cost.
  public struct Candidate: Sendable {
    /// The settings.
    public let settings: PauseSettings
    /// The report with these settings, without `margin`.
    public let report: PauseReport
    /// The cost, seconds per change between running and standing.
    public let cost: Double

    /// The sensitivity: logit(resumeBelow) − logit(pauseAbove), less the dwell times in seconds. At a higher
    /// sensitivity, less evidence changes the state.
    var sensitivity: Float {
      let logits = logit(settings.resumeBelow) - logit(settings.pauseAbove)
      return logits - Float(settings.pauseDwellSeconds + settings.resumeDwellSeconds)
    }

    private func logit(_ probability: Float) -> Float { logarithm(probability / (1 - probability)) }
  }

  /// Evaluates all combinations whose resume threshold is below the pause threshold. Sorts them by cost, then from the
  /// least to the most sensitive.
  ///
  /// - Parameters:
  ///   - trial: the model on runs of its training people. Do not use the people of the final evaluation here.
  ///   - base: the settings that are not varied.
  ///   - progress: called after each combination.
  public func candidates(
    on trial: PauseTrial, base: PauseSettings = PauseSettings(), progress: () -> Void = {}
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    for weight in likelihoodExponents {
      var base = base
      base.likelihoodExponent = weight
      let smoothed = trial.smoothed(with: base)
      for pause in pauseThresholds {
        for resume in resumeThresholds where resume < pause {
          for dwell in resumeDwells {
            var settings = base
            (settings.pauseAbove, settings.resumeBelow, settings.resumeDwellSeconds) = (pause, resume, dwell)
            candidates.append(candidate(settings, on: trial, smoothed))
            progress()
          }
        }
      }
    }
    return candidates.sorted { ($0.cost, $0.sensitivity) < ($1.cost, $1.sensitivity) }
  }

  /// The number of all combinations, the maximum number of candidates.
  public var candidateCount: Int {
    likelihoodExponents.count * pauseThresholds.count * resumeThresholds.count * resumeDwells.count
  }

  private func candidate(_ settings: PauseSettings, on trial: PauseTrial, _ smoothed: PauseTrial.Smoothed) -> Candidate
  {
    var (relaxedPause, relaxedResume) = (settings, settings)
    relaxedPause.pauseAbove = Self.shifted(settings.pauseAbove, by: -margin)
    relaxedPause.resumeBelow = min(settings.resumeBelow, relaxedPause.pauseAbove)
    relaxedResume.resumeBelow = Self.shifted(settings.resumeBelow, by: margin)
    relaxedResume.pauseAbove = max(settings.pauseAbove, relaxedResume.resumeBelow)
    let report = trial.report(with: settings, smoothed)
    let (pausing, resuming) =
      margin == 0
      ? (report, report) : (trial.report(with: relaxedPause, smoothed), trial.report(with: relaxedResume, smoothed))
    let mistakes =
      falsePause * Double(pausing.falsePauses) + falseResume * Double(resuming.falseResumes)
      + missedPause * Double(report.missedPauses)
    let delays =
      max(0, report.pauseLatency.median - freePauseLatency) + max(0, report.resumeLatency.median - freeResumeLatency)
    return Candidate(settings: settings, report: report, cost: delays + mistakes / Double(max(1, report.changes)))
  }

  static func shifted(_ probability: Float, by logits: Float) -> Float {
    let odds = probability / (1 - probability) * exponential(logits)
    return odds / (1 + odds)
  }
}
