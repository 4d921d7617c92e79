import Gait
import GaitTraining

/// The page of a selection: the score by number of features or by candidate, what was chosen, and the nested estimate.
public struct SelectionPage: Sendable {
  /// What made the page, for its footer.
  public var origin = PageOrigin()
  let selection: ModelSelection
  let dataset: LabeledDataset

  /// The page of a selection.
  ///
  /// - Parameters:
  ///   - selection: the selection.
  ///   - dataset: the dataset that it was made on.
  public init(_ selection: ModelSelection, of dataset: LabeledDataset) {
    self.selection = selection
    self.dataset = dataset
  }

  private var nested: CrossValidation { selection.nested }
  private var noun: String { dataset.grouping.noun }
  /// Whether features were selected, not trainers.
  private var choosesFeatures: Bool { selection.steps.map(\.name) == selection.trainer.features.map(\.description) }

  /// The page as HTML.
  public var html: String {
    let scores = ScoreSections(
      report: nested.report, windows: nested.windows, noun: "\(noun)s that no choice used", groupNoun: noun,
      uncalibrated: nested.windows == nested.uncalibrated ? nil : nested.uncalibrated, dataset: dataset,
      windowSeconds: selection.trainer.window.seconds, origin: origin)
    return Page(
      title: "Selection on \(dataset.name)",
      summary: [
        .paragraph(scores.conclusion), .tiles(scores.tiles),
        .paragraph("Chosen: \(selection.trainer.settings). Scored by \(nested.method)."),
      ],
      sections: [choosesFeatures ? featureSection : candidateSection] + scores.sections, origin: origin
    ).html
  }

  // MARK: - Features

  private var featureSection: Page.Section {
    let losses = points(\.logLoss)
    let accuracies = points { 100 * $0.accuracy }
    let texts = selection.steps.enumerated().map {
      "\($0 + 1): log-loss \($1.logLoss.fixed(4)), \($1.accuracy.percent)"
    }
    let plot = Plot(
      title: "score by number of features", description: texts.joined(separator: "; "),
      axis: Axis(title: "number of features", scale: LinearScale(0...Double(max(1, losses.count)), isWhole: true)),
      panels: [
        Plot.Panel(
          title: "log-loss, nats", axis: .fitting([0] + losses.map(\.y), least: 0.01), height: 130,
          marks: [.line(losses, series: 0), .markers(losses, series: 0)]),
        Plot.Panel(
          title: "accuracy, %", axis: .fitting(accuracies.map(\.y), least: 1), height: 130,
          marks: [.line(accuracies, series: 1), .markers(accuracies, series: 1)]),
      ])
    let features = selection.trainer.features
    let rows = zip(selection.steps, features).enumerated().map { index, step in
      [
        "\(index + 1). \(step.1)", step.1.unit, step.0.logLoss.fixed(4),
        index == 0 ? "–" : (step.0.logLoss - selection.steps[index - 1].logLoss).signedFixed(4),
        step.0.accuracy.percent,
      ]
    }
    return Page.Section(
      title: "Features",
      grid: [
        .figure(
          "Score by number of features", plot.markup,
          note:
            "On \(noun)s held out within the choice: the best of several scores is too high. The tiles above show the "
            + "score on \(noun)s that no choice used.\(fewerFeatures)"),
        .figure(
          "Features in the order of their choice",
          .table(titles: ["feature", "unit", "log-loss", "change", "accuracy"], rows: rows, isNumeric: true)),
        stability,
      ])
  }

  /// A sentence if a smaller number of features has a lower log-loss than all chosen ones; otherwise empty.
  private var fewerFeatures: String {
    let losses = selection.steps.prefix(selection.trainer.features.count).map(\.logLoss)
    guard let best = losses.indices.min(by: { losses[$0] < losses[$1] }), best + 1 < losses.count else { return "" }
    return " The lowest log-loss is that of \(best + 1) feature\(best == 0 ? "" : "s")."
  }

  private func points(_ value: (ModelSelection.Step) -> Double) -> [Plot.Point] {
    selection.steps.enumerated().map { Plot.Point(x: Double($0 + 1), y: value($1)) }
  }

  /// A chart of the number of outer folds in which each feature was chosen.
  private var stability: Markup {
    let folds = selection.foldTrainers.map(\.features)
    let counts = Dictionary(grouping: folds.joined()) { $0 }.mapValues(\.count)
    let order = counts.map { ($0.key.description, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    let final = Set(selection.trainer.features.map(\.description))
    let chart = Markup.capped(order) { order in
      BarChart(
        title: "folds that chose each feature",
        rows: order.map { name, count in
          BarChart.Row(
            name: name,
            bars: [
              .init(
                value: Double(count), text: "\(count) of \(folds.count)\(final.contains(name) ? ", chosen" : "")",
                series: final.contains(name) ? 0 : 1)
            ])
        }, scale: LinearScale(0...Double(max(1, folds.count)), isWhole: true)
      ).svg
    }
    return .figure(
      "Features chosen in each fold", chart,
      note:
        "The choice was repeated without each fold's \(noun)s. A feature that many folds chose does not depend on a "
        + "few \(noun)s. \"Chosen\" are those of the written model.")
  }

  // MARK: - Trainers

  private var candidateSection: Page.Section {
    let steps = selection.steps
    let chart = BarChart(
      title: "log-loss of each candidate",
      rows: steps.map { step in
        BarChart.Row(
          name: step.name,
          bars: [
            .init(
              value: step.logLoss,
              text: "\(step.logLoss.fixed(4)), \(step.accuracy.percent)\(step.isChosen ? ", chosen" : "")",
              series: step.isChosen ? 0 : 1)
          ])
      }, scale: LinearScale(0...max(steps.map(\.logLoss).max() ?? 0, 1e-3)))
    let choices = selection.choices.enumerated().map { ["\($0 + 1)", $1] }
    return Page.Section(
      title: "Candidates",
      grid: [
        .figure(
          "Log-loss on \(noun)s held out within the choice, nats", chart.svg,
          note: "After it the accuracy on the same \(noun)s."),
        .figure("Chosen without each fold", .table(titles: ["fold", "candidate"], rows: choices)),
      ])
  }
}
