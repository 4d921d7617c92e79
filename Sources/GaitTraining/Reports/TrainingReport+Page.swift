import Gait

extension TrainingReport {
  /// The report as a self-contained HTML page with charts.
  public var html: String {
    let sections = [heldOutSection, probabilitySection, featureSection].compactMap { $0 } + [dataSection]
    return Page(
      title: "\(dataset.name): \(model.activityHead.labels.joined(separator: ", "))", summary: summary,
      sections: sections
    ).html
  }

  private var summary: [Markup] {
    var contents: [Markup] = [.paragraph("Model: \(method), fitted to all \(dataset.recordings.count) recordings.")]
    if !command.isEmpty { contents.append(.code(command)) }
    guard let validation else {
      return contents + [.paragraph("The model was not evaluated on \(heldOutNoun).")]
    }
    let (report, probabilities) = (validation.report, ProbabilityReport(validation.windows))
    return contents + [
      .element(
        "div", ["class": "narrow"],
        [
          .table(
            titles: ["on \(heldOutNoun)", ""],
            rows: [
              ["held out", heldOutText(validation)],
              ["windows", ClassificationReport.grouped(report.windows)],
              ["accuracy", Self.percent(report.accuracy)],
              ["balanced accuracy", Self.percent(report.balancedAccuracy)],
              ["macro-F1", Self.percent(report.macroF1)],
              ["worst group", "\(report.worstGroup.name), \(Self.percent(report.worstGroup.accuracy))"],
              ["log-loss", InvariantFormat.fixed(probabilities.logLoss, 4)],
              ["Brier score", InvariantFormat.fixed(probabilities.brier, 4)],
              ["accuracy, phone rotated at random", Self.percent(validation.turned?.accuracy)],
              ["macro-F1, phone rotated at random", Self.percent(validation.turned?.macroF1)],
              ["expected calibration error", InvariantFormat.fixed(probabilities.expectedCalibrationError, 4)],
            ])
        ])
    ] + [report.absentLabelsNote, probabilities.clippingNote].compactMap { $0.map { .paragraph("Note: \($0).") } }
  }

  /// What is held out, for headings.
  private var heldOutNoun: String {
    switch dataset.grouping {
    case .subject: "held-out people"
    case .recording: "held-out recordings"
    case .subjectOrRecording: "held-out groups"
    case .timeBlock: "held-out time blocks"
    }
  }

  private var heldOutSection: Page.Section? {
    guard let report = validation?.report else { return nil }
    let groups = report.groups.prefix(Self.groupLimit)
    let note = groups.count < report.groups.count ? "The \(groups.count) worst of \(report.groups.count)." : ""
    let bars = BarChart(
      title: "accuracy of each group",
      rows: groups.map { group in
        let text = "\(Self.percent(group.accuracy)) of \(ClassificationReport.grouped(group.windows))"
        return BarChart.Row(name: group.name, bars: [.init(value: group.accuracy, text: text)])
      }, scale: LinearScale(0...1))
    let rest = report.versusRestMacroF1
    let labels = Markup.table(
      titles: ["label", "windows", "recall", "precision", "F1 vs. rest"],
      rows: report.labels.map { label in
        [
          label, ClassificationReport.grouped(report.support[label] ?? 0), Self.percent(report.recall[label]),
          Self.percent(report.precision[label]), Self.percent(rest[label]),
        ]
      }, isNumeric: true)
    return Page.Section(
      title: "Labels on \(heldOutNoun)",
      contents: [
        .grid([
          .figure(
            "Confusion", ConfusionChart(labels: report.labels, counts: report.confusion).svg,
            note: "Share and number of each true label's windows."),
          .figure("Labels", labels),
          .figure("Accuracy by \(dataset.grouping.noun), worst first", bars.svg, note: note),
        ])
      ])
  }

  /// The maximum number of groups on the page.
  private static let groupLimit = 40

  private var probabilitySection: Page.Section? {
    guard let windows = validation?.windows else { return nil }
    let curves = windows.labels.indices.compactMap { OperatingCurve(windows, label: $0) }
    guard !curves.isEmpty else { return nil }
    return Page.Section(
      title: "Probabilities on \(heldOutNoun)",
      contents: [
        .grid([
          .figure(
            "ROC",
            Self.chart(of: curves, "false-alarm rate", "recall") {
              ($0.falseAlarmRate, $0.recall)
            } name: {
              "\($0.label), area \(InvariantFormat.fixed($0.area, 4))"
            },
            note: "False-alarm rate: share of other windows predicted as the label. "
              + "Recall: share of the label's windows predicted as it."),
          .figure(
            "Precision and recall",
            Self.chart(of: curves, "recall", "precision") {
              ($0.recall, $0.precision)
            } name: {
              "\($0.label), average precision \(InvariantFormat.fixed($0.averagePrecision, 4))"
            }, note: "Precision: share of the windows predicted as the label that is correct."),
          .figure("Reliability", reliabilityChart(windows), note: reliabilityNote),
        ])
      ])
  }

  private static func chart(
    of curves: [OperatingCurve], _ horizontal: String, _ vertical: String,
    _ place: (OperatingCurve.Point) -> (Double, Double), name: (OperatingCurve) -> String
  ) -> Markup {
    let series = curves.map { curve in
      Chart.Series(name: name(curve), points: thinned(curve.points.map(place).map { Chart.Point(x: $0.0, y: $0.1) }))
    }
    return Chart(
      title: "\(vertical) over \(horizontal)",
      horizontal: .init(title: horizontal, scale: LinearScale(0...1)),
      vertical: .init(title: vertical, scale: LinearScale(0...1)), series: series
    ).svg
  }

  /// The points without those within a third of a drawing unit of the previous one.
  private static func thinned(_ points: [Chart.Point]) -> [Chart.Point] {
    var kept: [Chart.Point] = []
    for point in points {
      if let last = kept.last, (point.x - last.x).magnitude + (point.y - last.y).magnitude < 0.003 { continue }
      kept.append(point)
    }
    if let last = points.last, kept.last != last { kept.append(last) }
    return kept
  }

  private func reliabilityChart(_ windows: ScoredWindows) -> Markup {
    let report = ProbabilityReport(windows)
    return Chart(
      title: "share of windows with the label over its mean probability",
      horizontal: .init(title: "mean probability", scale: LinearScale(0...1)),
      vertical: .init(title: "share of windows", scale: LinearScale(0...1)),
      series: zip(windows.labels, report.reliability).map { label, bins in
        let points = bins.map { Chart.Point(x: $0.meanProbability, y: $0.observedShare) }
        return Chart.Series(name: label, points: points, hasMarkers: true)
      }, reference: [.init(x: 0, y: 0), .init(x: 1, y: 1)]
    ).svg
  }

  private var reliabilityNote: String {
    let text = "Calibrated probabilities lie on the diagonal. Each marker is a bin of one tenth."
    guard let validation, validation.windows != validation.uncalibrated else { return text }
    let error = ProbabilityReport(validation.uncalibrated).expectedCalibrationError
    return text + " Calibration error before calibration: \(InvariantFormat.fixed(error, 4))."
  }

  static func percent(_ ratio: Double?) -> String {
    ClassificationReport.percent(ratio).drop { $0 == " " }.description
  }
}
