import Foundation
import GaitFormats

/// The files in a folder, at any depth, and those whose path matches a layout.
package struct FolderListing {
  /// A file whose path matches the layout.
  package struct File: Sendable {
    /// Relative to the folder, with `/` between folders.
    package let path: String
    package let url: URL
    package let fields: [String: String]
  }

  /// The folder's name in messages.
  package let folder: String
  package let layout: PathLayout

  /// The recordings, in natural order of their paths.
  package let files: [File]

  /// The number of files that do not match the layout, not counting hidden ones.
  package let ignoredFileCount: Int

  /// A warning for each kind of file that was skipped.
  package let warnings: [String]

  package init(directory: URL, layout: PathLayout) throws(DatasetError) {
    folder = directory.relativePath
    self.layout = layout
    let walk = try FolderWalk(root: directory)
    let paths = walk.paths
    warnings = walk.warnings
    files = paths.compactMap { path in
      layout.match(path).map { File(path: path, url: directory.appending(path: path), fields: $0) }
    }
    ignoredFileCount = paths.count - files.count
    guard !files.isEmpty else {
      let example = paths.first { $0.hasSuffix(".csv") } ?? paths.first
      throw .noMatchingRecording(folder: folder, layout: layout.template, example: example)
    }
  }

  /// The files that pass every filter in `only` and none in `except`.
  ///
  /// - Parameter intervals: the suffix of files with label intervals, which are not recordings.
  package func selecting(
    only: [RecordingFilter], except: [RecordingFilter], intervals: String? = nil
  ) throws(DatasetError) -> [File] {
    try Self.check(only + except, against: [self])
    let selected = files.filter { file in
      if let intervals, file.path.hasSuffix("." + intervals) || file.url.lastPathComponent == intervals { return false }
      return only.allSatisfy { $0.passes(file.fields) } && !except.contains { $0.passes(file.fields) }
    }
    guard !selected.isEmpty else {
      let filters = only.map { "only \($0)" } + except.map { "except \($0)" }
      throw .nothingSelected(folder: folder, filters: filters)
    }
    return selected
  }

  /// Checks that each filter's field and values occur in at least one folder.
  package static func check(_ filters: [RecordingFilter], against listings: [FolderListing]) throws(DatasetError) {
    for filter in filters {
      guard listings.contains(where: { $0.layout.fieldNames.contains(filter.field) }) else {
        let fields =
          listings.count == 1 ? listings[0].layout.fieldNames : Set(listings.flatMap(\.layout.fieldNames)).sorted()
        throw .unknownField(filter: filter.description, field: filter.field, found: fields)
      }
      let found = listings.reduce(into: Set()) { $0.formUnion($1.values(of: filter.field)) }
      if let value = filter.values.first(where: { !found.contains($0) }) {
        throw .unknownValue(filter: filter.description, value: value, found: found.sortedAndUnique())
      }
    }
  }

  /// The values of a placeholder in the folder; empty if the layout does not have it.
  package func values(of field: String) -> Set<String> { Set(files.compactMap { $0.fields[field] }) }
}

/// Lists the files of a folder and its subfolders. It follows links, and skips hidden files and special files, such as
/// pipes.
///
/// A subfolder that is one recording, with a file for each sensor, counts as a file. A folder with several paths is
/// visited once: by its own path, or, if only links lead to it, by the first link in natural order.
package struct FolderWalk {
  package let root: URL
  /// The files found, relative to the root, with `/` between folders.
  private(set) var paths: [String] = []
  private var recordingFolders: Set<String> = []
  private var visited: Set<Identity> = []
  /// Links to folders, followed after all other folders.
  private var links: [String] = []
  /// Links to folders that were visited before.
  private var repeatedFolders: [String] = []
  /// Pipes, sockets and devices.
  private var specialFiles: [String] = []
  /// Files and folders whose name is not UTF-8, escaped.
  private var unreadableNames: [String] = []

  /// A folder, independent of its path.
  private struct Identity: Hashable {
    var device: UInt64
    var number: UInt64
  }

  /// The files that are named like recordings, and the folders that are one recording.
  package var candidates: [String] {
    paths.filter { RecordingNames.isRecording(file: $0) || recordingFolders.contains($0) }
  }

  /// The candidates without the files of label intervals, which lie beside recordings.
  package var recordings: [String] { candidates.filter { !RecordingNames.isIntervals(file: $0) } }

  /// A warning for each kind of file that was skipped; usually empty.
  package var warnings: [String] {
    [
      (unreadableNames, "with names that are not UTF-8"),
      (specialFiles, "that are pipes, sockets or devices"),
      (repeatedFolders, "that are links to folders already read"),
    ].compactMap { paths, reason in
      guard !paths.isEmpty else { return nil }
      let entries = paths.count == 1 ? "1 entry" : "\(paths.count) entries"
      return "skipped \(entries) of folder \(root.relativePath) \(reason): \(paths.sortedAndUnique().listed())"
    }
  }

  /// Walks through the folder `root`.
  ///
  /// - Throws: `DatasetError` if the folder does not exist, or if it or a subfolder cannot be listed.
  package init(root: URL) throws(DatasetError) {
    self.root = root
    guard let kind = PathKind(at: root.path) else { throw .missingFolder(root.relativePath) }
    guard case .folder(let device, let number) = kind else { throw .notAFolder(root.relativePath) }
    visited.insert(Identity(device: device, number: number))
    try list(folder: "")
    while !links.isEmpty {
      let link = links.removeFirst()
      try visit(folder: link)
    }
    paths.sort { $0.naturallyPrecedes($1) }
  }

  private mutating func visit(folder: String) throws(DatasetError) {
    guard case .folder(let device, let number)? = PathKind(at: root.appending(path: folder).path) else { return }
    guard visited.insert(Identity(device: device, number: number)).inserted else {
      repeatedFolders.append(folder)
      return
    }
    try list(folder: folder)
  }

  private mutating func list(folder: String) throws(DatasetError) {
    let url = folder.isEmpty ? root : root.appending(path: folder)
    guard let entries = FolderEntries(of: url.path) else {
      throw .unreadableFolder(url.relativePath, reason: String(cString: strerror(errno)))
    }
    func path(_ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
    unreadableNames += entries.escapedNames.map(path)
    guard folder.isEmpty || !RecordingNames.isRecording(folderOf: entries.names) else {
      paths.append(folder)
      recordingFolders.insert(folder)
      return
    }
    for name in entries.names.sortedAndUnique() where !name.hasPrefix(".") {
      let path = path(name)
      let place = root.appending(path: path).path
      switch PathKind(at: place) {
      case .file?: paths.append(path)
      case .folder?: if PathKind.isLink(place) { links.append(path) } else { try visit(folder: path) }
      case .special?: specialFiles.append(path)
      case nil: continue
      }
    }
  }
}

/// A filter on one placeholder of the layout, such as `subject=1,2,4`.
///
/// A dataset keeps recordings that pass all `only` filters and no `except` filter. Values are compared as text, before
/// labels are mapped.
public struct RecordingFilter: Hashable, Sendable, CustomStringConvertible {
  /// The placeholder that the filter tests.
  public let field: String

  /// The values that pass.
  public let values: [String]

  /// A filter that passes recordings whose `field` is one of `values`.
  public init(field: String, values: [String]) {
    self.field = field
    self.values = values
  }

  /// A filter from a text such as `subject=1,2,4`.
  ///
  /// - Throws: `RecordingFilterError` if the text has another form.
  public init(_ text: String) throws(RecordingFilterError) {
    guard let sign = text.firstIndex(of: "=") else { throw .malformed(text) }
    field = text[..<sign].trimmed
    values = text[sign...].dropFirst().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard !field.isEmpty, !values.contains("") else { throw .malformed(text) }
  }

  /// The filter's text, which parses to an equal filter.
  public var description: String { "\(field)=\(values.joined(separator: ","))" }

  /// Whether a recording with these fields passes the filter.
  public func passes(_ fields: [String: String]) -> Bool {
    fields[field].map(values.contains) ?? false
  }

  /// The filter with those of its values that no recording has, and the values that recordings have; `nil` if there are
  /// recordings of every value. If no recording has the filter's field, `found` has the names of the fields that exist.
  func unmatched(in recordings: [LabeledRecording]) -> (filter: RecordingFilter, found: [String])? {
    let found = recordings.compactMap { $0.fields[field] }.sortedAndUnique()
    let unknown = values.filter { !found.contains($0) }
    guard !unknown.isEmpty else { return nil }
    let names = found.isEmpty ? recordings.flatMap(\.fields.keys).sortedAndUnique() : found
    return (RecordingFilter(field: field, values: unknown), names)
  }
}

/// An error in the text of a `RecordingFilter`.
public enum RecordingFilterError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The text is not of the form `field=value,value`.
  case malformed(String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" is not a filter; write a placeholder of the layout, an equals sign and values, such as "
        + "subject=1,2,4."
    }
  }
}
