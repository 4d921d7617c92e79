import Foundation
import GaitFormats
import GaitTestSupport
import Testing

/// Labels, subjects, columns and file names may contain a terminal's control sequences.
@Suite struct ForeignTextTests {
  /// Makes a terminal's text red, clears it, and reverses the direction of writing.
  private static let label = "run\u{1B}[31m\u{9B}2J\u{202E}, \"x\""

  /// A folder with two recordings of two labels in a column, and two subjects whose names contain escapes.
  private static func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for number in 1...2 {
      let rows = [(label, Float(0.8)), ("still", 0.01)].enumerated().flatMap { index, part in
        SampleFiles.rows(strength: part.1, seed: UInt64(10 * number + index)).map {
          $0 + ["\"\(part.0.replacing("\"", with: "\"\""))\""]
        }
      }
      try folder.write(
        SampleFiles.csv(rows, columns: SampleFiles.columns + ["activity"]), to: "data/\(number)\u{1B}]0;x\u{7}.csv")
    }
    return folder
  }

  private static let data = ["data", "--layout", "{subject}.csv", "--rate", "50", "--label-column", "activity"]
  /// Gives a label a name with a line that looks like an error of the command.
  private static let map = ["--map", "still=still\nError: none"]

  /// The control characters in a command's output, except line feeds.
  private static func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value))
    }
  }

  @Test(.requiresOptimization) func `Control characters in text from files are escaped, and line feeds too`() throws {
    let folder = try Self.folder()
    let file = try #require(try folder.contents.first { $0.hasPrefix("data/1") })
    try folder.write("attitude.roll\u{1B}[2J,b\n1,2\n", to: "bad\u{1B}[31m.csv")
    let commands = [
      ["train"] + Self.data + Self.map + ["--output", "m.json"],
      ["train"] + Self.data + Self.map + ["--output", "m.json", "--json"],
      ["evaluate", "m.json"] + Self.data + Self.map, ["evaluate", "m.json", "m.json"] + Self.data + Self.map,
      ["classify", "m.json", file, "--rate", "50"], ["classify", "m.json", file, "--rate", "50", "--json"],
      ["inspect", "m.json"], ["inspect", "m.json", "--json"],
      ["inspect", file, "--rate", "50"], ["inspect", "data", "--rate", "50"], ["inspect", "bad\u{1B}[31m.csv"],
      ["evaluate", "m.json"] + Self.data + ["--only", "subject=\u{1B}[31m"],
      ["inspect", file, "--format", "\u{1B}[31m"], ["inspect", file, "unexpected\u{1B}[31m"],
    ]
    for command in commands {
      let run = try GaitProcess(command, in: folder.url)
      #expect(Self.controls(in: run.output + run.complaints).isEmpty, "\(command)")
      let lines = (run.output + run.complaints).split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix("Error: none") }, "\(command)")
    }
    let text = try GaitProcess(["inspect", "m.json"], in: folder.url).output
    #expect(text.contains(#"run\u{1B}[31m\u{9B}2J\u{202E}, "x", still\u{A}Error: none"#))
  }

  @Test func `JSON and CSV contain the text itself`() throws {
    let folder = try Self.folder()
    let file = try #require(try folder.contents.first { $0.hasPrefix("data/1") })
    let train = ["train"] + Self.data + ["--output", "m.json", "--skip-cross-validation"]
    #expect(try GaitProcess(train, in: folder.url).status == 0)
    let windows = try #require(
      try GaitProcess(["classify", "m.json", file, "--rate", "50", "--json"], in: folder.url).json()["windows"]
        as? [[String: Any]])
    #expect(windows.first?["label"] as? String == Self.label)
    let table = try GaitProcess(
      ["features", file, "--rate", "50", "--label-column", "activity", "--output", "t.csv"], in: folder.url)
    #expect(table.status == 0, "\(table.complaints)")
    let quoted = "\"\(Self.label.replacing("\"", with: "\"\""))\","
    #expect(try String(contentsOf: folder.file("t.csv"), encoding: .utf8).contains("\n" + quoted))
    _ = try GaitProcess(["convert", file, "own.csv", "--rate", "50", "--label-column", "activity"], in: folder.url)
    let own = try AnnotatedRecording(contentsOf: folder.file("own.csv"))
    #expect(own.labels?.map(\.label) == [Self.label, "still"])
    #expect(
      try Self.controls(in: String(contentsOf: folder.file("own.csv"), encoding: .utf8).prefix(200).description).isEmpty
    )
  }

  @Test func `A report escapes control characters`() throws {
    let folder = try Self.folder()
    let run = try GaitProcess(["train"] + Self.data + ["--output", "m.json", "--report", "r.html"], in: folder.url)
    #expect(run.status == 0, "\(run.complaints)")
    let page = try String(contentsOf: folder.file("r.html"), encoding: .utf8)
    #expect(Self.controls(in: page).isEmpty)
    #expect(page.contains(#"run\u{1B}[31m"#))
  }
}
