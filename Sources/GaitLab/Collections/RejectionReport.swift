import Gait
import GaitTraining

/// What a recipe's models reject: of known labels, of labels left out of the training, and of unknown movements.
///
/// People are held out of the training; the bounds are fitted to other people than those they are applied to.
public struct RejectionReport: Sendable, Encodable {
  /// The rejected windows of one kind.
  public struct Row: Hashable, Sendable, Encodable {
    /// The set and the place, or the label and the place.
    public let name: String
    /// The number of windows.
    public let windows: Int
    /// The share of windows that are rejected, 0…1.
    public let rejected: Double
    /// The number of recordings.
    public let recordings: Int
    /// The share of recordings with more than the usual share of rejected windows, 0…1.
    public let unusual: Double

    fileprivate init(_ name: String, _ tally: RejectionTally) {
      self.name = name
      windows = tally.windows
      rejected = tally.rejectedShare
      recordings = tally.recordings
      unusual = tally.unusualShare
    }
  }

  /// The windows of known labels, by set and place; the last row has all of them.
  public let known: [Row]
  /// The person with the largest share of rejected windows of known labels.
  public let worstPerson: String
  /// That person's share.
  public let worstRejected: Double
  /// The windows of each label, by models that were trained without it; empty if there are only two labels.
  public let leftOut: [Row]
  /// The share of rejected windows of the labels that were not left out, by these models.
  public let otherLabelsRejected: [Double]
  /// The windows of unknown movements, by movement and place.
  public let unknown: [Row]
}

extension ActivityTrainer {
  /// Measures rejection on a collection.
  ///
  /// - Parameters:
  ///   - collected: the recordings of known labels.
  ///   - unknown: recordings of movements in no training, if any. A person of both is held out for both.
  ///   - folds: the number of folds of whole people.
  /// - Throws: `TrainingError`.
  public func rejectionReport(
    of collected: CollectedRecordings, unknown: CollectedRecordings? = nil, folds: Int = Folds.defaultCount
  ) throws(TrainingError) -> RejectionReport {
    var trainer = self
    trainer.rejectsUnknown = true
    let unknownWindows: LabeledWindows? =
      if let unknown { try trainer.windows(of: unknown.dataset) } else { nil }
    let people = try collected.dataset.folds(.groups(folds: folds))
    return try RejectionTrial(
      trainer: trainer, dataset: collected.dataset, windows: try trainer.trainingWindows(of: collected.dataset),
      folds: people.folds, unknown: unknown?.dataset, unknownWindows: unknownWindows
    ).report()
  }
}

/// The models of all folds, with every label or without one.
private struct RejectionTrial: Sendable {
  let trainer: ActivityTrainer
  let dataset: LabeledDataset
  let windows: LabeledWindows
  let folds: [Folds.Fold]
  let unknown: LabeledDataset?
  let unknownWindows: LabeledWindows?

  func report() throws(TrainingError) -> RejectionReport {
    let all = try evidence(leavingOut: nil)
    let people = rows(all.known) { dataset.recordings[$0].group }
    let worst = people.max { $0.rejected < $1.rejected }!
    // A model has two labels or more.
    let labels = windows.labels.count > 2 ? Array(windows.labels.indices) : []
    let leftOut = try labels.map { (label) throws(TrainingError) in
      let name = windows.labels[label]
      return rows(
        try evidence(leavingOut: label).known, fittedTo: { dataset.recordings[$0].label != name },
        by: { dataset.recordings[$0].label == name ? name : "" })
    }
    return RejectionReport(
      known: rows(all.known) { dataset.recordings[$0].setAndPlace } + [
        RejectionReport.Row("all", RejectionTally(all.known))
      ],
      worstPerson: worst.name, worstRejected: worst.rejected,
      leftOut: leftOut.flatMap { $0.filter { !$0.name.isEmpty } },
      otherLabelsRejected: leftOut.flatMap { $0.filter { $0.name.isEmpty } }.map(\.rejected),
      unknown: unknown.map { unknown in
        rows(all.unknown, bounds: all.known) {
          let recording = unknown.recordings[$0]
          return [recording.label, recording.setAndPlace].joined(separator: ", ")
        }
      } ?? [])
  }

  /// The evidence of the held-out recordings of every fold, by models that were trained without one label.
  private func evidence(
    leavingOut label: Int?
  ) throws(TrainingError) -> (known: [RecordingEvidence], unknown: [RecordingEvidence]) {
    let parts = try Array(folds.indices).mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
      let training = windows.rows(of: folds[fold].training).filter { windows.labelIndices[$0] != label }
      let head = try trainer.head(fitting: windows, rows: training)
      let known = Self.evidence(windows, folds[fold].test, head, fold)
      guard let unknownWindows, label == nil else { return Part(known: known, unknown: []) }
      return Part(known: known, unknown: Self.evidence(unknownWindows, unknownRecordings(of: fold), head, fold))
    }
    return (parts.flatMap(\.known), parts.flatMap(\.unknown))
  }

  private struct Part: Sendable {
    var known: [RecordingEvidence]
    var unknown: [RecordingEvidence]
  }

  private static func evidence(
    _ windows: LabeledWindows, _ recordings: [Int], _ head: ActivityModel.Head, _ fold: Int
  ) -> [RecordingEvidence] {
    windows.evidence(for: head, at: windows.rows(of: recordings, augmented: false)).map {
      RecordingEvidence(fold: fold, recording: $0, windows: $1)
    }
  }

  /// The recordings of unknown movements by people whom a fold holds out; the first fold has people of no fold too.
  private func unknownRecordings(of fold: Int) -> [Int] {
    guard let unknown else { return [] }
    return unknown.recordings.indices.filter { index in
      (folds.firstIndex { $0.groups.contains(unknown.recordings[index].group) } ?? 0) == fold
    }
  }

  /// The rejected windows by a name of the recordings, in the order of first occurrence.
  ///
  /// - Parameters:
  ///   - bounds: the recordings that the bounds are fitted to, those of other folds; by default `recordings`.
  ///   - isFitted: which of them, by their positions.
  private func rows(
    _ recordings: [RecordingEvidence], bounds: [RecordingEvidence]? = nil,
    fittedTo isFitted: (Int) -> Bool = { _ in true },
    by name: (Int) -> String
  ) -> [RejectionReport.Row] {
    let fitted = (bounds ?? recordings).filter { isFitted($0.recording) }
    let byFold = folds.indices.map { fold in RejectionBounds(fitted.filter { $0.fold != fold }) }
    var tallies: [String: RejectionTally] = [:]
    var names: [String] = []
    for recording in recordings.sorted(by: { $0.recording < $1.recording }) {
      let name = name(recording.recording)
      if tallies[name] == nil { names.append(name) }
      tallies[name, default: RejectionTally()].add(recording, byFold[recording.fold])
    }
    return names.map { RejectionReport.Row($0, tallies[$0]!) }
  }
}

extension RejectionReport: CustomStringConvertible {
  /// The tables as text for a terminal.
  public var description: String {
    let others = zip(leftOut, otherLabelsRejected).map { "\($0.name) \(Self.percent($1))" }.joined(separator: ", ")
    var parts = [
      "Known labels, people held out\n\n" + Self.table(known)
        + "\nmost rejected person  \(worstPerson) \(Self.percent(worstRejected))"
    ]
    if !leftOut.isEmpty {
      parts.append(
        "Labels left out of the training\n\n" + Self.table(leftOut) + "\nof the other labels, without  \(others)")
    }
    if !unknown.isEmpty { parts.append("Movements in no training\n\n" + Self.table(unknown)) }
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ rows: [Row]) -> String {
    let header = ["", "windows", "rejected", "recordings", "unusual"]
    let lines = rows.map {
      [$0.name, "\($0.windows)", percent($0.rejected), "\($0.recordings)", percent($0.unusual)]
    }
    return ReportTable(list: [header] + lines).text
  }

  private static func percent(_ ratio: Double) -> String { (100 * ratio).fixed(1) + " %" }
}
