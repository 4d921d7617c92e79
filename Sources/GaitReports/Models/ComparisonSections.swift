import Gait
import GaitTraining

/// The parts of a page about several models on the same recordings: the models side by side, in all and by person and
/// place.
struct ComparisonSections {
  let comparison: ModelComparison
  /// The scored windows of each model, in the comparison's order.
  let windows: [ScoredWindows]
  let dataset: LabeledDataset

  var sections: [Page.Section] { [scoreSection, placeSection, groupSection].compactMap(\.self) }

  /// One sentence on the models' accuracies.
  var conclusion: String { comparison.conclusion(\.fileName) }

  /// The models' names; those of files without their folders.
  private var names: [String] { comparison.entries.map { $0.name.fileName } }

  private var noun: String { dataset.grouping.noun }

  var tiles: [Markup.Tile] {
    zip(comparison.entries, comparison.groupScores).map { entry, scores in
      let worst = entry.report.worstTile(noun)
      let more = entry.report.areGroupsAlike ? worst.more : "worst \(worst.more): \(worst.value)"
      return (entry.name.fileName, scores.accuracy.percent, more)
    }
  }

  private var scoreSection: Page.Section {
    let rows = zip(comparison.entries, comparison.groupScores).map { entry, scores in
      [
        entry.name.fileName, scores.accuracy.percent, scores.macroF1.percent, entry.report.accuracy.percent,
        entry.probabilities.logLoss.fixed(3),
      ]
    }
    let scores = Markup.figure(
      "\(comparison.groupCount.counted(noun)), \(comparison.entries[0].report.windows.grouped) windows",
      .table(titles: ["model", "accuracy", "macro-F1", "by window", "log-loss"], rows: rows, isNumeric: true),
      note:
        "Accuracy and macro-F1 have equal weight for every \(noun); by window is the accuracy with equal weight for "
        + "every window.")
    let differences = intervals(
      "Differences from \(names[0])",
      comparison.differences.map {
        Row(name: "\($0.name.fileName), \($0.measure == .accuracy ? "accuracy" : "macro-F1")", difference: $0)
      })
    let confusions = comparison.entries.map { entry in
      Markup.figure(
        "Confusion of \(entry.name.fileName)",
        ConfusionChart(labels: entry.report.labels, counts: entry.report.confusion).markup,
        isWhole: entry.report.labels.count > ConfusionChart.numberLimit)
    }
    return Page.Section(title: "Scores", grid: [scores] + [differences].compactMap(\.self) + confusions)
  }

  // MARK: - Differences

  /// A difference with its interval, as a row of a chart.
  private struct Row {
    var name: String
    var difference: ModelComparison.Difference
  }

  /// The differences of accuracy at each place, set or value of another placeholder; `nil` if there are none.
  private var placeSection: Page.Section? {
    let parts = windows.map(DataSections(dataset: dataset).parts)
    let figures = parts[0].compactMap { field, values -> Markup? in
      let rows = values.flatMap { value, _ -> [Row] in
        let own = zip(windows, parts).map { windows, parts in
          windows.windows(at: parts.first { $0.field == field }?.values.first { $0.name == value }?.rows ?? [])
        }
        guard own.allSatisfy({ $0.count > 0 }), let compared = try? ModelComparison(Array(zip(names, own))) else {
          return []
        }
        let accuracies = compared.groupScores.map(\.accuracy.percent)
        let differences = compared.differences.filter { $0.measure == .accuracy }
        return zip(differences, accuracies.dropFirst()).map { difference, accuracy in
          let model = names.count > 2 ? "\(difference.name) at " : ""
          let counted = difference.groups.counted(noun)
          return Row(name: "\(model)\(value), \(counted) (\(accuracies[0]), \(accuracy))", difference: difference)
        }
      }
      return intervals("Accuracy by \(field): difference from \(names[0])", rows)
    }
    return figures.isEmpty
      ? nil : Page.Section(title: "By \(parts[0].map(\.field).listed())", grid: figures)
  }

  /// A chart with a row for each difference that is not none (`isNone`): a marker at its value and a line over its
  /// interval; `nil` if all are none.
  private func intervals(_ title: String, _ all: [Row]) -> Markup? {
    let rows = all.filter { !$0.difference.isNone }
    guard !rows.isEmpty else { return nil }
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
      return Plot.Panel(
        // On a phone there is no room for more than 30 characters of a name.
        title: "\(row.name.count > 30 ? row.name.prefix(29) + "…" : row.name): \(difference.points)",
        axis: Axis(title: "", scale: LinearScale(0...1)), height: 18,
        marks: [.instant(0, style: "decision")] + (line.map { [.line($0, series: difference.isClear ? 1 : 0)] } ?? [])
          + [.markers([middle], series: difference.isClear ? 1 : 0)], hasTicks: false)
    }
    let texts = rows.map { "\($0.name) \($0.difference.points), 95 % \($0.difference.intervalText ?? "unknown")" }
    let plot = Plot(
      title: "differences with intervals", description: texts.joined(separator: "; "),
      axis: Axis(title: "percentage points", scale: scale), panels: panels,
      legend: ["not clear", "clear"].enumerated().filter { series, _ in
        rows.contains { $0.difference.isClear == (series == 1) }
      }.map { Plot.Key(name: $1, swatch: .series($0, hasMarker: true)) })
    let few = rows.contains { $0.difference.low == nil }
    let numbers = Markup.table(
      titles: ["model", "difference", "95 % interval", "p"],
      rows: rows.map {
        [$0.name, $0.difference.points, $0.difference.intervalText ?? "–", $0.difference.pText ?? "–"]
      }, isNumeric: true)
    return .figure(
      title, .element("div", [:], [plot.markup, numbers]),
      note:
        "Every \(noun) has the same weight; lines are 95 % intervals over \(noun)s. A difference is clear if its "
        + "interval excludes 0 and p is at most 0.05."
        + (few ? " Without a line there are fewer than \(ModelComparison.fewestGroups) \(noun)s." : "")
        + (rows.count < all.count ? " Without a row there is no difference." : ""), isWhole: true)
  }

  // MARK: - Groups

  private var groupSection: Page.Section {
    let errors = comparison.entries.map { entry in
      Dictionary(uniqueKeysWithValues: entry.report.groups.map { ($0.name, 100 * (1 - $0.accuracy)) })
    }
    let groups = Set(errors.flatMap(\.keys)).sortedAndUnique()
    let worst = Dictionary(
      uniqueKeysWithValues: groups.map { group in (group, errors.compactMap { $0[group] }.max() ?? 0) })
    let differing = groups.filter { group in Set(errors.map { $0[group] }).count > 1 }
      .enumerated().sorted { (worst[$0.element]!, $1.offset) > (worst[$1.element]!, $0.offset) }.map(\.element)
    let alike = groups.count - differing.count
    let scale = LinearScale(0...max(worst.values.max() ?? 0, 1))
    let chart = Markup.capped(differing) { shown in
      BarChart(
        title: "share of wrong windows of each \(noun)",
        rows: shown.map { group in
          BarChart.Row(
            name: group,
            bars: errors.enumerated().compactMap { index, errors in
              errors[group].map {
                .init(value: $0, text: "\($0.fixed($0 < 10 ? 2 : 1)) %, \(index + 1)", series: index)
              }
            })
        }, scale: scale
      ).svg
    }
    let key = names.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: ", ") + "."
    return Page.Section(
      title: "By \(noun)",
      contents: [
        differing.isEmpty
          ? .paragraph("The models have the same accuracy for every \(noun).")
          : .figure(
            "Wrong windows by \(noun), %, worst first", chart,
            note: alike == 0 ? key : "\(key) The models have the same accuracy for the other \(alike.counted(noun)).")
      ])
  }
}
