import Gait

/// The sections of a page about scored windows: labels, groups and probabilities.
struct ScoreSections {
  let report: ClassificationReport
  let windows: ScoredWindows
  /// What the windows are of, such as "held-out people".
  let noun: String
  /// What a group is, such as "subject".
  let groupNoun: String
  /// The windows before calibration; `nil` without calibration.
  let uncalibrated: ScoredWindows?

  init(
    report: ClassificationReport, windows: ScoredWindows, isOf noun: String, groupNoun: String,
    uncalibrated: ScoredWindows? = nil
  ) {
    self.report = report
    self.windows = windows
    self.noun = noun
    self.groupNoun = groupNoun
    self.uncalibrated = uncalibrated
  }

  var sections: [Page.Section] { [labelSection] + [failureSection, probabilitySection].compactMap { $0 } }

  private var labelSection: Page.Section {
    let groups = report.groups.prefix(Self.groupLimit)
    let note = groups.count < report.groups.count ? "The \(groups.count) worst of \(report.groups.count)." : ""
    let worst = groups.map { 1 - $0.accuracy }.max() ?? 0
    let bars = BarChart(
      title: "share of wrong windows of each group",
      rows: groups.map { group in
        let error = 100 * (1 - group.accuracy)
        let text = "\(error.fixed(error < 10 ? 2 : 1)) % of \(group.windows.grouped)"
        return BarChart.Row(name: group.name, bars: [.init(value: error, text: text)])
      }, scale: LinearScale(0...max(100 * worst, 1)))
    let rest = report.versusRestMacroF1
    let labels = Markup.table(
      titles: ["label", "windows", "recall", "precision", "F1 vs. rest"],
      rows: report.labels.map { label in
        [
          label, (report.support[label] ?? 0).grouped, report.recall[label]?.percent ?? "–",
          report.precision[label]?.percent ?? "–", rest[label]?.percent ?? "–",
        ]
      }, isNumeric: true)
    return Page.Section(
      title: "Labels on \(noun)",
      contents: [
        .grid([
          .figure(
            "Confusion", ConfusionChart(labels: report.labels, counts: report.confusion).svg,
            note: "Share and number of each true label's windows."),
          .figure("Labels", labels),
          .figure("Wrong windows by \(groupNoun), %, worst first", bars.svg, note: note),
        ])
      ])
  }

  /// The maximum number of groups on the page.
  private static let groupLimit = 40

  /// The windows of each group, in their order, for the groups with errors, the worst first.
  private func failures(limit: Int) -> [(group: String, rows: [Int])] {
    let rows = Dictionary(grouping: 0..<windows.count) { windows.groupIndices[$0] }
    return report.groups.prefix(limit).filter { $0.accuracy < 1 }.compactMap { group in
      windows.groups.firstIndex(of: group.name).flatMap { rows[$0] }.map { (group.name, $0) }
    }
  }

  /// Recall by group and label, and the moments that fail; `nil` without errors.
  private var failureSection: Page.Section? {
    let failures = failures(limit: 12)
    guard !failures.isEmpty else { return nil }
    let recalls = failures.map { group, rows in
      [group]
        + windows.labels.indices.map { label in
          let own = rows.filter { windows.truths[$0] == label }
          let right = own.count { windows.prediction(at: $0) == label }
          return own.isEmpty ? "–" : (Double(right) / Double(own.count)).percent
        }
    }
    let longest = failures.prefix(6).map(\.rows.count).max() ?? 1
    let panels = failures.prefix(6).map { group, rows -> Plot.Panel in
      var marks: [Plot.Mark] = []
      var first = 0
      while first < rows.count {
        let truth = windows.truths[rows[first]]
        var end = first + 1
        while end < rows.count, windows.truths[rows[end]] == truth { end += 1 }
        let height = 1 - 0.6 * Double(truth) / Double(windows.labels.count)
        marks.append(
          .band(Double(first)...Double(end), style: "f\(truth % PageStyle.seriesCount) shade", height: height))
        first = end
      }
      for (place, row) in rows.enumerated() {
        let predicted = windows.prediction(at: row)
        guard predicted != windows.truths[row] else { continue }
        let style = "f\(predicted % PageStyle.seriesCount)"
        marks.append(.band(Double(place)...Double(place + 1), style: style, height: 1))
      }
      return Plot.Panel(
        title: group, axis: Axis(title: "", scale: LinearScale(0...1)), height: 30, marks: marks, hasTicks: false)
    }
    let plot = Plot(
      title: "wrong windows of the worst groups",
      axis: Axis(title: "window of the \(groupNoun)", scale: LinearScale(0...Double(max(1, longest)))), panels: panels,
      legend: windows.labels.enumerated().map { Plot.Key(name: $1, swatch: .band("f\($0 % PageStyle.seriesCount)")) },
      zooms: true)
    return Page.Section(
      title: "Where the errors are",
      contents: [
        .grid([
          .figure(
            "Recall by \(groupNoun) and label, worst first",
            .table(titles: [groupNoun] + windows.labels, rows: recalls, isNumeric: true)),
          .figure(
            "The moments that fail", plot.markup,
            note:
              "The true labels are pale; each wrong window has the full height and the colour of the predicted label."),
        ])
      ])
  }

  private var probabilitySection: Page.Section? {
    let curves = windows.labels.indices.compactMap { OperatingCurve(windows, label: $0) }
    guard !curves.isEmpty else { return nil }
    // Good curves are drawn from 90 % on, where 99 % and 99.5 % are apart.
    let isGood = curves.allSatisfy { $0.area > 0.995 }
    let (few, most) = isGood ? (0.0...0.1, 0.9...1.0) : (0.0...1.0, 0.0...1.0)
    let range = isGood ? " The axes show the corner of 10 %." : ""
    return Page.Section(
      title: "Probabilities on \(noun)",
      contents: [
        .grid([
          .figure(
            "ROC",
            Self.chart(of: curves, ("false-alarm rate", few), ("recall", most)) {
              ($0.falseAlarmRate, $0.recall)
            } name: {
              "\($0.label), area \($0.area.fixed(4))"
            },
            note: "False-alarm rate: share of other windows predicted as the label. "
              + "Recall: share of the label's windows predicted as it.\(range)"),
          .figure(
            "Precision and recall",
            Self.chart(of: curves, ("recall", most), ("precision", most)) {
              ($0.recall, $0.precision)
            } name: {
              "\($0.label), average precision \($0.averagePrecision.fixed(4))"
            }, note: "Precision: share of the windows predicted as the label that is correct.\(range)"),
          .figure("Reliability", reliabilityChart, note: reliabilityNote),
        ])
      ])
  }

  private static func chart(
    of curves: [OperatingCurve], _ horizontal: (String, ClosedRange<Double>), _ vertical: (String, ClosedRange<Double>),
    _ place: (OperatingCurve.Point) -> (Double, Double), name: (OperatingCurve) -> String
  ) -> Markup {
    square(
      "\(vertical.0) over \(horizontal.0)", horizontal, vertical,
      marks: curves.enumerated().map { index, curve in
        .line(thinned(curve.points.map(place).map { Plot.Point(x: $0.0, y: $0.1) }), series: index)
      },
      legend: curves.enumerated().map { Plot.Key(name: name($1), swatch: .series($0)) })
  }

  /// A plot of one share over another.
  private static func square(
    _ title: String, _ horizontal: (String, ClosedRange<Double>), _ vertical: (String, ClosedRange<Double>),
    marks: [Plot.Mark], legend: [Plot.Key]
  ) -> Markup {
    Plot(
      title: title, axis: Axis(title: horizontal.0, scale: LinearScale(horizontal.1)),
      panels: [
        Plot.Panel(title: vertical.0, axis: Axis(title: "", scale: LinearScale(vertical.1)), height: 230, marks: marks)
      ],
      legend: legend
    ).markup
  }

  /// The points without those within a third of a drawing unit of the previous one.
  private static func thinned(_ points: [Plot.Point]) -> [Plot.Point] {
    var kept: [Plot.Point] = []
    for point in points {
      if let last = kept.last, (point.x - last.x).magnitude + (point.y - last.y).magnitude < 0.003 { continue }
      kept.append(point)
    }
    if let last = points.last, kept.last != last { kept.append(last) }
    return kept
  }

  private var reliabilityChart: Markup {
    let curves = ProbabilityReport(windows).reliability.map {
      $0.map { Plot.Point(x: $0.meanProbability, y: $0.observedShare) }
    }
    return Self.square(
      "share of windows with the label over its mean probability", ("mean probability", 0...1),
      ("share of windows", 0...1),
      marks: [.reference(.init(x: 0, y: 0), .init(x: 1, y: 1))]
        + curves.enumerated().flatMap { [.line($1, series: $0), .markers($1, series: $0)] },
      legend: windows.labels.enumerated().map { Plot.Key(name: $1, swatch: .series($0, hasMarker: true)) })
  }

  private var reliabilityNote: String {
    let text = "Calibrated probabilities lie on the diagonal. Each marker is a bin of one tenth."
    guard let uncalibrated else { return text }
    let error = ProbabilityReport(uncalibrated).expectedCalibrationError
    return text + " Calibration error before calibration: \(error.fixed(4))."
  }
}

/// The page of an evaluation: a model on labelled recordings.
public struct EvaluationPage: Sendable {
  let title: String
  let facts: [String]
  let report: ClassificationReport
  let windows: ScoredWindows
  let groupNoun: String

  /// The page of scored windows.
  ///
  /// - Parameters:
  ///   - title: the page's heading.
  ///   - facts: sentences below the heading, such as warnings.
  ///   - windows: the windows with their labels and probabilities.
  ///   - dataset: the dataset that was scored.
  /// - Throws: `EvaluationError` if there are no windows.
  public init(title: String, facts: [String], windows: ScoredWindows, of dataset: LabeledDataset) throws {
    self.title = title
    self.facts = facts
    self.windows = windows
    report = try windows.report()
    groupNoun = dataset.grouping.noun
  }

  /// The page as HTML.
  public var html: String {
    let probabilities = ProbabilityReport(windows)
    let tiles = [
      ("Accuracy", report.accuracy.percent, "\(report.windows.grouped) windows"),
      ("Balanced accuracy", report.balancedAccuracy.percent, "macro-F1 \(report.macroF1.percent)"),
      ("Worst \(groupNoun)", report.worstGroup.accuracy.percent, report.worstGroup.name),
      (
        "Log-loss", probabilities.logLoss.fixed(4),
        "calibration error \(probabilities.expectedCalibrationError.fixed(4))"
      ),
    ]
    return Page(
      title: title, summary: [.tiles(tiles)] + facts.map(Markup.paragraph),
      sections: ScoreSections(report: report, windows: windows, isOf: "these recordings", groupNoun: groupNoun).sections
    ).html
  }
}
