import Foundation

/// A folder that takes its place when it is whole: all files are made in a hidden folder beside it or inside it, and moved
/// when none is missing.
///
/// A folder that exists keeps its place, for it may be where somebody stands, or a mount point; then the draft's files move
/// into it.
struct DraftFolder {
  private let path: String
  private let target: URL
  private let draft: URL
  private let exists: Bool

  /// A draft for the folder at `path`.
  ///
  /// - Parameter replaces: whether the folder may hold files, of which those of the same names are replaced.
  /// - Throws: `OutputError` where the folder cannot be made, or may not be filled.
  init(at path: String, replaces: Bool = false) throws {
    self.path = path
    target = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    exists = FileManager.default.fileExists(atPath: target.path)
    try OutputError.check(folderOf: target, path: path)
    guard !exists || isFolder(target.path) else { throw OutputError(path: path, reason: "it is a file; name a folder") }
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []
    guard contents.isEmpty || replaces else {
      throw OutputError(path: path, reason: "the folder is not empty; name a new one, so that nothing is overwritten")
    }
    draft = (exists ? target : target.deletingLastPathComponent())
      .appending(path: ".gait-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)
  }

  /// Fills the draft and lets it take its place; nothing is left behind where that fails.
  func fill<Result>(_ body: (_ folder: URL) throws -> Result) throws -> Result {
    do {
      try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
      let result = try body(draft)
      if exists { try moveFiles() } else { try FileManager.default.moveItem(at: draft, to: target) }
      return result
    } catch {
      try? FileManager.default.removeItem(at: draft)
      // What the libraries say names the file already; what Foundation says does not.
      throw Terminal.exitCode(for: error) == nil ? OutputError(path: path, reason: Self.reason(error)) : error
    }
  }

  /// What the system said, in its own words.
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain ? String(cString: strerror(CInt(cause.code))) : cause.localizedDescription
  }

  private func moveFiles() throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: draft.path).sorted() {
      let (source, destination) = (draft.appending(path: path), target.appending(path: path))
      if isFolder(source.path) {
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
      } else if rename(source.path, destination.path) != 0 {
        throw OutputError(path: destination.path, reason: String(cString: strerror(errno)))
      }
    }
    try FileManager.default.removeItem(at: draft)
  }
}
