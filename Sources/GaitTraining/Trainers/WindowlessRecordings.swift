import Gait

/// The recordings of a dataset that have no whole window, and the people who have only such recordings.
package struct WindowlessRecordings: Hashable, Sendable {
  /// The paths of files without a whole window, each once, in natural order.
  package let paths: [String]
  /// The units (people, or files if people are not known) without any other recordings, in natural order.
  package let units: [String]
  private let seconds: Double
  private let noun: String

  /// - Parameter isWindowless: for every recording, whether it has no whole window.
  init(of dataset: LabeledDataset, isWindowless: [Bool], seconds: Double) {
    let unit = { (index: Int) in dataset.splitGroups[dataset.recordings[index].group]! }
    let kept = dataset.recordings.indices.filter { !isWindowless[$0] }
    let usedPaths = Set(kept.map { dataset.recordings[$0].path })
    let usedUnits = Set(kept.map(unit))
    let left = dataset.recordings.indices.filter { isWindowless[$0] }
    paths = left.map { dataset.recordings[$0].path }.filter { !usedPaths.contains($0) }.sortedAndUnique()
    units = left.map(unit).filter { !usedUnits.contains($0) }.sortedAndUnique()
    self.seconds = seconds
    noun = dataset.grouping.noun
  }

  /// The warning about them; empty if every recording has a window.
  package var warnings: [String] {
    guard !paths.isEmpty else { return [] }
    let isOne = paths.count == 1
    let subject = isOne ? "1 recording has" : "\(paths.count) recordings have"
    let nouns = units.count == 1 ? noun : "\(units.count) \(noun)s"
    let people = units.isEmpty ? "" : "; no recording remains of \(nouns) \(units.listed(limit: 20))"
    return [
      "\(subject) no whole window of \(plain(seconds)) s without missing values and \(isOne ? "was" : "were") skipped:"
        + " \(paths.listed())\(people)"
    ]
  }
}

extension LabeledDataset {
  /// The recordings for which `windowCount` returns 0.
  ///
  /// `windowCount` is called only for recordings that may lack a window: short ones, and those with gaps or missing
  /// values.
  fileprivate func windowless<Failure: Error>(
    _ shape: WindowShape, _ windowCount: @Sendable (LabeledRecording) throws(Failure) -> Int
  ) throws(Failure) -> WindowlessRecordings {
    let flags = try recordings.mappedConcurrently { (labeled) throws(Failure) in
      let recording = labeled.recording
      let isLong = recording.duration >= 2 * shape.seconds + 1
      return isLong && recording.gaps.isEmpty && recording.isComplete ? false : try windowCount(labeled) == 0
    }
    return WindowlessRecordings(of: self, isWindowless: flags, seconds: shape.seconds)
  }
}

extension Recording {
  /// Whether no value of the recording's channels is missing.
  fileprivate var isComplete: Bool {
    rows.allSatisfy { row in channels.allSatisfy { !row[$0.lane].isNaN } }
  }
}

extension ActivityTrainer {
  /// The recordings of a dataset without a whole window of the trainer's shape.
  ///
  /// - Throws: `TrainingError` if features cannot be computed.
  package func windowlessRecordings(in dataset: LabeledDataset) throws(TrainingError) -> WindowlessRecordings {
    do {
      return try dataset.windowless(window) { (labeled) throws(ModelError) in
        try labeled.recording.features(features, shape: window, sampleRate: sampleRate).values.rowCount
      }
    } catch {
      throw .features(error)
    }
  }

  /// Warnings about sample rates that are probably wrong, labels whose activity is assumed, a missing pause head, and
  /// labels with fewer than `enoughWindows` windows or `enoughUnits` people.
  ///
  /// - Parameter windows: the number of windows of each label.
  package func warnings(of dataset: LabeledDataset, windows: [String: Int]) -> [String] {
    RateCheck(of: dataset) { meanings[$0] ?? Activity(label: $0) }.warnings + meaningWarnings(of: dataset)
      + dataset.labels.compactMap { label in
        let count = windows[label] ?? 0
        let members = dataset.recordings.filter { $0.label == label }
        let units = Set(members.map { dataset.splitGroups[$0.group]! }).count
        guard count < Self.enoughWindows || units < Self.enoughUnits else { return nil }
        return
          "label \"\(label)\" has \(count.counted("window")) of \(units.counted(dataset.grouping.noun)); with fewer than "
          + "\(Self.enoughWindows) windows or \(Self.enoughUnits.counted(dataset.grouping.noun)), the model and its score "
          + "are unreliable"
      }
  }
}

extension ActivityModel {
  /// The recordings of a dataset without a whole window of the model's shape.
  ///
  /// - Throws: `EvaluationError` if a recording cannot be classified.
  package func windowlessRecordings(
    in dataset: LabeledDataset, allowsSlowSource: Bool = false
  ) throws(EvaluationError) -> WindowlessRecordings {
    try dataset.windowless(activityHead.window) { (labeled) throws(EvaluationError) in
      do throws(ModelError) {
        return try self.classify(labeled.recording, allowsSlowSource: allowsSlowSource).count
      } catch {
        throw .recording(labeled.path, error)
      }
    }
  }
}
