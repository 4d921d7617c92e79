import Foundation
import Gait
import GaitFormats

/// A folder of recordings and how to read it.
public struct RecordingFolder: Hashable, Sendable {
  /// The folder.
  public var directory: URL
  /// The layout of the files' paths relative to the folder: the positions of label, subject and other fields.
  public var layout: PathLayout
  /// How to read the files.
  public var options: ReadingOptions

  /// A folder and how to read it.
  public init(directory: URL, layout: PathLayout, options: ReadingOptions = ReadingOptions()) {
    self.directory = directory
    self.layout = layout
    self.options = options
  }
}

extension LabeledDataset {
  /// A dataset from the recordings of several folders, each with its own layout and rate.
  ///
  /// With several folders, paths and subjects are prefixed with the folder's name, as subject 1 of one folder and
  /// subject 1 of another are two people. A label map or filter that matches nothing in one folder does not affect that
  /// folder.
  ///
  /// - Parameters: as for one folder.
  /// - Throws: `DatasetError`, also if a label map or filter matches nothing in any folder.
  /// - Precondition: `folders` is not empty.
  public init(
    folders: [RecordingFolder], labels map: LabelMap = LabelMap(), only: [RecordingFilter] = [],
    except: [RecordingFilter] = [], intervals: String? = nil
  ) throws(DatasetError) {
    precondition(!folders.isEmpty, "a dataset needs a folder")
    let first = folders[0]
    guard folders.count > 1 else {
      try self.init(
        directory: first.directory, layout: first.layout, options: first.options, labels: map, only: only,
        except: except,
        intervals: intervals)
      return
    }
    let listings = try folders.map { (folder) throws(DatasetError) in
      try FolderListing(directory: folder.directory, layout: folder.layout)
    }
    try Self.checkShared(listings)
    try FolderListing.check(only + except, against: listings)
    var parts: [LabeledDataset] = []
    for (folder, listing) in zip(folders, listings) {
      guard let only = Self.applicable(only, listing) else { continue }
      let labels =
        folder.options.labelColumn == nil && intervals == nil ? map.restricted(to: listing.values(of: "label")) : map
      parts.append(
        try LabeledDataset(
          directory: folder.directory, layout: folder.layout, options: folder.options, labels: labels, only: only,
          except: except.compactMap { listing.restricting($0) }, intervals: intervals))
    }
    if folders.allSatisfy({ $0.options.labelColumn == nil }), intervals == nil {
      let found = listings.reduce(into: Set()) { $0.formUnion($1.values(of: "label")) }
      try Self.check(map, against: found)
    }
    guard !parts.isEmpty else {
      let names = folders.map(\.directory.relativePath).joined(separator: ", ")
      throw .nothingSelected(folder: names, filters: only.map { "only \($0)" })
    }
    self.init(joining: parts)
  }

  /// Checks that no file is in two folders. One folder may be given twice, by its path and by a link.
  private static func checkShared(_ listings: [FolderListing]) throws(DatasetError) {
    var owners: [String: Int] = [:]
    for (position, listing) in listings.enumerated() {
      for file in listing.files {
        let owner = owners.updateValue(position, forKey: file.url.resolvingSymlinksInPath().path)
        guard let owner, owner != position else { continue }
        throw .sharedFile(file.path, folders: [listings[owner].folder, listing.folder])
      }
    }
  }

  /// The filters that apply to a folder; `nil` if one of them keeps none of its recordings.
  private static func applicable(_ only: [RecordingFilter], _ listing: FolderListing) -> [RecordingFilter]? {
    let known = only.filter { listing.layout.fieldNames.contains($0.field) }
    let restricted = known.compactMap { listing.restricting($0) }
    return restricted.count == known.count ? restricted : nil
  }

  /// Joins several datasets into one.
  ///
  /// Paths and subjects are prefixed with their dataset's name (and its number, if two have the same name). Copies are
  /// detected across all of them.
  public init(joining parts: [LabeledDataset]) {
    let recordings = parts.enumerated().flatMap { position, part in
      let isTwice = parts.count { $0.name == part.name } > 1
      let prefix = isTwice ? "\(part.name)-\(position + 1)" : part.name
      return part.recordings.map { labeled in
        var fields = labeled.fields
        fields["subject"] = labeled.subject.map { "\(prefix)/\($0)" }
        return LabeledRecording(
          recording: labeled.recording, label: labeled.label, group: "\(prefix)/\(labeled.group)",
          path: "\(prefix)/\(labeled.path)", fields: fields)
      }
    }
    self.init(
      name: parts.map(\.name).joined(separator: " + "), recordings: recordings,
      duplicates: Duplicates(among: Self.contents(of: recordings)),
      ignoredFileCount: parts.reduce(0) { $0 + $1.ignoredFileCount },
      unlabelledSeconds: parts.reduce(0) { $0 + $1.unlabelledSeconds },
      readingWarnings: parts.flatMap(\.readingWarnings))
  }

  /// The dataset together with recordings of movements that the model must not know, all labelled `other`.
  ///
  /// Paths and people stay as they are. Copies are detected across both datasets.
  public func adding(unknown: LabeledDataset) -> LabeledDataset {
    let others = unknown.recordings.map { labeled in
      var labeled = labeled
      labeled.label = Rejection.label
      return labeled
    }
    let all = recordings + others
    return with(all, duplicates: Duplicates(among: Self.contents(of: all)), grouping: Grouping(of: all))
  }
}

extension FolderListing {
  /// The filter restricted to values that occur in the folder; `nil` if none does.
  fileprivate func restricting(_ filter: RecordingFilter) -> RecordingFilter? {
    let found = values(of: filter.field)
    let values = filter.values.filter(found.contains)
    return values.isEmpty ? nil : RecordingFilter(field: filter.field, values: values)
  }
}

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
    /// The name of the file of label intervals, if there is one, and its problem, if it has one.
    var intervals: (file: String, finding: IntervalsFinding)?
    let content: Duplicates.Content
  }

  /// A problem of a file of label intervals.
  enum IntervalsFinding: CaseIterable {
    case missing, empty, foreign

    /// A warning about files.
    func warning(_ files: [String]) -> String {
      let (noun, text) =
        switch self {
        case .missing: ("recording", "without a file of label intervals, left out")
        case .empty: ("label file", "without an interval, left out")
        case .foreign: ("label file", "made for another content than the recording has")
        }
      return "\(files.count.counted(noun)) \(text): \(files.listed())"
    }
  }

  /// Reads `files`; the result has the same order.
  func read(_ files: [FolderListing.File]) throws(DatasetError) -> [Source] {
    do throws(RecordingError) {
      return try files.mappedConcurrently(showing: "file") { (file) throws(RecordingError) in try read(file) }
    } catch {
      throw .recording(error)
    }
  }

  private func read(_ file: FolderListing.File) throws(RecordingError) -> Source {
    var annotated = try AnnotatedRecording(contentsOf: file.url, options)
    let recording = annotated.recording
    var finding: (String, IntervalsFinding)?
    if let name = intervals {
      if let intervals = try LabelIntervals.existing(name, of: file.url) {
        if intervals.isEmpty { finding = (intervals.name, .empty) }
        if intervals.isForeign { finding = (intervals.name, .foreign) }
        try annotated.label(by: intervals)
      } else {
        finding = (file.path, .missing)
      }
    }
    let whole = [LabelRun(label: file.fields["label"], rows: 0..<recording.count)]
    let labelled = file.fields["label"] == nil ? annotated.labels ?? [] : whole
    // A subject in the path has priority over subjects in the file.
    let subjects = file.fields["subject"] == nil ? annotated.subjects : nil
    let runs = labelled.crossing(subjects ?? [LabelRun(label: nil, rows: 0..<recording.count)])
    let mapped = Set(labelled.compactMap(\.label).map(labels.apply))
    var source = Source(
      content: Duplicates.Content(
        path: file.path, labels: mapped, sampleRate: recording.sampleRate, rows: recording.rows))
    source.intervals = finding
    for run in runs {
      guard let label = run.label else {
        source.unlabelledSeconds += recording[run.rows].coveredDuration
        continue
      }
      source.labels.insert(label)
      var fields = file.fields
      if let subject = run.subject { fields["subject"] = subject }
      source.recordings.append(
        LabeledRecording(
          recording: run.rows.count == recording.count ? recording : recording[run.rows],
          label: labels.apply(label), path: file.path, fields: fields))
    }
    return source
  }
}

/// An error in reading a folder as a dataset, or in a dataset that cannot be trained on.
public enum DatasetError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The layout's template is wrong.
  case layout(PathLayoutError)
  /// The layout has no `{label}`, and neither a label column nor label intervals are given.
  case noLabelSource(layout: String)
  /// The layout has `{label}`, and a label column is given too.
  case twoLabelSources(layout: String, labelColumn: String)
  /// Files of label intervals are given, and another source of labels too.
  case intervalsBesideLabels(intervals: String, other: String)
  /// The folder does not exist.
  case missingFolder(String)
  /// The path is a file.
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

  /// The sentence of `description`.
  public var errorDescription: String? { description }

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
