import Gait

extension TrainingReport {
  /// The maximum number of features on the page, the most important first.
  private static let featureLimit = 20

  /// The weights of a logistic regression, and the importances if they were measured.
  var featureSection: Page.Section? {
    let charts = [weightFigure, importanceFigure].compactMap { $0 }
    return charts.isEmpty ? nil : Page.Section(title: "Features", contents: [.grid(charts)])
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
    let rows = order.prefix(Self.featureLimit).map { feature in
      BarChart.Row(
        name: name(feature),
        bars: columns[feature].enumerated().map { index, weight in
          let text = (weight < 0 ? "−" : "+") + InvariantFormat.fixed(weight.magnitude, 2)
          return BarChart.Bar(value: weight, text: "\(text) \(names[index])", series: index)
        })
    }
    let chart = BarChart(title: "weights", rows: rows, scale: LinearScale(-largest...largest))
    return .figure("Weights", chart.svg, note: "Log-odds per standard deviation of the feature." + shownNote)
  }

  private var importanceFigure: Markup? {
    guard let importances = validation?.importances, !importances.isEmpty else { return nil }
    let values = importances.map(\.lossIncrease)
    let order = values.indices.sorted { (values[$0], $1) > (values[$1], $0) }
    let rows = order.prefix(Self.featureLimit).map { feature in
      BarChart.Row(
        name: name(feature),
        bars: [.init(value: values[feature], text: InvariantFormat.fixed(values[feature], 4))])
    }
    let top = max(values.max() ?? 0, 1e-6)
    let chart = BarChart(title: "importances", rows: rows, scale: LinearScale(min(0, values.min() ?? 0)...top))
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
