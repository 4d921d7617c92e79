import Gait

/// The recordings of a dataset that hold no whole window, and the people who are left out with them.
public struct WindowlessRecordings: Hashable, Sendable {
  /// The recordings' paths, each once, in the dataset's order.
  public let paths: [String]
  /// The units (people, or files where people are not known) all of whose recordings are among them, in natural order.
  public let units: [String]
  private let seconds: Double
  private let noun: String

  /// - Parameter isWindowless: for every recording, whether it holds no window.
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

  /// What to tell a person about them, a sentence each; none where every recording holds a window.
  public var warnings: [String] {
    guard !paths.isEmpty else { return [] }
    let count = paths.count == 1 ? "1 recording holds" : "\(paths.count) recordings hold"
    let people =
      units.isEmpty
      ? "" : "; nothing is left of \(units.count == 1 ? noun : "\(units.count) \(noun)s:") \(units.listed(limit: 20))"
    return [
      "\(count) no whole window of \(plain(seconds)) s without missing values and \(paths.count == 1 ? "was" : "were")"
        + " left out: \(paths.listed())\(people)"
    ]
  }
}

extension LabeledDataset {
  /// The recordings without a window, where `windowCount` counts those of a recording.
  ///
  /// Only recordings that may lack one are counted: those that are short, and those with gaps or missing values.
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
  /// Whether no value of any channel that it has is missing.
  fileprivate var isComplete: Bool {
    rows.allSatisfy { row in channels.allSatisfy { !row[$0.lane].isNaN } }
  }
}

extension ActivityTrainer {
  /// The recordings of a dataset that the trainer finds no window in.
  ///
  /// - Throws: `TrainingError` where features cannot be computed.
  public func windowlessRecordings(in dataset: LabeledDataset) throws(TrainingError) -> WindowlessRecordings {
    do {
      return try dataset.windowless(window) { (labeled) throws(ModelError) in
        try labeled.recording.features(features, shape: window, sampleRate: sampleRate).values.rowCount
      }
    } catch {
      throw .features(error)
    }
  }

  /// What is worth a warning about the windows that a model was fitted to, a sentence each: labels with few windows, or of few
  /// people.
  public func warnings(of dataset: LabeledDataset, windows: [String: Int]) -> [String] {
    dataset.labels.compactMap { label in
      let count = windows[label] ?? 0
      let members = dataset.recordings.filter { $0.label == label }
      let units = Set(members.map { dataset.splitGroups[$0.group]! }).count
      guard count < Self.enoughWindows || units < Self.enoughUnits else { return nil }
      return
        "label \"\(label)\" has \(count) windows of \(units) \(dataset.grouping.noun)\(units == 1 ? "" : "s"): with "
        + "fewer than \(Self.enoughWindows) windows of \(Self.enoughUnits), neither the model nor its score means much"
    }
  }
}

extension ActivityModel {
  /// The recordings of a dataset that the model finds no window in.
  ///
  /// - Throws: `EvaluationError` where a recording cannot be classified.
  public func windowlessRecordings(
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
