import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what a recording or a model holds.",
    discussion: """
      Of a recording: rows, channels, gaps (stretches with missing values), a stale first row; and, given --rate, its \
      duration and the wearer's step frequency. Of a model: its contract, its weights or size, and its card.

      JSON of a recording: {"file", "rows", "channels", "staleFirstRow", "repairs", "gaps": [{"firstRow", "rows", "start", \
      "end"}], "sampleRate", "duration", "stepFrequency"}, rows counted from 1 and the last three only with --rate. Of a \
      model: the model file.
      """)

  @Argument(help: "The recording or model file.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many rows a recording has in a second.", valueName: "hertz"),
    transform: SampleRate.parse)
  var rate: SampleRate?

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let url = URL(filePath: file)
    if beginsLikeModel(url) {
      let model = try ActivityModel(contentsOf: url)
      if json {
        try Terminal.write(model.json())
      } else {
        try Terminal.print(ModelText(model).lines.joined(separator: "\n"))
      }
    } else {
      let summary = RecordingSummary(try RecordingTable(contentsOf: url), rate: rate)
      if json { try Terminal.print(json: summary) } else { try Terminal.print(summary.lines.joined(separator: "\n")) }
    }
  }
}

/// What there is to say of a recording, as `--json` prints it.
private struct RecordingSummary: Encodable {
  var file: String
  var rows: Int
  var channels: [String]
  var staleFirstRow: Bool
  var repairs: [String]
  /// Stretches of rows with missing values: in seconds where the rate is known.
  var gaps: [Gap]
  var sampleRate: Double?
  var duration: Double?
  /// Steps a second; absent where nobody walks or runs, or the rate is not known.
  var stepFrequency: Double?

  struct Gap: Encodable {
    /// Counted from 1, the stale first row left out.
    var firstRow: Int
    var rows: Int
    var start: Double?
    var end: Double?
  }

  init(_ table: RecordingTable, rate: SampleRate?) {
    file = table.name
    rows = table.count
    channels = Channel.allCases.filter(table.channels.contains).map(\.rawValue)
    staleFirstRow = table.repairs.contains(.droppedStaleFirstRow)
    repairs = table.repairs.map(\.description)
    gaps = table.missingRows.map { range in
      Gap(
        firstRow: range.lowerBound + 1, rows: range.count, start: rate.map { Double(range.lowerBound) / $0.hertz },
        end: rate.map { Double(range.upperBound) / $0.hertz })
    }
    guard let rate else { return }
    let recording = table.recording(sampleRate: rate)
    sampleRate = rate.hertz
    duration = recording.duration
    stepFrequency = recording.stepFrequency()
  }

  var lines: [String] {
    let absent = Channel.allCases.map(\.rawValue).filter { !channels.contains($0) }
    var lines = [
      file,
      "  rows       \(rows)",
      "  rate       \(sampleRate.map { "\(number($0)) Hz (as given)" } ?? "not in the file; give it with --rate")",
    ]
    if let duration { lines.append("  duration   \(fixed(duration, 2)) s") }
    lines.append(
      "  channels   \(channels.count) of 12" + (absent.isEmpty ? "" : ", without \(absent.joined(separator: ", "))"))
    lines.append("  first row  " + (staleFirstRow ? "stale: it belongs to an earlier recording, dropped" : "in order"))
    lines.append("  gaps       " + (gaps.isEmpty ? "none" : gaps.prefix(10).map(text).joined(separator: ", ")))
    if gaps.count > 10 { lines.append("             and \(gaps.count - 10) more") }
    if let stepFrequency {
      lines.append(
        "  steps      \(fixed(stepFrequency, 2)) a second (\(fixed(stepFrequency * 60, 0)) steps/min)")
    } else if let duration, duration < Recording.shortestStepCount {
      lines.append("  steps      not counted in less than \(number(Recording.shortestStepCount)) s")
    } else if sampleRate != nil {
      lines.append("  steps      none: nobody walks or runs")
    }
    return lines
  }

  private func text(_ gap: Gap) -> String {
    if let start = gap.start, let end = gap.end { return "\(fixed(start, 2))–\(fixed(end, 2)) s" }
    return gap.rows == 1 ? "row \(gap.firstRow)" : "rows \(gap.firstRow)–\(gap.firstRow + gap.rows - 1)"
  }
}

/// What there is to say of a model, as text.
private struct ModelText {
  let model: ActivityModel

  init(_ model: ActivityModel) {
    self.model = model
  }

  var lines: [String] {
    let head = model.activityHead
    let window = head.window
    var lines = [
      "model, format version \(ActivityModel.formatVersion)",
      "  rate       \(number(model.sampleRate.hertz)) Hz; other rates are resampled to it"
        + (model.slowestSource.map { ", the slowest source is \(number($0.hertz)) Hz" } ?? ""),
      "  window     \(number(window.seconds)) s (\(window.sampleCount(at: model.sampleRate)) samples), "
        + "hop \(number(window.hopSeconds)) s",
      pauseLine,
      "  labels     \(head.labels.joined(separator: ", "))",
      "  classifier \(classifierText(head.classifier))",
      "  needs      \(Channel.allCases.filter(model.neededChannels.contains).map(\.rawValue).joined(separator: ", "))",
      "",
    ]
    lines += table([["feature", "unit"] + weightHeaders(head)] + featureRows(head)).map { "  \($0)" }
    return lines + cardLines
  }

  private var pauseLine: String {
    let window = model.pauseHead.window
    let tuned = model.pauses == nil ? "defaults" : "tuned"
    return "  pauses     decided over \(number(window.seconds)) s every \(number(window.hopSeconds)) s, \(tuned)"
  }

  private func classifierText(_ classifier: Classifier) -> String {
    switch classifier {
    case .logistic: "logistic regression"
    case .decisionTree(let tree): "decision tree of depth \(tree.depth) with \(tree.leafCount) leaves"
    }
  }

  /// Over each column of weights, the label that it speaks for.
  private func weightHeaders(_ head: ActivityModel.Head) -> [String] {
    guard case .logistic(let logistic) = head.classifier else { return [] }
    return logistic.outputCount == 1 ? [head.labels[1]] : head.labels
  }

  private func featureRows(_ head: ActivityModel.Head) -> [[String]] {
    head.features.enumerated().map { index, feature in
      var row = ["\(feature)", feature.unit]
      if case .logistic(let logistic) = head.classifier {
        row += (0..<logistic.outputCount).map {
          fixed(Double(logistic.weights[$0 * logistic.featureCount + index]), 3)
        }
      }
      return row
    }
  }

  private var cardLines: [String] {
    guard let card = model.card else { return ["", "  no card: nobody wrote down what it was trained on"] }
    let training = card.training
    let windows = training.windows.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    var lines = [
      "",
      "  trained on \(training.source): \(training.recordings) recordings of \(training.groups) groups at "
        + "\(training.sampleRates.map(number).joined(separator: ", ")) Hz",
      "  windows    \(windows)",
      "  method     \(training.method)",
    ]
    if let score = card.validation {
      lines.append(
        "  held out   \(score.method): accuracy \(percent(score.accuracy)), macro-F1 \(percent(score.macroF1)), "
          + "worst group \(score.worstGroup) \(percent(score.worstGroupAccuracy))")
    }
    return lines
  }

  private func percent(_ ratio: Double) -> String {
    ClassificationReport.percent(ratio).trimmingCharacters(in: .whitespaces)
  }
}
