import Gait
import GaitTraining

/// A report on a trained model: the data, the model, and its scores on held-out groups.
///
/// `description` is its text for a terminal, `html` a self-contained page.
public struct TrainingReport: Sendable {
  /// What made the page, for its footer.
  public var origin = PageOrigin()
  /// The training data.
  public let dataset: LabeledDataset
  /// The review of the labels.
  public let review: LabelReview
  /// The cross-validation; `nil` if none was run.
  public let validation: CrossValidation?
  /// The model.
  public let model: ActivityModel
  /// The training method, in words.
  public let method: String
  /// Warnings about the training, in addition to the dataset's own.
  public let warnings: [String]

  /// A report from its parts.
  public init(
    dataset: LabeledDataset, review: LabelReview, validation: CrossValidation?, model: ActivityModel, method: String,
    warnings: [String] = []
  ) {
    self.dataset = dataset
    self.review = review
    self.validation = validation
    self.model = model
    self.method = method
    self.warnings = warnings + (validation.flatMap { _ in Self.unknownSubjects(in: dataset) }.map { [$0] } ?? [])
  }

  /// The warning that the score is not of held-out people, if the subjects are unknown; otherwise `nil`.
  static func unknownSubjects(in dataset: LabeledDataset) -> String? {
    dataset.grouping == .recording && dataset.recordings.allSatisfy { $0.subject == nil }
      ? "files, not people, are held out (the layout has no {subject}): new people may score lower"
      : nil
  }

  /// How groups were held out, with the warning if subjects are unknown.
  func heldOutText(_ validation: CrossValidation) -> String {
    Self.unknownSubjects(in: dataset).map { "\(validation.method) (\($0))" } ?? validation.method
  }

  /// The repairs made on reading, each with its number of recordings.
  var repairs: [(text: String, recordings: Int)] {
    let all = dataset.recordings.flatMap { Set($0.recording.repairs.map(\.description)) }
    return Dictionary(grouping: all) { $0 }.map { ($0.key, $0.value.count) }.sorted { $0.text < $1.text }
  }
}

extension TrainingReport: CustomStringConvertible {
  /// The report as text for a terminal.
  public var description: String {
    ([DataText(dataset, review).description] + validationText).joined(separator: "\n\n")
  }

  private var validationText: [String] {
    guard let validation else { return [] }
    let unknown = Self.unknownSubjects(in: dataset).map { ["Note: \($0)."] } ?? []
    return ["\(validation)"] + unknown + (validation.turned.map { [turnedText($0, asWorn: validation)] } ?? [])
  }

  private func turnedText(_ turned: ClassificationReport, asWorn validation: CrossValidation) -> String {
    let before = (try? validation.uncalibrated.report()) ?? validation.report
    return "phone rotated      accuracy \(before.accuracy.percent) → "
      + "\(turned.accuracy.percent), macro-F1 \(before.macroF1.percent) → \(turned.macroF1.percent)"
  }
}

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
    let noun = dataset.grouping == .subject ? "subjects" : "groups"
    let groups = dataset.grouping == .recording ? "unknown subjects" : "\(count) \(noun)"
    let others = dataset.ignoredFileCount
    let ignored = others == 0 ? "" : ", \(others.counted("other file")) ignored"
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
    return head + "\n\n" + ReportTable(rows: [titles] + rows).text
  }

  /// The recordings with a suspect label, at most `limit`, and the number of the others; empty if there are none.
  private var suspectText: [String] {
    guard !review.suspectLabels.isEmpty else { return [] }
    let shown = review.suspectLabels.prefix(Self.limit).map {
      "  \($0.path) (\($0.label)) \($0.reason)".visible()
    }
    let rest = review.suspectLabels.count - shown.count
    let more = rest > 0 ? ["  and \(rest) more; a relabelling proposal lists all of them"] : []
    return [(["Suspect labels (the movement does not match the label):"] + shown + more).joined(separator: "\n")]
  }

  /// The maximum number of suspect labels that are listed.
  private static let limit = 8
}

extension LabeledDataset {
  /// The rates of the recordings, hertz, ascending.
  var sampleRates: [Double] { Set(recordings.flatMap(\.recording.sampleRates)).sorted() }
}
