import Gait
import GaitFormats
import GaitTraining

/// The sections of a page about errors: the people and recordings with the lowest recall, and the moments that fail.
struct FailureSections {
  let report: ClassificationReport
  let windows: ScoredWindows
  let groupNoun: String
  /// The dataset that the windows' sources refer to; `nil` if unknown.
  let dataset: LabeledDataset?
  /// The length of a window, seconds.
  let windowSeconds: Double
  /// What made the page, for the commands that draw recordings.
  var origin = PageOrigin()

  /// The maximum number of moments, and of rows of the table of recordings.
  private static let (limit, recordingLimit) = (12, 200)

  var sections: [Page.Section] {
    guard report.accuracy < 1 else { return [] }
    let figures = [groupFigure, recordingFigure, strips].compactMap(\.self)
    return [Page.Section(title: "Where the errors are", grid: figures)]
      + [momentSection].compactMap(\.self)
  }

  // MARK: - Tables

  /// The windows of each group, in their order, for the groups with errors, the worst first.
  private func failures(limit: Int = .max) -> [(group: String, rows: [Int])] {
    let rows = Dictionary(grouping: 0..<windows.count) { windows.groupIndices[$0] }
    return report.groups.prefix(limit).filter { $0.accuracy < 1 }.compactMap { group in
      windows.groups.firstIndex(of: group.name).flatMap { rows[$0] }.map { (group.name, $0) }
    }
  }

  private func isWrong(_ row: Int) -> Bool { windows.prediction(at: row) != windows.truths[row] }

  private var groupFigure: Markup {
    let labels = windows.assignedLabels
    let recalls = failures().flatMap { group, rows in
      labels.indices.compactMap { label -> (group: String, label: String, recall: Double)? in
        let own = rows.filter { windows.truths[$0] == label }
        return own.contains(where: isWrong)
          ? (group, labels[label], Double(own.count { !isWrong($0) }) / Double(own.count)) : nil
      }
    }.sorted { ($0.recall, $0.group, $0.label) < ($1.recall, $1.group, $1.label) }
    return .figure(
      "Recall by \(groupNoun) and label, worst first",
      .table(titles: [groupNoun, "label", "recall"], rows: recalls.map { [$0.group, $0.label, $0.recall.percent] }))
  }

  /// The recordings with the lowest recall; `nil` if the recordings are the groups or unknown.
  private var recordingFigure: Markup? {
    guard let dataset, !windows.sources.isEmpty, groupNoun != "recording" else { return nil }
    let rows = Dictionary(grouping: 0..<windows.count) { windows.sources[$0].recording }
    let failing = rows.map { recording, rows in
      (recording, rows, Double(rows.count { !isWrong($0) }) / Double(rows.count))
    }.filter { $0.2 < 1 }.sorted { ($0.2, $0.0) < ($1.2, $1.0) }
    let cells = failing.prefix(Self.recordingLimit).map { recording, rows, recall in
      let wrong = Dictionary(grouping: rows.filter(isWrong), by: windows.prediction).mapValues(\.count)
      let most = wrong.min { ($1.value, $0.key) < ($0.value, $1.key) }!.key
      return [
        dataset.recordings[recording].path, dataset.recordings[recording].label, recall.percent, rows.count.grouped,
        windows.assignedLabels[most],
      ]
    }
    return .figure(
      "Recordings with the lowest recall",
      .table(titles: ["recording", "label", "recall", "of", "mostly as"], rows: cells),
      note: failing.count > cells.count
        ? "The \(cells.count) worst of \(failing.count) with errors."
        : "Recall is the share of a recording's windows that is correct; the last column has its most frequent wrong label."
    )
  }

  // MARK: - Plots

  private var series: [Int] { PageStyle.series(of: windows.assignedLabels) }

  private func style(_ label: Int) -> String { "f\(series[label] % PageStyle.seriesCount)" }

  private var legend: [Plot.Key] {
    windows.assignedLabels.enumerated().map { Plot.Key(name: $1, swatch: .band(style($0))) }
  }

  /// All windows of the worst groups, one strip for each.
  private var strips: Markup {
    let failures = failures(limit: 6)
    let longest = failures.map(\.rows.count).max() ?? 1
    let panels = failures.map { group, rows -> Plot.Panel in
      var marks: [Plot.Mark] = []
      var first = 0
      while first < rows.count {
        let truth = windows.truths[rows[first]]
        var end = first + 1
        while end < rows.count, windows.truths[rows[end]] == truth { end += 1 }
        let height = 1 - 0.6 * Double(truth) / Double(windows.assignedLabels.count)
        marks.append(.band(Double(first)...Double(end), style: "\(style(truth)) shade", height: height))
        first = end
      }
      marks += rows.enumerated().filter { isWrong($1) }.map { place, row in
        .band(Double(place)...Double(place + 1), style: style(windows.prediction(at: row)))
      }
      return Plot.Panel(
        title: group, axis: Axis(title: "", scale: LinearScale(0...1)), height: 30, marks: marks, hasTicks: false)
    }
    let texts = failures.map { group, rows in "\(group) \(rows.count(where: isWrong)) of \(rows.count)" }
    let plot = Plot(
      title: "wrong windows of the worst \(groupNoun)s", description: texts.joined(separator: "; "),
      axis: Axis(title: "window of the \(groupNoun)", scale: LinearScale(0...Double(max(1, longest)), isWhole: true)),
      panels: panels,
      legend: legend, zooms: true)
    return .figure(
      "Wrong windows of the worst \(groupNoun)s", plot.markup,
      note: "The true labels are pale; each wrong window has the full height and the colour of the predicted label.")
  }

  /// Successive wrong windows of one recording with the same prediction.
  private struct Moment {
    var recording: Int
    var rows: [Int]
  }

  private var moments: [Moment] {
    guard !windows.sources.isEmpty else { return [] }
    let order = (0..<windows.count).sorted {
      (windows.sources[$0].recording, windows.sources[$0].start)
        < (windows.sources[$1].recording, windows.sources[$1].start)
    }
    var moments: [Moment] = []
    var previous: Int?
    for row in order where isWrong(row) {
      defer { previous = row }
      let source = windows.sources[row]
      if let previous, windows.sources[previous].recording == source.recording,
        source.start - windows.sources[previous].start < windowSeconds,
        windows.prediction(at: previous) == windows.prediction(at: row)
      {
        moments[moments.count - 1].rows.append(row)
      } else {
        moments.append(Moment(recording: source.recording, rows: [row]))
      }
    }
    return moments
  }

  /// The longest moments, at most two of a recording, each with its signal; `nil` if the dataset is unknown.
  private var momentSection: Page.Section? {
    guard let dataset else { return nil }
    let all = moments
    var shown: [Moment] = []
    for moment in all.sorted(by: { ($1.rows.count, $0.rows[0]) < ($0.rows.count, $1.rows[0]) })
    where shown.count < Self.limit && shown.count(where: { $0.recording == moment.recording }) < 2 {
      if dataset.recordings[moment.recording].recording.channels.isSuperset(of: Sensor.userAcceleration.channels) {
        shown.append(moment)
      }
    }
    guard !shown.isEmpty else { return nil }
    let signals = shown.map { signal($0, dataset.recordings[$0.recording].recording) }
    let most = signals.compactMap { $0.range(SignalEnvelope.magnitudeLane)?.upperBound }.max() ?? 1
    let figures = zip(shown, signals).map { moment, signal in
      let labeled = dataset.recordings[moment.recording]
      let predicted = windows.prediction(at: moment.rows[0])
      let (start, end) = span(moment)
      // All moments share one scale. A signal below a fifth of the largest, such as that of standing still, has its own
      // scale, because it would look empty on the shared one.
      let own = signal.range(SignalEnvelope.magnitudeLane)?.upperBound ?? 0
      let top = own < 0.2 * most ? max(own * 1.05, 0.02) : max(most, 0.1)
      let plot = Plot(
        magnitudeOf: labeled.path, signal, upTo: top, series: series[windows.truths[moment.rows[0]]],
        behind: [.band(start...end, style: "\(style(predicted)) shade")])
      return Markup.figure(
        labeled.path, plot.markup,
        note: "\(labeled.label), predicted as \(windows.assignedLabels[predicted])\(share(of: moment, predicted)) from "
          + "\(start.fixed(1)) to \(end.fixed(1)) s.",
        command: origin.plotCommand(labeled.recording.name, from: max(0, start - 4), to: end + 4))
    }
    return Page.Section(
      title: "Moments that fail",
      contents: [
        .paragraph(
          (shown.count < all.count ? "The longest of \(all.count.grouped), at most two of a recording. " : "")
            + "The shaded stretch has the predicted label's colour, the curve the true label's; percentages are the mean "
            + "probability of the predicted label. \(PageOrigin.advice)"
        ),
        .grid(figures),
      ])
  }

  /// The mean probability of the predicted label in parentheses; empty for rejected windows.
  private func share(of moment: Moment, _ predicted: Int) -> String {
    guard predicted < windows.labels.count else { return "" }
    let sum = moment.rows.reduce(0) { $0 + Double(windows.probabilities.values[$1 * windows.labels.count + predicted]) }
    return " (\((100 * sum / Double(moment.rows.count)).fixed(0)) %)"
  }

  /// The stretch of a moment's windows, seconds from the recording's start.
  private func span(_ moment: Moment) -> (start: Double, end: Double) {
    (windows.sources[moment.rows[0]].start, windows.sources[moment.rows[moment.rows.count - 1]].start + windowSeconds)
  }

  /// The signal around a moment, at most a minute of it.
  private func signal(_ moment: Moment, _ recording: Recording) -> SignalEnvelope {
    let (start, end) = span(moment)
    let first = max(0, start - 4)
    let last = min(max(recording.duration, first + 1), end + 4, first + 60)
    return SignalEnvelope(recording, in: first...last, limit: 300)
  }
}
