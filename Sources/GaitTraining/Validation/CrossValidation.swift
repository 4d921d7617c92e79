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
  /// How the same recordings are classified, before calibration, when each is turned at random as if the phone were worn some
  /// other way up; `nil` unless it was asked for.
  public let turned: ClassificationReport?

  /// What can be found out beside the scores.
  public enum Measurement: Hashable, Sendable, CaseIterable {
    /// How much each feature matters, which takes as many scorings as there are features.
    case importance
    /// What it costs to wear the phone in another way, which takes the features of every recording once more.
    case turning
  }

  /// What a model's card says of it.
  public var summary: ModelCard.Validation {
    ModelCard.Validation(
      method: method, windows: report.windows, accuracy: report.accuracy,
      balancedAccuracy: report.balancedAccuracy, macroF1: report.macroF1, worstGroup: report.worstGroup.name,
      worstGroupAccuracy: report.worstGroup.accuracy)
  }
}

extension CrossValidation: CustomStringConvertible {
  /// The method and the scores as text for a terminal; where probabilities are calibrated, beside those before.
  public var description: String {
    let before = windows == uncalibrated ? nil : ProbabilityReport(uncalibrated)
    let lines = ProbabilityReport(windows).lines(uncalibrated: before)
    return ["Held out: \(method)", "\(report)", lines.joined(separator: "\n")].joined(separator: "\n\n")
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
  ///   - measurements: what to find out beside the scores.
  ///   - foldDone: called after each fold, from any thread.
  /// - Throws: `TrainingError` where the dataset cannot be split or learned from.
  public func crossValidated(
    on dataset: LabeledDataset, scheme: Folds.Scheme? = nil,
    measuring measurements: Set<CrossValidation.Measurement> = [],
    foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let windows = try trainingWindows(of: dataset)
    return try crossValidated(
      windows, of: dataset, scheme: scheme, measuring: measurements, foldDone: foldDone)
  }

  /// The same for windows that are computed already.
  func crossValidated(
    _ windows: LabeledWindows, of dataset: LabeledDataset, scheme: Folds.Scheme? = nil,
    measuring measurements: Set<CrossValidation.Measurement> = [], foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let folds: Folds
    do {
      folds = try Folds(of: dataset, scheme: scheme ?? Folds.scheme(for: dataset))
      for fold in folds.folds { try Self.check(fold, leavesEveryLabelOf: windows) }
    } catch { throw .folds(error) }
    let turned = measurements.contains(.turning) ? try turnedWindows(of: dataset) : nil
    let results = try folds.folds.mappedConcurrently { (fold) throws(TrainingError) in
      defer { foldDone() }
      return try result(
        of: fold, windows, turned, of: dataset, measuringImportance: measurements.contains(.importance))
    }.filter { $0.windows.count > 0 }
    guard !results.isEmpty else { throw .noWindows(seconds: window.seconds) }
    let scored = calibration.crossFitted(results.map(\.windows))
    do {
      return CrossValidation(
        method: Self.methodText(folds, dataset: dataset), folds: folds, windows: scored,
        uncalibrated: ScoredWindows(joining: results.map(\.windows)), report: try scored.report(),
        importances: FeatureImportance.mean(results.map(\.importances)),
        turned: turned == nil ? nil : try ScoredWindows(joining: results.compactMap(\.turned)).report())
    } catch {
      throw .noWindows(seconds: window.seconds)
    }
  }

  /// The windows of the recordings as they are and, behind these, of the same recordings turned at random.
  private func turnedWindows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    var turning = self
    turning.augmentation = Augmentation()
    turning.augmentation.turnsWearing = true
    return try turning.trainingWindows(of: dataset)
  }

  /// Refuses a fold whose training recordings of some label are all too short for a window.
  private static func check(_ fold: Folds.Fold, leavesEveryLabelOf windows: LabeledWindows) throws(FoldsError) {
    let left = Set(windows.rows(of: fold.training).map { windows.labelIndices[$0] })
    if let label = windows.labels.indices.first(where: { !left.contains($0) }) {
      throw .labelOnlyInTest(windows.labels[label], groups: fold.groups)
    }
  }

  /// What a fold's windows are said to be.
  private struct FoldResult: Sendable {
    var windows: ScoredWindows
    var importances: [FeatureImportance]
    var turned: ScoredWindows?
  }

  /// What the windows of a fold are said to be by a head that is fitted to the others.
  private func result(
    of fold: Folds.Fold, _ windows: LabeledWindows, _ turned: LabeledWindows?, of dataset: LabeledDataset,
    measuringImportance: Bool
  ) throws(TrainingError) -> FoldResult {
    let head = try head(fitting: windows, rows: windows.rows(of: fold.training))
    let rows = windows.rows(of: fold.test, augmented: false)
    let scored = windows.scored(by: head, at: rows, of: dataset)
    let importances =
      measuringImportance
      ? FeatureImportance.permuting(windows.matrix.rows(at: rows), truths: scored.truths, head: head) : []
    return FoldResult(
      windows: scored, importances: importances,
      turned: turned.map { turned in
        let copies = turned.rows(of: fold.test).filter { $0 >= turned.originalCount }
        return turned.scored(by: head, at: copies, of: dataset)
      })
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
