import ArgumentParser
import Foundation
import Gait
import GaitTraining

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares models on the same recordings, with confidence intervals.",
    discussion: """
      Name two models or more, and then the folder. Every model classifies the same recordings; the differences from the \
      first model come with 95 % intervals over whole groups (subjects, where the layout has {subject}), and with p-values \
      from swapping the two models group by group. A difference is clear if the interval leaves out 0 and p is at most 0.05; \
      with fewer than \(ModelComparison.fewestGroups) groups nothing is said. Scores of labels without windows are left out \
      of macro-F1.

      JSON: {"models": [{"name", "report": {as evaluate}, "probabilities", "leaks"}], "groups", "differences": [{"name", \
      "measure", "value", "groups", "low", "high", "pValue", "betterGroups", "worseGroups", "isClear"}], "ignoredRecordings": {label: count}}
      """)

  @Argument(
    help: ArgumentHelp(
      "The models' files (or running, for the model that comes with Gait), and the folder that holds the recordings.",
      valueName: "model> <model> ... <folder"), completion: .file())
  var paths: [String]

  @OptionGroup var format: FolderOptions

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Leaves out recordings whose label one of the models does not know, and counts them.")
  var ignoreUnknownLabels = false

  @Flag(help: "Refuses recordings that one of the models was trained on, instead of naming them.")
  var strict = false

  @Option(
    parsing: .unconditional,
    help:
      "How often the models are swapped at random for the p-value; where there are no more ways than that, all are taken."
  )
  var draws = ModelComparison.defaultDraws

  @Option(parsing: .unconditional, help: "What the swaps are drawn from.")
  var seed: UInt64 = 1

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func validate() throws {
    guard paths.count >= 3 else { throw ValidationError("name two models or more, and then the folder.") }
    guard (100...1_000_000).contains(draws) else { throw ValidationError("--draws must be within 100…1000000.") }
    try format.check(folderCount: 1)
  }

  func run() throws {
    let names = Array(paths.dropLast())
    let models = try names.map { try ModelArgument(argument: $0).model() }
    var dataset = try selection.dataset(
      in: format.folders([paths[paths.count - 1]], labelColumn: selection.labelColumn))
    var ignored: [String: Int] = [:]
    if ignoreUnknownLabels { (dataset, ignored) = try dataset.leavingOut(labelsUnknownTo: models) }
    let leaks = models.map { dataset.leaks(into: $0) }
    if strict { for (name, leaks) in zip(names, leaks) { try leaks.refuse(model: name) } }
    let progress = Progress("recording", of: dataset.recordings.count * models.count)
    let scored = try models.map {
      try $0.scored(on: dataset, allowsSlowSource: slow.allowSlowSource) { progress.advance() }
    }
    for (name, leaks) in zip(names, leaks) { leaks.warn(model: name) }
    let comparison = try ModelComparison(
      zip(names, scored).map { (name: $0, windows: $1) }, draws: draws, seed: seed)
    if json { return try Terminal.print(json: Result(comparison, leaks: leaks, ignored: ignored)) }
    try Terminal.print("\(comparison)")
  }

  /// What `--json` prints.
  private struct Result: Encodable {
    struct Model: Encodable {
      var name: String
      var report: ClassificationReport
      var probabilities: ProbabilityReport
      var leaks: [Leak]
    }

    var models: [Model]
    var groups: Int
    var differences: [ModelComparison.Difference]
    var ignoredRecordings: [String: Int]

    init(_ comparison: ModelComparison, leaks: [[Leak]], ignored: [String: Int]) {
      models = zip(comparison.entries, leaks).map {
        Model(name: $0.name, report: $0.report, probabilities: $0.probabilities, leaks: $1)
      }
      groups = comparison.groupCount
      differences = comparison.differences
      ignoredRecordings = ignored
    }
  }
}

extension LabeledDataset {
  /// The recordings whose label every model knows, and how many were left out of each other label.
  func leavingOut(labelsUnknownTo models: [ActivityModel]) throws -> (LabeledDataset, [String: Int]) {
    let labels = models.dropFirst().reduce(Set(models[0].activityHead.labels)) {
      $0.intersection($1.activityHead.labels)
    }
    let rest = keeping(labels: labels)
    guard !rest.recordings.isEmpty else {
      throw CommandDataError(
        file: name,
        reason: "no recording has a label that the model knows (\(labels.sorted().joined(separator: ", "))); "
          + "map the labels to these with --map")
    }
    let unknown = recordings.map(\.label).filter { !labels.contains($0) }
    return (rest, unknown.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }
}
