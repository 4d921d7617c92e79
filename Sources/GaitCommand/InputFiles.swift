import Foundation
import GaitFormats

/// The identity of a file: equal for all paths and links to it.
enum FileIdentity: Hashable {
  /// An existing file.
  case file(FileNumber)
  /// A file that does not exist yet, by its folder and name.
  case name(String, folder: FileNumber)

  /// The file at a path; `nil` if its folder does not exist.
  init?(_ path: String) {
    if let file = FileNumber(path) {
      self = .file(file)
      return
    }
    let url = URL(filePath: path)
    guard let folder = FileNumber(url.deletingLastPathComponent().path) else { return nil }
    #if canImport(Darwin)
      // Most volumes on Apple's systems ignore case.
      let name = url.lastPathComponent.lowercased()
    #else
      let name = url.lastPathComponent
    #endif
    self = .name(name, folder: folder)
  }
}

/// The input files of a command.
struct InputFiles {
  private var paths: [FileIdentity: String] = [:]

  /// The files and folders at the paths; some may not exist.
  ///
  /// - Parameter searchesFolders: whether to include the files in the folders at any depth, except hidden ones.
  init(_ paths: [String], searchesFolders: Bool) {
    for path in paths { add(path, searchesFolders: searchesFolders) }
  }

  /// The path under which the file is an input; `nil` if it is none.
  func path(of file: FileIdentity) -> String? { paths[file] }

  /// Adds a file or folder; a folder with several links is searched once.
  private mutating func add(_ path: String, searchesFolders: Bool) {
    guard let identity = FileIdentity(path), paths[identity] == nil else { return }
    paths[identity] = path
    guard searchesFolders, path.isFolder else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] where !name.hasPrefix(".")
    {
      add(path.hasSuffix("/") ? path + name : "\(path)/\(name)", searchesFolders: true)
    }
  }
}
