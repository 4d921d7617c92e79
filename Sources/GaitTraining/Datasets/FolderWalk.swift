import Foundation
import GaitFormats

/// Lists the files of a folder and its subfolders. Follows links; skips hidden files and special files, such as pipes.
///
/// A subfolder that is one recording, with a file for each sensor, counts as a file. A folder with several paths is
/// visited once: by its own path, else by the first link in natural order.
struct FolderWalk {
  let root: URL
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
  var candidates: [String] { paths.filter { RecordingNames.isRecording(file: $0) || recordingFolders.contains($0) } }

  /// A warning for each kind of file that was skipped; usually empty.
  var warnings: [String] {
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
  init(root: URL) throws(DatasetError) {
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
