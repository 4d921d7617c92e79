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
  /// With several folders, paths and subjects are prefixed with the folder's name: subject 1 of one folder and subject
  /// 1 of another are two people. A label map or filter that matches nothing in a folder does not affect it.
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

  /// Checks that no file is in two folders, such as one folder given by its path and by a link.
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
}

extension LabeledDataset {
  /// The dataset with recordings of movements that a model does not know, all labelled `other`.
  ///
  /// Paths and people stay as they are. Copies are detected across both.
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
    /// The name of the file of label intervals, if it has no interval.
    var emptyIntervals: String?
    let content: Duplicates.Content
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
