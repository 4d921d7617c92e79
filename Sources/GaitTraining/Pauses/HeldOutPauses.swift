import Gait

extension PauseTrial {
  /// Prepares refitted pause heads on runs of people that each of them was not fitted to.
  ///
  /// A model separates the people that it was trained on better than others, so settings that are tuned on them are too
  /// sensitive. Here the pause head is fitted again, to the windows of `dataset` without one fold of people, for each fold.
  ///
  /// - Parameters:
  ///   - model: the model, for its pause head's windows, features and labels.
  ///   - method: the classifier of the head, and how it is fitted.
  ///   - dataset: the recordings that the pause head was fitted to.
  ///   - folds: how people are held out.
  ///   - runs: runs composed from `dataset`.
  ///   - policy: the activities that pause a run.
  /// - Throws: `TrainingError` if the head cannot be refitted; `EvaluationError` if a label is unknown to the model, or a run
  ///   does not suit it.
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
        sampleRate: model.sampleRate, heads: [trainer.head(fitting: windows, rows: windows.rows(of: fold.training))],
        pauses: model.pauses, acceptsEstimatedGravity: model.acceptsEstimatedGravity,
        meanings: model.meanings.filter { head.labels.contains($0.key) })
    }
    let folds = folds.folds.map { Set($0.groups) }
    try self.init(
      models, on: runs.compactMap { run in folds.firstIndex { $0.contains(run.group) }.map { (run, $0) } },
      policy: policy)
  }
}
