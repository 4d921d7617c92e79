import Gait
import GaitTraining

/// The parts of every page about scored windows: the conclusion, the tiles, and the sections on labels, groups and
/// probabilities.
struct ScoreSections {
  let report: ClassificationReport
  let windows: ScoredWindows
  /// What the windows are of, such as "held-out people".
  let noun: String
  /// What a group is, such as "subject".
  let groupNoun: String
  /// The intervals of the scores; `nil` with fewer than `ModelComparison.fewestGroups` groups.
  var intervals: ScoreIntervals?
  /// The windows before calibration; `nil` without calibration.
  var uncalibrated: ScoredWindows?
  /// The dataset that the windows' sources refer to; `nil` if unknown.
  var dataset: LabeledDataset?
  /// The length of a window, seconds.
  let windowSeconds: Double
  /// What made the page.
  var origin = PageOrigin()

  /// One sentence on how good the model is, for whom it is worst, and what it confuses most.
  var conclusion: String {
    let cells = report.labels.indices.flatMap { row in report.labels.indices.map { (row, $0) } }.filter { $0 != $1 }
    let most = cells.max { report.confusion[$0.0][$0.1] < report.confusion[$1.0][$1.1] }
    let mistake = most.flatMap { row, column -> String? in
      let count = report.confusion[row][column]
      return count == 0
        ? nil
        : " The most frequent mistake is \(report.labels[row]) predicted as \(report.labels[column]): \(count.grouped) "
          + "of \(report.confusion[row].reduce(0, +).grouped) windows."
    }
    let worst =
      report.areGroupsAlike
      ? "" : ", and \(report.worstGroup.accuracy.percent) for \(groupNoun) \(report.worstGroup.name), the worst"
    return "On \(noun) the model labels \(report.accuracy.percent) of the windows correctly\(worst).\(mistake ?? "")"
  }

  /// The scores, the probabilities if there are windows of known labels, and rejection if the model rejects windows.
  var tiles: [Markup.Tile] {
    // An interval without a length only repeats the score.
    func over95(_ interval: ScoreIntervals.Interval?) -> String {
      interval.map { $0.low < $0.high ? ", 95 %: \($0.description)" : "" } ?? ""
    }
    var tiles = [
      ("Accuracy", report.accuracy.percent, "\(report.windows.grouped) windows\(over95(intervals?.accuracy))"),
      (
        "Balanced accuracy", report.balancedAccuracy.percent,
        "macro-F1 \(report.macroF1.percent)\(over95(intervals?.macroF1))"
      ),
      report.worstTile(groupNoun),
    ]
    if windows.known.count > 0 {
      let probabilities = ProbabilityReport(windows)
      let error = "calibration error \(probabilities.expectedCalibrationError.fixed(4))"
      tiles.append(("Log-loss", probabilities.logLoss.fixed(4), error))
    }
    if let rejected = RejectedShares(windows) {
      let known = "\(rejected.known.rejected.percent) of \(rejected.known.windows.grouped) windows of known labels"
      tiles.append(("Rejected of other", rejected.other?.rejected.percent ?? "–", known))
    }
    return tiles
  }

  var sections: [Page.Section] {
    [labelSection]
      + FailureSections(
        report: report, windows: windows, groupNoun: groupNoun, dataset: dataset, windowSeconds: windowSeconds,
        origin: origin
      ).sections
      + [dataset.flatMap { DataSections(dataset: $0).errors(of: windows) }, probabilitySection].compactMap(\.self)
  }

  private var labelSection: Page.Section {
    let bars = BarChart.errors(
      "share of wrong windows of each \(groupNoun)", report.groups.map { ($0.name, 1 - $0.accuracy, $0.windows) })
    let rest = report.versusRestMacroF1
    let labels = Markup.table(
      titles: ["label", "windows", "recall", "precision", "F1"],
      rows: report.labels.map { label in
        [
          label, (report.support[label] ?? 0).grouped, report.recall[label]?.percent ?? "–",
          report.precision[label]?.percent ?? "–", rest[label]?.percent ?? "–",
        ]
      }, isNumeric: true)
    let isLong = report.labels.count > ConfusionChart.numberLimit
    return Page.Section(
      title: "Labels on \(noun)",
      grid: [
        .figure(
          "Confusion", ConfusionChart(labels: report.labels, counts: report.confusion).markup,
          note: "Share and number of each true label's windows.", isWhole: isLong),
        .figure(
          "Labels", labels, note: "F1 is the mean of the label's F1 and that of all other labels as one.",
          isWhole: isLong),
        .figure("Wrong windows by \(groupNoun), %, worst first", bars),
      ])
  }

  private var probabilitySection: Page.Section? {
    guard windows.known.count > 0 else { return nil }
    let curves = windows.labels.indices.compactMap { OperatingCurve(windows, label: $0) }
    guard !curves.isEmpty else { return nil }
    return Page.Section(
      title: "Probabilities on \(noun)",
      grid: Self.figures(of: curves) + [
        .figure("Reliability", .element("div", [:], [reliabilityChart, reliabilityTable]), note: reliabilityNote)
      ])
  }

  /// The curves of recall over false alarms and of precision over recall. If every label is fully separated, a sentence
  /// replaces them, because the curves would coincide with the edges of the drawing.
  private static func figures(of curves: [OperatingCurve]) -> [Markup] {
    guard curves.contains(where: { $0.area < 1 }) else {
      let text =
        "Not drawn: for every label there is a threshold that separates its windows from all others, so the area is 1."
      return [.figure("ROC, precision and recall", .paragraph(text))]
    }
    // If all areas exceed 0.995, the axes show only the best tenth, in which 99 % and 99.5 % can be told apart.
    let isGood = curves.allSatisfy { $0.area > 0.995 }
    let (few, most) = isGood ? (0.0...0.1, 0.9...1.0) : (0.0...1.0, 0.0...1.0)
    let range = isGood ? " The axes show only the best tenth." : ""
    let alarms = chart(of: curves, from: [Plot.Point(x: 0, y: 0)], ("false-alarm rate", few), ("recall", most)) {
      Plot.Point(x: $0.falseAlarmRate, y: $0.recall)
    } name: {
      "\($0.label), area \($0.area.fixed(4))"
    }
    let precisions = chart(of: curves, ("recall", most), ("precision", most)) {
      Plot.Point(x: $0.recall, y: $0.precision)
    } name: {
      "\($0.label), average precision \($0.averagePrecision.fixed(4))"
    }
    return [
      .figure(
        "ROC", alarms,
        note: "False-alarm rate: share of other windows predicted as the label. "
          + "Recall: share of the label's windows predicted as it.\(range)"),
      .figure(
        "Precision and recall", precisions,
        note: "Precision: share of the windows predicted as the label that is correct.\(range)"),
    ]
  }

  private static func chart(
    of curves: [OperatingCurve], from start: [Plot.Point] = [], _ horizontal: (String, ClosedRange<Double>),
    _ vertical: (String, ClosedRange<Double>), _ place: (OperatingCurve.Point) -> Plot.Point,
    name: (OperatingCurve) -> String
  ) -> Markup {
    let series = PageStyle.series(of: curves.map(\.label))
    return square(
      "\(vertical.0) over \(horizontal.0)", curves.map(name).joined(separator: "; "), horizontal, vertical,
      marks: zip(series, curves).map { index, curve in
        .line(thinned(start + curve.points.map(place)), series: index)
      },
      legend: zip(series, curves).map { Plot.Key(name: name($1), swatch: .series($0)) })
  }

  /// A plot of one share over another.
  private static func square(
    _ title: String, _ description: String, _ horizontal: (String, ClosedRange<Double>),
    _ vertical: (String, ClosedRange<Double>),
    marks: [Plot.Mark], legend: [Plot.Key]
  ) -> Markup {
    Plot(
      title: title, description: description, axis: Axis(title: horizontal.0, scale: LinearScale(horizontal.1)),
      panels: [
        Plot.Panel(title: vertical.0, axis: Axis(title: "", scale: LinearScale(vertical.1)), height: 230, marks: marks)
      ],
      legend: legend
    ).markup
  }

  /// The points without those that are closer than 0.003 to the previous kept one; the last point stays.
  private static func thinned(_ points: [Plot.Point]) -> [Plot.Point] {
    var kept: [Plot.Point] = []
    for point in points {
      if let last = kept.last, (point.x - last.x).magnitude + (point.y - last.y).magnitude < 0.003 { continue }
      kept.append(point)
    }
    if let last = points.last, kept.last != last { kept.append(last) }
    return kept
  }

  /// The bins of each label that have at least `fewestInBin` windows.
  private var bins: [[ProbabilityReport.Bin]] {
    ProbabilityReport(windows).reliability.map { $0.filter { $0.windows >= Self.fewestInBin } }
  }

  /// The bins of the chart with their numbers of windows, the farthest from the diagonal first.
  private var reliabilityTable: Markup {
    let all = zip(windows.labels, bins).flatMap { label, bins in bins.map { (label, $0) } }.sorted {
      ($0.1.observedShare - $0.1.meanProbability).magnitude > ($1.1.observedShare - $1.1.meanProbability).magnitude
    }
    return Markup.capped(all, limit: 5) { rows in
      .table(
        titles: ["label", "probability", "share", "windows"],
        rows: rows.map { [$0, $1.meanProbability.fixed(3), $1.observedShare.fixed(3), $1.windows.grouped] },
        isNumeric: true)
    }
  }

  private var reliabilityChart: Markup {
    let bins = bins
    let curves = bins.map { bins in bins.map { Plot.Point(x: $0.meanProbability, y: $0.observedShare) } }
    let series = PageStyle.series(of: windows.labels)
    let texts = zip(windows.labels, bins).map { label, bins in
      let largest = bins.map { ($0.observedShare - $0.meanProbability).magnitude }.max() ?? 0
      return "\(label) at most \(largest.fixed(2)) from the diagonal in \(bins.count) bins"
    }
    return Self.square(
      "share of windows with the label over its mean probability", texts.joined(separator: "; "),
      ("mean probability", 0...1), ("share of windows", 0...1),
      marks: [.reference(.init(x: 0, y: 0), .init(x: 1, y: 1))]
        + zip(series, curves).flatMap { [.line(Self.broken($1), series: $0), .markers($1, series: $0)] },
      legend: zip(series, windows.labels).map { Plot.Key(name: $1, swatch: .series($0, hasMarker: true)) })
  }

  /// Bins with fewer windows are not drawn, because their share is uncertain by 0.3 or more.
  private static let fewestInBin = 10

  /// The bins with a break where one is missing. A line across it would suggest shares that were not measured.
  private static func broken(_ bins: [Plot.Point]) -> [Plot.Point] {
    func index(_ bin: Plot.Point) -> Int {
      min(Int(saturating: bin.x * Double(ProbabilityReport.binCount)), ProbabilityReport.binCount - 1)
    }
    return bins.enumerated().flatMap { place, bin in
      place > 0 && index(bin) > index(bins[place - 1]) + 1 ? [Plot.Point(x: bin.x, y: .nan), bin] : [bin]
    }
  }

  private var reliabilityNote: String {
    let text =
      "Calibrated probabilities lie on the diagonal. Each marker is a bin of one tenth with \(Self.fewestInBin) windows or more."
    guard let uncalibrated else { return text }
    let error = ProbabilityReport(uncalibrated).expectedCalibrationError
    return text + " Calibration error before calibration: \(error.fixed(4))."
  }
}

extension ClassificationReport {
  /// Whether several groups have the same accuracy, so that none is the worst.
  var areGroupsAlike: Bool {
    groups.count > 1 && groups.allSatisfy { $0.accuracy == worstGroup.accuracy }
  }

  /// The tile of the worst group.
  func worstTile(_ noun: String) -> Markup.Tile {
    (
      "Worst \(noun)", worstGroup.accuracy.percent,
      areGroupsAlike ? "all \(groups.count) \(noun)s alike" : "\(noun) \(worstGroup.name)"
    )
  }
}

extension Markup {
  /// Sentences that a reader must know first.
  static func alert(_ sentences: [String]) -> Markup {
    .element("div", ["class": "alert"], [.list(sentences)])
  }
}
