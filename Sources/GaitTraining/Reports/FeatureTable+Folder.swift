import Foundation
import Gait
import GaitFormats

extension FeatureTable.Source {
  /// A recording of a dataset, with its label and subject.
  public init(_ labeled: LabeledRecording) {
    self.init(labeled.recording, label: labeled.label, subject: labeled.subject)
  }

  /// The stretches of a recording with one label and one subject each; the whole recording if it has neither.
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

  /// The recordings in a folder and its subfolders, without labels: for layouts without `{label}`.
  ///
  /// If labels are known, read the folder as a `LabeledDataset` instead.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - layout: the layout of paths relative to the folder: the positions of subject and other fields.
  ///   - options: how to read the recordings.
  ///   - only: filters for recordings to keep; a recording must pass all of them.
  ///   - except: filters for recordings to leave out; a recording must pass none of them.
  /// - Throws: `DatasetError`; if several recordings cannot be read, it names the first in path order.
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
