import Gait

/// The windows of a dataset: features, label and recording of each.
public struct LabeledWindows: Sendable {
  /// The labels that occur, sorted.
  public let labels: [String]
  /// The features, shape `[windows × features]`.
  public let matrix: FeatureMatrix
  /// For each window, the index of its label in `labels`.
  public let labelIndices: [Int]
  /// For each window, the index of its recording in the dataset's `recordings`.
  public let recordingIndices: [Int]
  /// For each window, the time of its first sample, seconds from the recording's start.
  package let starts: [Double]
  /// The number of windows of original recordings, which come first. The windows after them are of augmented copies,
  /// for training only.
  public let originalCount: Int

  /// The number of windows.
  public var count: Int { matrix.rowCount }

  /// For each label, the number of windows.
  public var countByLabel: [String: Int] {
    labelIndices.reduce(into: [:]) { $0[labels[$1], default: 0] += 1 }
  }

  /// The indices, ascending, of the windows of the recordings at these positions in the dataset.
  ///
  /// - Parameter augmented: whether windows of augmented copies are included.
  package func rows(of recordings: [Int], augmented: Bool = true) -> [Int] {
    let wanted = Set(recordings)
    return (0..<(augmented ? count : originalCount)).filter { wanted.contains(recordingIndices[$0]) }
  }
}

extension LabeledWindows {
  /// Computes the windows of a dataset's recordings, and then those of their copies. The copies are those of
  /// `augmentation` or, if `addsTurned`, one copy of each recording, rotated at random.
  ///
  /// - Throws: `TrainingError` if a recording lacks a channel or is too slow, the features do not fit the windows, or a
  ///   label has no whole window.
  package init(
    of dataset: LabeledDataset, features: [Feature], shape: WindowShape, sampleRate: SampleRate,
    allowsSlowSource: Bool = false, augmentation: Augmentation = Augmentation(), addsTurned: Bool = false
  ) throws(TrainingError) {
    let needs = FeatureNeeds(of: features, allowsSlowSource: allowsSlowSource)
    try Self.check(dataset, needs, features: features)
    if let rate = augmentation.copyRate { try needs.check(rate, name: "copies of the recordings") }
    let parts = Array(dataset.recordings.enumerated().map { ($0.offset, $0.element) })
    let matrices: [[(starts: [Double], values: FeatureMatrix)]]
    do {
      matrices = try parts.mappedConcurrently(showing: "recording") { (part) throws(ModelError) in
        let (number, original) = (part.0, part.1.recording)
        let copies =
          addsTurned
          ? [(original.turned(number: number), 1)]
          : augmentation.copies(of: original, label: part.1.label, number: number)
        return try ([(original, 1)] + copies).map { (recording, share) throws(ModelError) in
          let (starts, values) = try recording.features(features, shape: shape, sampleRate: sampleRate)
          let kept = Augmentation.windows(of: starts.count, share: share)
          return (kept.map { starts[$0].seconds(since: recording.start) }, values.rows(at: kept))
        }
      }
    } catch {
      throw .features(error)
    }
    let originals = matrices.enumerated().map { ($0.offset, $0.element[0]) }
    let copies = matrices.enumerated().flatMap { index, group in group.dropFirst().map { (index, $0) } }
    originalCount = originals.reduce(0) { $0 + $1.1.values.rowCount }
    var (values, starts): ([Float], [Double]) = ([], [])
    var (labelIndices, recordingIndices): ([Int], [Int]) = ([], [])
    for (index, (times, matrix)) in originals + copies {
      let label = dataset.labels.firstIndex(of: dataset.recordings[index].label)!
      values += matrix.values
      starts += times
      labelIndices += repeatElement(label, count: matrix.rowCount)
      recordingIndices += repeatElement(index, count: matrix.rowCount)
    }
    guard !values.isEmpty else { throw .noWindows(seconds: shape.seconds) }
    let present = Set(labelIndices)
    if let absent = dataset.labels.indices.first(where: { !present.contains($0) }) {
      throw .noWindowsOfLabel(dataset.labels[absent], seconds: shape.seconds)
    }
    self.labels = dataset.labels
    self.matrix = FeatureMatrix(columnCount: features.count, values: values)
    self.labelIndices = labelIndices
    self.recordingIndices = recordingIndices
    self.starts = starts
  }

  /// Checks that every recording has the channels and the rate that the features need.
  private static func check(
    _ dataset: LabeledDataset, _ needs: FeatureNeeds, features: [Feature]
  ) throws(TrainingError) {
    guard !features.isEmpty else { throw .features(.noFeatures) }
    for labeled in dataset.recordings { try needs.check(labeled.recording, name: labeled.path) }
  }

  /// The windows at `rows`, scored by a head.
  func scored(by head: ActivityModel.Head, at rows: [Int], of dataset: LabeledDataset) -> ScoredWindows {
    ScoredWindows(
      labels: labels, truths: rows.map { labelIndices[$0] },
      probabilities: head.probabilities(of: matrix.rows(at: rows)),
      windowGroups: rows.map { dataset.splitGroups[dataset.recordings[recordingIndices[$0]].group]! },
      sources: rows.map { .init(recording: recordingIndices[$0], start: starts[$0]) })
  }

  /// The averaged evidence of the windows at ascending `rows` for rejecting them, recording by recording; empty if the
  /// head does not reject.
  package func evidence(
    for head: ActivityModel.Head, at rows: [Int]
  ) -> [(recording: Int, windows: [RejectionEvidence])] {
    guard head.rejection != nil else { return [] }
    return Dictionary(grouping: rows) { recordingIndices[$0] }.sorted { $0.key < $1.key }.map { recording, rows in
      (recording, head.evidence(of: matrix.rows(at: rows)))
    }
  }

  /// The windows with some of the features, in the order of `positions`.
  package func columns(_ positions: [Int]) -> LabeledWindows {
    var values: [Float] = []
    values.reserveCapacity(count * positions.count)
    for row in 0..<count {
      for position in positions { values.append(matrix.values[row * matrix.columnCount + position]) }
    }
    return LabeledWindows(
      labels: labels, matrix: FeatureMatrix(columnCount: positions.count, values: values), labelIndices: labelIndices,
      recordingIndices: recordingIndices, starts: starts, originalCount: originalCount)
  }

  /// All windows if there are no more than `limit`; otherwise every second, third, … so that at most `limit` remain.
  func thinned(to limit: Int) -> LabeledWindows {
    count <= limit ? self : keeping(rows: Array(stride(from: 0, to: count, by: (count + limit - 1) / limit)))
  }

  /// The windows of the recordings at these positions in the dataset. A recording's index becomes its place in
  /// `recordings`.
  func restricted(to recordings: [Int]) -> LabeledWindows {
    let positions = Dictionary(uniqueKeysWithValues: recordings.enumerated().map { ($1, $0) })
    return keeping(rows: rows(of: recordings)) { positions[$0]! }
  }

  private func keeping(rows: [Int], recording: (Int) -> Int = { $0 }) -> LabeledWindows {
    LabeledWindows(
      labels: labels, matrix: matrix.rows(at: rows), labelIndices: rows.map { labelIndices[$0] },
      recordingIndices: rows.map { recording(recordingIndices[$0]) }, starts: rows.map { starts[$0] },
      originalCount: rows.count { $0 < originalCount })
  }
}

/// The channels and the sample rate that features need.
struct FeatureNeeds: Sendable {
  private let channels: Set<Channel>
  private let slowest: SampleRate?

  init(of features: [Feature], allowsSlowSource: Bool) {
    channels = Set(features.flatMap(\.lane.neededChannels))
    slowest = allowsSlowSource ? nil : features.slowestSource
  }

  /// Checks that the recording has the channels and the rate.
  ///
  /// - Throws: `TrainingError`, with `name` for the recording.
  func check(_ recording: Recording, name: String) throws(TrainingError) {
    let missing = channels.subtracting(recording.channels)
    guard missing.isEmpty else {
      throw .missingChannels(recording: name, channels: Channel.allCases.filter(missing.contains))
    }
    try check(recording.sampleRate, name: name)
  }

  /// Checks that a rate suffices.
  func check(_ rate: SampleRate, name: String) throws(TrainingError) {
    if let slowest, rate < slowest { throw .tooSlow(recording: name, source: rate, slowest: slowest) }
  }
}
