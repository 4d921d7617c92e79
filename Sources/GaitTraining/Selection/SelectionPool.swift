import Gait

/// The windows of a selection, computed once for each window shape and list of features.
struct SelectionPool: Sendable {
  let space: SearchSpace
  /// In a selection of features, the trainer with all of them.
  let base: ActivityTrainer
  let dataset: LabeledDataset
  private var windows: [Key: LabeledWindows] = [:]

  /// The settings that windows depend on.
  private struct Key: Hashable {
    let features: [Feature]
    let window: WindowShape
    let sampleRate: SampleRate
    let augmentation: Augmentation

    init(_ trainer: ActivityTrainer) {
      features = trainer.features
      window = trainer.window
      sampleRate = trainer.sampleRate
      augmentation = trainer.augmentation
    }
  }

  init(_ space: SearchSpace, base: ActivityTrainer, of dataset: LabeledDataset) throws(TrainingError) {
    self.space = space
    self.dataset = dataset
    var base = base
    let trainers: [ActivityTrainer]
    switch space {
    case .trainers(let given):
      precondition(!given.isEmpty, "there is nothing to choose among")
      trainers = given
    case .features(let features, let count):
      precondition(!features.isEmpty && count >= 1, "there is no feature to choose")
      base.features = features
      trainers = [base]
    }
    self.base = base
    for trainer in trainers where windows[Key(trainer)] == nil {
      windows[Key(trainer)] = try trainer.trainingWindows(of: dataset)
    }
  }

  /// The windows of one of the trainers.
  func windows(for trainer: ActivityTrainer) -> LabeledWindows {
    windows[Key(trainer)]!
  }

  /// The pool restricted to some recordings.
  func restricted(to recordings: [Int]) -> SelectionPool {
    SelectionPool(self, restrictedTo: recordings)
  }

  private init(_ pool: SelectionPool, restrictedTo recordings: [Int]) {
    space = pool.space
    base = pool.base
    dataset = pool.dataset.subset(recordings)
    windows = pool.windows.mapValues { $0.restricted(to: recordings) }
  }

  /// Scores some recordings by a model fitted to others, with and without calibration.
  ///
  /// The calibration is fitted to the training recordings only, as `ActivityTrainer.fit` does with all recordings.
  func scored(
    by trainer: ActivityTrainer, trainedOn training: [Int], testedOn test: [Int]
  ) throws(TrainingError) -> (windows: ScoredWindows, uncalibrated: ScoredWindows) {
    let source: LabeledWindows
    switch space {
    case .trainers: source = windows(for: trainer)
    case .features(let features, _):
      source = windows(for: base).columns(trainer.features.map { features.firstIndex(of: $0)! })
    }
    let head = try trainer.head(fitting: source, rows: source.rows(of: training))
    let scored = source.scored(by: head, at: source.rows(of: test, augmented: false), of: dataset)
    guard trainer.calibration != .none else { return (scored, scored) }
    let heldOut = try trainer.uncalibrated.crossValidated(
      source.restricted(to: training), of: dataset.subset(training))
    let calibration = trainer.calibration.fit(heldOut.windows)
    return (calibration.map { scored.calibrated(by: $0) } ?? scored, scored)
  }
}

extension LabeledDataset {
  /// The recordings at some positions, ascending. Known copies still count for split units.
  fileprivate func subset(_ positions: [Int]) -> LabeledDataset {
    LabeledDataset(
      name: name, recordings: positions.map { recordings[$0] }, duplicates: duplicates,
      ignoredFileCount: ignoredFileCount, unlabelledSeconds: unlabelledSeconds, readingWarnings: readingWarnings,
      grouping: grouping)
  }
}
