import Gait

/// The windows of a selection, computed once for all trainers with the same features, window shape, sample rate and
/// augmentation.
struct SelectionPool: Sendable {
  let space: SearchSpace
  /// In a selection of features, the trainer with all features; unused in a selection among trainers.
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

  func windows(for trainer: ActivityTrainer) -> LabeledWindows {
    windows[Key(trainer)]!
  }

  func restricted(to recordings: [Int]) -> SelectionPool {
    SelectionPool(self, restrictedTo: recordings)
  }

  private init(_ pool: SelectionPool, restrictedTo recordings: [Int]) {
    space = pool.space
    base = pool.base
    dataset = pool.dataset.with(positions: recordings)
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
      source.restricted(to: training), of: dataset.with(positions: training))
    let calibration = trainer.calibration.fit(heldOut.windows)
    return (calibration.map { scored.calibrated(by: $0) } ?? scored, scored)
  }
}

/// A fast test for features that add information to those already chosen. Of hundreds of features it leaves a few to
/// cross-validate.
///
/// Formula: for each feature, Σ (Σ (y − p))² ÷ Σ p (1 − p). The outer sum is over labels and over sixteen bins with
/// about equal numbers of windows, the inner sums are over a bin's windows; y is 1 if a window has the label, p its
/// probability by the features chosen so far. This is the score test of a model extended by the feature's bin. It
/// therefore detects non-linear effects too. A feature with only the information of the chosen features has a low
/// value. Source: Rao, "Large sample tests of statistical hypotheses concerning several parameters", Mathematical
/// Proceedings of the Cambridge Philosophical Society 44, 1948.
struct FeatureScreen: Sendable {
  private static let binCount = 16
  private let windows: LabeledWindows
  private let columns: BinnedColumns

  /// - Throws: `FittingError` if a model cannot be fitted to the windows.
  init(_ windows: LabeledWindows) throws(FittingError) {
    try FittingError.check(windows.matrix, labels: windows.labelIndices, labelCount: windows.labels.count)
    self.windows = windows
    columns = BinnedColumns(windows.matrix)
  }

  /// The labels' shares, repeated for every window: the probabilities before any feature is chosen.
  var shares: FeatureMatrix {
    let shares = windows.labels.map { Float(windows.countByLabel[$0] ?? 0) / Float(windows.count) }
    return FeatureMatrix(columnCount: shares.count, values: (0..<windows.count).flatMap { _ in shares })
  }

  /// The positions of the candidates with the highest values, ascending; all if there are no more than `count`.
  ///
  /// - Parameters:
  ///   - candidates: the features' positions, ascending.
  ///   - count: the maximum number of features to return.
  ///   - probabilities: the probabilities by the features chosen so far, shape `[windows × labels]`.
  func promising(_ candidates: [Int], count: Int, beyond probabilities: FeatureMatrix) -> [Int] {
    guard candidates.count > count else { return candidates }
    let strengths = candidates.mappedConcurrently { strength(of: $0, beyond: probabilities) }
    let order = candidates.indices.sorted { (-strengths[$0], $0) < (-strengths[$1], $1) }
    return order.prefix(count).map { candidates[$0] }.sorted()
  }

  private func strength(of column: Int, beyond probabilities: FeatureMatrix) -> Double {
    let (bins, labelCount) = (columns.edges[column].binCount, windows.labels.count)
    let used = min(bins, Self.binCount)
    var residuals = [Double](repeating: 0, count: used * labelCount)
    var variances = residuals
    columns.withColumn(column) { column in
      for row in 0..<windows.count {
        let first = Int(column[row]) * used / bins * labelCount
        for label in 0..<labelCount {
          let probability = Double(probabilities.values[row * labelCount + label])
          residuals[first + label] += (windows.labelIndices[row] == label ? 1 : 0) - probability
          variances[first + label] += probability * (1 - probability)
        }
      }
    }
    return zip(residuals, variances).reduce(0) { $0 + ($1.1 > 0 ? $1.0 * $1.0 / $1.1 : 0) }
  }
}
