import Foundation
import Gait
import GaitFormats

/// A folder of recordings and how to read it.
public struct RecordingFolder: Hashable, Sendable {
  /// Where it is.
  public var directory: URL
  /// Where the label, the subject and whatever else there is stand in a path relative to the folder.
  public var layout: PathLayout
  /// What is known about every file.
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
  /// Of several folders, paths and subjects begin with the folder's name: two sets' subject 1 are two people. A map or a
  /// filter that says nothing about a folder leaves it as it is.
  ///
  /// - Parameters: as for one folder.
  /// - Throws: `DatasetError`, also where a map or a filter says something about none of the folders.
  /// - Precondition: there is a folder.
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
    try Self.check(only + except, against: listings)
    var parts: [LabeledDataset] = []
    for (folder, listing) in zip(folders, listings) {
      guard let only = Self.fitting(only, listing) else { continue }
      let labels =
        folder.options.labelColumn == nil && intervals == nil ? map.restricted(to: listing.values(of: "label")) : map
      parts.append(
        try LabeledDataset(
          directory: folder.directory, layout: folder.layout, options: folder.options, labels: labels, only: only,
          except: except.compactMap { listing.restricting($0) }, intervals: intervals))
    }
    if folders.allSatisfy({ $0.options.labelColumn == nil }), intervals == nil {
      let found = listings.reduce(into: Set()) { $0.formUnion($1.values(of: "label")) }
      let unknown = map.sources.filter { !found.contains($0) }
      guard unknown.isEmpty else { throw .unknownLabels(unknown, found: found.sorted()) }
    }
    guard !parts.isEmpty else {
      let names = folders.map(\.directory.relativePath).joined(separator: ", ")
      throw .nothingSelected(folder: names, filters: only.map { "only \($0)" })
    }
    self.init(joining: parts)
  }

  /// Refuses folders that share a file, such as one folder that is given twice, by its path and by a link.
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

  /// Refuses a filter whose field or value none of the folders has.
  private static func check(
    _ filters: [RecordingFilter], against listings: [FolderListing]
  ) throws(DatasetError) {
    for filter in filters {
      guard listings.contains(where: { $0.layout.fieldNames.contains(filter.field) }) else {
        let fields = Set(listings.flatMap(\.layout.fieldNames)).sorted()
        throw .unknownField(filter: filter.description, field: filter.field, found: fields)
      }
      let found = listings.reduce(into: Set()) { $0.formUnion($1.values(of: filter.field)) }
      if let value = filter.values.first(where: { !found.contains($0) }) {
        throw .unknownValue(filter: filter.description, value: value, found: found.sortedAndUnique())
      }
    }
  }

  /// What to keep of a folder: the filters that say something about it, or `nil` where one of them keeps nothing of it.
  private static func fitting(_ only: [RecordingFilter], _ listing: FolderListing) -> [RecordingFilter]? {
    let known = only.filter { listing.layout.fieldNames.contains($0.field) }
    let fitting = known.compactMap { listing.restricting($0) }
    return fitting.count == known.count ? fitting : nil
  }

  /// One dataset of several.
  ///
  /// Paths and subjects begin with their dataset's name (and its number, where two have one name). Copies are looked for
  /// among all of them.
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

extension FolderListing {
  /// The values that a placeholder has in the folder; none where the layout lacks it.
  fileprivate func values(of field: String) -> Set<String> {
    Set(files.compactMap { $0.fields[field] })
  }

  /// The filter without the values that the folder lacks, or `nil` where none is left.
  fileprivate func restricting(_ filter: RecordingFilter) -> RecordingFilter? {
    let found = values(of: filter.field)
    let values = filter.values.filter(found.contains)
    return values.isEmpty ? nil : RecordingFilter(field: filter.field, values: values)
  }
}
