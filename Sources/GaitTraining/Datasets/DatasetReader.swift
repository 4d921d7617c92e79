import Gait
import GaitFormats

/// Turns the files of a dataset into labelled recordings, all files on all cores.
struct DatasetReader: Sendable {
  let sampleRate: SampleRate
  let labels: LabelMap
  let labelColumn: String?

  /// What one file gives.
  struct Source: Sendable {
    var recordings: [LabeledRecording] = []
    /// The labels in the file, before the map.
    var labels: Set<String> = []
    var unlabelledSeconds = 0.0
    let content: Duplicates.Content
  }

  /// What each of `files` gives, in the same order.
  func read(_ files: [FolderListing.File]) throws(DatasetError) -> [Source] {
    do throws(RecordingError) {
      return try files.mappedConcurrently { (file) throws(RecordingError) in try read(file) }
    } catch {
      throw .recording(error)
    }
  }

  private func read(_ file: FolderListing.File) throws(RecordingError) -> Source {
    let table = try RecordingTable(contentsOf: file.url, labelColumn: labelColumn)
    let recording = table.recording(sampleRate: sampleRate)
    let runs =
      table.labelRuns?.map { (label: $0.label, rows: $0.rows) }
      ?? [(label: file.fields["label"], rows: 0..<recording.count)]
    let mapped = Set(runs.compactMap(\.label).map(labels.apply))
    var source = Source(
      content: Duplicates.Content(
        path: file.path, labels: mapped, sampleRate: recording.sampleRate, rows: recording.rows))
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
