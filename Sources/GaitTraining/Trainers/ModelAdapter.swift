import Gait

/// Adapts a model to recordings of one person, such as a few minutes of the app's user.
///
/// Only the weights of the activity head change. They become the maximum a posteriori estimate, with the model's
/// weights as prior (`LogisticTrainer.adapt`). Features, windows, scaling, calibration, rejection and the pause head
/// stay. A label without recordings keeps the model's weights.
///
///     let adaptation = try ModelAdapter().validated(.running, on: own, others: others)
///     print(adaptation)                          // gain on held-out recordings, harm on other people
///     try adaptation.model.write(to: modelURL)
public struct ModelAdapter: Hashable, Sendable {
  /// The strength of the prior: the precision of each weight of a standardised feature. The evidence grows with the
  /// number of windows, so a longer recording changes the model more.
  ///
  /// Default: 100. With a weaker prior the mean gain is little more, but the accuracy falls for some people's own
  /// recordings and for other people. `gait-lab judge places DATA --personal` prints gain and harm over held-out
  /// people.
  public var strength = 100.0

  /// An adapter with the defaults.
  public init() {}

  /// The number of blocks into which recordings are cut for validation if a label has a single recording.
  static let blockCount = 2

  /// The adapted model.
  ///
  /// - Parameters:
  ///   - base: a model whose activity head is a logistic regression.
  ///   - own: recordings of the person, with at least two of the model's labels.
  /// - Throws: `TrainingError`.
  public func adapted(_ base: ActivityModel, to own: LabeledDataset) throws(TrainingError) -> ActivityModel {
    let windows = try windows(of: own, for: base)
    let head = try head(base.activityHead, to: windows, rows: Array(0..<windows.count))
    let known = (base.card?.training.attributions ?? []) + (own.attributions ?? [])
    let before = base.card?.training.method ?? "an unknown method"
    let card = ModelCard(
      training: ModelCard.Training(
        method: "\(before); adapted with strength \(plain(strength))", source: own.name,
        sampleRates: Set(own.recordings.flatMap(\.recording.sampleRates)).sorted(), recordings: own.recordings.count,
        groups: own.units.count, windows: windows.countByLabel,
        attributions: known.isEmpty ? nil : known, fingerprints: own.fingerprints))
    do throws(ModelError) {
      return try ActivityModel(
        sampleRate: base.sampleRate, heads: [head] + base.heads.dropFirst(), pauses: base.pauses,
        acceptsEstimatedGravity: base.acceptsEstimatedGravity, meanings: base.meanings, card: card)
    } catch { throw .model(error) }
  }

  /// The adapted model with its gain and its harm, on recordings that it was not adapted to.
  ///
  /// The gain is measured by models that are adapted to some of the person's recordings and tested on the others. If a
  /// label has a single recording, each recording is cut into two halves for it. The harm is measured by testing the
  /// written model on other people.
  ///
  /// - Parameters:
  ///   - base: a model whose activity head is a logistic regression.
  ///   - own: recordings of the person, with at least two of the model's labels.
  ///   - others: recordings of other people, with labels of the model.
  /// - Throws: `TrainingError`.
  public func validated(
    _ base: ActivityModel, on own: LabeledDataset, others: LabeledDataset? = nil
  ) throws(TrainingError) -> Adaptation {
    let model = try adapted(base, to: own)
    let (dataset, folds) = try folds(of: own, window: base.activityHead.window)
    let windows = try windows(of: dataset, for: base)
    let parts = try folds.folds.mappedConcurrently(showing: "fold") { (fold) throws(TrainingError) in
      let head = try head(base.activityHead, to: windows, rows: windows.rows(of: fold.training))
      let rows = windows.rows(of: fold.test)
      return (
        windows.scored(by: base.activityHead, labelled: base, at: rows, of: dataset),
        windows.scored(by: head, labelled: base, at: rows, of: dataset)
      )
    }
    let gain = try Self.comparison(ScoredWindows(joining: parts.map(\.0)), ScoredWindows(joining: parts.map(\.1)), base)
    let harm = try others.map { (others) throws(TrainingError) in
      let windows = try self.windows(of: others, for: base)
      let rows = Array(0..<windows.count)
      return try Self.comparison(
        windows.scored(by: base.activityHead, labelled: base, at: rows, of: others),
        windows.scored(by: model.activityHead, labelled: base, at: rows, of: others), base)
    }
    return Adaptation(model: model, isValidatedByTime: dataset.grouping != .recording, gain: gain, harm: harm)
  }

  private static func comparison(
    _ before: ScoredWindows, _ after: ScoredWindows, _ base: ActivityModel
  ) throws(TrainingError) -> ModelComparison {
    do { return try ModelComparison([("before", before), ("adapted", after)]) } catch {
      throw .noWindows(seconds: base.activityHead.window.seconds)
    }
  }

  /// The person's recordings, and how they are held out: whole recordings in five folds. If that leaves a label without
  /// training recordings, each recording is cut into `blockCount` blocks instead.
  private func folds(
    of own: LabeledDataset, window: WindowShape
  ) throws(TrainingError) -> (LabeledDataset, Folds) {
    let byRecording = own.groupedByRecording
    if let folds = try? Folds(of: byRecording, scheme: .groups(folds: 5)) { return (byRecording, folds) }
    let blocks = own.cut(intoBlocks: Self.blockCount, apart: window.seconds)
    return (blocks, try blocks.folds(Folds.scheme(for: blocks)))
  }

  /// The windows of recordings with the features of a model.
  private func windows(of dataset: LabeledDataset, for base: ActivityModel) throws(TrainingError) -> LabeledWindows {
    let head = base.activityHead
    let unknown = dataset.labels.filter { !head.labels.contains($0) }
    guard unknown.isEmpty else {
      throw .cannotAdapt(
        "the recordings have the label \(unknown.quoted), which the model does not have; map it to one of "
          + "\(head.labels.listed()), or leave out its recordings")
    }
    return try LabeledWindows(
      of: dataset, features: head.features, shape: head.window, sampleRate: base.sampleRate)
  }

  /// A head adapted to some of the windows.
  package func head(
    _ base: ActivityModel.Head, to windows: LabeledWindows, rows: [Int]
  ) throws(TrainingError) -> ActivityModel.Head {
    guard case .logistic(let logistic) = base.classifier else {
      throw .cannotAdapt("only a logistic regression can be adapted, and the model has trees; start from another model")
    }
    let positions = windows.labels.map { base.labels.firstIndex(of: $0)! }
    let matrix = windows.matrix.rows(at: rows)
    do {
      var head = base
      head.classifier = .logistic(
        try LogisticTrainer().adapt(
          logistic, to: base.scaling?.apply(to: matrix) ?? matrix,
          labels: rows.map { positions[windows.labelIndices[$0]] },
          strength: strength))
      return head
    } catch { throw .fitting(error) }
  }
}

extension LabeledWindows {
  /// The windows at `rows`, scored by a head whose labels include the dataset's.
  fileprivate func scored(
    by head: ActivityModel.Head, labelled base: ActivityModel, at rows: [Int], of dataset: LabeledDataset
  ) -> ScoredWindows {
    let labels = base.activityHead.labels
    let positions = self.labels.map { labels.firstIndex(of: $0)! }
    return ScoredWindows(
      labels: labels, truths: rows.map { positions[labelIndices[$0]] },
      probabilities: head.probabilities(of: matrix.rows(at: rows)),
      windowGroups: rows.map { dataset.recordings[recordingIndices[$0]].group })
  }
}

extension LabeledDataset {
  /// The recordings that pass all filters, and those of other groups; the latter are `nil` if there are none.
  ///
  /// - Throws: `TrainingError.cannotAdapt` if no recording has one of a filter's values, or none passes all filters.
  public func split(
    by filters: [RecordingFilter]
  ) throws(TrainingError) -> (own: LabeledDataset, others: LabeledDataset?) {
    if let (filter, found) = filters.lazy.compactMap({ $0.unmatched(in: recordings) }).first {
      let names = found.map { recordings[0].fields[$0] == nil ? "\(filter.field)=\($0)" : $0 }
      throw .cannotAdapt("no recording passes \(filter); the recordings have \(names.listed())")
    }
    let own = recordings.filter { recording in filters.allSatisfy { $0.passes(recording.fields) } }
    guard !own.isEmpty else {
      throw .cannotAdapt("no recording passes \(filters.map(\.description).joined(separator: " and "))")
    }
    let groups = Set(own.map(\.group))
    let others = recordings.filter { !groups.contains($0.group) }
    return (with(own), others.isEmpty ? nil : with(others))
  }

  /// The recordings whose labels the model has and that are not in its training data, and the number of recordings that
  /// are in it.
  public func unseen(by model: ActivityModel) -> (dataset: LabeledDataset?, seenCount: Int) {
    let seen = Set(leaks(into: model).map(\.path))
    let unseen = recordings.filter { !seen.contains($0.path) && model.activityHead.labels.contains($0.label) }
    return (unseen.isEmpty ? nil : with(unseen), seen.count)
  }
}

/// An adapted model, with its gain on the person's held-out recordings and its harm on other people.
public struct Adaptation: Sendable, CustomStringConvertible {
  /// The model, adapted to all own recordings.
  public let model: ActivityModel
  /// Whether the gain is measured on another half of each recording, because a label has a single recording.
  public let isValidatedByTime: Bool
  /// The model before and after, on own recordings that it was not adapted to.
  public let gain: ModelComparison
  /// The model before and after, on recordings of other people; `nil` without any.
  public let harm: ModelComparison?

  /// A warning if the adapted model is less accurate than the original one on held-out recordings of the person;
  /// usually empty.
  public var warnings: [String] {
    let accuracies = gain.entries.map(\.report.accuracy)
    guard accuracies[1] < accuracies[0] else { return [] }
    let (before, adapted) = (100 * accuracies[0], 100 * accuracies[1])
    return [
      "the adapted model is less accurate on \(unit), \(adapted.fixed(2)) % instead of \(before.fixed(2)) %; "
        + "keep the model that you started from, or adapt it to more minutes"
    ]
  }

  /// The recordings that measure the gain.
  private var unit: String { isValidatedByTime ? "the other half of each recording" : "other recordings" }

  /// Both comparisons as text for a terminal.
  public var description: String {
    [
      "Own recordings, adapted to \(unit)\n\n\(gain)",
      harm.map { "Other people\n\n\($0)" }
        ?? "Other people: not measured; supply recordings of others to measure the harm",
    ].joined(separator: "\n\n")
  }
}
