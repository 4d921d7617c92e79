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
      judged by a model that saw another window of it. The model that is written is fitted to all groups. Several folders \
      may be named, with as many --layout and --rate, or one for all.

      JSON: {"model", "method", "recordings", "groups", "windows": {label: count}, "labels": [{"label", "recordings", \
      "seconds", "stepFrequency", "energy", "kind", "suspectLabels"}], "suspectLabels": [{"path", "start", "label", "expected", "kind", \
      "proposal", "stepFrequency", "energy"}], "copies": [[path]], "overlaps": [{"paths", "seconds", "starts"}], \
      "warnings", "validationMethod", "crossValidation": {as evaluate}}
      """)

  @OptionGroup var data: DatasetOptions

  @OptionGroup var trainer: TrainerOptions

  @OptionGroup var validation: ValidationOptions

  @Option(help: ArgumentHelp("The model file to write.", valueName: "file"), completion: .file())
  var output = "model.json"

  @Option(
    help: ArgumentHelp("A page to write, with everything there is to say about the training.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "A CSV file to write, with a label for each recording that disagrees with its own.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var relabel: String?

  @Flag(help: "Refuses recordings that share rows, instead of keeping them on one side.")
  var strict = false

  @Flag(help: "Fits the model without judging it first.")
  var skipCrossValidation = false

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let trainer = try trainer.trainer()
    let scheme = try validation.scheme()
    let modelFile = OutputFile(output, .model)
    let page = report.map { OutputFile($0, .page) }
    let proposal = relabel.map { OutputFile($0, .proposal) }
    try OutputFile.check([modelFile, page, proposal], inputs: data.inputs)
    let dataset = try data.dataset()
    try dataset.requireTwoLabels()
    if strict { try dataset.requireNoDuplicates() }
    let review = LabelReview(of: dataset)
    let validation = try validated(trainer, on: dataset, scheme: scheme)
    let model = try trainer.fit(dataset, validatedBy: validation)
    let warnings =
      try trainer.windowlessRecordings(in: dataset).warnings
      + trainer.warnings(of: dataset, windows: model.card?.training.windows ?? [:])
    for warning in warnings { Terminal.warn(warning) }
    let result = TrainingReport(
      dataset: dataset, review: review, validation: validation, model: model, method: trainer.method.description,
      command: Terminal.commandLine, warnings: warnings)
    try modelFile.write(model.json())
    try page?.write(result.html.utf8)
    try proposal?.write(review.relabelling)
    if json { try Terminal.print(json: Result(result, output: output)) } else { try say(result) }
  }

  private func say(_ result: TrainingReport) throws {
    try Terminal.print("\(result)")
    try Terminal.print(
      "\nWrote \(output): \(result.method), fitted to all \(result.dataset.recordings.count) recordings.")
    if let report { try Terminal.print("Wrote \(report), a page to open in a browser.") }
    if let relabel {
      try Terminal.print("Wrote \(relabel): \(result.review.suspectLabels.count) proposals; nothing was changed.")
    }
  }

  /// The cross-validation, or `nil` with a warning where the groups do not allow any.
  private func validated(
    _ trainer: ActivityTrainer, on dataset: LabeledDataset, scheme: Folds.Scheme?
  ) throws -> CrossValidation? {
    guard !skipCrossValidation else { return nil }
    let grouped = validation.grouped(dataset, window: trainer.window)
    do throws(TrainingError) {
      let measurements: Set<CrossValidation.Measurement> =
        report == nil ? [] : Set(CrossValidation.Measurement.allCases)
      let progress = Progress("fold", of: Folds.count(of: grouped, scheme: scheme))
      return try trainer.crossValidated(on: grouped, scheme: scheme, measuring: measurements) {
        progress.advance()
      }
    } catch {
      // What was asked for in so many words is not passed over.
      guard case .folds(let reason) = error, scheme == nil, validation.splitBy == .subject else { throw error }
      Terminal.warn("the model could not be judged: \(reason)")
      return nil
    }
  }

  /// What `--json` prints.
  private struct Result: Encodable {
    var model: String
    var method: String
    var labels: [LabelSummary]
    var suspectLabels: [SuspectLabel]
    var recordings: Int
    var groups: Int
    var windows: [String: Int]
    var copies: [[String]]
    var overlaps: [Duplicates.Overlap]
    var warnings: [String]
    var validationMethod: String?
    var crossValidation: ValidationResult?

    init(_ report: TrainingReport, output: String) {
      model = output
      method = report.method
      labels = report.review.summaries
      suspectLabels = report.review.suspectLabels
      recordings = report.dataset.recordings.count
      groups = report.dataset.units.count
      windows = report.model.card?.training.windows ?? [:]
      copies = report.dataset.duplicates.copies
      overlaps = report.dataset.duplicates.overlaps
      warnings = report.dataset.warnings + report.warnings
      validationMethod = report.validation?.method
      crossValidation = report.validation.map {
        ValidationResult(report: $0.report, probabilities: ProbabilityReport($0.windows))
      }
    }
  }
}

/// What `--json` prints of windows that were classified: the report's keys, and those of the probabilities.
struct ValidationResult: Encodable {
  var report: ClassificationReport
  var probabilities: ProbabilityReport

  private enum Key: CodingKey {
    case probabilities
  }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(probabilities, forKey: .probabilities)
  }
}

/// Rows of cells as lines, the first column to the left and the others to the right.
func table(_ rows: [[String]]) -> [String] {
  let rows = rows.map { $0.map { $0.visible() }.map { $0.count > 52 ? $0.prefix(51) + "…" : $0 } }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
  return rows.map { row in
    row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
