import Foundation

/// The files in a folder, at any depth, and those whose path matches a layout.
struct FolderListing {
  /// A file whose path matches the layout.
  struct File: Sendable {
    /// Relative to the folder, with `/` between folders.
    let path: String
    let url: URL
    let fields: [String: String]
  }

  /// The folder's name in messages.
  let folder: String
  let layout: PathLayout

  /// The recordings, in natural order of their paths.
  let files: [File]

  /// The number of files that do not match the layout, not counting hidden ones.
  let ignoredFileCount: Int

  /// A warning for each kind of file that was skipped.
  let warnings: [String]

  init(directory: URL, layout: PathLayout) throws(DatasetError) {
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
  func selecting(
    only: [RecordingFilter], except: [RecordingFilter], intervals: String? = nil
  ) throws(DatasetError) -> [File] {
    for filter in only + except { try check(filter) }
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

  private func check(_ filter: RecordingFilter) throws(DatasetError) {
    guard layout.fieldNames.contains(filter.field) else {
      throw .unknownField(filter: filter.description, field: filter.field, found: layout.fieldNames)
    }
    let found = files.compactMap { $0.fields[filter.field] }.sortedAndUnique()
    if let value = filter.values.first(where: { !found.contains($0) }) {
      throw .unknownValue(filter: filter.description, value: value, found: found)
    }
  }
}
