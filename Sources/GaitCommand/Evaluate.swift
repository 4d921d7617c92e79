import ArgumentParser
import Foundation
import Gait
import GaitFormats
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

/// The evaluation of `gait evaluate --pauses`.
struct PauseEvaluation {
  let options: PauseOptions
  let data: DatasetOptions
  /// The command, for its options `--trained-on` and `--strict`.
  let evaluate: Evaluate

  /// The thresholds of the trade-off curve.
  private static let thresholds: [Float] = [0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999]

  func run(_ model: ActivityModel, json: Bool) throws {
    let result = data.selection.hasLabelSource ? try labelled(model) : try composed(model)
    if json { return try Terminal.print(json: result) }
    try Terminal.print(result.raw == nil ? "Interval labels" : "Cleaned running")
    try Terminal.print(text(of: result.report))
    if let raw = result.raw { try Terminal.print("\nUncleaned running\n\(text(of: raw))") }
    let header = ["pause above", "false pauses/h", "missed", "false resumes/h", "median s", "95 % s"]
    let rows = result.tradeOff.map { point in
      [
        "\(point.pauseAbove)", fixed(point.report.falsePausesPerHour, 2), "\(point.report.missedPauses)",
        fixed(point.report.falseResumesPerPausedHour, 2), fixed(point.report.pauseLatency.median, 2),
        fixed(point.report.pauseLatency.p95, 2),
      ]
    }
    try Terminal.print("\n" + table([header] + rows).joined(separator: "\n"))
  }

  private func composed(_ model: ActivityModel) throws -> Result {
    let dataset = try data.dataset()
    let leaks = try leaks(into: model, from: dataset)
    let runs: (cleaned: [ComposedRun], raw: [ComposedRun])
    do {
      runs = (try options.runs(from: dataset, cleaned: true), try options.runs(from: dataset, cleaned: false))
    } catch {
      throw CommandDataError(file: dataset.name, reason: "\(error)")
    }
    return try result(model, runs.cleaned, raw: runs.raw, leaks)
  }

  private func labelled(_ model: ActivityModel) throws -> Result {
    let dataset = try data.dataset()
    let leaks = try leaks(into: model, from: dataset)
    let files = Dictionary(grouping: dataset.recordings, by: \.path)
    let map = try LabelMap(data.selection.map)
    let runs = try files.sorted { $0.key < $1.key }.map { path, recordings in
      let annotated = try data.annotated(at: path)
      return ComposedRun(
        recording: annotated.recording, group: recordings[0].group,
        labels: (annotated.labels ?? []).map { ($0.label.map(map.apply), $0.rows) }, policy: options.policy)
    }
    return try result(model, runs, raw: nil, leaks)
  }

  /// The recordings that the model was trained on: an error with `--strict`, else a warning.
  private func leaks(into model: ActivityModel, from dataset: LabeledDataset) throws -> [Leak] {
    let leaks = try evaluate.leaks(into: model, from: dataset)
    if evaluate.strict { try leaks.refuse() }
    leaks.warn()
    return leaks
  }

  private func result(
    _ model: ActivityModel, _ runs: [ComposedRun], raw: [ComposedRun]?, _ leaks: [Leak]
  ) throws -> Result {
    let trial = try PauseTrial(model, on: runs, policy: options.policy)
    return Result(
      report: trial.report(),
      raw: try raw.map { try PauseTrial(model, on: $0, policy: options.policy).report() }, leaks: leaks,
      tradeOff: trial.tradeOff(at: Self.thresholds).map { Point(pauseAbove: $0.pauseAbove, report: $0.report) })
  }

  /// The output of `--json`: the report's keys, the report of uncleaned runs, and the trade-off curve.
  struct Result: Encodable {
    var report: PauseReport
    var raw: PauseReport?
    var leaks: [Leak]
    var tradeOff: [Point]

    enum CodingKeys: CodingKey { case raw, leaks, tradeOff }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(raw, forKey: .raw)
      try container.encode(leaks, forKey: .leaks)
      try container.encode(tradeOff, forKey: .tradeOff)
    }
  }

  /// A point of the trade-off curve.
  struct Point: Encodable {
    var pauseAbove: Float
    var report: PauseReport

    enum CodingKeys: CodingKey { case pauseAbove }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(pauseAbove, forKey: .pauseAbove)
    }
  }
}
