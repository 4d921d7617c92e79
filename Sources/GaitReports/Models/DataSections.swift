import Gait
import GaitTraining

/// The figures of a page that relate scores and features to facts about the recordings.
struct DataSections {
  let dataset: LabeledDataset

  /// The placeholders by which errors are shown: all with 2 to 24 values but label, subject and people. The place on
  /// the body and the set come first.
  private var fields: [(name: String, values: [String])] {
    let others = Set(dataset.recordings.flatMap(\.fields.keys)).subtracting([
      "label", "subject", "people", "place", "set",
    ])
    return (["place", "set"] + others.sorted()).compactMap { name in
      let values = dataset.recordings.compactMap { $0.fields[name] }.sortedAndUnique()
      return 2...24 ~= values.count ? (name, values) : nil
    }
  }

  /// The windows of each value of each placeholder; a value without windows is left out.
  func parts(of windows: ScoredWindows) -> [(field: String, values: [(name: String, rows: [Int])])] {
    guard !windows.sources.isEmpty else { return [] }
    return fields.map { field in
      let rows = Dictionary(grouping: 0..<windows.count) {
        dataset.recordings[windows.sources[$0].recording].fields[field.name]
      }
      return (field.name, field.values.compactMap { value in rows[value].map { (value, $0) } })
    }.filter { $0.1.count > 1 }
  }

  /// The share of wrong windows by place, set and other placeholders; `nil` if there is no such placeholder.
  func errors(of windows: ScoredWindows) -> Page.Section? {
    let noun = dataset.grouping.noun
    let figures = parts(of: windows).map { field, values -> Markup in
      let reports = values.compactMap { name, rows in (try? windows.windows(at: rows).report()).map { (name, $0) } }
      let rows = reports.sorted { $0.1.accuracy < $1.1.accuracy }.map { name, report in
        let count = report.groups.count
        let worst = report.accuracy < 1 ? ", worst \(report.worstGroup.accuracy.percent)" : ""
        return (
          name: "\(name) (\(count.counted(noun))\(worst))", error: 1 - report.accuracy, windows: report.windows
        )
      }
      return .figure("Wrong windows by \(field), %, worst first", BarChart.errors("wrong windows by \(field)", rows))
    }
    return figures.isEmpty
      ? nil : Page.Section(title: "By \(parts(of: windows).map(\.field).listed())", grid: figures)
  }

  /// The maximum number of features whose values are drawn.
  private static let featureLimit = 6
  private static let binCount = 40

  /// How the values of a model's most important features are distributed for each label; `nil` if they cannot be
  /// computed.
  ///
  /// - Parameter importances: the features' importances; by default the sizes of a logistic regression's weights.
  func distributions(of model: ActivityModel, importances: [Double] = []) -> Page.Section? {
    let head = model.activityHead
    var sizes = importances
    if sizes.isEmpty, case .logistic(let logistic) = head.classifier {
      sizes = (0..<logistic.featureCount).map { feature in
        (0..<logistic.outputCount).map {
          Double(logistic.weights[$0 * logistic.featureCount + feature].magnitude)
        }.max() ?? 0
      }
    }
    let order = head.features.indices.sorted { sizes.isEmpty ? $0 < $1 : (sizes[$0], $1) > (sizes[$1], $0) }
    let features = order.prefix(Self.featureLimit).map { head.features[$0] }
    guard
      let windows = try? LabeledWindows(
        of: dataset, features: features, shape: head.window, sampleRate: model.sampleRate, allowsSlowSource: true)
    else { return nil }
    let drawn = features.indices.map { figure(of: $0, features[$0], windows) }
    let figures = drawn.compactMap(\.self)
    let keys = zip(PageStyle.series(of: windows.labels), windows.labels).map { Plot.Key(name: $1, swatch: .series($0)) }
    let constant = zip(features, drawn).filter { $1 == nil }.map { "\($0.0)" }
    let rest =
      constant.isEmpty
      ? [] : [Markup.paragraph("Not drawn, as nearly all windows have one value: \(constant.joined(separator: ", ")).")]
    return Page.Section(
      title: "Features by label",
      contents: [
        .paragraph(
          "The share of each label's windows by the value of a feature. A feature separates labels whose curves lie apart."
        )
      ] + Markup.legend(keys) + [.grid(figures)] + rest)
  }

  private func figure(of column: Int, _ feature: Feature, _ windows: LabeledWindows) -> Markup? {
    let values = (0..<windows.count).map { Double(windows.matrix.values[$0 * windows.matrix.columnCount + column]) }
    let sorted = values.sorted()
    // One value in 200 at each end may lie outside of the drawing; the last bins count them.
    let (low, high) = (sorted[sorted.count / 200], sorted[sorted.count - 1 - sorted.count / 200])
    guard low < high else { return nil }
    let width = (high - low) / Double(Self.binCount)
    var counts = [[Double]](repeating: Array(repeating: 0, count: Self.binCount), count: windows.labels.count)
    for (value, label) in zip(values, windows.labelIndices) {
      counts[label][min(max(Int(saturating: (value - low) / width), 0), Self.binCount - 1)] += 1
    }
    let shares = counts.map { bins in bins.map { 100 * $0 / max(1, bins.reduce(0, +)) } }
    let spread = windows.labels.enumerated().compactMap { label, name -> String? in
      let own = zip(values, windows.labelIndices).filter { $1 == label }.map(\.0).sorted()
      guard !own.isEmpty else { return nil }
      return "\(name) mostly from \(own[own.count / 10].signed(2)) to \(own[own.count - 1 - own.count / 10].signed(2))"
    }
    let series = PageStyle.series(of: windows.labels)
    let marks = zip(series, shares).map { label, bins in
      Plot.Mark.line(
        bins.enumerated().map { Plot.Point(x: low + (Double($0) + 0.5) * width, y: $1) }, series: label)
    }
    let plot = Plot(
      title: "distribution of \(feature) by label", description: spread.joined(separator: "; "),
      axis: Axis(title: feature.unit == "1" ? "no unit" : feature.unit, scale: LinearScale(low...high)),
      panels: [
        Plot.Panel(
          title: "share of windows, %",
          axis: Axis(title: "", scale: LinearScale(0...(shares.joined().max() ?? 1))), height: 110, marks: marks)
      ])
    return .figure("\(feature)", plot.markup)
  }
}

extension BarChart {
  /// Shares of wrong windows in percent, on a scale up to the largest. The names of rows without errors follow in one
  /// line.
  static func errors(_ title: String, _ rows: [(name: String, error: Double, windows: Int)]) -> Markup {
    let (wrong, right) = (rows.filter { $0.error > 0 }, rows.filter { $0.error == 0 })
    let rest = Markup.paragraph("Without errors: \(right.map(\.name).listed(limit: 6)).")
    guard !wrong.isEmpty else { return rest }
    let scale = LinearScale(0...max(100 * (wrong.map(\.error).max() ?? 0), 1))
    let chart = Markup.capped(wrong) { rows in
      BarChart(
        title: title,
        rows: rows.map { row in
          let error = 100 * row.error
          let text = "\(error.fixed(error < 10 ? 2 : 1)) % of \(row.windows.grouped)"
          return Row(name: row.name, bars: [.init(value: error, text: text)])
        }, scale: scale
      ).svg
    }
    return .element("div", [:], [chart] + (right.isEmpty ? [] : [rest]))
  }
}
