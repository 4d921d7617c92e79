import Gait
import GaitFormats

/// Reads the files of a dataset into labelled recordings, on all cores.
struct DatasetReader: Sendable {
  let options: ReadingOptions
  let labels: LabelMap
  /// The suffix of the files with label intervals; `nil` if labels come from elsewhere.
  let intervals: String?

  /// The recordings and labels of one file.
  struct Source: Sendable {
    var recordings: [LabeledRecording] = []
    /// The labels in the file, before the map.
    var labels: Set<String> = []
    var unlabelledSeconds = 0.0
    /// The name of the file of label intervals, if it has no interval.
    var emptyIntervals: String?
    let content: Duplicates.Content
  }

  /// Reads `files`; the result has the same order.
  func read(_ files: [FolderListing.File]) throws(DatasetError) -> [Source] {
    do throws(RecordingError) {
      return try files.mappedConcurrently { (file) throws(RecordingError) in try read(file) }
    } catch {
      throw .recording(error)
    }
  }

  private func read(_ file: FolderListing.File) throws(RecordingError) -> Source {
    var annotated = try AnnotatedRecording(contentsOf: file.url, options)
    let recording = annotated.recording
    var emptyIntervals: String?
    if let intervals {
      let intervals = try LabelIntervals(named: intervals, of: file.url)
      if intervals.isEmpty { emptyIntervals = intervals.name }
      try annotated.label(by: intervals)
    }
    let runs =
      file.fields["label"].map { [(label: $0, rows: 0..<recording.count)] }
      ?? annotated.labels?.map { (label: $0.label, rows: $0.rows) } ?? []
    let mapped = Set(runs.compactMap(\.label).map(labels.apply))
    var source = Source(
      content: Duplicates.Content(
        path: file.path, labels: mapped, sampleRate: recording.sampleRate, rows: recording.rows))
    source.emptyIntervals = emptyIntervals
    for run in runs {
      guard let label = run.label else {
        source.unlabelledSeconds += recording[run.rows].duration
        continue
      }
      source.labels.insert(label)
      source.recordings.append(
        LabeledRecording(
          recording: run.rows.count == recording.count ? recording : recording[run.rows],
          label: labels.apply(label), path: file.path, fields: file.fields))
    }
    return source
  }
}
