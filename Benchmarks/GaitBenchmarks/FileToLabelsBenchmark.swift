import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Times the pipeline from recordings in files to the label of every window, including reading.
///
/// The files are read once to warm the system's cache, then again for every repetition; nothing else is cached between
/// passes.
package struct FileToLabelsBenchmark: Hashable, Sendable, Encodable {
  /// The number of files.
  package let files: Int
  /// Their total size in bytes.
  package let bytes: Int
  /// The number of samples, after repairs.
  package let rows: Int
  /// The number of windows that were classified.
  package let windows: Int
  /// The number of windows of each label.
  package let labels: [String: Int]
  /// Seconds for one pass over all files, the median over repetitions.
  package let seconds: Double
  /// The slowest repetition minus the fastest, as a fraction of the median.
  package let spread: Double

  /// Times a model on files.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - files: the recordings, one in each file.
  ///   - options: how to read them; only the channels that the model needs are read.
  ///   - usesAllCores: whether to process files in parallel; otherwise sequentially.
  ///   - repetitions: how often to read all files.
  /// - Throws: `RecordingError` if a file cannot be read as a recording, `ModelError` if the model cannot classify it.
  /// - Precondition: at least one file and one repetition.
  package init(
    model: ActivityModel, files: [URL], options: ReadingOptions, usesAllCores: Bool = false, repetitions: Int
  ) throws {
    precondition(!files.isEmpty, "a benchmark needs a file")
    var options = options
    options.channels = model.neededChannels
    let pipeline = FileToLabels(model: model, options: options)
    let total = try pipeline.pass(over: files, usesAllCores: usesAllCores)
    let timing = try Timing(repetitions: repetitions) {
      let result = try pipeline.pass(over: files, usesAllCores: usesAllCores)
      precondition(result == total, "every pass comes to the same labels")
      return Float(result.rows)
    }
    self.files = files.count
    bytes = try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    rows = total.rows
    windows = total.windows.reduce(0, +)
    labels = Dictionary(uniqueKeysWithValues: zip(model.activityHead.labels, total.windows))
    seconds = timing.median
    spread = timing.spread
  }
}

/// The pipeline from a file to the number of windows of each label.
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
