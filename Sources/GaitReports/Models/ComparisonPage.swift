import Gait
import GaitTraining

/// The page of a comparison: models side by side, in all and by person and place, with intervals.
public struct ComparisonPage: Sendable {
  /// What made the page, for its footer.
  public var origin = PageOrigin()
  let title: String
  let facts: [String]
  let comparison: ModelComparison
  let windows: [ScoredWindows]
  let dataset: LabeledDataset

  /// The page of a comparison.
  ///
  /// - Parameters:
  ///   - title: the page's heading.
  ///   - facts: sentences below the heading, such as warnings.
  ///   - comparison: the comparison.
  ///   - windows: the scored windows of each model, in the comparison's order.
  ///   - dataset: the dataset that was scored.
  /// - Precondition: every model has its windows.
  public init(
    title: String, facts: [String] = [], _ comparison: ModelComparison, windows: [ScoredWindows],
    of dataset: LabeledDataset
  ) {
    precondition(windows.count == comparison.entries.count, "\(comparison.entries.count) models need as many windows")
    self.title = title
    self.facts = facts
    self.comparison = comparison
    self.windows = windows
    self.dataset = dataset
  }

  /// The page as HTML.
  public var html: String {
    Page(
      title: title, summary: (facts.isEmpty ? [] : [.alert(facts)]) + [.tiles(tiles)],
      sections: [scoreSection, differenceSection, placeSection, groupSection].compactMap(\.self), origin: origin
    ).html
  }

  /// The models' names, of files without their folders.
  private var names: [String] { comparison.entries.map { Self.name($0.name) } }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private var noun: String { dataset.grouping.noun }

  private var tiles: [(name: String, value: String, more: String)] {
    comparison.entries.map { entry in
      let worst = entry.report.worstTile(noun)
      let more = entry.report.areGroupsAlike ? worst.more : "worst \(worst.more): \(worst.value)"
      return (Self.name(entry.name), entry.report.accuracy.percent, more)
    }
  }

  private var scoreSection: Page.Section {
    let rows = comparison.entries.map { entry in
      [
        Self.name(entry.name), entry.report.accuracy.percent, entry.report.macroF1.percent,
        entry.probabilities.logLoss.fixed(3), entry.probabilities.expectedCalibrationError.fixed(3),
      ]
    }
    let confusions = comparison.entries.map { entry in
      Markup.figure(
        "Confusion of \(Self.name(entry.name))",
        ConfusionChart(labels: entry.report.labels, counts: entry.report.confusion).markup)
    }
    return Page.Section(
      title: "Scores",
      grid: [
        .figure(
          "All \(comparison.entries[0].report.windows.grouped) windows",
          .table(titles: ["model", "accuracy", "macro-F1", "log-loss", "ECE"], rows: rows, isNumeric: true))
      ] + confusions)
  }

  // MARK: - Differences

  /// A difference with its interval, as a row of a chart.
  private struct Row {
    var name: String
    var difference: ModelComparison.Difference
  }

  private var differenceSection: Page.Section? {
    guard let first = names.first, !comparison.differences.isEmpty else { return nil }
    let rows = comparison.differences.map {
      Row(name: "\(Self.name($0.name)), \($0.measure == .accuracy ? "accuracy" : "macro-F1")", difference: $0)
    }
    return Page.Section(
      title: "Differences from \(first)",
      grid: [
        .figure(
          "All \(comparison.groupCount) \(noun)s", intervals(rows),
          note: Self.note(of: comparison.differences, noun: noun), isWhole: true)
      ])
  }

  /// The differences of accuracy at each place, set or other placeholder; `nil` without any.
  private var placeSection: Page.Section? {
    guard let first = names.first, names.count > 1 else { return nil }
    let parts = windows.map(DataSections(dataset: dataset).parts)
    let figures = parts[0].map { field, values -> Markup in
      let rows = values.flatMap { value, _ -> [Row] in
        let own = zip(windows, parts).map { windows, parts in
          windows.windows(at: parts.first { $0.field == field }?.values.first { $0.name == value }?.rows ?? [])
        }
        guard own.allSatisfy({ $0.count > 0 }), let compared = try? ModelComparison(Array(zip(names, own))) else {
          return []
        }
        let accuracies = compared.entries.map(\.report.accuracy.percent).joined(separator: " and ")
        return compared.differences.filter { $0.measure == .accuracy }.map {
          let model = names.count > 2 ? "\(Self.name($0.name)) at " : ""
          return Row(name: "\(model)\(value), \($0.groups) \(noun)s (\(accuracies))", difference: $0)
        }
      }
      return .figure(
        "Accuracy by \(field): difference from \(first)", intervals(rows),
        note: Self.note(of: rows.map(\.difference), noun: noun), isWhole: true)
    }
    return figures.isEmpty
      ? nil : Page.Section(title: "By \(parts[0].map(\.field).listed())", grid: figures)
  }

  private static func note(of differences: [ModelComparison.Difference], noun: String) -> String {
    let few = differences.contains { $0.low == nil }
    return
      "In percentage points, every \(noun) with the same weight. Lines are 95 % intervals over \(noun)s. A difference is "
      + "clear if its interval excludes 0 and p is at most 0.05."
      + (few ? " Without a line there are fewer than \(ModelComparison.fewestGroups) \(noun)s." : "")
  }

  /// A chart with a row for each difference: a marker at its value and a line over its interval.
  private func intervals(_ rows: [Row]) -> Markup {
    let reach =
      rows.flatMap { row in
        [row.difference.value, row.difference.low, row.difference.high].compactMap { $0?.magnitude }
      }.max() ?? 0
    let scale = LinearScale(-max(100 * reach * 1.05, 1)...max(100 * reach * 1.05, 1))
    let panels = rows.map { row in
      let difference = row.difference
      let middle = Plot.Point(x: 100 * difference.value, y: 0.5)
      let line = difference.low.flatMap { low in
        difference.high.map { [Plot.Point(x: 100 * low, y: 0.5), Plot.Point(x: 100 * $0, y: 0.5)] }
      }
      let p = difference.pValue.map { ", p \($0.fixed(3))" } ?? ""
      let clear = difference.isClear ? ", clear" : ""
      return Plot.Panel(
        title: "\(row.name): \(Self.points(difference.value))\(p)\(clear)",
        axis: Axis(title: "", scale: LinearScale(0...1)), height: 18,
        marks: [.instant(0, style: "decision")] + (line.map { [.line($0, series: difference.isClear ? 1 : 0)] } ?? [])
          + [.markers([middle], series: difference.isClear ? 1 : 0)], hasTicks: false)
    }
    let texts = rows.map { row in
      let range = row.difference.low.flatMap { low in
        row.difference.high.map { " from \(Self.points(low)) to \(Self.points($0))" }
      }
      return "\(row.name) \(Self.points(row.difference.value))\(range ?? "")"
    }
    return Plot(
      title: "differences with intervals", description: texts.joined(separator: "; "),
      axis: Axis(title: "percentage points", scale: scale), panels: panels,
      legend: [
        Plot.Key(name: "not clear", swatch: .series(0, hasMarker: true)),
        Plot.Key(name: "clear", swatch: .series(1, hasMarker: true)),
      ]
    ).markup
  }

  private static func points(_ value: Double) -> String { (100 * value).signedFixed(2) }

  // MARK: - Groups

  /// The maximum number of groups on the page.
  private static let groupLimit = 40

  private var groupSection: Page.Section {
    let errors = comparison.entries.map { entry in
      Dictionary(uniqueKeysWithValues: entry.report.groups.map { ($0.name, 100 * (1 - $0.accuracy)) })
    }
    let groups = Set(errors.flatMap(\.keys)).sortedAndUnique()
    let worst = Dictionary(
      uniqueKeysWithValues: groups.map { group in (group, errors.compactMap { $0[group] }.max() ?? 0) })
    let order = groups.indices.sorted { (worst[groups[$0]]!, $1) > (worst[groups[$1]]!, $0) }
    let wrong = order.filter { worst[groups[$0]]! > 0 }
    let shown = wrong.prefix(Self.groupLimit).map { groups[$0] }
    let right = groups.count - wrong.count
    let chart = BarChart(
      title: "share of wrong windows of each group",
      rows: shown.map { group in
        BarChart.Row(
          name: group,
          bars: errors.enumerated().compactMap { index, errors in
            errors[group].map {
              .init(value: $0, text: "\($0.fixed($0 < 10 ? 2 : 1)) %, \(index + 1)", series: index)
            }
          })
      }, scale: LinearScale(0...max(worst.values.max() ?? 0, 1)))
    return Page.Section(
      title: "By \(noun)",
      contents: [
        shown.isEmpty
          ? .paragraph("No model has a wrong window.")
          : .figure(
            "Wrong windows by \(noun), %, worst first", chart.svg,
            note: names.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: ", ") + "."
              + (shown.count < wrong.count ? " The \(shown.count) worst of \(wrong.count)." : "")
              + (right > 0 ? " \(right) \(noun)\(right == 1 ? " has" : "s have") no errors." : ""))
      ])
  }
}
