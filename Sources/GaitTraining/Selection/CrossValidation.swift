import Gait

/// The result of cross-validation: the predictions for held-out groups. Each group is predicted by a model fitted to
/// other groups.
public struct CrossValidation: Sendable {
  /// How the groups were held out, in words, such as `leave one subject out`.
  public let method: String
  /// The folds that were held out in turn.
  public let folds: Folds
  /// The held-out windows of all folds with their probabilities. If the trainer calibrates, the calibration is fitted
  /// to the other folds.
  public let windows: ScoredWindows
  /// The held-out windows of all folds with their probabilities before calibration.
  public let uncalibrated: ScoredWindows
  /// The classification report on the held-out windows of all folds.
  public let report: ClassificationReport
  /// The evidence for rejecting the held-out windows, by fold and recording; empty unless the trainer's models reject.
  var evidence: [RecordingEvidence] = []
  /// The importance of each of the trainer's features; empty unless requested.
  public let importances: [FeatureImportance]
  /// The report on the same recordings, each rotated at random as if the phone were worn differently. It is before
  /// calibration; `nil` unless requested.
  public let turned: ClassificationReport?
  /// The accuracy of models that are fitted to fewer groups; empty unless requested.
  public internal(set) var learningCurve: [LearningPoint] = []
  /// The dataset whose recordings `windows` refer to; `nil` if unknown.
  package var dataset: LabeledDataset?

  /// An optional measurement in a cross-validation.
  public enum Measurement: Hashable, Sendable, CaseIterable {
    /// The importance of each feature. Scores the held-out windows once for each feature.
    case importance
    /// The scores with rotated recordings. Computes the features of every recording a second time.
    case turning
    /// The accuracy by the number of groups in the training data. Fits about three models for each of at most eight
    /// folds.
    case learningCurve
  }

  /// The summary for a model's card.
  public var summary: ModelCard.Validation {
    ModelCard.Validation(
      method: method, windows: report.windows, accuracy: report.accuracy,
      balancedAccuracy: report.balancedAccuracy, macroF1: report.macroF1, worstGroup: report.worstGroup.name,
      worstGroupAccuracy: report.worstGroup.accuracy)
  }
}

extension CrossValidation: CustomStringConvertible {
  /// The method and the scores as text for a terminal; with calibration, both calibrated and uncalibrated scores.
  public var description: String {
    let before = windows == uncalibrated ? nil : ProbabilityReport(uncalibrated)
    let lines = ProbabilityReport(windows).lines(uncalibrated: before)
    let rejected = Set(evidence.map(\.fold)).count > 1 ? [RejectionTally(evidence).description] : []
    return ["Held out: \(method)", "\(report)", (lines + rejected).joined(separator: "\n")].joined(separator: "\n\n")
  }
}

extension ActivityTrainer {
  /// Cross-validates. Every group is held out once; a model is fitted to the others and classifies the held-out
  /// recordings.
  ///
  /// By default one subject is held out at a time, if all subjects are known and there are at most 64. Otherwise a
  /// tenth of the groups is held out at a time; see `Folds`. Recordings that share rows are never on both sides. Folds
  /// are fitted on all cores; the result does not depend on the number of cores.
  ///
  /// - Parameters:
  ///   - dataset: the labelled recordings.
  ///   - scheme: how groups are held out; by default, chosen from the dataset.
  ///   - measurements: optional measurements.
  ///   - foldDone: called after each fold, from any thread.
  /// - Throws: `TrainingError` if the dataset cannot be split or trained on.
  public func crossValidated(
    on dataset: LabeledDataset, scheme: Folds.Scheme? = nil,
    measuring measurements: Set<CrossValidation.Measurement> = [],
    foldDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> CrossValidation {
    let windows = try trainingWindows(of: dataset)
    return try crossValidated(
      windows, of: dataset, scheme: scheme, measuring: measurements, foldDone: foldDone)
  }

  /// Cross-validates windows that are already computed.
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
    let results = try folds.folds.mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
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
        evidence: results.enumerated().flatMap { fold, result in
          result.evidence.map { RecordingEvidence(fold: fold, recording: $0, windows: $1) }
        },
        importances: FeatureImportance.mean(results.map(\.importances)),
        turned: turned == nil ? nil : try ScoredWindows(joining: results.compactMap(\.turned)).report(),
        learningCurve: measurements.contains(.learningCurve) ? learningCurve(of: windows, folds.folds, dataset) : [],
        dataset: dataset)
    } catch {
      throw .noWindows(seconds: window.seconds)
    }
  }

  /// The windows of the original recordings, followed by those of the same recordings rotated at random.
  private func turnedWindows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    try LabeledWindows(
      of: dataset, features: features, shape: window, sampleRate: sampleRate, allowsSlowSource: allowsSlowSource,
      addsTurned: true)
  }

  /// Checks that a fold's training recordings have a window of every label.
  private static func check(_ fold: Folds.Fold, leavesEveryLabelOf windows: LabeledWindows) throws(FoldsError) {
    let left = Set(windows.rows(of: fold.training).map { windows.labelIndices[$0] })
    if let label = windows.labels.indices.first(where: { !left.contains($0) }) {
      throw .labelOnlyInTest(windows.labels[label], groups: fold.groups)
    }
  }

  /// The scored windows of a fold, and its optional measurements.
  private struct FoldResult: Sendable {
    var windows: ScoredWindows
    var evidence: [(recording: Int, windows: [RejectionEvidence])]
    var importances: [FeatureImportance]
    var turned: ScoredWindows?
  }

  /// Scores the windows of a fold by a head that is fitted to the other folds.
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
      windows: scored, evidence: windows.evidence(for: head, at: rows), importances: importances,
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
      return "leave one of \(count) time blocks out; the rest of each recording is in the training data"
    case .groups: return "\(folds.folds.count) folds of whole \(group)s"
    case .holdOut(let filters): return "held out: \(filters.map(\.description).joined(separator: ", "))"
    }
  }

  /// Fits a model to the whole dataset.
  ///
  /// - Parameters:
  ///   - dataset: the labelled recordings.
  ///   - validation: a cross-validation of this trainer on this dataset. Its score is written on the model card, and
  ///     its held-out windows calibrate the model and bound its rejection. If it is `nil`, and the trainer calibrates
  ///     or rejects windows, the trainer runs a cross-validation itself.
  /// - Throws: `TrainingError` if a model cannot be fitted to the data.
  public func fit(
    _ dataset: LabeledDataset, validatedBy validation: CrossValidation? = nil
  ) throws(TrainingError) -> ActivityModel {
    try fit(dataset, calibratedBy: validation, scoredAs: validation)
  }

  /// Fits a model to the whole dataset, with the score of another procedure on its card, such as a selection.
  ///
  /// - Parameters and errors: those of `fit(_:validatedBy:)`. If the trainer calibrates or rejects windows, it runs a
  ///   cross-validation for that.
  public func fit(
    _ dataset: LabeledDataset, scoredAs validation: CrossValidation
  ) throws(TrainingError) -> ActivityModel {
    try fit(dataset, calibratedBy: nil, scoredAs: validation)
  }

  private func fit(
    _ dataset: LabeledDataset, calibratedBy heldOut: CrossValidation?, scoredAs validation: CrossValidation?
  ) throws(TrainingError) -> ActivityModel {
    let windows = try trainingWindows(of: dataset)
    try Self.checkCount(of: windows, seconds: window.seconds)
    var heads = [try head(fitting: windows, rows: Array(0..<windows.count))]
    if calibration != .none || rejectsUnknown {
      let heldOut = if let heldOut { heldOut } else { try crossValidated(windows, of: dataset) }
      heads[0] = heads[0].calibrated(by: calibration.fit(heldOut.uncalibrated))
      heads[0].rejection = heads[0].rejection?.bounded(by: heldOut.evidence)
    }
    if let pauseHead = try pauseHead(fitting: dataset) { heads.append(pauseHead) }
    let rates = Set(dataset.recordings.flatMap(\.recording.sampleRates)).sorted()
    let card = ModelCard(
      training: ModelCard.Training(
        method: methodDescription, source: dataset.name, sampleRates: rates,
        recordings: dataset.recordings.count, groups: dataset.units.count, windows: windows.countByLabel,
        attributions: dataset.attributions, fingerprints: dataset.fingerprints),
      validation: validation?.summary)
    do throws(ModelError) {
      return try ActivityModel(
        sampleRate: sampleRate, heads: heads, acceptsEstimatedGravity: acceptsEstimatedGravity, meanings: meanings,
        card: card)
    } catch {
      throw .model(error)
    }
  }

  private static func checkCount(of windows: LabeledWindows, seconds: Double) throws(TrainingError) {
    let counts = windows.labelIndices.prefix(windows.originalCount).reduce(into: [Int: Int]()) {
      $0[$1, default: 0] += 1
    }
    for (index, label) in windows.labels.enumerated() where counts[index, default: 0] < fewestWindows {
      throw .tooFewWindows(label, count: counts[index, default: 0], seconds: seconds)
    }
  }

  /// The head for pause detection; `nil` if `pauseWindow` is `nil`, or if the dataset does not have both recordings of
  /// standing still and other recordings.
  private func pauseHead(fitting dataset: LabeledDataset) throws(TrainingError) -> ActivityModel.Head? {
    guard let pauseWindow, hasStops(dataset) else { return nil }
    var trainer = self
    trainer.window = pauseWindow
    trainer.rejectsUnknown = false
    trainer.labelWeights = .equal
    trainer.augmentation.speeds = [:]
    trainer.augmentation.knocks = [:]
    let windows = try trainer.trainingWindows(of: dataset)
    return try trainer.head(fitting: windows, rows: Array(0..<windows.count))
  }
}

/// The permutation importance of a feature: how much worse a model becomes when the feature's values are shuffled
/// between windows.
///
/// It is the log-loss on held-out windows with the feature's column shuffled, minus the log-loss with the original
/// column, nats. If two features have the same information, both seem unimportant. 0 or less means that the model does
/// not need the feature. Source: Breiman, "Random Forests", Machine Learning 45, 2001, section 10.
public struct FeatureImportance: Hashable, Sendable, Encodable {
  /// The increase in log-loss, nats per window.
  public let lossIncrease: Double
  /// The number of windows it was measured on.
  public let windows: Int

  /// The maximum number of scores (features × windows) for each fold. If there are more, windows are thinned evenly.
  private static let budget = 1_000_000

  /// The importance of each column of `matrix`. The column's position seeds the shuffle.
  static func permuting(_ matrix: FeatureMatrix, truths: [Int], head: ActivityModel.Head) -> [FeatureImportance] {
    guard matrix.rowCount > 1 else { return [] }
    let step = (matrix.rowCount * matrix.columnCount + budget - 1) / budget
    let rows = Array(stride(from: 0, to: matrix.rowCount, by: max(1, step)))
    let thinned = matrix.rows(at: rows)
    let truths = rows.map { truths[$0] }
    let loss = { logLoss(head.probabilities(of: $0), truths: truths) }
    let inOrder = loss(thinned)
    return (0..<matrix.columnCount).map { column in
      var generator = SeededGenerator(seed: 0, keys: [UInt64(column)])
      return FeatureImportance(
        lossIncrease: loss(thinned.shuffling(column: column, with: &generator)) - inOrder, windows: rows.count)
    }
  }

  /// The mean over folds, weighted by their windows.
  static func mean(_ folds: [[FeatureImportance]]) -> [FeatureImportance] {
    let folds = folds.filter { !$0.isEmpty }
    guard let first = folds.first else { return [] }
    return first.indices.map { column in
      let windows = folds.reduce(0) { $0 + $1[column].windows }
      let sum = folds.reduce(0) { $0 + $1[column].lossIncrease * Double($1[column].windows) }
      return FeatureImportance(lossIncrease: sum / Double(windows), windows: windows)
    }
  }

  private static func logLoss(_ probabilities: FeatureMatrix, truths: [Int]) -> Double {
    var sum = 0.0
    for (row, truth) in truths.enumerated() {
      let probability = probabilities.values[row * probabilities.columnCount + truth]
      sum -= logarithm(Double(max(probability, ProbabilityReport.smallest)))
    }
    return sum / Double(truths.count)
  }
}

extension FeatureMatrix {
  /// The matrix with one column shuffled (Fisher and Yates).
  fileprivate func shuffling(column: Int, with generator: inout SeededGenerator) -> FeatureMatrix {
    var values = values
    for row in stride(from: rowCount - 1, to: 0, by: -1) {
      let other = Int(generator.next() % UInt64(row + 1))
      values.swapAt(row * columnCount + column, other * columnCount + column)
    }
    return FeatureMatrix(columnCount: columnCount, values: values)
  }
}

/// The held-out accuracy of models that are fitted to a number of groups.
public struct LearningPoint: Hashable, Sendable {
  /// The number of groups in the training data, such as people.
  public let groups: Int
  /// The mean accuracy over the folds, 0…1.
  public let accuracy: Double
  /// The accuracy of the worst fold.
  public let lowest: Double
  /// The number of folds.
  public let folds: Int
}

extension ActivityTrainer {
  /// The maximum number of folds of a learning curve; of more folds, every second, third, … is used.
  private static let curveFolds = 8

  /// The accuracy by the number of training groups: 1, 2, 4, … and the largest number that every fold has.
  ///
  /// Each fold shuffles its training groups, in the same way on every run, and takes them from the first. A number of
  /// groups at which a fold lacks a label is left out. Every point is the mean over the same folds.
  func learningCurve(
    of windows: LabeledWindows, _ folds: [Folds.Fold], _ dataset: LabeledDataset
  ) -> [LearningPoint] {
    let step = max(1, (folds.count + Self.curveFolds - 1) / Self.curveFolds)
    let tests = stride(from: 0, to: folds.count, by: step).map { index in
      let fold = folds[index]
      let units = fold.training.map { dataset.splitGroups[dataset.recordings[$0].group]! }.sortedAndUnique()
      var generator = SeededGenerator(seed: 0, keys: [UInt64(index)])
      let shuffled = units.map { (generator.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
      return CurveTest(fold: fold, units: shuffled)
    }
    let most = tests.map(\.units.count).min() ?? 0
    let sizes = Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < most }) + (most > 0 ? [most] : [])
    let jobs = sizes.flatMap { size in tests.map { (size, $0) } }
    let accuracies = jobs.mappedConcurrently(showing: "smaller model") {
      accuracy(of: windows, $1, groups: $0, dataset)
    }
    return sizes.indices.compactMap { index in
      let found = accuracies[index * tests.count..<(index + 1) * tests.count].compactMap(\.self)
      guard found.count == tests.count else { return nil }
      return LearningPoint(
        groups: sizes[index], accuracy: found.reduce(0, +) / Double(found.count), lowest: found.min()!,
        folds: found.count)
    }
  }

  /// A fold, and its training groups in the order in which they are added.
  private struct CurveTest: Sendable {
    var fold: Folds.Fold
    var units: [String]
  }

  /// The accuracy of a model that is fitted to a fold's first `groups` training groups; `nil` if it cannot be fitted.
  private func accuracy(
    of windows: LabeledWindows, _ test: CurveTest, groups: Int, _ dataset: LabeledDataset
  ) -> Double? {
    let units = Set(test.units.prefix(groups))
    let training = windows.rows(
      of: test.fold.training.filter { units.contains(dataset.splitGroups[dataset.recordings[$0].group]!) })
    guard Set(training.map { windows.labelIndices[$0] }).count == windows.labels.count,
      let head = try? head(fitting: windows, rows: training)
    else { return nil }
    return try? windows.scored(by: head, at: windows.rows(of: test.fold.test, augmented: false), of: dataset)
      .report().accuracy
  }
}
