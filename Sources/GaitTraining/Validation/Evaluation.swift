import Gait

extension ActivityModel {
  /// Classifies every recording of a dataset and compares with its labels.
  ///
  /// Recordings are classified on all cores, each on the same road as a live stream.
  ///
  /// - Parameters:
  ///   - dataset: recordings that the model was not trained on; whether it was, the model cannot know.
  ///   - allowsSlowSource: whether recordings slower than `slowestSource` are taken nevertheless.
  ///   - recordingDone: called after each recording, from any thread.
  /// - Throws: `EvaluationError`, also where the dataset has labels that the model does not know
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

  /// The probabilities of every window of a dataset's recordings, with their labels. Parameters and errors as for `evaluated`.
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

/// Recordings that a model cannot be judged by.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The dataset has labels that the model does not.
  case unknownLabels([String], known: [String])
  /// A recording is too slow for the model, lacks a sensor, or has estimated gravity that the model does not accept.
  case recording(String, ModelError)
  /// No recording is long enough for a window.
  case noWindows(seconds: Double)

  /// One sentence that says what is wrong and what would cure it.
  public var description: String {
    switch self {
    case .unknownLabels(let labels, let known):
      "the model does not know the label \(labels.map { "\"\($0)\"" }.listed()) of the recordings (it knows "
        + "\(known.listed())); map it to one of these, or leave such recordings out."
    case .recording(let path, let error): "\(path): \(error)."
    case .noWindows(let seconds):
      "no recording holds a whole window of \(plain(seconds)) s without missing values; use longer recordings."
    }
  }
}
