import Gait
import GaitTraining

/// The sections of a page about scored windows: labels, groups and probabilities.
struct ScoreSections {
  let report: ClassificationReport
  let windows: ScoredWindows
  /// What the windows are of, such as "held-out people".
  let noun: String
  /// What a group is, such as "subject".
  let groupNoun: String
  /// The windows before calibration; `nil` without calibration.
  var uncalibrated: ScoredWindows?
  /// The dataset that the windows' sources refer to; `nil` if unknown.
  var dataset: LabeledDataset?
  /// The length of a window, seconds.
  let windowSeconds: Double

  var sections: [Page.Section] {
    [labelSection]
      + FailureSections(
        report: report, windows: windows, groupNoun: groupNoun, dataset: dataset, windowSeconds: windowSeconds
      ).sections
      + [dataset.flatMap { DataSections(dataset: $0).errors(of: windows) }, probabilitySection].compactMap(\.self)
  }

  private var labelSection: Page.Section {
    let groups = report.groups.prefix(Self.groupLimit)
    let note = groups.count < report.groups.count ? "The \(groups.count) worst of \(report.groups.count)." : ""
    let bars = BarChart.errors(
      "share of wrong windows of each group", groups.map { ($0.name, 1 - $0.accuracy, $0.windows) })
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
            "Confusion", ConfusionChart(labels: report.labels, counts: report.confusion).markup,
            note: "Share and number of each true label's windows."),
          .figure("Labels", labels),
          .figure("Wrong windows by \(groupNoun), %, worst first", bars, note: note),
        ])
      ])
  }

  /// The maximum number of groups on the page.
  private static let groupLimit = 40

  private var probabilitySection: Page.Section? {
    guard windows.known.count > 0 else { return nil }
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
    let series = PageStyle.series(of: curves.map(\.label))
    return square(
      "\(vertical.0) over \(horizontal.0)", horizontal, vertical,
      marks: zip(series, curves).map { index, curve in
        .line(thinned(curve.points.map(place).map { Plot.Point(x: $0.0, y: $0.1) }), series: index)
      },
      legend: zip(series, curves).map { Plot.Key(name: name($1), swatch: .series($0)) })
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
    let series = PageStyle.series(of: windows.labels)
    return Self.square(
      "share of windows with the label over its mean probability", ("mean probability", 0...1),
      ("share of windows", 0...1),
      marks: [.reference(.init(x: 0, y: 0), .init(x: 1, y: 1))]
        + zip(series, curves).flatMap { [.line($1, series: $0), .markers($1, series: $0)] },
      legend: zip(series, windows.labels).map { Plot.Key(name: $1, swatch: .series($0, hasMarker: true)) })
  }

  private var reliabilityNote: String {
    let text = "Calibrated probabilities lie on the diagonal. Each marker is a bin of one tenth."
    guard let uncalibrated else { return text }
    let error = ProbabilityReport(uncalibrated).expectedCalibrationError
    return text + " Calibration error before calibration: \(error.fixed(4))."
  }
}
