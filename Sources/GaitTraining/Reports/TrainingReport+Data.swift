import Gait

extension TrainingReport {
  /// The data card: the training data and warnings about them.
  var dataSection: Page.Section {
    let facts = Markup.table(
      titles: ["data", ""],
      rows: [
        ["name", dataset.name],
        ["recordings", "\(dataset.recordings.count)"],
        [dataset.grouping == .subject ? "subjects" : "groups (\(dataset.grouping.noun)s)", "\(dataset.units.count)"],
        ["rates", sampleRates.map { "\(InvariantFormat.short($0)) Hz" }.joined(separator: ", ")],
        ["other files", "\(dataset.ignoredFileCount)"],
        ["without a label (skipped)", "\(InvariantFormat.fixed(dataset.unlabelledSeconds, 0)) s"],
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
          .figure("Training data", facts), .figure("Labels", labels), .figure("Repairs", repairList),
          .figure("Copies and overlaps", duplicateList), .figure("Warnings", warningList),
          .figure("Suspect labels", suspectList),
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

  private var suspectList: Markup {
    review.suspectLabels.isEmpty
      ? .paragraph("None: the movement of every recording matches its label.")
      : .list(review.suspectLabels.map { "\($0.path) (\($0.label)) \($0.reason)" })
  }
}
