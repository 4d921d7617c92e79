import Gait

/// The windows of a dataset: features, label and recording of each.
public struct LabeledWindows: Sendable {
  /// The labels that occur, sorted.
  public let labels: [String]
  /// The features, shape `[windows × features]`.
  public let matrix: FeatureMatrix
  /// For each window, where its label stands in `labels`.
  public let labelIndices: [Int]
  /// For each window, where its recording stands in the dataset's `recordings`.
  public let recordingIndices: [Int]
  /// For each window, a number of the unit that stays on one side of every split: a subject, or a recording and its copies.
  let groupIndices: [Int]

  /// The number of windows.
  public var count: Int { matrix.rowCount }

  /// For each label, the number of windows.
  public var countByLabel: [String: Int] {
    labelIndices.reduce(into: [:]) { $0[labels[$1], default: 0] += 1 }
  }

  init(
    of dataset: LabeledDataset, features: [Feature], shape: WindowShape, sampleRate: SampleRate, allowsSlowSource: Bool
  ) throws(TrainingError) {
    try Self.check(dataset, FeatureNeeds(of: features, allowsSlowSource: allowsSlowSource), features: features)
    let matrices: [FeatureMatrix]
    do {
      matrices = try dataset.recordings.mappedConcurrently { (labeled) throws(FeatureError) in
        try labeled.recording.features(features, shape: shape, sampleRate: sampleRate).values
      }
    } catch {
      throw .features(error)
    }
    var values: [Float] = []
    var (labelIndices, recordingIndices): ([Int], [Int]) = ([], [])
    for (index, matrix) in matrices.enumerated() {
      let label = dataset.labels.firstIndex(of: dataset.recordings[index].label)!
      values += matrix.values
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
    let units = dataset.recordings.map { dataset.splitGroups[$0.group]! }
    let numbers = Dictionary(uniqueKeysWithValues: Set(units).sortedAndUnique().enumerated().map { ($1, $0) })
    groupIndices = recordingIndices.map { numbers[units[$0]]! }
  }

  /// Checks that every recording has the channels and the rate that the features need.
  private static func check(
    _ dataset: LabeledDataset, _ needs: FeatureNeeds, features: [Feature]
  ) throws(TrainingError) {
    guard !features.isEmpty else { throw .features(.noFeatures) }
    for labeled in dataset.recordings { try needs.check(labeled.recording, name: labeled.path) }
  }
}
