import Foundation
import Gait

/// A folder of recordings and how to read it.
public struct RecordingFolder: Hashable, Sendable {
  /// Where it is.
  public var directory: URL
  /// Where the label, the subject and whatever else there is stand in a path relative to the folder.
  public var layout: PathLayout
  /// How many rows there are in a second.
  public var sampleRate: SampleRate

  /// A folder and how to read it.
  public init(directory: URL, layout: PathLayout, sampleRate: SampleRate) {
    self.directory = directory
    self.layout = layout
    self.sampleRate = sampleRate
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
    except: [RecordingFilter] = [], labelColumn: String? = nil
  ) throws(DatasetError) {
    precondition(!folders.isEmpty, "a dataset needs a folder")
    let first = folders[0]
    guard folders.count > 1 else {
      try self.init(
        directory: first.directory, layout: first.layout, sampleRate: first.sampleRate, labels: map, only: only,
        except: except, labelColumn: labelColumn)
      return
    }
    var parts: [LabeledDataset] = []
    var unused = (labels: Set(map.sources), filters: Set(only + except))
    for folder in folders {
      let fits = { (filter: RecordingFilter) in folder.layout.fieldNames.contains(filter.field) }
      unused.filters.subtract((only + except).filter(fits))
      let listing = try FolderListing(directory: folder.directory, layout: folder.layout)
      let found = Set(listing.files.compactMap { $0.fields["label"] })
      unused.labels.subtract(found)
      parts.append(
        try LabeledDataset(
          directory: folder.directory, layout: folder.layout, sampleRate: folder.sampleRate,
          labels: labelColumn == nil ? map.restricted(to: found) : map, only: only.filter(fits),
          except: except.filter(fits), labelColumn: labelColumn))
    }
    if let filter = (only + except).first(where: unused.filters.contains) {
      let fields = Set(folders.flatMap(\.layout.fieldNames)).sorted()
      throw .unknownField(filter: filter.description, field: filter.field, found: fields)
    }
    if labelColumn == nil, !unused.labels.isEmpty {
      throw .unknownLabels(unused.labels.sorted(), found: Set(parts.flatMap(\.labels)).sorted())
    }
    self.init(joining: parts)
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
      unlabelledSeconds: parts.reduce(0) { $0 + $1.unlabelledSeconds })
  }
}
