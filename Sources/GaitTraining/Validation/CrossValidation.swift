import Gait

/// How models fitted to most of a dataset do on the groups that were held out, each in its turn.
public struct CrossValidation: Sendable {
  /// How the groups were held out, in words, such as `leave one subject out`.
  public let method: String
  /// The parts that were held out in turn.
  public let folds: Folds
  /// The held-out windows of all folds, with the probabilities that the model would give them: calibrated, if the trainer
  /// calibrates, by what fits the other folds.
  public let windows: ScoredWindows
  /// The same windows before calibration.
  public let uncalibrated: ScoredWindows
  /// How the held-out windows were classified, all folds together.
  public let report: ClassificationReport
  /// How much each of the trainer's features matters; empty unless it was asked for.
  public let importances: [FeatureImportance]

  /// What a model's card says of it.
  public var summary: ModelCard.Validation {
    ModelCard.Validation(
      method: method, windows: report.windows, accuracy: report.accuracy,
      balancedAccuracy: report.balancedAccuracy, macroF1: report.macroF1, worstGroup: report.worstGroup.name,
      worstGroupAccuracy: report.worstGroup.accuracy)
  }
}

extension ActivityTrainer {
  /// Holds every group out once: fits to the others and classifies the held-out recordings.
  ///
  /// Leaves one subject out at a time where all subjects are known and at most 64, else a tenth of the groups: see `Folds`.
  /// Copies of a recording are never on both sides. Folds are fitted on all cores; the result is the same on any number of them.
  ///
  /// - Parameters:
  ///   - dataset: the labelled recordings.
  ///   - scheme: how groups are held out; by what suits the dataset unless given.
  ///   - measuringImportance: whether to find out how much each feature matters, which takes as many scorings.
  ///   - foldDone: called after each fold, from any thread.
  /// - Throws: `TrainingError` where the dataset cannot be split or learned from.
  public func crossValidated(
    on dataset: LabeledDataset, scheme: Folds.Scheme? = nil, measuringImportance: Bool = false,
    foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let windows = try trainingWindows(of: dataset)
    return try crossValidated(
      windows, of: dataset, scheme: scheme, measuringImportance: measuringImportance, foldDone: foldDone)
  }

  /// The same for windows that are computed already.
  func crossValidated(
    _ windows: LabeledWindows, of dataset: LabeledDataset, scheme: Folds.Scheme? = nil,
    measuringImportance: Bool = false, foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let folds: Folds
    do {
      folds = try Folds(of: dataset, scheme: scheme ?? Folds.scheme(for: dataset))
      for fold in folds.folds { try Self.check(fold, leavesEveryLabelOf: windows) }
    } catch { throw .folds(error) }
    let results = try folds.folds.mappedConcurrently { (fold) throws(TrainingError) in
      defer { foldDone() }
      return try result(of: fold, windows, of: dataset, measuringImportance: measuringImportance)
    }.filter { $0.windows.count > 0 }
    guard !results.isEmpty else { throw .noWindows(seconds: window.seconds) }
    let scored = calibration.crossFitted(results.map(\.windows))
    do {
      return CrossValidation(
        method: Self.methodText(folds, dataset: dataset), folds: folds, windows: scored,
        uncalibrated: ScoredWindows(joining: results.map(\.windows)), report: try scored.report(),
        importances: FeatureImportance.mean(results.map(\.importances)))
    } catch {
      throw .noWindows(seconds: window.seconds)
    }
  }

  /// Refuses a fold whose training recordings of some label are all too short for a window.
  private static func check(_ fold: Folds.Fold, leavesEveryLabelOf windows: LabeledWindows) throws(FoldsError) {
    let left = Set(windows.rows(of: fold.training).map { windows.labelIndices[$0] })
    if let label = windows.labels.indices.first(where: { !left.contains($0) }) {
      throw .labelOnlyInTest(windows.labels[label], groups: fold.groups)
    }
  }

  /// What the windows of a fold are said to be by a head that is fitted to the others.
  private func result(
    of fold: Folds.Fold, _ windows: LabeledWindows, of dataset: LabeledDataset, measuringImportance: Bool
  ) throws(TrainingError) -> (windows: ScoredWindows, importances: [FeatureImportance]) {
    let head = try head(fitting: windows, rows: windows.rows(of: fold.training))
    let rows = windows.rows(of: fold.test, augmented: false)
    let matrix = windows.matrix.rows(at: rows)
    let scored = ScoredWindows(
      labels: windows.labels, truths: rows.map { windows.labelIndices[$0] },
      probabilities: head.probabilities(of: matrix),
      windowGroups: rows.map { dataset.recordings[windows.recordingIndices[$0]].group })
    let importances = measuringImportance ? FeatureImportance.permuting(matrix, truths: scored.truths, head: head) : []
    return (scored, importances)
  }

  private static func methodText(_ folds: Folds, dataset: LabeledDataset) -> String {
    let group = dataset.grouping.noun
    switch folds.scheme {
    case .leaveOneGroupOut:
      guard case .timeBlock(let count) = dataset.grouping else { return "leave one \(group) out" }
      return "leave one of \(count) blocks of time out, of recordings that the model has seen"
    case .groups: return "\(folds.folds.count) folds of whole \(group)s"
    case .holdOut(let filters): return "held out: \(filters.map(\.description).joined(separator: ", "))"
    }
  }
}
