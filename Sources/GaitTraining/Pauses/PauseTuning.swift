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
