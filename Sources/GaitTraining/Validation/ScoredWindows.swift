import Foundation
import Gait

/// Windows with their true labels and a model's probabilities.
///
/// All evaluation results are computed from them: `report`, `ProbabilityReport`, `OperatingCurve` and calibration.
public struct ScoredWindows: Hashable, Sendable {
  /// The model's labels, in the order of the probabilities.
  public let labels: [String]
  /// The labels that windows can be given: `labels`, followed by `other` if the model rejects windows.
  public let assignedLabels: [String]
  /// For each window, the index of its true label in `assignedLabels`.
  public let truths: [Int]
  /// The probabilities, shape `[windows × labels]`.
  public private(set) var probabilities: FeatureMatrix
  /// The groups of the windows, in natural order.
  public let groups: [String]
  /// For each window, the index of its group in `groups`.
  public let groupIndices: [Int]
  /// For each window, its place in the dataset; empty if unknown.
  public let sources: [Source]
  /// For each window, whether the model rejects it; `nil` for a model without rejection.
  public let rejections: [Bool]?

  /// A window's recording and time.
  public struct Source: Hashable, Sendable {
    /// The position of the recording in the dataset's `recordings`.
    public let recording: Int
    /// The time of the window's first sample, seconds from the recording's start.
    public let start: Double

    package init(recording: Int, start: Double) {
      (self.recording, self.start) = (recording, start)
    }
  }

  /// The number of windows.
  public var count: Int { truths.count }

  /// Windows from their parts.
  ///
  /// - Parameters:
  ///   - labels: the model's labels.
  ///   - truths: for each window, the index of its true label in `assignedLabels`.
  ///   - probabilities: shape `[windows × labels]`.
  ///   - windowGroups: for each window, the name of its group.
  ///   - sources: for each window, its recording and time; empty if unknown.
  ///   - rejections: for each window, whether the model rejects it; `nil` for a model without rejection.
  /// - Precondition: each window has a row of probabilities and a group. If `sources` is not empty, or `rejections` not
  ///   `nil`, each window has one.
  public init(
    labels: [String], truths: [Int], probabilities: FeatureMatrix, windowGroups: [String], sources: [Source] = [],
    rejections: [Bool]? = nil
  ) {
    precondition(
      probabilities.rowCount == truths.count && windowGroups.count == truths.count
        && probabilities.columnCount == labels.count && (sources.isEmpty || sources.count == truths.count)
        && (rejections?.count ?? truths.count) == truths.count,
      "each of \(truths.count) windows needs a group and \(labels.count) probabilities")
    self.labels = labels
    assignedLabels = labels.assigned(rejecting: rejections != nil)
    self.rejections = rejections
    self.truths = truths
    self.probabilities = probabilities
    self.sources = sources
    groups = windowGroups.sortedAndUnique()
    let positions = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
    groupIndices = windowGroups.map { positions[$0]! }
  }

  /// The index in `assignedLabels` of the label of window `index`: `other` if the model rejects it, and the most
  /// probable label if not.
  public func prediction(at index: Int) -> Int {
    rejections?[index] == true ? otherIndex! : mostProbable(at: index)
  }

  /// The index in `labels` of the most probable label of window `index`: the first on a tie, as in the pipeline.
  func mostProbable(at index: Int) -> Int {
    let scores = Array(probabilities[index])
    return scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
  }

  /// The index of `other` in `assignedLabels`; `nil` if the model rejects no windows.
  var otherIndex: Int? { rejections == nil ? nil : assignedLabels.firstIndex(of: Rejection.label) }

  /// The windows whose true label is in `labels`, as if the model rejected no window. Probabilities are judged on these
  /// windows, because the model gives `other` no probability.
  public var known: ScoredWindows {
    guard rejections != nil else { return self }
    return windows(at: truths.indices.filter { truths[$0] < labels.count }, rejections: nil)
  }

  /// The classification report on the labels that the model gives the windows.
  ///
  /// - Throws: `ClassificationReportError.noWindows` if there are no windows.
  public func report() throws(ClassificationReportError) -> ClassificationReport {
    try ClassificationReport(
      (0..<count).lazy.map {
        Prediction(
          truth: assignedLabels[truths[$0]], predicted: assignedLabels[prediction(at: $0)],
          group: groups[groupIndices[$0]])
      }, labels: assignedLabels)
  }

  /// The same windows with calibrated probabilities.
  package func calibrated(by calibration: Calibration) -> ScoredWindows {
    var windows = self
    windows.probabilities = calibration.apply(to: probabilities)
    return windows
  }

  /// Some of the windows, in the order of `rows`.
  public func windows(at rows: [Int]) -> ScoredWindows { windows(at: rows, rejections: rejections) }

  private func windows(at rows: [Int], rejections: [Bool]?) -> ScoredWindows {
    ScoredWindows(
      labels: labels, truths: rows.map { truths[$0] }, probabilities: probabilities.rows(at: rows),
      windowGroups: rows.map { groups[groupIndices[$0]] }, sources: sources.isEmpty ? [] : rows.map { sources[$0] },
      rejections: rejections.map { rejections in rows.map { rejections[$0] } })
  }

  /// Joins the windows of several models, such as those of the folds of a cross-validation. If a part lacks `sources`,
  /// the result has none.
  ///
  /// - Precondition: there is at least one part, and all have the same labels; all of them reject windows or none does.
  package init(joining parts: [ScoredWindows]) {
    precondition(parts.allSatisfy { $0.labels == parts[0].labels }, "joined windows must have the same labels")
    self.init(
      labels: parts[0].labels, truths: parts.flatMap(\.truths),
      probabilities: FeatureMatrix(
        columnCount: parts[0].labels.count, values: parts.flatMap(\.probabilities.values)),
      windowGroups: parts.flatMap { part in part.groupIndices.map { part.groups[$0] } },
      sources: parts.contains { $0.sources.count < $0.count } ? [] : parts.flatMap(\.sources),
      rejections: parts[0].rejections == nil ? nil : parts.flatMap { $0.rejections ?? [] })
  }
}

extension [String] {
  /// A model's labels, followed by `other` if it rejects windows and has no such label.
  fileprivate func assigned(rejecting: Bool) -> [String] {
    self + (rejecting && !contains(Rejection.label) ? [Rejection.label] : [])
  }
}

extension ActivityModel {
  /// The labels that windows can be given: those of the model, followed by `other` if it rejects windows.
  public var assignedLabels: [String] { activityHead.labels.assigned(rejecting: rejectsUnknown) }

  /// Classifies every recording of a dataset and compares the predictions with its labels.
  ///
  /// Recordings are classified on all cores, each by the same pipeline as a live stream. If the model rejects windows,
  /// it should reject all windows of recordings labelled `other`. A rejected window of another label is an error.
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
    let (labels, assigned) = (activityHead.labels, assignedLabels)
    let unknown = dataset.labels.filter { !assigned.contains($0) }
    guard unknown.isEmpty else { throw .unknownLabels(unknown, known: labels) }
    let parts = try Array(dataset.recordings.indices).mappedConcurrently(showing: "recording") {
      (index) throws(EvaluationError) in
      let labeled = dataset.recordings[index]
      defer { recordingDone() }
      do throws(ModelError) {
        let windows = try self.classify(labeled.recording, allowsSlowSource: allowsSlowSource)
        return ScoredWindows(
          labels: labels, truths: windows.map { _ in assigned.firstIndex(of: labeled.label)! },
          probabilities: FeatureMatrix(
            columnCount: labels.count,
            values: windows.flatMap { window in labels.indices.map { window.probabilities[$0] } }),
          windowGroups: windows.map { _ in dataset.splitGroups[labeled.group]! },
          sources: windows.map { .init(recording: index, start: $0.start.seconds(since: labeled.recording.start)) },
          rejections: rejectsUnknown ? windows.map(\.isRejected) : nil)
      } catch {
        throw .recording(labeled.path, error)
      }
    }
    guard parts.contains(where: { $0.count > 0 }) else { throw .noWindows(seconds: activityHead.window.seconds) }
    return ScoredWindows(joining: parts)
  }
}

/// An error in evaluating a model on a dataset.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The dataset has labels that the model does not have.
  case unknownLabels([String], known: [String])
  /// A recording has a lower rate than `ActivityModel.slowestSource`, lacks a sensor, or has estimated gravity that the
  /// model does not accept.
  case recording(String, ModelError)
  /// No recording is long enough for a window.
  case noWindows(seconds: Double)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .unknownLabels([Rejection.label], _):
      "the recordings have the label \"\(Rejection.label)\", but the model rejects no windows; "
        + "train a model that does, or leave out these recordings."
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

/// The shares of windows that a model rejects: of those that it should label, and of those that it should reject.
package struct RejectedShares: Hashable, Sendable, Encodable {
  /// The rejected windows among those of the model's labels; few should be rejected.
  package let known: Share
  /// The rejected windows among those of recordings labelled `other`; all should be rejected. `nil` if there are no
  /// such windows.
  package let other: Share?

  /// A number of windows, and the share of them that is rejected.
  package struct Share: Hashable, Sendable, Encodable {
    /// The number of windows.
    package let windows: Int
    /// The share of them that is rejected, 0…1.
    package let rejected: Double
  }

  /// The rejected windows; `nil` for a model that rejects none.
  package init?(_ windows: ScoredWindows) {
    guard let rejections = windows.rejections else { return nil }
    func share(_ isOther: Bool) -> Share {
      let rows = (0..<windows.count).filter { (windows.truths[$0] == windows.otherIndex) == isOther }
      return Share(
        windows: rows.count, rejected: Double(rows.count { rejections[$0] }) / Double(max(1, rows.count)))
    }
    known = share(false)
    let other = share(true)
    self.other = other.windows > 0 ? other : nil
  }

  /// The shares as lines for a terminal.
  package var lines: [String] {
    let parts = [(known, "known labels")] + (other.map { [($0, Rejection.label)] } ?? [])
    return parts.filter { $0.0.windows > 0 }.map { share, name in
      "rejected           \(share.rejected.alignedPercent) of \(share.windows.grouped) windows of \(name)"
    }
  }
}
