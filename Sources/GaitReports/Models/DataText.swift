import GaitTraining

/// Labelled recordings as text for a terminal: labels with their amount, step rate and energy, and suspect labels.
package struct DataText: CustomStringConvertible {
  private let dataset: LabeledDataset
  private let review: LabelReview

  package init(_ dataset: LabeledDataset, _ review: LabelReview) {
    self.dataset = dataset
    self.review = review
  }

  package var description: String { ([dataText] + suspectText).joined(separator: "\n\n") }

  private var dataText: String {
    let count = dataset.units.count
    let groups =
      switch dataset.grouping {
      case .subject: "\(count) subjects"
      case .recording: "unknown subjects"
      case .subjectOrRecording, .timeBlock: "\(count) groups"
      }
    let others = dataset.ignoredFileCount
    let ignored = others == 0 ? "" : ", \(others) other \(others == 1 ? "file" : "files") ignored"
    let rates = dataset.sampleRates.map { $0.short }.joined(separator: ", ")
    let head = "\(dataset.name.visible()): \(dataset.recordings.count) recordings at \(rates) Hz, \(groups)\(ignored)"
    let titles = ["label", "recordings", "minutes", "steps/min", "energy/g", "suspect"]
    let rows = review.summaries.map { summary in
      [
        summary.label, "\(summary.recordings)", (summary.seconds / 60).fixed(1),
        summary.stepFrequency.map { ($0 * 60).fixed(0) } ?? "–",
        summary.energy.fixed(2),
        summary.suspectLabels == 0 ? "·" : "\(summary.suspectLabels)",
      ]
    }
    return head + "\n\n" + ReportTable(rows: [titles] + rows).lines.joined(separator: "\n")
  }

  /// The recordings with a suspect label, at most `suspectLimit`.
  private var suspectText: [String] {
    guard !review.suspectLabels.isEmpty else { return [] }
    let shown = review.suspectLabels.prefix(Self.limit).map {
      "  \($0.path) (\($0.label)) \($0.reason)".visible()
    }
    let rest = review.suspectLabels.count - shown.count
    let more = rest > 0 ? ["  and \(rest) more; a relabelling proposal lists all of them"] : []
    return [(["Suspect labels (the movement does not match the label):"] + shown + more).joined(separator: "\n")]
  }

  /// The most suspect labels that are listed.
  private static let limit = 8
}

extension LabeledDataset {
  /// The rates of the recordings, hertz, ascending.
  var sampleRates: [Double] { Set(recordings.flatMap(\.recording.sampleRates)).sorted() }
}
