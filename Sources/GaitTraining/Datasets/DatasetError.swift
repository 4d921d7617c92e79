import GaitFormats

/// Why a folder did not become a dataset, or a dataset cannot be trained on.
public enum DatasetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The layout's template is wrong.
  case layout(PathLayoutError)
  /// Neither the layout has `{label}` nor is a label column named.
  case noLabelSource(layout: String)
  /// The layout has `{label}` and a label column is named.
  case twoLabelSources(layout: String, labelColumn: String)
  /// Files of label intervals are named, and another source of labels is too.
  case intervalsBesideLabels(intervals: String, other: String)
  /// There is no such folder.
  case missingFolder(String)
  /// The path leads to a file.
  case notAFolder(String)
  /// The system does not let the folder be listed.
  case unreadableFolder(String, reason: String)
  /// A file is in two of the folders that make up the dataset.
  case sharedFile(String, folders: [String])
  /// No file's path is laid out like the template; `example` is a file that was found, if there was one.
  case noMatchingRecording(folder: String, layout: String, example: String?)
  /// The label map names labels that no recording has.
  case unknownLabels([String], found: [String])
  /// A filter names a placeholder that the layout does not have.
  case unknownField(filter: String, field: String, found: [String])
  /// A filter names a value that no recording has.
  case unknownValue(filter: String, value: String, found: [String])
  /// The filters leave no recording.
  case nothingSelected(folder: String, filters: [String])
  /// A recording cannot be read.
  case recording(RecordingError)
  /// The label column, or every file of label intervals, is empty for every recording.
  case noLabelledRows(folder: String, source: String)
  /// There are fewer labels than a classifier needs to tell apart.
  case tooFewLabels([String])
  /// Recordings share rows, and that was forbidden.
  case duplicates([String])

  /// One sentence that says what is wrong and how to mend it.
  public var description: String {
    switch self {
    case .layout(let error): error.description
    case .noLabelSource(let layout):
      "layout \"\(layout)\" does not say where the label is; write {label} in it, or name the column or the files that hold the labels."
    case .twoLabelSources(let layout, let column):
      "layout \"\(layout)\" has {label} and column \"\(column)\" is named too; rename the placeholder, or drop the column."
    case .intervalsBesideLabels(let intervals, let other):
      "labels come from files \"\(intervals)\" and from \"\(other)\" too; drop one of the two."
    case .missingFolder(let folder):
      "there is no folder \(folder); check the path."
    case .notAFolder(let folder):
      "\(folder) is a file; give the folder that holds the recordings."
    case .unreadableFolder(let folder, let reason):
      "folder \(folder) cannot be listed (\(reason)); check its permissions."
    case .sharedFile(let file, let folders):
      "\(file) is in \(folders.joined(separator: " and in ")), so that its people would count twice; give the folder once."
    case .noMatchingRecording(let folder, let layout, let example?):
      "no file in \(folder) is laid out like \"\(layout)\": it holds \(example), for example; change the layout to fit."
    case .noMatchingRecording(let folder, _, nil):
      "folder \(folder) holds no files; give the folder that holds the recordings."
    case .recording(let error): error.description
    case .unknownLabels(let labels, let found):
      "no recording has the label \(labels.map { "\"\($0)\"" }.listed()), which the label map names;"
        + " the labels are \(found.listed())."
    case .unknownField(let filter, let field, let found):
      "filter \"\(filter)\" asks for \"\(field)\", which the layout does not have; its placeholders are \(found.listed())."
    case .unknownValue(let filter, let value, let found):
      "filter \"\(filter)\" names \"\(value)\", which no recording has; the recordings have \(found.listed(limit: 24))."
    case .nothingSelected(let folder, let filters):
      "no recording in \(folder) passes all of \(filters.listed()); loosen the filters."
    case .noLabelledRows(let folder, let source):
      "\"\(source)\" is empty for every row of every recording in \(folder); name what holds the labels."
    case .duplicates(let pairs):
      "recordings share rows: \(pairs.listed()); remove all but one of each, or allow it, and they stay in one fold."
    case .tooFewLabels(let labels):
      "every recording is labelled \(labels.map { "\"\($0)\"" }.listed()); a classifier needs at least two labels to tell apart."
    }
  }
}
