import Gait

extension TrainingReport {
  /// The data card: what was trained on, and what is odd about it.
  var dataSection: Page.Section {
    let facts = Markup.table(
      titles: ["data", ""],
      rows: [
        ["name", dataset.name],
        ["recordings", "\(dataset.recordings.count)"],
        [dataset.grouping == .subject ? "subjects" : "groups (\(dataset.grouping.noun)s)", "\(dataset.units.count)"],
        ["rates", sampleRates.map { "\(InvariantFormat.short($0)) Hz" }.joined(separator: ", ")],
        ["other files", "\(dataset.ignoredFileCount)"],
        ["left out for want of a label", "\(InvariantFormat.fixed(dataset.unlabelledSeconds, 0)) s"],
      ])
    let labels = Markup.table(
      titles: ["label", "files", "min", "groups", "steps/min", "g RMS"],
      rows: review.summaries.map { summary in
        let members = dataset.recordings.filter { $0.label == summary.label }
        return [
          summary.label, "\(summary.recordings)", InvariantFormat.fixed(summary.seconds / 60, 1),
          "\(Set(members.map { dataset.splitGroups[$0.group]! }).count)",
          summary.stepFrequency.map { InvariantFormat.fixed($0 * 60, 0) } ?? "–",
          InvariantFormat.fixed(summary.energy, 2),
        ]
      }, isNumeric: true)
    return Page.Section(
      title: "Data card",
      contents: [
        .grid([
          .figure("What was trained on", facts), .figure("Labels", labels), .figure("Repairs", repairList),
          .figure("Leaks found", leakList), .figure("Warnings", warningList), .figure("Labels in doubt", suspectList),
        ])
      ])
  }

  private var repairList: Markup {
    repairs.isEmpty
      ? .paragraph("None.")
      : .list(repairs.map { "\($0.text), in \($0.recordings) recording\($0.recordings == 1 ? "" : "s")" })
  }

  private var warningList: Markup {
    warnings.isEmpty ? .paragraph("None.") : .list(warnings)
  }

  private var leakList: Markup {
    let duplicates = dataset.duplicates
    guard !duplicates.isEmpty else { return .paragraph("None: no two recordings share rows.") }
    let contradictions = duplicates.contradictions.map {
      "\($0.paths.joined(separator: ", ")) are under the labels \($0.labels.joined(separator: ", "))"
    }
    let items = duplicates.copies.map { $0.joined(separator: " = ") } + duplicates.overlaps.map(\.description)
    return .element(
      "div", [:],
      [.paragraph("These share rows, and were kept on one side of every split."), .list(items + contradictions)])
  }

  private var suspectList: Markup {
    review.suspectLabels.isEmpty
      ? .paragraph("None: every recording moves like its label.")
      : .list(review.suspectLabels.map { "\($0.path) (\($0.label)) \($0.reason)" })
  }
}
