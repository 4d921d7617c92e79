import Gait

/// How models fitted to most of a dataset do on the groups that were held out, each in its turn.
public struct CrossValidation: Sendable {
  /// How the groups were held out, in words, such as `leave one subject out`.
  public let method: String
  /// The parts that were held out in turn.
  public let folds: Folds
  /// How the held-out windows were classified, all folds together.
  public let report: ClassificationReport

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
  ///   - foldDone: called after each fold, from any thread.
  /// - Throws: `TrainingError` where the dataset cannot be split or learned from.
  public func crossValidated(
    on dataset: LabeledDataset, foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let windows = try windows(of: dataset)
    let folds: Folds
    do {
      folds = try Folds(of: dataset)
      for fold in folds.folds { try Self.check(fold, leavesEveryLabelOf: windows) }
    } catch { throw .folds(error) }
    let predictions = try folds.folds.mappedConcurrently { (fold) throws(TrainingError) in
      defer { foldDone() }
      return try self.predictions(for: fold, windows: windows, dataset: dataset)
    }
    do {
      return CrossValidation(
        method: Self.methodText(folds, dataset: dataset), folds: folds,
        report: try ClassificationReport(predictions.joined(), labels: windows.labels))
    } catch {
      throw .noWindows(seconds: window.seconds)
    }
  }

  /// Refuses a fold whose training recordings of some label are all too short for a window.
  private static func check(_ fold: Folds.Fold, leavesEveryLabelOf windows: LabeledWindows) throws(FoldsError) {
    let heldOut = Set(fold.test)
    let rows = (0..<windows.count).filter { !heldOut.contains(windows.recordingIndices[$0]) }
    let left = Set(rows.map { windows.labelIndices[$0] })
    if let label = windows.labels.indices.first(where: { !left.contains($0) }) {
      throw .labelOnlyInTest(windows.labels[label], groups: fold.groups)
    }
  }

  private func predictions(
    for fold: Folds.Fold, windows: LabeledWindows, dataset: LabeledDataset
  ) throws(TrainingError) -> [Prediction] {
    let heldOut = Set(fold.test)
    let rows = 0..<windows.count
    let head = try head(fitting: windows, rows: rows.filter { !heldOut.contains(windows.recordingIndices[$0]) })
    let testRows = rows.filter { heldOut.contains(windows.recordingIndices[$0]) }
    let probabilities = head.probabilities(of: windows.matrix.rows(at: testRows))
    return testRows.enumerated().map { index, row in
      let scores = Array(probabilities[index])
      // The first of the most probable, as on the road.
      let best = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
      return Prediction(
        truth: windows.labels[windows.labelIndices[row]], predicted: windows.labels[best],
        group: dataset.recordings[windows.recordingIndices[row]].group)
    }
  }

  private static func methodText(_ folds: Folds, dataset: LabeledDataset) -> String {
    let group = dataset.groupsAreSubjects ? "subject" : "recording"
    switch folds.scheme {
    case .leaveOneGroupOut: return "leave one \(group) out"
    case .groups: return "\(folds.folds.count) folds of whole \(group)s"
    }
  }
}
