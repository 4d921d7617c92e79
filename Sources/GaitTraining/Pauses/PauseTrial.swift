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

extension PauseTrial {
  /// Refits the pause head for each fold of people, and prepares it on runs of the people that it was not fitted to.
  ///
  /// A model separates the people in its training data better than other people. Settings that are tuned on them are
  /// therefore too sensitive. Here the pause head is fitted again for each fold, to the windows of `dataset` without
  /// the people of the fold. If the model has an activity head besides, it stays as it is.
  ///
  /// - Parameters:
  ///   - model: the model, for its pause head's windows, features and labels.
  ///   - method: the classifier of the head, and how it is fitted.
  ///   - dataset: the recordings that the pause head was fitted to.
  ///   - folds: how people are held out.
  ///   - runs: runs composed from `dataset`.
  ///   - policy: the activities that pause a run.
  /// - Throws: `TrainingError` if the head cannot be refitted; `EvaluationError` if a label is unknown to the model, or
  ///   the model cannot classify a run.
  public init(
    refitting model: ActivityModel, by method: ActivityTrainer.Method, to dataset: LabeledDataset, folds: Folds,
    on runs: [ComposedRun], policy: PausePolicy
  ) throws {
    let head = model.pauseHead
    var trainer = ActivityTrainer()
    (trainer.sampleRate, trainer.window, trainer.features) = (model.sampleRate, head.window, head.features)
    (trainer.method, trainer.allowsSlowSource) = (method, true)
    let windows = try trainer.windows(of: dataset)
    let unknown = windows.labels.filter { !head.labels.contains($0) }
    guard unknown.isEmpty else { throw EvaluationError.unknownLabels(unknown, known: head.labels) }
    if let label = head.labels.first(where: { !windows.labels.contains($0) }) {
      throw TrainingError.cannotAdapt(
        "no recording is labelled \"\(label)\", as some were in training; give the recordings of the training")
    }
    let models = try folds.folds.mappedConcurrently(showing: "fold") { [trainer] fold in
      try ActivityModel(
        sampleRate: model.sampleRate,
        heads: model.heads.dropLast() + [trainer.head(fitting: windows, rows: windows.rows(of: fold.training))],
        pauses: model.pauses, acceptsEstimatedGravity: model.acceptsEstimatedGravity, meanings: model.meanings)
    }
    let folds = folds.folds.map { Set($0.groups) }
    try self.init(
      models, on: runs.compactMap { run in folds.firstIndex { $0.contains(run.group) }.map { (run, $0) } },
      policy: policy)
  }
}
