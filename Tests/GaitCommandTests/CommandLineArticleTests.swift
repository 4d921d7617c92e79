import Foundation
import GaitTestSupport
import Testing

/// The article *The command line* and the page of each subcommand document every option, and no other.
@Suite(.requiresOptimization) struct CommandLineArticleTests {
  /// Subcommands that share the options of another one's section.
  private static let sharedSections = ["select": "train", "matrix": "train", "tune-pauses": "evaluate"]

  @Test func `Every option of every subcommand has a row in a table`() throws {
    let article = try Article()
    let subcommands = try Subcommand.all()
    #expect(subcommands.count > 10)
    for subcommand in subcommands {
      let name = subcommand.name
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
    for subcommand in try Subcommand.all() {
      let name = subcommand.name
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

  @Test func `The page of every subcommand begins with the abstract of its help`() throws {
    let article = try Article()
    for subcommand in try Subcommand.all() {
      let lines = article.sections[subcommand.name]?.text.split(separator: "\n") ?? []
      #expect(lines.count > 1 && String(lines[1]) == subcommand.abstract, "\(subcommand.name): \(subcommand.abstract)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Every option of every subcommand is in the completions`(shell: String) throws {
    let script = try GaitProcess(["--generate-completion-script", shell]).output
    for option in Set(try Subcommand.all().flatMap(\.options).map(\.name)) {
      #expect(script.contains(shell == "fish" ? "-l '\(option)'" : "--\(option)"), "no --\(option) for \(shell)")
    }
  }

  @Test func `The help of every subcommand begins with an example`() throws {
    for name in try Subcommand.all().map(\.name) {
      let help = try GaitProcess(["help", name]).output
      #expect(help.contains("For example: gait \(name) "), "\(help)")
      #expect(!help.contains("JSON: {"), "JSON keys belong in the article")
    }
  }

  @Test func `Every option in the text exists in a subcommand`() throws {
    let article = try Article()
    let options = Set(try Subcommand.all().flatMap(\.options).map(\.name))
    #expect(!article.options.isEmpty)
    for option in article.options { #expect(options.contains(option), "there is no option --\(option)") }
  }
}

/// The article's sections and their tables of options.
private struct Article {
  /// The sections of *The command line*; their first paragraph names the subcommands that they apply to.
  var sharedSections: [Section] = []
  /// The page of each subcommand, by its name.
  var sections: [String: Section] = [:]
  /// The names of all options in the text.
  var options: Set<String>

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/GaitTraining/GaitTraining.docc").standardizedFileURL
    var all = ""
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      if file == "TheCommandLine.md" {
        sharedSections = text.components(separatedBy: "\n### ").dropFirst().map { Section(text: $0) }
      } else if let name = text.firstMatch(of: /# gait ([a-z\-]+)\n/), text.hasPrefix("# gait ") {
        sections[String(name.1)] = Section(text: text)
      } else {
        continue
      }
      all += text
    }
    options = Set(all.matches(of: /--([a-z][a-z\-]+)/).map { String($0.1) })
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

/// A subcommand, as its help states it.
private struct Subcommand {
  var name: String
  var abstract: String
  var options: [Option]

  struct Option {
    var name: String
    var value: String?
  }

  /// The subcommands except `help`.
  static func all() throws -> [Subcommand] {
    let names = try GaitProcess(["help"]).output.matches(of: #/\n  ([a-z][a-z-]*) /#).map { String($0.1) }
    return try names.map { try Subcommand(name: $0) }
  }

  /// The help has an entry for each option: its names, and text over several lines that ends with its default.
  private init(name: String) throws {
    self.name = name
    let help = try GaitProcess(["help", name]).output
    abstract = help.components(separatedBy: "\n\n")[0].split(whereSeparator: \.isWhitespace).dropFirst().joined(
      separator: " ")
    let entries = help.components(separatedBy: "\n  -").dropFirst()
    options = entries.flatMap { entry -> [Option] in
      let text = entry.components(separatedBy: "\n\n")[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let value = text.firstMatch(of: #/[(;] ?default: (.*)\)$/#).map { String($0.1) }
      return ("-" + entry.components(separatedBy: "  ")[0]).matches(of: /--([a-z0-9-]+)/).map {
        Option(name: String($0.1), value: value)
      }
    }
  }
}
