import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Suggestions where the argument parser has none: for a misspelt command, a path that does not exist, and a path with
/// spaces that was not quoted.
enum Suggestion {
  /// A sentence to follow an error; `nil` if nothing is near.
  ///
  /// - Parameter commands: the names of the subcommands.
  static func sentence(for error: any Error, _ arguments: [String], commands: [String]) -> String? {
    guard Terminal.exitCode(for: error) == nil else {
      guard let path = path(in: error), !FileManager.default.fileExists(atPath: path) else { return nil }
      return splitPath(in: arguments) ?? near(path)
    }
    guard let name = arguments.first, !name.hasPrefix("-"), !commands.contains(name) else {
      return splitPath(in: arguments)
    }
    // Models were compared by a command of their own up to 0.1.0.
    if name == "compare" {
      return "Use gait evaluate \(arguments.dropFirst().map(\.shellWord).joined(separator: " "))."
    }
    return EditDistance.suggestion(for: name, among: commands).map { "Did you mean \($0)?" }
  }

  /// A sentence about a path whose name has spaces and was written without quotes; `nil` if there is none.
  private static func splitPath(in arguments: [String]) -> String? {
    for first in arguments.indices {
      for last in (first + 1)..<max(first + 1, min(first + 5, arguments.count)) {
        let path = arguments[first...last].joined(separator: " ")
        if FileManager.default.fileExists(atPath: path) { return "Did you mean '\(path)'? Quote names with spaces." }
      }
    }
    return nil
  }

  /// A sentence with a built-in model or a file of the folder that has nearly this name, or this name and an ending.
  /// For a pattern such as `*.csv`, a sentence that no file matches; `nil` if nothing is near.
  private static func near(_ path: String) -> String? {
    if path.contains(where: "*?[".contains) {
      return "No file matches the pattern; write it without quotes, in the folder that has the files."
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))?.sorted() ?? []
    let paths = ActivityModel.builtInNames + files.map { folder + $0 }
    let same = paths.first { $0.hasPrefix(path + ".") && !$0.dropFirst(path.count + 1).contains(".") }
    return (same ?? EditDistance.suggestion(for: path, among: paths)).map { "Did you mean \($0)?" }
  }

  private static func path(in error: any Error) -> String? {
    switch error {
    case RecordingError.cannotRead(let file, _), ModelError.cannotRead(let file, _),
      DatasetError.recording(.cannotRead(let file, _)), LocationFileError.table(.cannotRead(let file, _)),
      DatasetError.missingFolder(let file):
      file.isEmpty ? nil : file
    default: nil
    }
  }
}
