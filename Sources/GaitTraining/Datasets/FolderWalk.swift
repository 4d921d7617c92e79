import Foundation
import GaitFormats

/// A walk through a folder and those inside it, links included, that stays out of hidden files and of circles. A folder
/// inside it that is one recording, with a file for each sensor, counts as a file.
struct FolderWalk {
  let root: URL
  /// The files found, relative to the root, with `/` between folders.
  private(set) var paths: [String] = []
  private var recordingFolders: Set<String> = []

  /// The files that are called like recordings, and the folders that are one.
  var candidates: [String] { paths.filter { RecordingNames.isLike(file: $0) || recordingFolders.contains($0) } }

  /// Walks through the folder `root`.
  ///
  /// - Throws: `DatasetError` where there is no such folder, or one in it cannot be listed.
  init(root: URL) throws(DatasetError) {
    self.root = root
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder) else {
      throw .missingFolder(root.relativePath)
    }
    guard isFolder.boolValue else { throw .notAFolder(root.relativePath) }
    try list(folder: "", ancestors: [])
    paths.sort { $0.naturallyPrecedes($1) }
  }

  private mutating func list(folder: String, ancestors: [String]) throws(DatasetError) {
    let url = folder.isEmpty ? root : root.appending(path: folder)
    let place = url.resolvingSymlinksInPath().path
    guard !ancestors.contains(place) else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw .unreadableFolder(url.relativePath, reason: error.localizedDescription)
    }
    guard folder.isEmpty || !RecordingNames.isRecording(folderOf: names) else {
      paths.append(folder)
      recordingFolders.insert(folder)
      return
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder) else {
        continue
      }
      if isFolder.boolValue {
        try list(folder: path, ancestors: ancestors + [place])
      } else {
        paths.append(path)
      }
    }
  }
}
