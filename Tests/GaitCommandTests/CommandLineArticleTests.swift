import Foundation
import Testing

/// *The command line*, the article, says that it holds every option.
@Suite struct CommandLineArticleTests {
  /// The subcommands whose options the article gives in another's section too, as it says there.
  private static let sharedSections = ["select": "train", "tune-pauses": "evaluate"]

  @Test func `The article holds every option of every subcommand, where that is described`() throws {
    let article = try Article()
    let subcommands = try HelpDump.command().subcommands ?? []
    #expect(subcommands.count > 10)
    for subcommand in subcommands where subcommand.commandName != "help" {
      let name = subcommand.commandName
      #expect(article.sections.keys.contains(name), "the article has no section on gait \(name)")
      let text = [name, Self.sharedSections[name]].compactMap(\.self).reduce(article.common) {
        $0 + (article.sections[$1] ?? "")
      }
      for option in subcommand.options {
        #expect(text.firstRange(of: option.pattern) != nil, "the article lacks --\(option.name) of gait \(name)")
      }
    }
  }

  @Test func `The article holds no option that there is not`() throws {
    let article = try Article()
    let options = Set(try HelpDump.command().subcommands?.flatMap(\.options).map(\.name) ?? [])
    for option in article.options { #expect(options.contains(option), "there is no option --\(option)") }
  }
}

/// The article's text: what stands before the subcommands, and the sections on each.
private struct Article {
  var common = ""
  var sections: [String: String] = [:]

  init() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/GaitTraining/GaitTraining.docc/TheCommandLine.md").standardizedFileURL
    let parts = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n### gait ")
    common = parts[0]
    for part in parts.dropFirst() {
      let name = String(part.prefix { !$0.isWhitespace })
      sections[name, default: ""] += part
    }
  }

  /// The names of all options in the text.
  var options: Set<String> {
    let text = common + sections.values.joined()
    return Set(text.matches(of: /--([a-z][a-z\-]+)/).map { String($0.1) })
  }
}

/// What the command says about itself to tools.
private struct HelpDump: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    var options: [Option] {
      (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map { Option(name: $0.name) }
    }
  }

  struct Argument: Decodable {
    var names: [Name]?
  }

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  struct Option {
    var name: String

    /// The option, and not one whose name begins alike.
    var pattern: Regex<AnyRegexOutput> { try! Regex("--\(name)(?![-a-z])") }
  }

  static func command() throws -> Command {
    let process = try GaitProcess(["--experimental-dump-help"])
    return try JSONDecoder().decode(HelpDump.self, from: Data(process.output.utf8)).command
  }
}
