import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measures a model's accuracy on labelled recordings that it was not trained on.",
    discussion: """
      For example: gait evaluate running datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50

      Scores have 95 % intervals over people (subjects if the layout has {subject}, else recordings), if there are at least \
      \(ModelComparison.fewestGroups). A model trained with --reject should label recordings of the label "other", and those \
      of --unknown, as "other"; the shares of rejected windows are printed.

      With --pauses it evaluates pause detection on continuous runs with known stops: composed from each person's \
      recordings, or labelled by --label-column or --intervals. Composed runs use cleaned running: without windows of \
      2.56 s whose vertical acceleration has an RMS below half the recording's median or below 0.45 g. \
      Recordings of walking that move like running (gait train lists them as suspect) are no stops. The report has the \
      figures of the recordings as labelled as well.
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @OptionGroup var data: DatasetOptions

  @Option(
    help: ArgumentHelp(
      "The folder that the model was trained on, with the same layout, to compare row by row; without it the model "
        + "card identifies training recordings.",
      valueName: "folder"), completion: .directory)
  var trainedOn: String?

  @Flag(help: "Refuses recordings that the model was trained on, instead of warning.")
  var strict = false

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Skips and counts recordings whose label is unknown to the model; without it such a label is an error.")
  var ignoreUnknownLabels = false

  @Option(
    help: ArgumentHelp(
      "A collection of movements that the model does not know, such as datasets/other-movements.json, for a model "
        + "that rejects windows: they count as \"other\".",
      valueName: "collection"), completion: .file(extensions: ["json"]))
  var unknown: String?

  @Option(
    help: ArgumentHelp(
      "Adds knocks to the recordings of these labels, such as walking,still: impacts and stumbles at random moments, as those of "
        + "gait train --knock.", valueName: "labels"))
  var knock: String?

  @Flag(help: "Evaluates pause detection in continuous runs instead of single windows.")
  var pauses = false

  @OptionGroup(title: "Pauses") var pauseOptions: PauseOptions

  @Option(
    help: ArgumentHelp(
      "A page with the figures, the worst people and recordings, and the moments that fail; with --pauses, of the pauses.",
      valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require(unknown == nil || !pauses, "--unknown does not go with --pauses; omit one of them.")
    try require(knock == nil || !pauses, "--knock does not go with --pauses; omit one of them.")
  }

  func run() throws {
    let page = report.map { OutputFile($0, .document) }
    try OutputFile.check([page], inputs: model.inputs + data.inputs + [trainedOn, unknown].compactMap { $0 })
    let choice = try ModelChoice(model)
    if pauses {
      return try EvaluatePauses(options: pauseOptions, data: data, evaluate: self).run(choice, page)
    }
    var dataset = try data.dataset()
    let channels = dataset.channels
    let model = choice.model(for: channels)
    let name = choice.name(for: channels) ?? self.model.text
    choice.tell(dataset.name, channels: channels)
    var ignored: [String: Int] = [:]
    if let unknown {
      let movements = try data.collected.recordings(in: unknown).dataset
      dataset = dataset.adding(unknown: movements)
    }
    if ignoreUnknownLabels { (dataset, ignored) = try dataset.leavingOut(labelsUnknownTo: [model]) }
    let leaks = try leaks(into: model, from: dataset)
    if strict { try leaks.refuse() }
    if let knock {
      let labels = knock.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      dataset = try dataset.knocked(labels: labels, seed: Self.knockSeed)
    }
    let windows = try model.scored(on: dataset, allowsSlowSource: slow.allowSlowSource)
    leaks.warn()
    let windowless = try model.windowlessRecordings(in: dataset, allowsSlowSource: slow.allowSlowSource)
    Terminal.warn(all: windowless.warnings)
    let report = try windows.report()
    let notes =
      windowless.warnings
      + (leaks.isEmpty ? [] : ["The model was trained on \(leaks.count) of these recordings: its scores are too high."])
    if let page {
      var content = try EvaluationPage(
        title: "\(URL(filePath: name).lastPathComponent) on \(dataset.name)", facts: notes, windows: windows, by: model,
        of: dataset)
      content.origin = data.origin
      try page.write(content.html.utf8)
    }
    let skipped = ignored.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let extra: [[String]] = [
      windows.known.count > 0 ? ProbabilityReport(windows).lines : [], RejectedShares(windows)?.lines ?? [],
      ScoreIntervals.lines(windows, noun: dataset.grouping.noun),
      ignored.isEmpty ? [] : ["skipped, label unknown to the model: \(skipped)"],
    ]
    try results.print(
      json: JSONObject(
        [
          "ignoredRecordings": ignored, "leaks": leaks, "warnings": windowless.warnings,
          "intervals": ScoreIntervals(windows), "rejection": RejectedShares(windows),
        ],
        and: [JSONObject.validation(windows, report)]),
      text: (["\(report)"] + extra.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") })
        .joined(separator: "\n\n"))
  }

  /// The seed of the knocks, which is not the default one of the training.
  private static let knockSeed: UInt64 = 1

  /// The recordings that the model was trained on, by its card and by the folder of `--trained-on`.
  func leaks(into model: ActivityModel, from dataset: LabeledDataset) throws -> [Leak] {
    guard let trainedOn else { return dataset.leaks(into: model) }
    let training = try LabeledDataset(
      folders: data.format.folders([trainedOn], data.selection),
      intervals: data.selection.intervals)
    let found = dataset.leaks(from: training)
    return found + dataset.leaks(into: model).filter { leak in !found.contains { $0.path == leak.path } }
  }
}

extension LabeledDataset {
  /// The channels that all recordings have.
  var channels: Set<Channel> {
    recordings.reduce(Set(Channel.allCases)) { $0.intersection($1.recording.channels) }
  }
}

extension [Leak] {
  /// Warns of recordings that a model was trained on.
  func warn(model: String = "the model") {
    guard !isEmpty else { return }
    Terminal.warn(
      "\(model) was trained on \(count) of the recordings, so the figures are too optimistic: \(names); "
        + "a model's card does not show altered copies, gait evaluate --trained-on does")
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
struct EvaluatePauses {
  let options: PauseOptions
  let data: DatasetOptions
  /// The command, for its options `--trained-on` and `--strict`.
  let evaluate: Evaluate

  func run(_ choice: ModelChoice, _ page: OutputFile?) throws {
    let dataset = try data.dataset()
    let model = choice.model(for: dataset.channels)
    choice.tell(dataset.name, channels: dataset.channels, policy: options.policy)
    let leaks = try leaks(into: model, from: dataset)
    let result = data.selection.hasLabelSource ? try labelled(model, dataset) : try composed(model, dataset)
    if let page {
      let name = choice.name(for: dataset.channels) ?? evaluate.model.text
      var pauses = PausesPage(
        title: "Auto-pause of \(name) on \(dataset.name)",
        facts: leaks.isEmpty
          ? [] : ["The model was trained on \(leaks.count) of these recordings: its figures are too good."],
        result, noun: dataset.grouping.noun)
      pauses.origin = data.origin
      try page.write(pauses.html.utf8)
    }
    try evaluate.results.print(
      json: JSONObject(
        [
          "raw": result.raw, "leaks": leaks,
          "tradeOff": result.tradeOff.map { JSONObject(["pauseAbove": $0], and: [$1]) },
        ], and: [result.report]),
      text: result.text)
  }

  private func composed(_ model: ActivityModel, _ dataset: LabeledDataset) throws -> PauseEvaluation {
    let composition = options.composition
    let (cleaned, raw) = try CommandDataError.naming(dataset.name) {
      (
        try composition.runs(from: dataset, for: model, cleaned: true),
        try composition.runs(from: dataset, for: model, cleaned: false)
      )
    }
    return try PauseEvaluation(
      of: model, on: cleaned, raw: raw, policy: options.policy,
      material: PauseEvaluation.material(of: dataset, for: model, composition))
  }

  private func labelled(_ model: ActivityModel, _ dataset: LabeledDataset) throws -> PauseEvaluation {
    let files = Dictionary(grouping: dataset.recordings, by: \.path)
    let map = try LabelMap(data.selection.map)
    let runs = try files.sorted { $0.key < $1.key }.map { path, recordings in
      let annotated = try data.annotated(at: path)
      return ComposedRun(
        recording: annotated.recording, group: recordings[0].group,
        labels: (annotated.labels ?? []).map { ($0.label.map(map.apply), $0.rows) }, policy: options.policy,
        meanings: model.meanings)
    }
    return try PauseEvaluation(of: model, on: runs, raw: nil, policy: options.policy)
  }

  /// The recordings that the model was trained on: an error with `--strict`, else a warning.
  private func leaks(into model: ActivityModel, from dataset: LabeledDataset) throws -> [Leak] {
    let leaks = try evaluate.leaks(into: model, from: dataset)
    if evaluate.strict { try leaks.refuse() }
    leaks.warn()
    return leaks
  }
}
