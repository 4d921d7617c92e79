import Foundation
import GaitFormats

/// A walk through a folder and those inside it, links included, that leaves out hidden files and what is no file, such as
/// pipes. A folder inside it that is one recording, with a file for each sensor, counts as a file.
///
/// A folder that several paths lead to is visited once: by its own path, else by the first link in natural order.
struct FolderWalk {
  let root: URL
  /// The files found, relative to the root, with `/` between folders.
  private(set) var paths: [String] = []
  private var recordingFolders: Set<String> = []
  private var visited: Set<Identity> = []
  /// Links to folders, to follow when all others are visited.
  private var links: [String] = []
  /// Links to folders that were visited already.
  private var repeatedFolders: [String] = []
  /// Pipes, sockets and devices.
  private var specialFiles: [String] = []
  /// Files and folders whose name is not UTF-8, escaped.
  private var unreadableNames: [String] = []

  /// A folder, whatever path leads to it.
  private struct Identity: Hashable {
    var device: UInt64
    var number: UInt64
  }

  /// The files that are called like recordings, and the folders that are one.
  var candidates: [String] { paths.filter { RecordingNames.isRecording(file: $0) || recordingFolders.contains($0) } }

  /// What was left out, a sentence each; usually empty.
  var warnings: [String] {
    [
      (unreadableNames, "left out for names that are not UTF-8"),
      (specialFiles, "left out because they are pipes, sockets or devices"),
      (repeatedFolders, "left out because they are links to folders that are read already"),
    ].compactMap { paths, reason in
      guard !paths.isEmpty else { return nil }
      return "\(paths.count) in folder \(root.relativePath) \(reason): \(paths.sortedAndUnique().listed())"
    }
  }

  /// Walks through the folder `root`.
  ///
  /// - Throws: `DatasetError` where there is no such folder, or one in it cannot be listed.
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
