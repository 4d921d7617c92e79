import Foundation
import Testing

/// The tables of options in the documentation have the names, values, defaults and meanings of the command's help. A
/// comment before each table names the subcommand and the options that it has. `make option-tables` writes the tables
/// again.
@Suite struct OptionTablesTests {
  private static let folder = "Sources/GaitTraining/GaitTraining.docc"
  private static let writes = ProcessInfo.processInfo.environment["GAIT_WRITE_TABLES"] != nil

  @Test func `The tables of options are those that the definitions give`() throws {
    let help = try Help()
    for name in try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: Self.folder).path)
    where name.hasSuffix(".md") {
      let path = "\(Self.folder)/\(name)"
      let old = try Repository.text(path)
      let new = try old.replacing(/<!-- options of ([a-z-]+): ([a-z -]+) -->\n(?:\|.*\n)*/) { match in
        try "\(match.0.prefix { $0 != "\n" })\n"
          + help.table(of: String(match.1), match.2.split(separator: " ").map(String.init))
      }
      #expect(!new.contains("\n\n| option |"), "\(path): a table of options has no comment that names its options")
      if Self.writes, new != old {
        try new.write(to: Repository.root.appending(path: path), atomically: true, encoding: .utf8)
      } else if old != new {
        let lines = zip(old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
        let number = 1 + (lines.enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0)
        Issue.record(
          "\(path):\(number): the table of options is not that of the help; `make option-tables` writes it again")
      }
    }
  }
}

/// The definitions of the command's options.
private struct Help: Decodable {
  private var command: Command

  init() throws {
    self = try JSONDecoder().decode(Self.self, from: Data(GaitProcess(["--experimental-dump-help"]).output.utf8))
  }

  /// The table of some options of a subcommand, as Markdown.
  func table(of subcommand: String, _ names: [String]) throws -> String {
    let options = try #require(command.subcommands.first { $0.commandName == subcommand }).arguments
    var rows: [[String]] = []
    for name in names {
      let option = try #require(
        options.first { $0.kind != "positional" && $0.preferredName?.name == name },
        "gait \(subcommand) has no --\(name)")
      // A flag and its opposite are one row.
      if let last = rows.last, last[2] == option.row[2] {
        rows[rows.count - 1][0] += ", " + option.row[0]
      } else {
        rows.append(option.row)
      }
    }
    let hasDefaults = rows.contains { !$0[1].isEmpty }
    rows = [["option", "default", "meaning"], ["---", "---", "---"]] + rows
    return rows.map { row in
      let cells = hasDefaults ? row : [row[0], row[2]]
      return row[0] == "---"
        ? "|\(cells.joined(separator: "|"))|\n"
        : "| \(cells.joined(separator: " | ")) |\n".replacing("|  |", with: "| |")
    }.joined()
  }

  private struct Command: Decodable { var subcommands: [Subcommand] }

  private struct Subcommand: Decodable {
    var commandName: String
    var arguments: [Option]
  }
}

private struct Option: Decodable {
  var kind: String
  var isOptional: Bool
  var preferredName: Name?
  var names: [Name]?
  var valueName: String?
  var defaultValue: String?
  var allValues: [String]?
  var abstract: String?
  var discussion: String?

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  /// The option with its value or its values, its default, and its meaning.
  var row: [String] {
    let meaning = [abstract, discussion].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    let numeric = defaultValue?.wholeMatch(of: /[\d.e-]+/) != nil
    // Whole numbers have no decimals.
    let value = defaultValue.map { numeric ? $0.replacing(/^(\d+)\.0$/) { $0.1 } : "`\($0)`" } ?? ""
    return [title, isOptional ? value : "required", Self.markedCode(in: meaning)]
  }

  private var title: String {
    let first = "--" + (preferredName?.name ?? "")
    let short = (names ?? []).filter { $0.kind == "short" }.map { "`-\($0.name)`" }
    if kind == "flag" { return (["`\(first)`"] + short).joined(separator: ", ") }
    if let values = allValues, !values.isEmpty, !values.allSatisfy({ abstract?.contains($0) == true }) {
      return Self.listed(["\(first) \(values[0])"] + values.dropFirst())
    }
    var values = (valueName ?? "").split(separator: "|").map(String.init)
    values[0] = values[0].prefix { $0 != "." }.uppercased()
    return ([Self.listed(["\(first) \(values[0])"] + values.dropFirst())] + short).joined(separator: ", ")
  }

  private static func listed(_ words: [String]) -> String {
    let code = words.map { "`\($0)`" }
    guard let last = code.last, code.count > 1 else { return code.joined() }
    return code.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func markedCode(in text: String) -> String {
    code.stringByReplacingMatches(in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "`$0`")
      .replacing("|", with: "\\|")
  }

  /// Quoted texts, options, assignments, templates, and names of files and folders.
  private static let code = try! NSRegularExpression(
    pattern: #"gait [a-z]+(?: --[a-z-]+)?|'[^' ][^']*'(?!\w)|--(?:model|split-by|output-format) [a-z]+\b"#
      + #"|(?<![\w-])--[a-z][a-z-]*|(?<![\w=.])[\w,]+=[\w.,…=]*\w|\{\w+\}"#
      + #"|[\w./*-]*\w\.(?:csv|json|jsonl|gpx|npy|py|html|svg)\b|(?<=such as )\.[a-z]+"#)
}
