import Foundation
import Gait
import GaitFormats

extension FeatureTable.Source {
  /// A recording of a dataset, under the name of its file.
  public init(_ labeled: LabeledRecording) {
    self.init(labeled.recording, label: labeled.label, subject: labeled.subject)
  }

  /// The stretches of a recording with one label and one subject each; the whole recording where it has neither.
  public static func stretches(of annotated: AnnotatedRecording) -> [FeatureTable.Source] {
    let recording = annotated.recording
    let whole = [LabelRun(label: nil, rows: 0..<recording.count)]
    let (labels, subjects) = (annotated.labels ?? whole, annotated.subjects ?? whole)
    return labels.flatMap { label in
      subjects.compactMap { subject in
        let rows = label.rows.clamped(to: subject.rows)
        let part = rows.count == recording.count ? recording : recording[rows]
        return rows.isEmpty ? nil : FeatureTable.Source(part, label: label.label, subject: subject.label)
      }
    }
  }

  /// The recordings in a folder and those inside it, without labels: for a layout that does not say any.
  ///
  /// Where labels are known, read the folder as a `LabeledDataset` instead.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - layout: where the subject and whatever else there is stand in a path relative to the folder.
  ///   - options: what is known about every recording.
  ///   - only: what to keep: a recording must pass every one of these filters.
  ///   - except: what to leave out: a recording must pass none of these filters.
  /// - Throws: `DatasetError`; where several recordings cannot be read, the first of them in path order is named.
  public static func unlabelled(
    in directory: URL, layout: PathLayout, options: ReadingOptions = ReadingOptions(), only: [RecordingFilter] = [],
    except: [RecordingFilter] = []
  ) throws(DatasetError) -> [FeatureTable.Source] {
    let files = try FolderListing(directory: directory, layout: layout).selecting(only: only, except: except)
    do throws(RecordingError) {
      return try files.mappedConcurrently { (file) throws(RecordingError) in
        FeatureTable.Source(
          try AnnotatedRecording(contentsOf: file.url, options).recording, subject: file.fields["subject"])
      }
    } catch {
      throw .recording(error)
    }
  }
}
