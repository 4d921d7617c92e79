import Gait

extension TrainingReport: CustomStringConvertible {
  /// The report as text for a terminal.
  public var description: String {
    let parts = [dataText] + suspectText + validationText
    return parts.joined(separator: "\n\n")
  }

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
    let rates = sampleRates.map { InvariantFormat.short($0) }.joined(separator: ", ")
    let head = "\(dataset.name.visible()): \(dataset.recordings.count) recordings at \(rates) Hz, \(groups)\(ignored)"
    let titles = ["label", "recordings", "minutes", "steps/min", "energy/g", "suspect"]
    let rows = review.summaries.map { summary in
      [
        summary.label, "\(summary.recordings)", InvariantFormat.fixed(summary.seconds / 60, 1),
        summary.stepFrequency.map { InvariantFormat.fixed($0 * 60, 0) } ?? "–",
        InvariantFormat.fixed(summary.energy, 2),
        summary.suspectLabels == 0 ? "·" : "\(summary.suspectLabels)",
      ]
    }
    return head + "\n\n" + ReportTable(rows: [titles] + rows).lines.joined(separator: "\n")
  }

  /// The recordings with a suspect label, at most `suspectLimit`.
  private var suspectText: [String] {
    guard !review.suspectLabels.isEmpty else { return [] }
    let shown = review.suspectLabels.prefix(Self.suspectLimit).map {
      "  \($0.path) (\($0.label)) \($0.reason)".visible()
    }
    let rest = review.suspectLabels.count - shown.count
    let more = rest > 0 ? ["  and \(rest) more; a relabelling proposal lists all of them"] : []
    return [(["Suspect labels (the movement does not match the label):"] + shown + more).joined(separator: "\n")]
  }

  static let suspectLimit = 8

  private var validationText: [String] {
    guard let validation else { return [] }
    let unknown = Self.unknownSubjects(in: dataset).map { ["Note: \($0)."] } ?? []
    return ["\(validation)"] + unknown + (validation.turned.map { [turnedText($0, asWorn: validation)] } ?? [])
  }

  private func turnedText(_ turned: ClassificationReport, asWorn validation: CrossValidation) -> String {
    let before = (try? validation.uncalibrated.report()) ?? validation.report
    return "phone rotated      accuracy \(Self.percent(before.accuracy)) → "
      + "\(Self.percent(turned.accuracy)), macro-F1 \(Self.percent(before.macroF1)) → \(Self.percent(turned.macroF1))"
  }
}
