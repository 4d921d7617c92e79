import Gait

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

/// How the pause settings of a model are tuned: the runs, the costs, and the settings that are not varied.
package struct PauseTuning: Hashable, Sendable {
  /// The costs and the candidates.
  package var tuner = PauseTuner()
  /// How the runs are composed.
  package var composition = PauseComposition()
  /// `PauseSettings.walkingResumeDwellSeconds`; `nil` for the model's.
  package var walkingResumeDwellSeconds: Double?
  /// `PauseSettings.findsQuietWalks`; `nil` for the model's.
  package var findsQuietWalks: Bool?
  /// How the pause head is refitted for each fold of people. It is fitted to the people outside the fold, and its
  /// settings are judged on the people in the fold. If it is `nil`, the model itself is judged.
  package var refit: Refit?

  /// The folds and the classifier of refitted pause heads.
  package struct Refit: Hashable, Sendable {
    /// The number of folds of whole people.
    package var folds: Int
    /// The classifier that the model was fitted by.
    package var method: ActivityTrainer.Method

    /// Folds, each with a pause head that is fitted without its people.
    package init(folds: Int, method: ActivityTrainer.Method) {
      (self.folds, self.method) = (folds, method)
    }
  }

  /// The defaults of `PauseTuner` and `PauseComposition`.
  package init() {}

  /// All candidates, the lowest cost first.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - runs: the runs, composed from `dataset`.
  ///   - dataset: the recordings, of people that the model was trained on.
  package func candidates(
    of model: ActivityModel, on runs: [ComposedRun], from dataset: LabeledDataset
  ) throws -> [PauseTuner.Candidate] {
    let trial =
      if let refit {
        try PauseTrial(
          refitting: model, by: refit.method, to: dataset,
          folds: Folds(of: dataset, scheme: .groups(folds: refit.folds)), on: runs, policy: composition.policy)
      } else {
        try PauseTrial(model, on: runs, policy: composition.policy)
      }
    var base = model.pauses ?? PauseSettings()
    if let findsQuietWalks { base.findsQuietWalks = findsQuietWalks }
    if let walkingResumeDwellSeconds { base.walkingResumeDwellSeconds = walkingResumeDwellSeconds }
    let progress = WorkProgress("setting", of: tuner.candidateCount)
    return tuner.candidates(on: trial, base: base) { progress.advance() }
  }

  /// All candidates, the lowest cost first. The runs are composed from a dataset, without cleaning its running
  /// (`RunComposer.cleansRunning`).
  package func candidates(
    of model: ActivityModel, on dataset: LabeledDataset
  ) throws -> [PauseTuner.Candidate] {
    try candidates(
      of: model, on: composition.runs(from: dataset, for: model, cleaned: false), from: dataset)
  }
}
