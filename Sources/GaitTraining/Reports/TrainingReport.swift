import Gait

/// All that there is to say about a training: the data, the model, and how it does on whom it has not seen.
///
/// `description` is its text for a terminal, `html` a page that can be mailed and kept.
public struct TrainingReport: Sendable {
  /// What was trained on.
  public let dataset: LabeledDataset
  /// What the labels hold, and which recordings disagree with theirs.
  public let review: LabelReview
  /// How groups that were held out were classified; `nil` where that was not looked at.
  public let validation: CrossValidation?
  /// The model.
  public let model: ActivityModel
  /// How the model was fitted, in words.
  public let method: String
  /// What was typed to make it; empty where nothing was.
  public let command: String
  /// What is odd about the training, beside what the dataset's own warnings say, a sentence each.
  public let warnings: [String]

  /// A report from its parts.
  public init(
    dataset: LabeledDataset, review: LabelReview, validation: CrossValidation?, model: ActivityModel, method: String,
    command: String = "", warnings: [String] = []
  ) {
    self.dataset = dataset
    self.review = review
    self.validation = validation
    self.model = model
    self.method = method
    self.command = command
    self.warnings = warnings + (validation.flatMap { _ in Self.unknownSubjects(in: dataset) }.map { [$0] } ?? [])
  }

  /// The limit of a score where the subjects are unknown; `nil` where they are known.
  static func unknownSubjects(in dataset: LabeledDataset) -> String? {
    dataset.grouping == .recording && dataset.recordings.allSatisfy { $0.subject == nil }
      ? "files, not people, are held out (the layout has no {subject}): new people may score lower"
      : nil
  }

  /// How groups were held out, with the limit of the score if subjects are unknown.
  func heldOutText(_ validation: CrossValidation) -> String {
    Self.unknownSubjects(in: dataset).map { "\(validation.method) (\($0))" } ?? validation.method
  }

  /// What every page of Gait's holds near its beginning, this one's and that of a tracked recording.
  package static var pageMark: String { Page.mark }

  /// The repairs that reading made, each with the number of recordings that it was made in.
  var repairs: [(text: String, recordings: Int)] {
    let all = dataset.recordings.flatMap { Set($0.recording.repairs.map(\.description)) }
    return Dictionary(grouping: all) { $0 }.map { ($0.key, $0.value.count) }.sorted { $0.text < $1.text }
  }

  /// The rates of the recordings, hertz, ascending.
  var sampleRates: [Double] { Set(dataset.recordings.flatMap(\.recording.sampleRates)).sorted() }
}
