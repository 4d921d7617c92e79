import ArgumentParser
import Foundation
import Gait
import GaitFormats

/// A misspelt command, option or value on the command line.
///
/// The argument parser suggests options alone, and a missing argument hides a misspelt option from it.
struct Misspelling: CustomStringConvertible {
  /// The sentence for the user.
  let description: String

  /// Finds the first misspelling in the arguments; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - arguments: the words after `gait`.
  ///   - message: the argument parser's message, which quotes the value that an option cannot have.
  init?(in arguments: [String], parserMessage message: String) {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let name = words.first, !name.hasPrefix("-"), let gait = CommandHelp.gait else { return nil }
    guard let command = gait.subcommands?.first(where: { $0.commandName == name }) else {
      let commands = (gait.subcommands ?? []).map(\.commandName)
      description = "There is no command \"\(name)\"" + Self.cure(for: name, among: commands, "gait --help lists them")
      return
    }
    let options = Array(words.dropFirst().prefix { $0 != "--" })
    guard let text = command.unknownOption(in: options) ?? command.unknownValue(in: options, message) else {
      return nil
    }
    description = text
  }

  /// The end of the sentence: a suggestion, or `otherwise`.
  fileprivate static func cure(for word: String, among words: [String], _ otherwise: String) -> String {
    guard let suggestion = EditDistance.suggestion(for: word, among: words) else { return "; \(otherwise)." }
    return "; did you mean \"\(suggestion)\"?"
  }
}

/// A command's options and subcommands, as `--experimental-dump-help` prints them.
private struct CommandHelp: Decodable {
  var commandName: String
  var arguments: [Argument]?
  var subcommands: [CommandHelp]?

  struct Argument: Decodable {
    struct Name: Decodable { var name: String }

    var names: [Name]?
    var allValues: [String]?
  }

  private struct Dump: Decodable { var command: CommandHelp }

  /// The command `gait`.
  static var gait: CommandHelp? {
    try? JSONDecoder().decode(Dump.self, from: Data(GaitCommand._dumpHelp().utf8)).command
  }

  private var optionNames: [String] { (arguments ?? []).flatMap { $0.names ?? [] }.map(\.name) + ["help", "version"] }

  /// A sentence on the first option that the command lacks.
  func unknownOption(in words: [String]) -> String? {
    let names = words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) }
    guard let name = names.first(where: { !optionNames.contains($0) }) else { return nil }
    guard let suggestion = EditDistance.suggestion(for: name, among: optionNames) else {
      return "gait \(commandName) has no option --\(name); gait \(commandName) --help lists them."
    }
    return "gait \(commandName) has no option --\(name); did you mean --\(suggestion)?"
  }

  /// A sentence on the value that `message` refuses, where its option has a closed list of values.
  func unknownValue(in words: [String], _ message: String) -> String? {
    for (index, word) in words.enumerated() where word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let value = parts.count > 1 ? String(parts[1]) : words.dropFirst(index + 1).first,
        message.contains("'\(value)' is invalid for '--\(name) "),
        let values = arguments?.first(where: { $0.names?.contains { $0.name == name } ?? false })?.allValues
      else { continue }
      let list = values.dropLast().joined(separator: ", ") + " or " + values[values.count - 1]
      let cure = Misspelling.cure(for: value, among: values, "choose \(list)")
      return "--\(name) has no value \"\(value)\"" + cure + (cure.hasSuffix("?") ? " Choose \(list)." : "")
    }
    return nil
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
