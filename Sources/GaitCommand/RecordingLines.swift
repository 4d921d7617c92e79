import Foundation
import Gait
import GaitReports
import GaitTraining

/// The description of a recording as text.
struct RecordingLines {
  let inspection: RecordingInspection

  var lines: [String] {
    let absent = Channel.allCases.map(\.rawValue).filter { !inspection.channels.contains($0) }
    var lines = [inspection.file.visible(), "  format     \(inspection.format)", "  rows       \(inspection.rows)"]
    lines += timeLines
    lines.append(
      "  channels   \(inspection.channels.count) of 12"
        + (absent.isEmpty ? "" : ", without \(absent.joined(separator: ", "))"))
    lines.append("  gravity    \(gravitySource)")
    lines += Self.list("missing", inspection.missing.map(text))
    lines += Self.list("gaps", inspection.gaps.map(text))
    lines += Self.list("repairs", inspection.repairs)
    lines += shareLines
    lines += [stepLine].compactMap { $0 } + motionLines
    return lines + [""]
      + ([["channel", "unit", "minimum", "maximum", "missing"]] + valueRows).tableLines.map { "  \($0)" }
  }

  private var gravitySource: String {
    if inspection.gravityIsEstimated { return "estimated from the total acceleration" }
    return inspection.channels.contains(Channel.gravityX.rawValue)
      ? "recorded" : "none: no total acceleration to estimate it from"
  }

  private var timeLines: [String] {
    guard let rate = inspection.sampleRate, let duration = inspection.duration else {
      return ["  rate       unknown; state it with --rate"]
    }
    let source =
      switch inspection.rateSource {
      case "given": "from --rate"
      case "format": "defined by the format"
      default: "estimated from the times"
      }
    let rates =
      inspection.rates?.map { part in
        "\(plain(part.hertz)) Hz" + (part.start > 0 ? " from \(part.start.fixed(2)) s" : "")
      } ?? ["\(plain(rate)) Hz"]
    var line = "  rate       \(rates.joined(separator: ", ")) (\(source))"
    if inspection.rates == nil, let measured = inspection.measuredRate, let jitter = inspection.jitter {
      line += ", measured \(measured.fixed(3)) Hz, jitter \((jitter * 1000).fixed(2)) ms"
    }
    return [line, "  duration   \(duration.fixed(2)) s"]
      + (inspection.start.map { ["  start      \(plain(($0 * 1000).rounded() / 1000 + 0)) s"] } ?? [])
  }

  private var shareLines: [String] {
    [("labels", inspection.labels), ("subjects", inspection.subjects)].flatMap { title, shares in
      shares.map { Self.list(title, $0.map { "\($0.name.isEmpty ? "none" : $0.name) (\($0.rows) rows)" }) } ?? []
    }
  }

  /// |userAcceleration| over the recording.
  private var motionLines: [String] {
    guard let peaks = inspection.accelerationPeaks, let largest = peaks.compactMap({ $0 }).max() else { return [] }
    return [
      "  motion     \(TextStrip.columns(peaks.map { $0 ?? .nan }))",
      "             |user acceleration|, up to \(Double(largest).fixed(2)) g",
    ]
  }

  private var stepLine: String? {
    guard let duration = inspection.duration else { return nil }
    if let frequency = inspection.stepFrequency {
      return "  steps      \((frequency * 60).fixed(0)) steps/min (\(frequency.fixed(2)) Hz)"
    }
    if duration < Recording.shortestStepCount {
      return "  steps      not counted in less than \(plain(Recording.shortestStepCount)) s"
    }
    if let rate = inspection.sampleRate, rate < Recording.slowestStepCount {
      return "  steps      not counted below \(plain(Recording.slowestStepCount)) Hz: quick steps look slow"
    }
    guard inspection.channels.contains(Channel.gravityX.rawValue) else {
      return "  steps      not counted without gravity"
    }
    // Dropped rows are not listed as gaps. Rows are missing if there are fewer than the duration has at the lower of
    // the nominal and the measured rate.
    let rate = inspection.sampleRate.map { min($0, inspection.measuredRate ?? $0) }
    let isWhole = rate.map { Double(inspection.rows) >= 0.999 * duration * $0 - 1 } ?? true
    return isWhole && inspection.gaps.isEmpty && inspection.values.values.allSatisfy { $0.missing == 0 }
      ? "  steps      none: no walking or running" : "  steps      none found; the recording has missing values or gaps"
  }

  private var valueRows: [[String]] {
    inspection.channels.map { name in
      let value = inspection.values[name]!
      let range = [value.minimum, value.maximum].map { $0.map { Double($0).fixed(3) } ?? "–" }
      return [name, value.unit] + range + ["\(value.missing)"]
    }
  }

  private static func list(_ title: String, _ items: [String]) -> [String] {
    let head = "  \(title)" + String(repeating: " ", count: 11 - title.count)
    let more = items.count > 10 ? ["             and \(items.count - 10) more"] : []
    return [head + (items.isEmpty ? "none" : items.prefix(10).joined(separator: ", ").visible())] + more
  }

  private func text(_ gap: RecordingInspection.Gap) -> String {
    "\(gap.start.fixed(2))–\(gap.end.fixed(2)) s"
  }

  private func text(_ stretch: RecordingInspection.MissingStretch) -> String {
    if let start = stretch.start, let end = stretch.end { return "\(start.fixed(2))–\(end.fixed(2)) s" }
    let last = stretch.firstRow + stretch.rows - 1
    return stretch.rows == 1 ? "row \(last)" : "rows \(stretch.firstRow)–\(last)"
  }
}

/// The description of a folder of recordings as text.
struct FolderLines {
  let inspection: FolderInspection

  /// The recordings, their paths, and repairs and other files, in three lines.
  var summary: [String] {
    let count = inspection.recordings.count
    let minutes = inspection.kinds.compactMap(\.seconds).reduce(0, +) / 60
    let formats = Dictionary(grouping: inspection.kinds, by: \.format).sorted { $0.key < $1.key }
    let kinds = formats.map { format, kinds in
      "\(kinds.reduce(0) { $0 + $1.recordings }) \(format) \(Self.rates(kinds.map(\.sampleRate)))"
    }
    return [
      "\(inspection.folder.visible()): \(count.counted("recording"))"
        + (minutes > 0 ? ", \(minutes.fixed(1)) minutes" : "")
        + (kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))"),
      places, rest,
    ].map { $0.visible() }
  }

  /// The rates of recordings of one format; `nil` where unknown.
  private static func rates(_ all: [Double?]) -> String {
    let known = all.compactMap(\.self).sorted()
    guard let low = known.first, let high = known.last else { return "of unknown rate (state it with --rate)" }
    let range = low == high ? plain(low) : "\(low.fixed(1))–\(high.fixed(1))"
    return "at \(range) Hz" + (known.count < all.count ? " or unknown rate" : "")
  }

  /// Where the recordings are, with a layout to try.
  private var places: String {
    guard let file = inspection.recordings.first?.file else {
      return "Names of recordings end in .csv, .txt, .json or .zip."
    }
    func path(_ file: String) -> String {
      file.hasPrefix(inspection.folder + "/") ? String(file.dropFirst(inspection.folder.count + 1)) : file
    }
    let layout = LayoutGuess(inspection.recordings.map { path($0.file) })
      .map { "; for their labels try --layout '\($0.layout)'" }
    return "Their paths are such as \(path(file))\(layout ?? "")."
  }

  /// The findings and the other files, in numbers.
  private var rest: String {
    let concerned = Set(inspection.findings.flatMap(\.files)).count
    var parts = [concerned == 0 ? "No repairs" : "Repairs or missing values in \(concerned.counted("recording"))"]
    for (content, name) in [(FolderInspection.Usable.Content.locations, "GPS points"), (.intervals, "labels")] {
      let count = inspection.usable.count { $0.holds == content }
      if count > 0 { parts.append("\(count.counted("file")) of \(name)") }
    }
    if !inspection.unreadable.isEmpty {
      parts.append("\(inspection.unreadable.count.counted("file")) not readable")
    }
    if inspection.ignoredFiles > 0 { parts.append("\(inspection.ignoredFiles.counted("other file"))") }
    let hasMore = concerned > 0 || !inspection.unreadable.isEmpty
    return parts.joined(separator: ", ") + (hasMore ? "; --files lists them." : ".")
  }

  /// The summary, a table of formats and rates, the findings, and the files that could not be read.
  var all: [String] {
    let rows = inspection.kinds.map { kind in
      [
        kind.format, kind.sampleRate.map { "\(plain($0)) Hz" } ?? "unknown", "\(kind.recordings)", "\(kind.rows)",
        kind.seconds.map { ($0 / 60).fixed(1) } ?? "–",
      ]
    }
    var lines = summary + [""]
    lines += ([["format", "rate", "recordings", "rows", "minutes"]] + rows).tableLines.map { "  \($0)" }
    if !inspection.findings.isEmpty { lines += ["", "  findings"] + inspection.findings.map(text) }
    for (content, name) in [
      (FolderInspection.Usable.Content.locations, "GPS points"), (.intervals, "labelled intervals"),
    ] {
      let files = inspection.usable.filter { $0.holds == content }.map(\.file)
      if !files.isEmpty { lines += ["", "  \(name)"] + files.map { "    \($0)".visible() } }
    }
    if !inspection.unreadable.isEmpty {
      lines += ["", "  unreadable"] + inspection.unreadable.map { "    \($0.reason)".visible() }
    }
    return lines
  }

  private func text(_ finding: FolderInspection.Finding) -> String {
    let files = finding.files.prefix(3).joined(separator: ", ").visible()
    let more = finding.files.count > 3 ? " and \(finding.files.count - 3) more" : ""
    return "    \(finding.what): \(finding.files.count) (\(files)\(more))"
  }
}

/// The description of a model as text.
struct ModelText {
  let model: ActivityModel

  var lines: [String] {
    let head = model.activityHead
    let window = head.window
    var lines = [
      "model, format version \(model.fileVersion)",
      "  rate       \(plain(model.sampleRate.hertz)) Hz; other rates are resampled to it"
        + (model.slowestSource.map { ", the slowest source is \(plain($0.hertz)) Hz" } ?? ""),
      "  window     \(plain(window.seconds)) s (\(window.sampleCount(at: model.sampleRate)) samples), "
        + "hop \(plain(window.hopSeconds)) s",
      pauseLine,
      "  labels     \(head.labels.map(labelText).joined(separator: ", ").visible())",
      "  classifier \(classifierText(head.classifier))",
    ]
    if head.rejection != nil { lines.append("  rejection  windows unlike all training data are labelled other") }
    lines += [
      "  needs      \(Channel.allCases.filter(model.neededChannels.contains).map(\.rawValue).joined(separator: ", "))",
      "",
    ]
    lines += ([["feature", "unit"] + weightHeaders(head)] + featureRows(head)).tableLines.map { "  \($0)" }
    return lines + cardLines
  }

  /// A label, with its activity if the model states it.
  private func labelText(_ label: String) -> String {
    model.meanings[label].map { "\(label) (\($0 == .other ? "moving" : $0.rawValue))" } ?? label
  }

  private var pauseLine: String {
    let window = model.pauseHead.window
    let tuned = model.pauses == nil ? "defaults" : "tuned"
    return "  pauses     decided over \(plain(window.seconds)) s every \(plain(window.hopSeconds)) s, \(tuned)"
  }

  private func classifierText(_ classifier: Classifier) -> String {
    switch classifier {
    case .logistic: "logistic regression"
    case .decisionTree(let tree): "decision tree of depth \(tree.nodes.depth) with \(tree.nodes.leafCount) leaves"
    case .randomForest(let forest):
      "random forest of \(forest.nodes.roots.count) trees with \(forest.nodes.leafCount) leaves in total"
    case .boostedTrees(let trees):
      "\(trees.nodes.roots.count) boosted trees with \(trees.nodes.leafCount) leaves in total"
    }
  }

  /// The label of each column of weights.
  private func weightHeaders(_ head: ActivityModel.Head) -> [String] {
    guard case .logistic(let logistic) = head.classifier else { return [] }
    return logistic.outputCount == 1 ? [head.labels[1]] : head.labels
  }

  private func featureRows(_ head: ActivityModel.Head) -> [[String]] {
    head.features.enumerated().map { index, feature in
      var row = ["\(feature)", feature.unit]
      if case .logistic(let logistic) = head.classifier {
        row += (0..<logistic.outputCount).map {
          Double(logistic.weights[$0 * logistic.featureCount + index]).fixed(3)
        }
      }
      return row
    }
  }

  private var cardLines: [String] {
    guard let card = model.card else { return ["", "  no model card: the training data is unknown"] }
    let training = card.training
    let windows = training.windows.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    var lines = [
      "",
      "  trained on \(training.source.visible()): \(training.recordings) recordings from \(training.groups) groups at "
        + "\(training.sampleRates.map(plain).joined(separator: ", ")) Hz",
      "  windows    \(windows.visible())",
      "  method     \(training.method.visible())",
    ]
    lines += (training.attributions ?? []).map { "  data       \($0.visible())" }
    if let score = card.validation {
      lines.append(
        "  held out   \(score.method.visible()): accuracy \(score.accuracy.percent), macro-F1 "
          + "\(score.macroF1.percent), worst group \(score.worstGroup.visible()) \(score.worstGroupAccuracy.percent)")
    }
    return lines
  }
}

/// The summary of a collection's sets as lines of text.
struct CollectionText {
  let sets: [CollectedRecordings.SetSummary]

  var lines: [String] {
    let labels = Set(sets.flatMap(\.places).flatMap(\.minutes.keys)).sorted()
    let header = ["set", "place", "people", "recordings"] + labels.map { "\($0), min" } + ["Hz", "gyroscope"]
    let rows = sets.flatMap { set in set.places.map { [set.name] + cells($0, labels: labels) } }
    return ([header] + rows).tableLines + sets.flatMap(notes)
  }

  private func cells(_ place: CollectedRecordings.SetSummary.Place, labels: [String]) -> [String] {
    [place.name, "\(place.people)", "\(place.recordings)"] + labels.map { place.minutes[$0]?.fixed(1) ?? "–" }
      + [rates(place.rates), place.withGyroscope == place.recordings ? "all" : "\(place.withGyroscope)"]
  }

  private func rates(_ rates: [Double]) -> String {
    let texts = Set(rates.map { $0.fixed(1) }).sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
    return texts.count > 3 ? "\(texts[0])–\(texts[texts.count - 1])" : texts.joined(separator: ", ")
  }

  private func notes(_ set: CollectedRecordings.SetSummary) -> [String] {
    let facts = [set.licence.map { "licence: \($0)" }, set.attribution.map { "attribution: \($0)" }].compactMap(\.self)
    return ["", set.name] + ((set.leftOut.isEmpty ? ["nothing left out"] : set.leftOut) + facts).map { "  \($0)" }
  }
}
