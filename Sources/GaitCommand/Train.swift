import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Trains a model on labelled recordings and cross-validates it on held-out people.",
    discussion: """
      Cross-validation holds out whole groups (subjects if the layout has {subject}, else recordings): up to \
      \(Folds.subjectLimit) subjects one at a time, more subjects or recordings in \(Folds.defaultCount) folds. The \
      written model is fitted to all groups. Several folders take one --layout and --rate each, or one for all.

      JSON: {"model", "method", "recordings", "groups", "windows": {label: count}, "labels": [{"label", "recordings", \
      "seconds", "stepFrequency", "energy", "kind", "suspectLabels"}], "suspectLabels": [{"path", "start", "label", \
      "expected", "kind", "proposal", "stepFrequency", "energy"}], "copies": [[path]], "overlaps": [{"paths", \
      "seconds", "starts"}], "warnings", "validationMethod", "crossValidation": {as evaluate}}
      """)

  @OptionGroup var data: DatasetOptions

  @OptionGroup var trainer: TrainerOptions

  @OptionGroup var validation: ValidationOptions

  @Option(help: ArgumentHelp("The model file to write.", valueName: "file"), completion: .file())
  var output = "model.json"

  @Option(
    help: ArgumentHelp("The HTML report to write: data, scores, features and model.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "The CSV file to write, with proposed labels for suspect recordings.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var relabel: String?

  @Option(
    help: ArgumentHelp(
      "Takes the pause head and the auto-pause settings of this model, or of running, instead of fitting a pause head.",
      valueName: "model"), completion: .file())
  var pausesOf: ModelArgument?

  @Flag(help: "Refuses recordings that share rows, instead of keeping them in one fold.")
  var strict = false

  @Flag(help: "Fits the model without cross-validation.")
  var skipCrossValidation = false

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let trainer = try trainer.trainer()
    let scheme = try validation.scheme()
    let modelFile = OutputFile(output, .model)
    let page = report.map { OutputFile($0, .page) }
    let proposal = relabel.map { OutputFile($0, .proposal) }
    try OutputFile.check([modelFile, page, proposal], inputs: data.inputs + (pausesOf?.inputs ?? []))
    let pauses = try pausesOf?.model()
    let dataset = try data.dataset()
    try dataset.requireTwoLabels()
    if strict { try dataset.requireNoDuplicates() }
    let review = LabelReview(of: dataset)
    let validation = try validated(trainer, on: dataset, scheme: scheme)
    var model = try trainer.fit(dataset, validatedBy: validation)
    if let pauses { model = try model.with(pausesOf: pauses) }
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
    if json { try Terminal.print(json: Result(result, output: output)) } else { try printText(result) }
  }

  private func printText(_ result: TrainingReport) throws {
    try Terminal.print("\(result)")
    try Terminal.print(
      "\nWrote \(output): \(result.method), fitted to all \(result.dataset.recordings.count) recordings.")
    if let report { try Terminal.print("Wrote \(report), an HTML report.") }
    if let relabel {
      try Terminal.print(
        "Wrote \(relabel): \(result.review.suspectLabels.count) proposals; the recordings are unchanged.")
    }
  }

  /// The cross-validation; `nil` with a warning if the groups do not allow one.
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
      // An explicit request fails with an error, not with a warning.
      guard case .folds(let reason) = error, scheme == nil, validation.splitBy == .subject else { throw error }
      Terminal.warn("the model is not cross-validated: \(reason)")
      return nil
    }
  }

  /// The output of `--json`.
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

/// A classification report and its probability report as one JSON object.
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

/// A table as lines: the first column aligned left, the others right.
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
