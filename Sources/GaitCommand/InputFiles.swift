import Foundation

/// What makes two paths the same file, whatever links lead to it.
enum FileIdentity: Hashable {
  /// A file that exists.
  case file(device: UInt64, number: UInt64)
  /// A file that does not, by its folder and its name.
  case name(String, folderDevice: UInt64, folderNumber: UInt64)

  /// The file at a path; `nil` where not even its folder exists.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      self = .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      return
    }
    let url = URL(filePath: path)
    guard stat(url.deletingLastPathComponent().path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      // Most volumes there take names that differ in case for the same.
      let name = url.lastPathComponent.lowercased()
    #else
      let name = url.lastPathComponent
    #endif
    self = .name(name, folderDevice: UInt64(status.st_dev), folderNumber: UInt64(status.st_ino))
  }
}

/// The files that a command reads.
struct InputFiles {
  private var paths: [FileIdentity: String] = [:]

  /// The files and folders at some paths, of which some may not exist.
  ///
  /// - Parameter searchesFolders: whether the files in the folders count, at any depth, hidden ones aside.
  init(_ paths: [String], searchesFolders: Bool) {
    for path in paths { add(path, searchesFolders: searchesFolders) }
  }

  /// The path of the input that a file is, if it is one.
  func path(of file: FileIdentity) -> String? { paths[file] }

  /// Adds a file or folder; a folder that several links lead to is searched once.
  private mutating func add(_ path: String, searchesFolders: Bool) {
    guard let identity = FileIdentity(path), paths[identity] == nil else { return }
    paths[identity] = path
    guard searchesFolders, isFolder(path) else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] where !name.hasPrefix(".")
    {
      add(path.hasSuffix("/") ? path + name : "\(path)/\(name)", searchesFolders: true)
    }
  }
}
