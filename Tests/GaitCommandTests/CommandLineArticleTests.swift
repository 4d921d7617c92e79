import Foundation
import GaitTestSupport
import Testing

/// The article *The command line* and the page of each subcommand document every option, and no other.
@Suite(.requiresOptimization) struct CommandLineArticleTests {
  /// Subcommands that share the options of another one's section.
  private static let sharedSections = ["select": "train", "tune-pauses": "evaluate"]

  @Test func `Every option of every subcommand has a row in a table`() throws {
    let article = try Article()
    let subcommands = try Subcommand.all()
    #expect(subcommands.count > 10)
    for subcommand in subcommands {
      let name = subcommand.name
      #expect(article.sections[name] != nil, "the article has no section on gait \(name)")
      let documented = [name, Self.sharedSections[name]].compactMap(\.self).flatMap {
        article.sections[$0]?.options ?? []
      }
      let shared = article.sharedSections.filter { $0.text.contains("`\(name)`") }.flatMap(\.options)
      let names = Set(documented + shared)
      for option in subcommand.options where !["help", "version"].contains(option) {
        #expect(names.contains(option), "the article lacks --\(option) of gait \(name)")
      }
    }
  }

  @Test func `The page of every subcommand begins with the abstract of its help`() throws {
    let article = try Article()
    for subcommand in try Subcommand.all() {
      let lines = article.sections[subcommand.name]?.text.split(separator: "\n") ?? []
      try #require(lines.count > 1, "\(subcommand.name): \(subcommand.abstract)")
      #expect(String(lines[1]) == subcommand.abstract, "\(subcommand.name): \(subcommand.abstract)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Every option of every subcommand is in the completions`(shell: String) throws {
    let script = try GaitProcess(["--generate-completion-script", shell]).output
    for option in Set(try Subcommand.all().flatMap(\.options)) {
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
    let options = Set(try Subcommand.all().flatMap(\.options))
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

    /// The options in the first column of the tables.
    var options: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("| `--") }.flatMap { line in
        line.split(separator: "|")[0].matches(of: /--([a-z][a-z\-]+)/).map { String($0.1) }
      }
    }
  }
}

/// A subcommand, as its help states it.
private struct Subcommand {
  var name: String
  var abstract: String
  /// The names of its options.
  var options: [String]

  /// The subcommands except `help`.
  static func all() throws -> [Subcommand] {
    let names = try GaitProcess(["help"]).output.matches(of: #/\n  ([a-z][a-z-]*) /#).map { String($0.1) }
    return try names.map { try Subcommand(name: $0) }
  }

  /// The help has an entry for each option, which begins with its names.
  private init(name: String) throws {
    self.name = name
    let help = try GaitProcess(["help", name]).output
    abstract = help.components(separatedBy: "\n\n")[0].split(whereSeparator: \.isWhitespace).dropFirst().joined(
      separator: " ")
    options = help.components(separatedBy: "\n  -").dropFirst().flatMap { entry in
      ("-" + entry.components(separatedBy: "  ")[0]).matches(of: /--([a-z0-9-]+)/).map { String($0.1) }
    }
  }
}
