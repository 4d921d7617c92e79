import Gait

extension ActivityModel {
  /// Classifies every recording of a dataset and compares the predictions with its labels.
  ///
  /// Recordings are classified on all cores, each by the same pipeline as a live stream.
  ///
  /// - Parameters:
  ///   - dataset: recordings that are not in the training data; `LabeledDataset.leaks(into:)` checks this.
  ///   - allowsSlowSource: whether to accept recordings slower than `slowestSource`.
  ///   - recordingDone: called after each recording, from any thread.
  /// - Throws: `EvaluationError`, also if the dataset has labels that the model does not have
  ///   (`LabeledDataset.keeping(labels:)` leaves them out).
  public func evaluated(
    on dataset: LabeledDataset, allowsSlowSource: Bool = false, recordingDone: @Sendable () -> Void = {}
  ) throws(EvaluationError) -> ClassificationReport {
    let windows = try scored(on: dataset, allowsSlowSource: allowsSlowSource, recordingDone: recordingDone)
    do {
      return try windows.report()
    } catch {
      throw .noWindows(seconds: activityHead.window.seconds)
    }
  }

  /// The labels and probabilities of every window of a dataset's recordings. Parameters and errors as for `evaluated`.
  public func scored(
    on dataset: LabeledDataset, allowsSlowSource: Bool = false, recordingDone: @Sendable () -> Void = {}
  ) throws(EvaluationError) -> ScoredWindows {
    let labels = activityHead.labels
    let unknown = dataset.labels.filter { !labels.contains($0) }
    guard unknown.isEmpty else { throw .unknownLabels(unknown, known: labels) }
    let parts = try dataset.recordings.mappedConcurrently { (labeled) throws(EvaluationError) in
      defer { recordingDone() }
      do throws(ModelError) {
        let windows = try self.classify(labeled.recording, allowsSlowSource: allowsSlowSource)
        return ScoredWindows(
          labels: labels, truths: windows.map { _ in labels.firstIndex(of: labeled.label)! },
          probabilities: FeatureMatrix(
            columnCount: labels.count,
            values: windows.flatMap { window in labels.indices.map { window.probabilities[$0] } }),
          windowGroups: windows.map { _ in dataset.splitGroups[labeled.group]! })
      } catch {
        throw .recording(labeled.path, error)
      }
    }
    guard parts.contains(where: { $0.count > 0 }) else { throw .noWindows(seconds: activityHead.window.seconds) }
    return ScoredWindows(joining: parts)
  }
}

/// An error in evaluating a model on a dataset.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The dataset has labels that the model does not have.
  case unknownLabels([String], known: [String])
  /// A recording is too slow for the model, lacks a sensor, or has estimated gravity that the model does not accept.
  case recording(String, ModelError)
  /// No recording is long enough for a window.
  case noWindows(seconds: Double)

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .unknownLabels(let labels, let known):
      "the recordings have the label \(labels.quoted), which the model does not have"
        + NearName.cure(for: labels, among: known, what: "model's labels")
        + " Map the label to one of these, or leave out its recordings."
    case .recording(let path, let error): "\(path): \(error)."
    case .noWindows(let seconds):
      "no recording has a whole window of \(plain(seconds)) s without missing values; use longer recordings."
    }
  }
}
