import Foundation

/// An output folder that appears only when it is complete: its files are written to a hidden folder and then moved.
///
/// A new folder is renamed as a whole. An existing folder may be the working folder or a mount point, so the files are
/// moved into it. Hidden folders that a killed run left there are ignored.
struct OutputFolder {
  private let path: String
  private let target: URL
  private let exists: Bool

  /// Prepares a draft for the folder at `path`.
  ///
  /// - Parameter replaces: whether the folder may contain files; those with the same names are replaced.
  /// - Throws: `OutputError` if the folder cannot be created, is a file, or contains files that may not be replaced.
  init(at path: String, replaces: Bool = false) throws {
    self.path = path
    target = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    exists = FileManager.default.fileExists(atPath: target.path)
    try OutputError.check(folderOf: target, path: path)
    guard !exists || target.path.isFolder else { throw OutputError(path: path, reason: "it is a file; name a folder") }
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []
    let leftovers = contents.filter { $0.hasPrefix(TemporaryFolders.prefix) }.sorted()
    guard contents.count == leftovers.count || replaces else {
      throw OutputError(path: path, reason: "the folder is not empty; name a new folder")
    }
    for name in leftovers {
      Terminal.warn("\(path) contains \(name), which a killed run of gait left; remove it when no gait runs")
    }
  }

  /// Checks that every file of the folder can be written, by the rule of `OutputFile`.
  ///
  /// - Parameters:
  ///   - names: the files' paths within the folder.
  ///   - kind: the content of the files.
  ///   - inputs: the paths of the files and folders that the command reads.
  func check(_ names: [String], _ kind: OutputKind, inputs: [String]) throws {
    guard exists else { return }
    for folder in Set(names.map { ($0 as NSString).deletingLastPathComponent }) {
      let place = target.appending(path: folder).path
      guard place.isFolder || !FileManager.default.fileExists(atPath: place) else {
        throw OutputError(path: path, reason: "\(folder) in it is a file and must be a folder; remove the file")
      }
    }
    let files = names.map { (path as NSString).appendingPathComponent($0) }
    let existing = files.filter(FileManager.default.fileExists)
    try OutputFile.check(existing.map { OutputFile($0, kind) }, inputs: inputs)
  }

  /// Writes the files with `body` and moves them to their place; removes everything on failure.
  func fill<Result>(_ body: (_ folder: URL) throws -> Result) throws -> Result {
    try TemporaryFolders.fill(in: exists ? target : target.deletingLastPathComponent(), for: path, body, move: move)
  }

  private func move(_ draft: URL) throws {
    guard exists else { return try rename(draft, to: target) }
    for path in try FileManager.default.subpathsOfDirectory(atPath: draft.path).sorted() {
      let (source, destination) = (draft.appending(path: path), target.appending(path: path))
      if source.path.isFolder {
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
      } else {
        try rename(source, to: destination)
      }
    }
  }

  private func rename(_ source: URL, to destination: URL) throws {
    guard Foundation.rename(source.path, destination.path) == 0 else {
      throw OutputError(path: destination.path, reason: String(cString: strerror(errno)))
    }
  }
}
