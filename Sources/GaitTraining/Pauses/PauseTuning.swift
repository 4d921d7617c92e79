import Gait

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
  /// How the pause head is refitted to the people outside each fold, whose settings are judged on the people in it; `nil` to
  /// judge the model itself.
  package var refit: Refit?

  /// The folds and the classifier of refitted pause heads.
  package struct Refit: Hashable, Sendable {
    /// The number of folds of whole people.
    package var folds: Int
    /// The classifier that the model was fitted by.
    package var method: ActivityTrainer.Method

    /// Folds, each with a pause head of its own.
    package init(folds: Int, method: ActivityTrainer.Method) {
      (self.folds, self.method) = (folds, method)
    }
  }

  /// The defaults of `PauseTuner` and `PauseComposition`.
  package init() {}

  /// All settings with their costs, the best first.
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

  /// All settings with their costs, the best first, on runs that are composed from a dataset, of uncleaned running.
  package func candidates(
    of model: ActivityModel, on dataset: LabeledDataset
  ) throws -> [PauseTuner.Candidate] {
    try candidates(
      of: model, on: composition.runs(from: dataset, for: model, cleaned: false), from: dataset)
  }
}
