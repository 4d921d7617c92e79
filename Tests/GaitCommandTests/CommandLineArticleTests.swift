import Foundation
import GaitTestSupport
import Testing

/// The article *The command line* documents every option of every subcommand, and no other.
@Suite(.requiresOptimization) struct CommandLineArticleTests {
  /// Subcommands that share the options of another one's section.
  private static let sharedSections = ["select": "train", "matrix": "train", "tune-pauses": "evaluate"]

  @Test func `Every option of every subcommand has a row in a table`() throws {
    let article = try Article()
    let subcommands = try HelpDump.subcommands()
    #expect(subcommands.count > 10)
    for subcommand in subcommands {
      let name = subcommand.commandName
      #expect(article.sections[name] != nil, "the article has no section on gait \(name)")
      let documented = [name, Self.sharedSections[name]].compactMap(\.self).flatMap { article.sections[$0]?.rows ?? [] }
      let shared = article.sharedSections.filter { $0.text.contains("`\(name)`") }.flatMap(\.rows)
      let names = Set((documented + shared).flatMap(\.options))
      for option in subcommand.options where !["help", "version"].contains(option.name) {
        #expect(names.contains(option.name), "the article lacks --\(option.name) of gait \(name)")
      }
    }
  }

  @Test func `Every option in a table exists in its subcommand, with that default`() throws {
    let article = try Article()
    for subcommand in try HelpDump.subcommands() {
      let name = subcommand.commandName
      let shared = article.sharedSections.filter { $0.text.contains("`\(name)`") }.flatMap(\.rows)
      for row in (article.sections[name]?.rows ?? []) + shared {
        for optionName in row.options {
          let option = subcommand.options.first { $0.name == optionName }
          #expect(option != nil, "gait \(name) has no --\(optionName)")
          guard let defaultCell = row.defaultCell else { continue }
          let isSame = defaultCell == option?.value ?? "" || Double(defaultCell) == option?.value.flatMap(Double.init)
          #expect(isSame, "gait \(name) --\(optionName): \(defaultCell) for \(option?.value ?? "no default")")
        }
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Every option of every subcommand is in the completions`(shell: String) throws {
    let script = try GaitProcess(["--generate-completion-script", shell]).output
    for option in Set(try HelpDump.subcommands().flatMap(\.options).map(\.name)) {
      #expect(script.contains(shell == "fish" ? "-l '\(option)'" : "--\(option)"), "no --\(option) for \(shell)")
    }
  }

  @Test func `The help of every subcommand begins with an example`() throws {
    for name in try HelpDump.subcommands().map(\.commandName) {
      let help = try GaitProcess(["help", name]).output
      #expect(help.contains("For example: gait \(name) "), "\(help)")
      #expect(!help.contains("JSON: {"), "JSON keys belong in the article")
    }
  }

  @Test func `Every option in the text exists in a subcommand`() throws {
    let article = try Article()
    let options = Set(try HelpDump.subcommands().flatMap(\.options).map(\.name))
    #expect(!article.options.isEmpty)
    for option in article.options { #expect(options.contains(option), "there is no option --\(option)") }
  }
}

/// The article's sections and their tables of options.
private struct Article {
  /// The sections before those on subcommands; their first paragraph names the subcommands that they apply to.
  var sharedSections: [Section] = []
  /// The sections on a subcommand, joined, by its name.
  var sections: [String: Section] = [:]
  /// The names of all options in the text.
  var options: Set<String>

  init() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/GaitTraining/GaitTraining.docc/TheCommandLine.md").standardizedFileURL
    let text = try String(contentsOf: url, encoding: .utf8)
    options = Set(text.matches(of: /--([a-z][a-z\-]+)/).map { String($0.1) })
    for part in text.components(separatedBy: "\n### ").dropFirst() {
      guard part.hasPrefix("gait ") else {
        sharedSections.append(Section(text: part))
        continue
      }
      let name = String(part.dropFirst("gait ".count).prefix { !$0.isWhitespace })
      sections[name, default: Section(text: "")].text += part
    }
  }

  struct Section {
    var text: String

    /// The rows of the tables of options.
    var rows: [Row] {
      var hasDefaults = false
      return text.split(separator: "\n").compactMap { line in
        if line.hasPrefix("| option |") { hasDefaults = line.hasPrefix("| option | default |") }
        guard line.hasPrefix("| `--") else { return nil }
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return Row(
          options: cells[0].matches(of: /--([a-z][a-z\-]+)/).map { String($0.1) },
          defaultCell: hasDefaults ? cells[1].replacing("`", with: "") : nil)
      }
    }
  }

  struct Row {
    var options: [String]
    var defaultCell: String?
  }
}

/// The output of `gait --experimental-dump-help`.
private struct HelpDump: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    var options: [Option] {
      (arguments ?? []).flatMap { argument in
        (argument.names ?? []).filter { $0.kind == "long" }.map { Option(name: $0.name, value: argument.defaultValue) }
      }
    }
  }

  struct Argument: Decodable {
    var names: [Name]?
    var defaultValue: String?
  }

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  struct Option {
    var name: String
    var value: String?
  }

  /// The subcommands except `help`.
  static func subcommands() throws -> [Command] {
    let process = try GaitProcess(["--experimental-dump-help"])
    let command = try JSONDecoder().decode(HelpDump.self, from: Data(process.output.utf8)).command
    return (command.subcommands ?? []).filter { $0.commandName != "help" }
  }
}
