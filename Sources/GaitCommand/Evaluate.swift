import ArgumentParser
import Foundation
import Gait
import GaitTraining

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures a model's accuracy on labelled recordings that it was not trained on.",
    discussion: """
      JSON: {"windows", "accuracy", "balancedAccuracy", "macroF1", "labels": [label], "recall": {label: …}, \
      "versusRestMacroF1": {label: …}, "confusion": [[truth × predicted]], "groups": [{"name", "windows", \
      "accuracy"}], "probabilities": {"logLoss", "impossibleWindows", "brier", "expectedCalibrationError", \
      "reliability": [[{"windows", "said", "found"}]]}, "ignoredRecordings": {label: count}, "leaks": [{"path", \
      "sources"}], "warnings": [text]}

      With --pauses it evaluates pause detection on continuous runs with known stops: composed from each person's \
      recordings, or labelled by --label-column or --intervals. Composed runs use cleaned running: without windows of \
      2.56 s whose vertical acceleration has an RMS below half the recording's median or below 0.45 g. The report has \
      the figures for uncleaned running as well.

      JSON of --pauses: {"hours", "falsePausesPerHour", "missedPauses", "falseResumesPerPausedHour", "pauseLatency": \
      {"median", "p95"}, "resumeLatency": {"median", "p95"}, "pauseOnset": {"mean", "size": {"median", "p95"}, \
      "largest", "sizeByFixedOffset": {"median", "p95"}}, "resumeOnset": {the same}, "movingTimeErrorPercent", \
      "movingTimeErrorSecondsPerEvent", "changes", "falsePauses", "falseResumes", "missedResumes", "raw": {the same}, \
      "leaks", "tradeOff": [{"pauseAbove", the same}]}
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @OptionGroup var data: DatasetOptions

  @Option(
    help: ArgumentHelp(
      "The folder that the model was trained on, with the same layout; warns of recordings in both.",
      valueName: "folder"), completion: .directory)
  var trainedOn: String?

  @Flag(help: "Refuses recordings that the model was trained on, instead of warning.")
  var strict = false

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Skips and counts recordings whose label is unknown to the model.")
  var ignoreUnknownLabels = false

  @Flag(help: "Evaluates pause detection in continuous runs instead of single windows.")
  var pauses = false

  @OptionGroup(title: "Pauses") var pauseOptions: PauseOptions

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let model = try model.model()
    if pauses { return try PauseEvaluation(options: pauseOptions, data: data, evaluate: self).run(model, json: json) }
    var dataset = try data.dataset()
    var ignored: [String: Int] = [:]
    if ignoreUnknownLabels { (dataset, ignored) = try dataset.leavingOut(labelsUnknownTo: [model]) }
    let leaks = try leaks(into: model, from: dataset)
    if strict { try leaks.refuse() }
    let progress = Progress("recording", of: dataset.recordings.count)
    let windows = try model.scored(on: dataset, allowsSlowSource: slow.allowSlowSource) { progress.advance() }
    leaks.warn()
    let windowless = try model.windowlessRecordings(in: dataset, allowsSlowSource: slow.allowSlowSource)
    for warning in windowless.warnings { Terminal.warn(warning) }
    let result = Result(
      validation: ValidationResult(report: try windows.report(), probabilities: ProbabilityReport(windows)),
      ignoredRecordings: ignored, leaks: leaks, warnings: windowless.warnings)
    if json { return try Terminal.print(json: result) }
    try Terminal.print("\(result.validation.report)")
    try Terminal.print("\n" + result.validation.probabilities.lines.joined(separator: "\n"))
    if !ignored.isEmpty {
      let list = ignored.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      try Terminal.print("\nskipped, label unknown to the model: \(list)")
    }
  }

  /// The recordings that the model was trained on, by its card and by the folder of `--trained-on`.
  func leaks(into model: ActivityModel, from dataset: LabeledDataset) throws -> [Leak] {
    guard let trainedOn else { return dataset.leaks(into: model) }
    let training = try LabeledDataset(
      folders: data.format.folders([trainedOn], labelColumn: data.selection.labelColumn),
      intervals: data.selection.intervals)
    let found = dataset.leaks(from: training)
    return found + dataset.leaks(into: model).filter { leak in !found.contains { $0.path == leak.path } }
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var validation: ValidationResult
    var ignoredRecordings: [String: Int]
    var leaks: [Leak]
    var warnings: [String]

    enum CodingKeys: CodingKey { case ignoredRecordings, leaks, warnings }

    func encode(to encoder: any Encoder) throws {
      try validation.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(ignoredRecordings, forKey: .ignoredRecordings)
      try container.encode(leaks, forKey: .leaks)
      try container.encode(warnings, forKey: .warnings)
    }
  }
}

extension [Leak] {
  /// Warns of recordings that a model was trained on.
  func warn(model: String = "the model") {
    guard !isEmpty else { return }
    Terminal.warn(
      "\(model) was trained on \(count) of the recordings, so the figures are too optimistic: \(names)"
    )
  }

  /// Refuses recordings that a model was trained on.
  func refuse(model: String = "the model") throws {
    guard let first else { return }
    throw CommandDataError(
      file: first.path,
      reason:
        "\(model) was trained on \(count) of the recordings (\(names)); leave \(count == 1 ? "it" : "them") out with "
        + "--except, or omit --strict")
  }

  private var names: String {
    prefix(8).map(\.description).joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "")
  }
}
