import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measures the accuracy of one or several models on labelled recordings that they were not trained on.",
    discussion: """
      For example: gait evaluate running datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50

      Scores have 95 % intervals over people (subjects if the layout has {subject}, else recordings), if there are at \
      least \(ModelComparison.fewestGroups). A model trained with --reject should label recordings of the label \
      "other", and those of --unknown, as "other"; the shares of rejected windows are printed.

      Several models classify the same recordings, and each is compared with the first: gait evaluate A.json B.json \
      data. Every person has the same weight. A difference is clear if its interval excludes 0 and p is at most 0.05; \
      p is that of a permutation test that swaps the two models person by person, or that of the interval if it is \
      larger. Macro-F1 omits labels without windows.

      With --pauses it evaluates pause detection on continuous runs with known stops: composed from each person's \
      recordings, or labelled by --label-column or --intervals. Composed runs use cleaned running: without windows of \
      2.56 s whose vertical acceleration has an RMS below half the recording's median or below 0.45 g. \
      Recordings of walking that move like running (gait train lists them as suspect) are no stops. The report has the \
      figures of the recordings as labelled as well.
      """)

  @Argument(
    help: ArgumentHelp(
      "One or more model files or built-in models (running, running-linear, running-pocket, running-wrist), then one "
        + "or more folders of recordings, or a collection's JSON file.", valueName: "model> ... <folder"),
    completion: .file())
  var paths: [String]

  @OptionGroup var collected: CollectionOptions

  @OptionGroup var format: FolderOptions

  @OptionGroup var selection: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "The folder that the models were trained on, with the same layout, to compare row by row; without it the model "
        + "card identifies training recordings.",
      valueName: "folder"), completion: .directory)
  var trainedOn: String?

  @Flag(help: "Refuses recordings that a model was trained on, instead of warning.")
  var strict = false

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Skips and counts recordings whose label is unknown to a model; without it such a label is an error.")
  var ignoreUnknownLabels = false

  @Option(
    help: ArgumentHelp(
      "A collection of movements that the model does not know, such as datasets/other-movements.json, for a model "
        + "that rejects windows: they count as \"other\".",
      valueName: "collection"), completion: .file(extensions: ["json"]))
  var unknown: String?

  @Option(
    help: ArgumentHelp(
      "Adds knocks to the recordings of these labels, such as walking,still: impacts and stumbles at random moments, "
        + "as those of gait train --knock.", valueName: "labels"))
  var knock: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With several models: the number of random permutations for the p-value, 100 to 1000000 (default: "
        + "\(ModelComparison.defaultDraws)); if there are no more in all, every one is used.", valueName: "number"))
  var draws: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With several models: the seed of the permutations (default: 1).", valueName: "number"))
  var seed: UInt64?

  @Flag(help: "Evaluates pause detection in continuous runs instead of single windows.")
  var pauses = false

  @OptionGroup(title: "Pauses") var pauseOptions: PauseOptions

  @Option(
    help: ArgumentHelp(
      "A page with the figures, the worst people and recordings, and the moments that fail; of several models side by "
        + "side, and with --pauses of the pauses.",
      valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @OptionGroup var results: ResultOptions

  /// The models: the first path, and those after it up to the recordings.
  private var models: [ModelArgument] {
    let others = paths.dropFirst().dropLast().prefix(while: ModelArgument.isBeforeData)
    return (paths.prefix(1) + others).map { ModelArgument(argument: $0) }
  }

  /// The recordings, which follow the models.
  var data: DatasetOptions {
    var data = DatasetOptions()
    data.folders = Array(paths.dropFirst(models.count))
    (data.collected, data.format, data.selection) = (collected, format, selection)
    return data
  }

  func validate() throws {
    try require(paths.count > 1, "name a model, then the folder of recordings or a collection.")
    try data.validate()
    try require("--draws", draws, within: 100...1_000_000)
    try require(
      models.count > 1 || draws == nil && seed == nil,
      "--draws and --seed are for several models; name another, or omit them.")
    try require(models.count == 1 || !pauses, "--pauses takes one model; name one.")
    try require(unknown == nil || !pauses, "--unknown does not go with --pauses; omit one of them.")
    try require(knock == nil || !pauses, "--knock does not go with --pauses; omit one of them.")
  }

  func run() throws {
    let page = report.map { OutputFile($0, .document) }
    let (arguments, data) = (models, data)
    try OutputFile.check(
      [page], inputs: arguments.flatMap(\.inputs) + data.inputs + [trainedOn, unknown].compactMap { $0 })
    let choices = try arguments.map { try ModelChoice($0) }
    if pauses {
      return try EvaluatePauses(options: pauseOptions, data: data, evaluate: self).run(choices[0], page)
    }
    var dataset = try data.dataset()
    let channels = dataset.channels
    let models = choices.map { $0.model(for: channels) }
    let names = choices.map { $0.name(for: channels) }
    for note in Set(choices.flatMap { $0.notes(for: channels) }).sorted() { Terminal.warn("\(dataset.name): \(note)") }
    var ignored: [String: Int] = [:]
    if let unknown {
      let movements = try collected.recordings(in: unknown).dataset
      dataset = dataset.adding(unknown: movements)
    }
    if ignoreUnknownLabels { (dataset, ignored) = try dataset.leavingOut(labelsUnknownTo: models) }
    let leaks = try models.map { try self.leaks(into: $0, from: dataset) }
    if strict { for (name, leaks) in zip(names, leaks) { try leaks.refuse(model: name) } }
    if let knock {
      let labels = knock.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      dataset = try dataset.knocked(labels: labels, seed: Self.knockSeed)
    }
    let windows = try models.map { try $0.scored(on: dataset, allowsSlowSource: slow.allowSlowSource) }
    for (name, leaks) in zip(names, leaks) { leaks.warn(model: name) }
    let windowless = try models.map {
      try $0.windowlessRecordings(in: dataset, allowsSlowSource: slow.allowSlowSource).warnings
    }
    let warnings = Array(Set(windowless.joined())).sorted()
    Terminal.warn(all: warnings)
    let shown = names.map { URL(filePath: $0).lastPathComponent }
    let facts = warnings + zip(shown, leaks).compactMap { $1.fact(model: $0) }
    let title = "\(shown.joined(separator: ", ")) on \(dataset.name)"
    var content: EvaluationPage
    let (json, texts): (JSONObject, [String])
    if models.count > 1 {
      var comparison = try ModelComparison(
        zip(names, windows).map { (name: $0, windows: $1) }, draws: draws ?? ModelComparison.defaultDraws,
        seed: seed ?? 1)
      comparison.noun = dataset.grouping.noun
      content = EvaluationPage(title: title, facts: facts, comparison: comparison, windows: windows, of: dataset)
      let entries = zip(comparison.entries, leaks).map { entry, leaks in
        JSONObject(["name": entry.name, "report": entry.report, "probabilities": entry.probabilities, "leaks": leaks])
      }
      json = JSONObject([
        "models": entries, "groups": comparison.groupCount, "differences": comparison.differences,
        "ignoredRecordings": ignored, "warnings": warnings,
      ])
      texts = ["\(comparison)"]
    } else {
      let (windows, report, rejected) = (windows[0], try windows[0].report(), RejectedShares(windows[0]))
      content = try EvaluationPage(title: title, facts: facts, windows: windows, by: models[0], of: dataset)
      json = JSONObject(
        [
          "ignoredRecordings": ignored, "leaks": leaks[0], "warnings": warnings, "intervals": ScoreIntervals(windows),
          "rejection": rejected,
        ], and: [JSONObject.validation(windows, report)])
      let lines = [
        windows.known.count > 0 ? ProbabilityReport(windows).lines : [], rejected?.lines ?? [],
        ScoreIntervals.lines(windows, noun: dataset.grouping.noun),
      ]
      texts = ["\(report)"] + lines.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }
    content.origin = data.origin(by: names)
    try page?.write(content.html.utf8)
    try results.print(
      json: json, text: (texts + [Self.skipped(ignored)].compactMap(\.self)).joined(separator: "\n\n"))
  }

  /// The line about skipped recordings; `nil` if none was skipped.
  private static func skipped(_ recordings: [String: Int]) -> String? {
    let counts = recordings.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return counts.isEmpty ? nil : "skipped, unknown label: \(counts)"
  }

  /// The seed of the knocks, which is not the default one of the training.
  private static let knockSeed: UInt64 = 1

  /// The recordings that the model was trained on, by its card and by the folder of `--trained-on`.
  func leaks(into model: ActivityModel, from dataset: LabeledDataset) throws -> [Leak] {
    guard let trainedOn else { return dataset.leaks(into: model) }
    let training = try LabeledDataset(
      folders: format.folders([trainedOn], selection), intervals: selection.intervals)
    let found = dataset.leaks(from: training)
    return found + dataset.leaks(into: model).filter { leak in !found.contains { $0.path == leak.path } }
  }
}

extension LabeledDataset {
  /// The channels that all recordings have.
  var channels: Set<Channel> {
    recordings.reduce(Set(Channel.allCases)) { $0.intersection($1.recording.channels) }
  }

  /// The recordings whose label every model knows, and the number of skipped recordings for each other label.
  func leavingOut(labelsUnknownTo models: [ActivityModel]) throws -> (LabeledDataset, [String: Int]) {
    let labels = models.dropFirst().reduce(Set(models[0].assignedLabels)) { $0.intersection($1.assignedLabels) }
    let rest = keeping(labels: labels)
    guard !rest.recordings.isEmpty else {
      throw CommandDataError(
        file: name,
        reason: "no recording has a label that the model knows (\(labels.sorted().joined(separator: ", "))); "
          + "rename the labels with --map")
    }
    let unknown = recordings.map(\.label).filter { !labels.contains($0) }
    return (rest, unknown.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }
}

extension [Leak] {
  /// The sentence about recordings that a model was trained on; `nil` if there are none.
  func fact(model: String) -> String? {
    isEmpty ? nil : "\(model) was trained on at least \(count) of these recordings: its scores are too high."
  }

  /// Warns of recordings that a model was trained on.
  func warn(model: String) {
    guard let fact = fact(model: model) else { return }
    Terminal.warn(
      "\(fact.dropLast()) (\(names)); a model's card does not show altered copies, gait evaluate --trained-on does")
  }

  /// Refuses recordings that a model was trained on.
  func refuse(model: String) throws {
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
    let name = choice.name(for: dataset.channels)
    choice.tell(dataset.name, channels: dataset.channels, policy: options.policy)
    let leaks = try evaluate.leaks(into: model, from: dataset)
    if evaluate.strict { try leaks.refuse(model: name) }
    leaks.warn(model: name)
    let result = data.selection.hasLabelSource ? try labelled(model, dataset) : try composed(model, dataset)
    if let page {
      let shown = URL(filePath: name).lastPathComponent
      var pauses = PausesPage(
        title: "Auto-pause of \(shown) on \(dataset.name)", facts: [leaks.fact(model: shown)].compactMap(\.self),
        result, noun: dataset.grouping.noun)
      pauses.origin = data.origin(by: [name])
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
}
