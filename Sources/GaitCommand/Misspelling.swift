import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

/// A misspelt command, or a path that was split at a space; the argument parser has suggestions for options and values.
struct Misspelling: CustomStringConvertible {
  /// The sentence for the user.
  let description: String

  /// Finds the misspelling in the arguments; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - arguments: the words after `gait`.
  ///   - message: the argument parser's message.
  init?(in arguments: [String], parserMessage message: String) {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let name = words.first, !name.hasPrefix("-"), name != "help" else { return nil }
    let names = GaitCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    if !names.contains(name) {
      let suggestion = EditDistance.suggestion(for: name, among: names + ["help"])
      let cure = suggestion.map { "did you mean \"\($0)\"?" } ?? "gait --help lists them."
      description = "There is no command \"\(name)\"; \(cure)"
      return
    }
    guard message.contains("Unexpected argument") || message.contains("unexpected arguments"),
      let text = MissingPath.splitPath(in: Array(words.dropFirst().prefix { $0 != "--" }))
    else { return nil }
    description = text
  }
}

/// Wrong arguments that only a library can detect, with the command's cure.
struct CommandUsageError: Error, CustomStringConvertible {
  let description: String
}

extension Feature {
  /// The feature that an option names.
  ///
  /// - Throws: `CommandUsageError` with the feature that was probably meant, where `text` names none.
  static func parse(_ text: String) throws -> Feature {
    do throws(ModelError) { return try Feature(text) } catch {
      let reason = "\(error)".trimmingSuffix(".")
      guard let suggestion = suggestion(for: text) else {
        throw CommandUsageError(description: "\(reason); gait features --list lists the features.")
      }
      throw CommandUsageError(description: "\(reason); did you mean \(suggestion)?")
    }
  }

  /// The feature that `text` probably misspells in its lane, statistic or transform.
  private static func suggestion(for text: String) -> String? {
    let parts = text.prefix { $0 != "[" }.split(separator: ".", omittingEmptySubsequences: false)
    for count in [2, 1] where parts.count > count {
      let written = parts.prefix(count).joined(separator: ".")
      guard let lane = EditDistance.suggestion(for: written, among: Lane.entries.map(\.form)) else { continue }
      let rest = text.dropFirst(written.count + 1)
      let argument = rest.firstIndex(of: "]").map { rest.index(after: $0) } ?? rest.startIndex
      let dot = rest[argument...].firstIndex(of: ".") ?? rest.endIndex
      let statistic = corrected(rest[..<dot], among: Statistic.entries.map(\.form))
      let transform = corrected(rest[dot...].dropFirst(), among: Transform.entries.map(\.form))
      let suggestion = [lane, statistic, transform].filter { !$0.isEmpty }.joined(separator: ".")
      if suggestion != text, (try? Feature(suggestion)) != nil { return suggestion }
    }
    return nil
  }

  /// The text with its name, which an argument in brackets may follow, corrected to the nearest of the forms.
  private static func corrected(_ text: Substring, among forms: [String]) -> String {
    let name = String(text.prefix { $0 != "[" })
    let names = forms.map { String($0.prefix { $0 != "[" }) }
    return (EditDistance.suggestion(for: name, among: names) ?? name) + text.dropFirst(name.count)
  }
}

/// What was probably meant by a path that does not exist, or by one that was split at a space.
enum MissingPath {
  /// A sentence for an error about a file or folder that does not exist; `nil` if nothing is near.
  static func cure(for error: any Error, arguments: [String]) -> String? {
    guard let path = path(in: error), !path.isEmpty, !FileManager.default.fileExists(atPath: path) else { return nil }
    return splitPath(in: arguments) ?? cure(for: path)
  }

  /// A sentence on a path whose name has a space and was written without quotes; `nil` if there is none.
  static func splitPath(in arguments: [String]) -> String? {
    for first in arguments.indices {
      for last in (first + 1)..<max(first + 1, min(first + 5, arguments.count)) {
        let path = arguments[first...last].joined(separator: " ")
        if FileManager.default.fileExists(atPath: path) { return "Did you mean '\(path)'? Quote names with spaces." }
      }
    }
    return nil
  }

  private static func cure(for path: String) -> String? {
    if path.contains(where: "*?[".contains) {
      return "No file matches the pattern; write it without quotes, in the folder that has the files."
    }
    if let model = EditDistance.suggestion(for: path, among: ActivityModel.builtInNames) { return meant(model) }
    // Not by Foundation, which traps on the folder of a path of one character.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(folder.count))
    let neighbours = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    let sameStem = neighbours.sorted().first { $0.hasPrefix(name + ".") && !$0.dropFirst(name.count + 1).contains(".") }
    guard let near = sameStem ?? EditDistance.suggestion(for: name, among: neighbours.sorted()) else { return nil }
    return meant(folder + near)
  }

  private static func meant(_ name: String) -> String { "Did you mean \(name)?" }

  private static func path(in error: any Error) -> String? {
    switch error {
    case RecordingError.cannotRead(let file, _), ModelError.cannotRead(let file, _),
      DatasetError.recording(.cannotRead(let file, _)), LocationFileError.table(.cannotRead(let file, _)),
      DatasetError.missingFolder(let file):
      file
    default: nil
    }
  }
}

/// The layout that a folder's paths probably have.
enum LayoutGuess {
  /// A sentence with a layout to try, by the first recording of a folder; `nil` without one.
  static func cure(for folder: String) -> String? {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    guard let path = try? FolderWalk(root: directory).candidates.first else { return nil }
    let example = "\(folder) has files such as \(path)"
    return layout(of: path).map { "\(example): try --layout '\($0)'" } ?? example
  }

  /// Whether a folder has a file that is named like a recording, at any depth.
  static func hasRecordings(_ folder: String) -> Bool {
    let directory = URL(filePath: folder, directoryHint: .isDirectory)
    let candidates = (try? FolderWalk(root: directory).candidates) ?? []
    return candidates.contains { !$0.lowercased().hasSuffix("location.csv") }
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
