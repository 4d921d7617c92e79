import ArgumentParser
import Foundation
import Gait
import GaitReports
import GaitTraining

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares models on the same recordings, with confidence intervals.",
    discussion: """
      For example: gait compare running running-pocket datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50

      Name at least two models, then the folder or collection. Every model classifies the same recordings. Each difference from the \
      first model has a 95 % interval over whole groups (subjects if the layout has {subject}, else recordings) and a \
      p-value: that of a permutation test that swaps the two models group by group, or that of the interval if it is \
      larger. A difference is clear if the interval excludes 0 and p is at most 0.05. With fewer than \(ModelComparison.fewestGroups) groups there is neither \
      interval nor p-value. Macro-F1 omits labels without windows.
      """)

  @Argument(
    help: ArgumentHelp(
      "The model files, or the built-in models running, running-linear, running-pocket and running-wrist, and then the folder of "
        + "recordings or the collection's JSON file.",
      valueName: "model> <model> ... <folder"), completion: .file())
  var paths: [String]

  @OptionGroup var collected: CollectionOptions

  @OptionGroup var format: FolderOptions

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Skips and counts recordings whose label is unknown to one of the models.")
  var ignoreUnknownLabels = false

  @Flag(help: "Refuses recordings that one of the models was trained on, instead of warning.")
  var strict = false

  @Option(
    parsing: .unconditional,
    help:
      ArgumentHelp(
        "The number of random permutations for the p-value, 100 to 1000000; if there are no more in all, every one is "
          + "used.", valueName: "number")
  )
  var draws = ModelComparison.defaultDraws

  @Option(parsing: .unconditional, help: ArgumentHelp("The seed of the permutations.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "A page with the models side by side, by person, place and set, with intervals.", valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require(paths.count >= 3, "name at least two models, then the folder.")
    try require("--draws", draws, within: 100...1_000_000)
    if isCollection { try CollectionOptions.refuse(format, selection) } else { try format.check(folders: [source]) }
  }

  /// The folder or collection of recordings.
  private var source: String { paths[paths.count - 1] }

  private var isCollection: Bool { CollectionOptions.isCollection(source) }

  func run() throws {
    let names = Array(paths.dropLast())
    let page = report.map { OutputFile($0, .document) }
    let arguments = names.map { ModelArgument(argument: $0) }
    try OutputFile.check(
      [page], inputs: arguments.flatMap(\.inputs) + [source] + [collected.data, selection.intervals].compactMap(\.self))
    let models = try arguments.map { try $0.model() }
    var dataset =
      try isCollection
      ? collected.recordings(in: source, only: selection.only, except: selection.except).dataset
      : selection.dataset(in: format.folders([source], selection))
    var ignored: [String: Int] = [:]
    if ignoreUnknownLabels { (dataset, ignored) = try dataset.leavingOut(labelsUnknownTo: models) }
    let leaks = models.map { dataset.leaks(into: $0) }
    if strict { for (name, leaks) in zip(names, leaks) { try leaks.refuse(model: name) } }
    let scored = try models.map { try $0.scored(on: dataset, allowsSlowSource: slow.allowSlowSource) }
    for (name, leaks) in zip(names, leaks) { leaks.warn(model: name) }
    let comparison = try ModelComparison(
      zip(names, scored).map { (name: $0, windows: $1) }, draws: draws, seed: seed)
    let titles = names.map { URL(filePath: $0).lastPathComponent }
    let warnings = zip(titles, leaks).filter { !$1.isEmpty }.map {
      "\($0) was trained on \($1.count) of these recordings: its scores are too high."
    }
    if let page {
      var content = ComparisonPage(
        title: "\(titles.joined(separator: ", ")) on \(dataset.name)", facts: warnings, comparison, windows: scored,
        of: dataset)
      content.origin = .thisCommand
      try page.write(content.html.utf8)
    }
    let entries = zip(comparison.entries, leaks).map { entry, leaks in
      JSONObject([
        "name": entry.name, "report": entry.report, "probabilities": entry.probabilities, "leaks": leaks,
      ])
    }
    try results.print(
      json: JSONObject([
        "models": entries, "groups": comparison.groupCount, "differences": comparison.differences,
        "ignoredRecordings": ignored,
      ]), text: "\(comparison)")
  }
}

extension LabeledDataset {
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
