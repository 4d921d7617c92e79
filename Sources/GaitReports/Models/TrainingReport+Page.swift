import Foundation
import Gait
import GaitTraining

extension TrainingReport {
  /// The report as a self-contained HTML page with charts.
  public var html: String {
    let distributions =
      DataSections(dataset: dataset).distributions(
        of: model, importances: validation?.importances.map(\.lossIncrease) ?? [])
      ?? Page.Section(
        title: "Features by label",
        contents: [.paragraph("Not drawn: the features cannot be computed at the rates of these recordings.")])
    // Accuracies mean little while labels are suspect, so those come first.
    let sections =
      [suspectSection].compactMap(\.self) + (scores?.sections ?? [])
      + [figureSection, learningSection, featureSection, distributions].compactMap(\.self) + [dataSection]
    return Page(
      title: "\(dataset.name): \(labelText)", summary: summary,
      sections: sections, origin: origin
    ).html
  }

  private var scores: ScoreSections? {
    validation.map { validation in
      ScoreSections(
        report: validation.report, windows: validation.windows, noun: heldOutNoun, groupNoun: dataset.grouping.noun,
        intervals: ScoreIntervals(validation.windows),
        uncalibrated: validation.windows == validation.uncalibrated ? nil : validation.uncalibrated,
        dataset: validation.dataset, windowSeconds: model.activityHead.window.seconds, origin: origin)
    }
  }

  private var labelText: String {
    let labels = model.activityHead.labels
    return labels.count > 5 ? "\(labels.count) labels" : labels.joined(separator: ", ")
  }

  /// The maximum number of warnings above the figures; the data card has all.
  private static let alertLimit = 5

  /// What a reader must know before the figures.
  private var alerts: [String] {
    let missing =
      validation == nil
      ? ["The model was not evaluated on \(heldOutNoun): its accuracy is unknown."] : []
    let suspects = review.suspectLabels.count
    let suspect =
      suspects == 0
      ? [] : ["The labels of \(suspects) of \(dataset.recordings.count) recordings are suspect; see Suspect labels."]
    let notes = [
      validation?.report.absentLabelsNote, validation.flatMap { ProbabilityReport($0.windows).clippingNote },
    ]
    let all = missing + suspect + notes.compactMap { $0.map { "\($0)." } } + warnings + dataset.warnings
    let more = all.count - Self.alertLimit
    return all.prefix(Self.alertLimit) + (more > 0 ? ["\(more.counted("more warning")) in the data card."] : [])
  }

  private var summary: [Markup] {
    let alerts = alerts
    let warning: [Markup] =
      alerts.isEmpty
      ? [] : [.alert(alerts.map { $0.withCapital + ($0.hasSuffix(".") ? "" : ".") })]
    let people = dataset.units.count.counted(dataset.grouping.noun)
    let scores = scores
    let tiles =
      (scores?.tiles ?? [("Accuracy", "unknown", "not evaluated")])
      + [("Data", "\(dataset.recordings.count)", "recordings of \(people)")]
    return [scores.map { .paragraph($0.conclusion) }].compactMap(\.self) + [.tiles(tiles)] + warning
      + [.paragraph("Model: \(method), fitted to all \(dataset.recordings.count) recordings.")]
  }

  private var figureSection: Page.Section? {
    guard let validation else { return nil }
    let rows = [
      ["held out", heldOutText(validation)], ["Brier score", ProbabilityReport(validation.windows).brier.fixed(4)],
      ["accuracy, phone rotated at random", validation.turned?.accuracy.percent ?? "–"],
      ["macro-F1, phone rotated at random", validation.turned?.macroF1.percent ?? "–"],
    ]
    return Page.Section(
      title: "More figures",
      grid: [.figure("Probabilities and rotation", .table(titles: ["figure", "value"], rows: rows))])
  }

  /// What is held out, for headings.
  private var heldOutNoun: String {
    "held-out " + (dataset.grouping == .subject ? "people" : "\(dataset.grouping.noun)s")
  }

  /// The data card: the training data and warnings about them.
  var dataSection: Page.Section {
    let facts = Markup.table(
      titles: ["data", "value"],
      rows: [
        ["name", dataset.name],
        ["recordings", "\(dataset.recordings.count)"],
        [dataset.grouping == .subject ? "subjects" : "groups (\(dataset.grouping.noun)s)", "\(dataset.units.count)"],
        ["rates", dataset.sampleRates.map { "\($0.short) Hz" }.joined(separator: ", ")],
        ["other files", "\(dataset.ignoredFileCount)"],
        ["without a label (skipped)", "\(dataset.unlabelledSeconds.fixed(0)) s"],
      ])
    let labels = Markup.table(
      titles: ["label", "files", "min", "groups", "steps/min", "g RMS"],
      rows: review.summaries.map { summary in
        let members = dataset.recordings.filter { $0.label == summary.label }
        return [
          summary.label, "\(summary.recordings)", (summary.seconds / 60).fixed(1),
          "\(Set(members.map { dataset.splitGroups[$0.group]! }).count)",
          summary.stepFrequency.map { ($0 * 60).fixed(0) } ?? "–",
          summary.energy.fixed(2),
        ]
      }, isNumeric: true)
    return Page.Section(
      title: "Data card",
      grid: [
        .figure("Training data", facts), .figure("Labels", labels),
        .figure("Repairs", .list(repairs.map { "\($0.text), in \($0.recordings.counted("recording"))" })),
        .figure("Copies and overlaps", duplicateList), .figure("Warnings", .list(warnings + dataset.warnings)),
      ])
  }

  private var duplicateList: Markup {
    let duplicates = dataset.duplicates
    guard !duplicates.isEmpty else { return .paragraph("None: no two recordings share rows.") }
    let contradictions = duplicates.contradictions.map {
      "\($0.paths.joined(separator: ", ")) have the labels \($0.labels.joined(separator: ", "))"
    }
    let items = duplicates.copies.map { $0.joined(separator: " = ") } + duplicates.overlaps.map(\.description)
    return .element(
      "div", [:],
      [
        .paragraph("These recordings share rows. They are on the same side of every split."),
        .list(items + contradictions),
      ])
  }

  /// The recordings whose movement does not match their label; `nil` if there are none.
  private var suspectSection: Page.Section? {
    let suspects = review.suspectLabels
    guard !suspects.isEmpty else { return nil }
    return Page.Section(
      title: "Suspect labels",
      contents: [
        .paragraph(
          "The movement of \(suspects.count) of \(dataset.recordings.count) recordings does not match their label. "
            + "Check them first: the figures below count them as they are labelled. \(PageOrigin.advice)"),
        .grid(suspects.prefix(Self.pictureLimit).compactMap(picture)),
        .capped(Array(suspects.prefix(60))) { suspects in
          let items = suspects.map { suspect in
            let command = origin.plotCommand(recording(of: suspect)?.recording.name ?? suspect.path)
            return Markup.element(
              "li", [:], [.text("\(suspect.path) (\(suspect.label)) \(suspect.reason)."), .code(command)])
          }
          return .element("ul", [:], items)
        },
      ] + (suspects.count > 60 ? [.paragraph("The first 60 of \(suspects.count); gait train prints all.")] : []))
  }

  /// The maximum number of suspect recordings with a picture.
  private static let pictureLimit = 6

  private func recording(of suspect: SuspectLabel) -> LabeledRecording? {
    dataset.recordings.first {
      $0.path == suspect.path && $0.label == suspect.label && $0.recording.start.seconds == suspect.start
    }
  }

  /// A plot of the acceleration of a suspect recording; `nil` if the recording has no user acceleration.
  private func picture(_ suspect: SuspectLabel) -> Markup? {
    guard let recording = recording(of: suspect)?.recording,
      recording.channels.isSuperset(of: Sensor.userAcceleration.channels), recording.duration > 0
    else { return nil }
    let signal = SignalEnvelope(recording, in: 0...min(recording.duration, 60), limit: 300)
    let labels = model.activityHead.labels
    let series = labels.firstIndex(of: suspect.label).map { PageStyle.series(of: labels)[$0] } ?? 5
    let plot = Plot(magnitudeOf: suspect.path, signal, series: series)
    return .figure(suspect.path, plot.markup, note: "\(suspect.label): \(suspect.reason)")
  }

  /// A sentence on how much the error would fall with twice as many people.
  private func promise(_ curve: [LearningPoint]) -> String {
    let noun = dataset.grouping.noun
    // The slope is measured from a quarter of the largest number of people on: the beginning of the curve says little
    // about its end.
    guard let last = curve.last, last.accuracy < 1,
      let first = curve.first(where: { 4 * $0.groups >= last.groups }), last.groups > first.groups
    else { return "The curve has no errors left that more \(noun)s could remove." }
    let best = curve.max { $0.accuracy < $1.accuracy } ?? last
    guard best.accuracy - last.accuracy < 0.01, first.accuracy < 1 else {
      return "The accuracy does not rise steadily: it is \(best.accuracy.percent) with \(best.groups) and "
        + "\(last.accuracy.percent) with \(last.groups) \(noun)s, so it does not tell what more \(noun)s would change."
    }
    let exponent = log((1 - first.accuracy) / (1 - last.accuracy)) / log(Double(last.groups) / Double(first.groups))
    guard exponent > 0.1 else {
      return
        "From \(first.groups) to \(last.groups) \(noun)s the accuracy hardly rose: more \(noun)s alone would change little."
    }
    let error = 100 * (1 - last.accuracy)
    return
      "If the curve goes on as from \(first.groups) to \(last.groups) \(noun)s, twice as many would lower the share of "
      + "wrong windows from \(error.fixed(1)) % to about \((error * pow(2, -exponent)).fixed(1)) %."
  }

  /// The accuracy of all folds together; empty if the curve's last accuracy is within half a percent of it.
  private func difference(_ last: LearningPoint) -> String {
    guard let accuracy = validation?.report.accuracy, (accuracy - last.accuracy).magnitude >= 0.005 else { return "" }
    return "All folds together have \(accuracy.percent). "
  }

  /// The accuracy by the number of people trained on; `nil` if it was not measured for two numbers.
  private var learningSection: Page.Section? {
    guard let curve = validation?.learningCurve, curve.count > 1, let last = curve.last else { return nil }
    let noun = dataset.grouping.noun
    let lines = [curve.map { ($0.groups, $0.accuracy) }, curve.map { ($0.groups, $0.lowest) }].map { line in
      line.map { Plot.Point(x: Double($0.0), y: 100 * $0.1) }
    }
    let values = curve.map { "\($0.groups): \($0.accuracy.percent), worst fold \($0.lowest.percent)" }
    let plot = Plot(
      title: "accuracy by the number of \(noun)s", description: values.joined(separator: "; "),
      axis: Axis(title: "\(noun)s in the training data", scale: LinearScale(0...Double(last.groups), isWhole: true)),
      panels: [
        Plot.Panel(
          title: "accuracy, %", axis: .fitting(lines.joined().map(\.y), least: 1), height: 160,
          marks: lines.enumerated().flatMap { [.line($1, series: $0), .markers($1, series: $0)] })
      ],
      legend: [
        Plot.Key(name: "mean", swatch: .series(0, hasMarker: true)),
        Plot.Key(name: "worst fold", swatch: .series(1, hasMarker: true)),
      ])
    let rows = curve.map { ["\($0.groups)", $0.accuracy.percent, $0.lowest.percent] }
    return Page.Section(
      title: "Accuracy by number of \(noun)s",
      grid: [
        .figure(
          "Accuracy on \(heldOutNoun), before calibration", plot.markup,
          note:
            "Models fitted to some of the training \(noun)s, tested on \(last.folds) folds. \(difference(last))\(promise(curve))"
        ),
        .figure("Figures", .table(titles: ["\(noun)s", "mean", "worst fold"], rows: rows, isNumeric: true)),
      ])
  }

  /// The maximum number of features on the page, the most important first.
  private static let featureLimit = 20

  /// The weights of a logistic regression, and the importances if they were measured; `nil` if there are neither.
  var featureSection: Page.Section? {
    let charts = [weightFigure, importanceFigure].compactMap { $0 }
    return charts.isEmpty ? nil : Page.Section(title: "Features", grid: charts)
  }

  private var weightFigure: Markup? {
    let head = model.activityHead
    guard case .logistic(let logistic) = head.classifier else { return nil }
    let columns = (0..<logistic.featureCount).map { feature in
      (0..<logistic.outputCount).map { Double(logistic.weights[$0 * logistic.featureCount + feature]) }
    }
    let sizes = columns.map { $0.map(\.magnitude).max()! }
    let order = sizes.indices.sorted { (sizes[$0], $1) > (sizes[$1], $0) }
    let largest = max(sizes.max() ?? 1, 1e-9)
    let names = logistic.outputCount == 1 ? [head.labels[1]] : head.labels
    let series = PageStyle.series(of: names)
    func bar(_ feature: Int, _ index: Int, name: String) -> BarChart.Bar {
      let weight = columns[feature][index]
      let text = weight.signedFixed(2)
      return BarChart.Bar(value: weight, text: name.isEmpty ? text : "\(text) \(name)", series: series[index])
    }
    // With up to six names of at most nine characters, a feature's bars share a row. Otherwise each weight has a row of
    // its own.
    let isShort = names.count <= 6 && names.allSatisfy { $0.count <= 9 }
    let pairs = columns.indices.flatMap { feature in names.indices.map { (feature, $0) } }
      .sorted { (columns[$0.0][$0.1].magnitude, $1.0, $1.1) > (columns[$1.0][$1.1].magnitude, $0.0, $0.1) }
    let rows =
      isShort
      ? order.prefix(Self.featureLimit).map { feature in
        BarChart.Row(name: name(feature), bars: names.indices.map { bar(feature, $0, name: names[$0]) })
      }
      : pairs.prefix(Self.featureLimit).map { feature, index in
        BarChart.Row(name: "\(name(feature)), \(names[index])", bars: [bar(feature, index, name: "")])
      }
    let chart = BarChart(title: "weights of the features", rows: rows, scale: LinearScale(-largest...largest))
    return .figure("Weights", chart.svg, note: "Log-odds per standard deviation of the feature." + shownNote)
  }

  private var importanceFigure: Markup? {
    guard let importances = validation?.importances, !importances.isEmpty else { return nil }
    let values = importances.map(\.lossIncrease)
    let order = values.indices.sorted { (values[$0], $1) > (values[$1], $0) }
    let rows = order.prefix(Self.featureLimit).map { feature in
      BarChart.Row(
        name: name(feature),
        bars: [.init(value: values[feature], text: values[feature].signedFixed(4))])
    }
    let top = max(values.max() ?? 0, 1e-6)
    let chart = BarChart(
      title: "importances of the features", rows: rows, scale: LinearScale(min(0, values.min() ?? 0)...top))
    return .figure(
      "Importances", chart.svg,
      note: "Increase in held-out log-loss (nats) when the feature's values are shuffled." + shownNote)
  }

  private var shownNote: String {
    let count = model.activityHead.features.count
    return count > Self.featureLimit ? " The first \(Self.featureLimit) of \(count)." : ""
  }

  /// A feature with its unit, such as `vertical.rms.log[0.01] in ln(g)`.
  private func name(_ index: Int) -> String {
    let feature = model.activityHead.features[index]
    return feature.unit == "1" ? "\(feature)" : "\(feature) in \(feature.unit)"
  }
}
