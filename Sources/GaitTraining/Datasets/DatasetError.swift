import GaitFormats

/// An error in reading a folder as a dataset, or in a dataset that cannot be trained on.
public enum DatasetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The layout's template is wrong.
  case layout(PathLayoutError)
  /// The layout has no `{label}`, and neither a label column nor label intervals are given.
  case noLabelSource(layout: String)
  /// The layout has `{label}`, and a label column is given as well.
  case twoLabelSources(layout: String, labelColumn: String)
  /// Files of label intervals are given, and another source of labels as well.
  case intervalsBesideLabels(intervals: String, other: String)
  /// The folder does not exist.
  case missingFolder(String)
  /// The path is that of a file.
  case notAFolder(String)
  /// The system refuses to list the folder.
  case unreadableFolder(String, reason: String)
  /// A file is in two of the dataset's folders.
  case sharedFile(String, folders: [String])
  /// No file's path matches the layout; `example` is a path in the folder, `nil` if it has no files.
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
  /// There are fewer than two labels.
  case tooFewLabels([String])
  /// Recordings share rows, and the caller does not allow that.
  case duplicates([String])

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .layout(let error): error.description
    case .noLabelSource(let layout):
      "layout \"\(layout)\" has no {label}; add it, or state the column or the files with the labels."
    case .twoLabelSources(let layout, let column):
      "layout \"\(layout)\" has {label}, and the label column \"\(column)\" is given too; use only one of them."
    case .intervalsBesideLabels(let intervals, let other):
      "labels are given both by files \"\(intervals)\" and by \"\(other)\"; use only one of them."
    case .missingFolder(let folder):
      "folder \(folder) does not exist; check the path."
    case .notAFolder(let folder):
      "\(folder) is a file; give the folder of the recordings."
    case .unreadableFolder(let folder, let reason):
      "folder \(folder) cannot be listed (\(reason)); check its permissions."
    case .sharedFile(let file, let folders):
      "\(file) is in both \(folders.joined(separator: " and ")) and would count twice; give the folder once."
    case .noMatchingRecording(let folder, let layout, let example?):
      "no file in folder \(folder) matches the layout \"\(layout)\", for example \(example); change the layout to fit."
    case .noMatchingRecording(let folder, _, nil):
      "folder \(folder) has no files; give the folder of the recordings."
    case .recording(let error): error.description
    case .unknownLabels(let labels, let found):
      "the label map names \(labels.quoted), but no recording has that label"
        + NearName.cure(for: labels, among: found, what: "labels")
    case .unknownField(let filter, let field, let found):
      "filter \"\(filter)\" names the placeholder \"\(field)\", which the layout does not have"
        + NearName.cure(for: [field], among: found, what: "placeholders")
    case .unknownValue(let filter, let value, let found):
      "filter \"\(filter)\" names the value \"\(value)\", which no recording has"
        + NearName.cure(for: [value], among: found, what: "values", limit: 24)
    case .nothingSelected(let folder, let filters):
      "no recording in \(folder) passes all filters (\(filters.listed())); remove or widen a filter."
    case .noLabelledRows(let folder, let source):
      "\"\(source)\" has no label for any recording in \(folder); check which column or files have the labels."
    case .duplicates(let pairs):
      "recordings share rows: \(pairs.listed()); remove all but one of each, or allow copies (they stay in one fold)."
    case .tooFewLabels(let labels):
      "every recording has the label \(labels.quoted); add recordings with another label."
    }
  }
}
