import Foundation
import GaitTraining

/// The layout that a folder's paths probably have.
enum LayoutGuess {
  /// A sentence with a layout to try, by the first recording of a folder; `nil` without one.
  static func cure(for folder: String) -> String? {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    guard let path = try? FolderWalk(root: directory).recordings.first else { return nil }
    let example = "\(folder) has files such as \(path)"
    return layout(of: path).map { "\(example): try --layout '\($0)'" } ?? example
  }

  /// Whether a folder has a file that is named like a recording, at any depth.
  static func hasRecordings(_ folder: String) -> Bool {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    let recordings = (try? FolderWalk(root: directory).recordings) ?? []
    return recordings.contains { !$0.lowercased().hasSuffix("location.csv") }
  }

  /// The layout of a path: its last folder is the label; its name has the person if it ends in a number.
  static func layout(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count >= 2 else { return nil }
    let folders = (0..<parts.count - 2).map { "{folder\($0 == 0 ? "" : "\($0 + 1)")}" }
    let name = parts[parts.count - 1] as NSString
    let (stem, ending) = (name.deletingPathExtension, name.pathExtension)
    let prefix = stem.reversed().drop(while: \.isNumber).reversed()
    let hasPerson =
      prefix.count < stem.count && !prefix.isEmpty && prefix.allSatisfy { $0.isLetter || "_-".contains($0) }
    let file = hasPerson ? String(prefix) + "{subject}" : "{recording}"
    return (folders + ["{label}", ending.isEmpty ? file : "\(file).\(ending)"]).joined(separator: "/")
  }
}
