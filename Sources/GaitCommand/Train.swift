import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Trains a model on labelled recordings and cross-validates it on held-out people.",
    discussion: """
      For example: gait train datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50 --output model.json

      Cross-validation holds out whole groups (subjects if the layout has {subject}, else recordings): up to \
      \(Folds.subjectLimit) subjects one at a time, more subjects or recordings in \(Folds.defaultCount) folds. The \
      written model is fitted to all groups. Several folders take one --layout and --rate each, or one for all.

      With --from it adapts a model to your own recordings instead, and measures the gain on recordings that the model \
      was not adapted to (or the other half of each, if a label has one recording). With --own the other recordings \
      are those of other people, which measure the harm.
      """)

  @OptionGroup var data: DatasetOptions

  @OptionGroup var trainer: TrainerOptions

  @OptionGroup var validation: ValidationOptions

  @Option(help: ArgumentHelp("The model file to write; its folder must exist.", valueName: "file"), completion: .file())
  var output = "model.json"

  @OptionGroup var replacing: ReplaceOption

  @Option(
    help: ArgumentHelp(
      "The HTML report to write: data, scores, features and model in one file. It also measures importances, rotated "
        + "recordings, and the accuracy by number of people.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "The CSV file to write, with proposed labels for suspect recordings; the recordings stay unchanged.",
      valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var relabel: String?

  @Option(
    help: ArgumentHelp(
      "Takes the pause head and the auto-pause settings of this model, or of running, instead of fitting a pause head.",
      valueName: "model"), completion: .file())
  var pausesOf: ModelArgument?

  @Option(
    help: ArgumentHelp(
      "Adapts this model, or running, to the recordings instead of fitting a new one: its weights change, its features "
        + "stay.", valueName: "model"),
    completion: .file())
  var from: ModelArgument?

  @Option(
    help: ArgumentHelp(
      "With --from: your own recordings, such as subject=7. All filters must match. May be repeated.",
      valueName: "field=values"))
  var own: [String] = []

  @Flag(help: "Refuses recordings that share rows, instead of keeping them in one fold.")
  var strict = false

  @Flag(help: "Fits the model without cross-validation.")
  var skipCrossValidation = false

  @OptionGroup var results: ResultOptions

  func validate() throws {
    guard from == nil else {
      guard let option = optionWithoutMeaning else { return }
      throw ValidationError("--from keeps the model's features, classifier and pauses; omit \(option).")
    }
    try require(own.isEmpty, "--own needs --from.")
  }

  func run() throws {
    if let from { return try adapt(from) }
    let trainer = try trainer.trainer()
    let scheme = try validation.scheme()
    let modelFile = OutputFile(output, .model(replaces: replacing.force))
    let page = report.map { OutputFile($0, .document) }
    let proposal = relabel.map { OutputFile($0, .document) }
    try OutputFile.check([modelFile, page, proposal], inputs: data.inputs + (pausesOf?.inputs ?? []))
    let pauses = try pausesOf?.model()
    let dataset = try data.dataset()
    try dataset.requireTwoLabels()
    try trainer.requireMeanings(in: dataset)
    if strict { try dataset.requireNoDuplicates() }
    let review = LabelReview(of: dataset, meanings: trainer.meanings)
    let validation = try validated(trainer, on: dataset, scheme: scheme)
    var model = try trainer.fit(dataset, validatedBy: validation)
    if let pauses { model = try model.with(pausesOf: pauses) }
    var labelTrainer = trainer
    if pauses != nil { labelTrainer.pauseWindow = nil }
    let warnings =
      try trainer.windowlessRecordings(in: dataset).warnings
      + labelTrainer.warnings(of: dataset, windows: model.card?.training.windows ?? [:])
    Terminal.warn(all: warnings)
    var result = TrainingReport(
      dataset: dataset, review: review, validation: validation, model: model, method: trainer.method.description,
      warnings: warnings)
    result.origin = data.origin(by: [output])
    try modelFile.write(model.json())
    try page?.write(result.html.utf8)
    try proposal?.write(review.relabelling)
    try results.print(json: json(of: result), text: text(of: result))
  }

  private func text(of result: TrainingReport) -> String {
    let lines = [
      "\(result)", "",
      "Wrote \(output): \(result.method), fitted to all \(result.dataset.recordings.count) recordings.",
      report.map { "Wrote \($0), an HTML report." },
      relabel.map { "Wrote \($0): \(result.review.suspectLabels.count) proposals; the recordings are unchanged." },
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
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
      return try trainer.crossValidated(on: grouped, scheme: scheme, measuring: measurements)
    } catch {
      // By default, a failed cross-validation is a warning. If the user asked for a scheme or split, it is an error.
      guard case .folds(let reason) = error, scheme == nil, validation.splitBy == .subject else { throw error }
      Terminal.warn("the model is not cross-validated: \(reason)")
      return nil
    }
  }

  private func json(of result: TrainingReport) -> JSONObject {
    let dataset = result.dataset
    return JSONObject([
      "model": output, "method": result.method, "labels": result.review.summaries,
      "suspectLabels": result.review.suspectLabels, "recordings": dataset.recordings.count,
      "groups": dataset.units.count, "windows": result.model.card?.training.windows ?? [:],
      "copies": dataset.duplicates.copies, "overlaps": dataset.duplicates.overlaps,
      "warnings": dataset.warnings + result.warnings, "validationMethod": result.validation?.method,
      "crossValidation": result.validation.map { JSONObject.validation($0.windows, $0.report) },
    ])
  }

  /// The first given option that has no effect on an adapted model or contradicts it; `nil` if there is none.
  var optionWithoutMeaning: String? {
    let options: [(name: String, isGiven: Bool)] = [
      ("--model", trainer.classifier.model != .logistic), ("--set or --feature", trainer.features.isGiven),
      ("--meaning", !trainer.meaning.isEmpty), ("--calibration", trainer.calibration != .none),
      ("--reject", trainer.reject), ("--pauses-of", pausesOf != nil),
      ("--report", report != nil), ("--relabel", relabel != nil), ("--folds", validation.folds != nil),
      ("--hold-out", !validation.holdOut.isEmpty), ("--skip-cross-validation", skipCrossValidation),
    ]
    return options.first(where: \.isGiven)?.name
  }

  /// Adapts a model to the recordings that pass `--own`, or to all, and reports gain and harm.
  func adapt(_ base: ModelArgument) throws {
    let file = OutputFile(output, .model(replaces: replacing.force))
    try OutputFile.check([file], inputs: data.inputs + base.inputs)
    let model = try base.model()
    let dataset = try data.dataset()
    if strict { try dataset.requireNoDuplicates() }
    let (mine, others) = try dataset.split(by: own.map { try RecordingFilter($0) })
    try mine.requireTwoLabels()
    let unseen = others?.unseen(by: model)
    if let count = unseen?.seenCount, count > 0 {
      Terminal.warn("\(count) recordings of other people are left out, because \(base.text) was trained on them")
    }
    let adapter = ModelAdapter()
    let adaptation = try adapter.validated(model, on: mine, others: unseen?.dataset)
    mine.leaks(into: model).warn(model: base.text)
    Terminal.warn(all: adaptation.warnings)
    try file.write(adaptation.model.json())
    try results.print(
      json: JSONObject([
        "model": output, "strength": adapter.strength, "recordings": mine.recordings.count,
        "isValidatedByTime": adaptation.isValidatedByTime, "own": json(of: adaptation.gain),
        "others": adaptation.harm.map(json(of:)), "warnings": adaptation.warnings,
      ]),
      text: "\(adaptation)\n\nWrote \(output): \(base.text), adapted to \(mine.recordings.count) recordings.")
  }

  private func json(of comparison: ModelComparison) -> JSONObject {
    let accuracies = comparison.entries.map { ($0.name, $0.report.accuracy) }
    return JSONObject([
      "accuracy": Dictionary(uniqueKeysWithValues: accuracies), "windows": comparison.entries[0].report.windows,
      "differences": comparison.differences,
    ])
  }
}
