import Foundation
import Gait

/// An output folder, whose files appear only when all are complete.
struct OutputFolder {
  private let path: String
  private let target: URL
  private let exists: Bool

  /// The folder at `path`.
  ///
  /// - Parameter replaces: whether the folder may contain files; those with the same names are replaced.
  /// - Throws: `OutputError` if the folder cannot be created, is a file, or contains files that may not be replaced.
  init(at path: String, replaces: Bool = false) throws {
    self.path = path
    target = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    exists = FileManager.default.fileExists(atPath: target.path)
    try OutputError.check(folderOf: target, path: path)
    guard !exists || target.path.isFolder else { throw OutputError(path: path, reason: "it is a file; name a folder") }
    // A killed run may have left a folder `.gait-…`, which does not count as a file.
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []
    guard contents.allSatisfy({ $0.hasPrefix(".gait-") }) || replaces else {
      throw OutputError(path: path, reason: "the folder is not empty; name a new folder")
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
    do { return try AtomicFile.fill(folder: target, body) } catch FileWriteError.cannotWrite(_, let reason) {
      throw OutputError(path: path, reason: "\(reason); free space, check the permissions or choose another path")
    }
  }
}
