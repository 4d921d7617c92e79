import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fits a model to labelled recordings and shows how it does on people it has not seen.",
    discussion: """
      Whole groups (subjects, where the layout has {subject}, else recordings) are held out: up to \(Folds.subjectLimit) \
      subjects one at a time, more subjects or recordings in \(Folds.defaultCount) folds. No window of a group is ever \
      judged by a model that saw another window of it. The model that is written is fitted to all groups.

      JSON: {"model", "method", "recordings", "groups", "windows": {label: count}, "labels": [{"label", "recordings", \
      "seconds", "stepFrequency"}], "copies": [[path]], "warnings", "validationMethod", "crossValidation": {as evaluate}}
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case logistic
    case tree
  }

  @OptionGroup var data: DatasetOptions

  @Option(help: "The kind of classifier.")
  var model = Kind.logistic

  @Option(help: ArgumentHelp("The model file to write.", valueName: "file"), completion: .file())
  var output = "model.json"

  @Option(parsing: .unconditional, help: "Logistic regression: the weight of ½‖w‖² beside the mean log-loss.")
  var penalty = LogisticTrainer().penalty

  @Option(parsing: .unconditional, help: "Tree: the greatest number of questions to a leaf.")
  var maximumDepth = TreeTrainer().maximumDepth

  @Option(parsing: .unconditional, help: "Tree: the smallest number of windows in a leaf.")
  var minimumLeafSize = TreeTrainer().minimumLeafSize

  @OptionGroup var features: FeatureOptions

  @Flag(help: "Fits the model without judging it first.")
  var skipCrossValidation = false

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func validate() throws {
    guard penalty >= 0, penalty.isFinite else { throw ValidationError("--penalty must be 0 or more.") }
    guard (1...60).contains(maximumDepth) else { throw ValidationError("--maximum-depth must be within 1…60.") }
    guard minimumLeafSize >= 1 else { throw ValidationError("--minimum-leaf-size must be 1 or more.") }
  }

  func run() throws {
    let trainer = try trainer()
    try OutputError.check(model: output)
    let dataset = try data.dataset()
    try dataset.requireTwoLabels()
    let validation = try validated(trainer, on: dataset)
    let model = try trainer.fit(dataset, validatedBy: validation)
    try AtomicFile.write(Array(model.json()), to: URL(filePath: output))
    let summaries = LabelReview(of: dataset).summaries
    if json {
      try Terminal.print(
        json: Result(
          model: output, method: trainer.method.description, labels: summaries,
          recordings: dataset.recordings.count, groups: dataset.groups.count, windows: model.windowCounts,
          copies: dataset.duplicates.copies, warnings: dataset.warnings, validationMethod: validation?.method,
          crossValidation: validation?.report))
    } else {
      try Terminal.print(Self.text(of: dataset, summaries))
      if let validation { try Terminal.print("\nHeld out: \(validation.method)\n\n\(validation.report)") }
      try Terminal.print("\nWrote \(output): \(trainer.method), fitted to all \(dataset.recordings.count) recordings.")
    }
  }

  /// The cross-validation, or `nil` with a warning where the groups do not allow any.
  private func validated(_ trainer: ActivityTrainer, on dataset: LabeledDataset) throws -> CrossValidation? {
    guard !skipCrossValidation else { return nil }
    do throws(TrainingError) {
      let progress = Progress("fold", of: (try? Folds(of: dataset).folds.count) ?? 0)
      return try trainer.crossValidated(on: dataset) { progress.advance() }
    } catch {
      guard case .folds(let reason) = error else { throw error }
      Terminal.warn("the model could not be judged: \(reason)")
      return nil
    }
  }

  private func trainer() throws -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.window = features.windows.shape
    trainer.features = try features.features()
    switch model {
    case .logistic:
      var logistic = LogisticTrainer()
      logistic.penalty = penalty
      trainer.method = .logistic(logistic)
    case .tree:
      var tree = TreeTrainer()
      tree.maximumDepth = maximumDepth
      tree.minimumLeafSize = minimumLeafSize
      tree.minimumSplitSize = 2 * minimumLeafSize
      trainer.method = .decisionTree(tree)
    }
    return trainer
  }

  private static func text(of dataset: LabeledDataset, _ summaries: [LabelSummary]) -> String {
    let groups = dataset.grouping == .subject ? "\(dataset.groups.count) subjects" : "subjects not known"
    let others = dataset.ignoredFileCount
    let ignored = others == 0 ? "" : ", \(others) other \(others == 1 ? "file" : "files") ignored"
    let head = "\(dataset.name): \(dataset.recordings.count) recordings, \(groups)\(ignored)\n"
    let rows = summaries.map { summary in
      [
        summary.label, "\(summary.recordings)", fixed(summary.seconds / 60, 1),
        summary.stepFrequency.map { fixed($0 * 60, 0) } ?? "–",
      ]
    }
    return ([head] + table([["label", "recordings", "minutes", "steps/min"]] + rows)).joined(separator: "\n")
  }

  /// What `--json` prints.
  private struct Result: Encodable {
    var model: String
    var method: String
    var labels: [LabelSummary]
    var recordings: Int
    var groups: Int
    var windows: [String: Int]
    var copies: [[String]]
    var warnings: [String]
    var validationMethod: String?
    var crossValidation: ClassificationReport?
  }
}

extension ActivityModel {
  /// For each label, the number of windows that the model was fitted to.
  fileprivate var windowCounts: [String: Int] { card?.training.windows ?? [:] }
}

/// Rows of cells as lines, the first column to the left and the others to the right.
func table(_ rows: [[String]]) -> [String] {
  let rows = rows.map { $0.map { $0.count > 52 ? $0.prefix(51) + "…" : $0 } }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
  return rows.map { row in
    row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
