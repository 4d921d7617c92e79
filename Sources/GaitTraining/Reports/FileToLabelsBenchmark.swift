import Foundation
import Gait
import GaitFormats

/// How long it takes from recordings in files to the label of every window, reading included.
///
/// The files are read once to bring them into the system's cache, then again for every repetition; nothing is kept from
/// one pass to the next.
public struct FileToLabelsBenchmark: Hashable, Sendable, Encodable {
  /// How many files there are.
  public let files: Int
  /// Their size together.
  public let bytes: Int
  /// The samples that they hold, after repairs.
  public let rows: Int
  /// The windows that were classified.
  public let windows: Int
  /// The windows of each label.
  public let labels: [String: Int]
  /// One pass over all files, the median over repetitions.
  public let seconds: Double
  /// The slowest repetition less the fastest, as a fraction of the median.
  public let spread: Double

  /// Times a model on files.
  ///
  /// - Parameters:
  ///   - model: the model that classifies.
  ///   - files: the recordings, each by itself.
  ///   - options: what is known about them; only the channels that the model needs are read.
  ///   - usesAllCores: whether to share the files among the cores; otherwise they come one after another.
  ///   - repetitions: how often all files are passed over.
  /// - Throws: `RecordingError` where a file is no recording, `ModelError` where the model cannot be used on it.
  /// - Precondition: at least one file and one repetition.
  public init(
    model: ActivityModel, files: [URL], options: ReadingOptions, usesAllCores: Bool = false, repetitions: Int
  ) throws {
    precondition(!files.isEmpty && repetitions >= 1, "a benchmark needs a file and a repetition")
    var options = options
    options.channels = model.neededChannels
    let pipeline = FileToLabels(model: model, options: options)
    let total = try pipeline.pass(over: files, usesAllCores: usesAllCores)
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<repetitions {
      let start = clock.now
      let result = try pipeline.pass(over: files, usesAllCores: usesAllCores)
      times.append((clock.now - start) / .seconds(1))
      precondition(result == total, "every pass comes to the same labels")
    }
    times.sort()
    self.files = files.count
    bytes = try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    rows = total.rows
    windows = total.windows.reduce(0, +)
    labels = Dictionary(uniqueKeysWithValues: zip(model.activityHead.labels, total.windows))
    seconds = times[times.count / 2]
    spread = (times.last! - times[0]) / seconds
  }
}

/// The road from a file to how many windows have which label.
private struct FileToLabels {
  let model: ActivityModel
  let options: ReadingOptions

  struct Total: Hashable, Sendable {
    var rows = 0
    /// Windows, shape `[labels]`.
    var windows: [Int]
  }

  func pass(over files: [URL], usesAllCores: Bool) throws -> Total {
    let none = Total(windows: Array(repeating: 0, count: model.activityHead.labels.count))
    let totals = usesAllCores ? try files.mappedConcurrently(total) : try files.map(total)
    return totals.reduce(into: none) { sum, next in
      sum.rows += next.rows
      for label in sum.windows.indices { sum.windows[label] += next.windows[label] }
    }
  }

  @Sendable private func total(of file: URL) throws -> Total {
    let recording = try AnnotatedRecording(contentsOf: file, options).recording
    var total = Total(rows: recording.count, windows: Array(repeating: 0, count: model.activityHead.labels.count))
    for window in try model.classify(recording) { total.windows[window.probabilities.mostProbableIndex] += 1 }
    return total
  }
}
