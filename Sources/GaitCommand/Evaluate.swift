import ArgumentParser
import Foundation
import Gait
import GaitTraining

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares a model's answers with the labels of recordings that it was not trained on.",
    discussion: """
      JSON: {"windows", "accuracy", "balancedAccuracy", "macroF1", "labels": [label], "recall": {label: …}, \
      "versusRestMacroF1": {label: …}, "confusion": [[truth × predicted]], \
      "groups": [{"name", "windows", "accuracy"}], "ignoredRecordings": {label: count}}

      With --pauses it composes continuous runs with known stops from the recordings of each person, or takes the stops from \
      --label-column, and says how well the clock followed. Running is cleaned first: windows of 2.56 s whose vertical \
      acceleration has less than half the recording's median RMS, or less than 0.45 g, are left out; figures without that \
      stand beside.

      JSON of --pauses: {"hours", "falsePausesPerHour", "missedPauses", "falseResumesPerPausedHour", \
      "pauseLatency": {"median", "p95"}, "resumeLatency": {"median", "p95"}, "movingTimeErrorPercent", \
      "movingTimeErrorSecondsPerEvent", "changes", "falsePauses", "falseResumes", "missedResumes", "raw": {the same}, \
      "tradeOff": [{"pauseAbove", the same}]}
      """)

  @Argument(help: "The model file.", completion: .file())
  var model: String

  @OptionGroup var data: DatasetOptions

  @OptionGroup var slow: SlowSourceOptions

  @Flag(help: "Leaves out recordings whose label the model does not know, and counts them.")
  var ignoreUnknownLabels = false

  @Flag(help: "Judges pauses in continuous runs instead of single windows.")
  var pauses = false

  @OptionGroup(title: "Pauses") var pauseOptions: PauseOptions

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let model = try ActivityModel(contentsOf: URL(filePath: model))
    if pauses { return try PauseEvaluation(options: pauseOptions, data: data).run(model, json: json) }
    var dataset = try data.dataset()
    var ignored: [String: Int] = [:]
    if ignoreUnknownLabels {
      let known = Set(model.activityHead.labels)
      for recording in dataset.recordings where !known.contains(recording.label) {
        ignored[recording.label, default: 0] += 1
      }
      dataset = dataset.keeping(labels: known)
      guard !dataset.recordings.isEmpty else {
        throw CommandDataError(
          file: data.folder,
          reason:
            "no recording has a label that the model knows (\(model.activityHead.labels.joined(separator: ", "))); "
            + "map the labels to these with --map")
      }
    }
    let progress = Progress("recording", of: dataset.recordings.count)
    let report = try model.evaluated(on: dataset, allowsSlowSource: slow.allowSlowSource) { progress.advance() }
    if json { return try Terminal.print(json: Result(report: report, ignoredRecordings: ignored)) }
    try Terminal.print("\(report)")
    if !ignored.isEmpty {
      let list = ignored.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      try Terminal.print("\nleft out, their label being unknown to the model: \(list)")
    }
  }

  /// What `--json` prints: the report's keys and how many recordings were left out for each unknown label.
  private struct Result: Encodable {
    var report: ClassificationReport
    var ignoredRecordings: [String: Int]

    enum CodingKeys: CodingKey { case ignoredRecordings }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(ignoredRecordings, forKey: .ignoredRecordings)
    }
  }
}
