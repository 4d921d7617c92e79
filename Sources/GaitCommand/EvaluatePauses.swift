import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

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
