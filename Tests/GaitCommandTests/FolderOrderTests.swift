import Foundation
import Testing

/// The source files of each library refer only to their own folder and to folders before it.
///
/// A reference is the name of a type, declared at the top level of a file of the same library, in the code of another file; comments and the
/// text of strings do not count. A name that several files declare counts for the first of their folders.
@Suite struct FolderOrderTests {
  /// The folders, or files, of each library, lowest first. A file belongs to the longest entry that contains it.
  private static let orders = [
    "Gait": ["Files", "Samples", "Signal", "Features", "Models", "Decisions", "Runs", "RunTracker.swift", "Apple"],
    "GaitFormats": [
      "Recordings", "Bytes", "CSV", "Timeline", "Archives", "Formats", "Labels", "Live", "Location", "Export",
    ],
    "GaitTraining": [
      "Support", "Fitting", "Fitting/Logistic", "Fitting/Trees", "Datasets", "Collections", "Batch", "Validation",
      "Calibration",
      "Trainers", "Selection", "Pauses", "Export",
    ],
    "GaitReports": ["Page", "Recordings", "Models"],
    "GaitLab": ["Simulation", "Simulation/Outdoors", "Outdoors", "Models", "Judges"],
  ]

  @Test(arguments: orders.keys.sorted()) func `Folders refer only to folders before them`(library: String) throws {
    let order = try #require(Self.orders[library])
    for fault in try OrderedLibrary(library, order: order).faults { Issue.record("\(fault)") }
  }

  @Test func `Strings and comments are not code, except for interpolations`() {
    let text = """
      let a = "Text \\(Value.b) // Text" // Comment
      /* Comment
      Comment */ let c: Type = #"Text " Text"#
      let d = \"\"\"
        Text \\(Other(f(1)))
        \"\"\" + Last.name
      """
    let code = OrderedLibrary.code(of: text)
    #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count == text.split(separator: "\n").count)
    #expect(code.matches(of: /[A-Z]\w*/).map { String($0.0) } == ["Value", "Type", "Other", "Last"])
  }
}

/// A library whose folders have an order.
private struct OrderedLibrary {
  private var library: String
  private var order: [String]
  /// The code of each file, by its path in the library.
  private var code: [String: String] = [:]
  /// The place in the order of the folder of each file.
  private var place: [String: Int] = [:]

  init(_ library: String, order: [String]) throws {
    (self.library, self.order) = (library, order)
    let folder = Repository.root.appending(path: "Sources/\(library)")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      code[path] = try Self.code(of: String(contentsOf: folder.appending(path: path), encoding: .utf8))
      place[path] = order.indices.filter { path == order[$0] || path.hasPrefix(order[$0] + "/") }
        .max { order[$0].count < order[$1].count }
    }
  }

  var faults: [String] {
    let unordered = code.keys.filter { place[$0] == nil }.sorted().map {
      "Sources/\(library)/\($0): its folder has no place in the order of FolderOrderTests; add it"
    }
    let empty = order.indices.filter { !place.values.contains($0) }.map {
      "Sources/\(library)/\(order[$0]): stands in the order of FolderOrderTests, but has no file of its own"
    }
    return unordered.isEmpty && empty.isEmpty ? references : unordered + empty
  }

  /// The references to folders that come later.
  private var references: [String] {
    var owner: [String: Int] = [:]
    for (path, code) in code {
      for name in code.matches(of: Self.declaration).map({ String($0.1) }) {
        owner[name] = min(owner[name] ?? order.count, place[path]!)
      }
    }
    return code.keys.sorted().flatMap { path in
      let (text, user) = (SearchedText(code[path]!.utf8), place[path]!)
      return owner.filter { $0.value > user }.sorted { $0.key < $1.key }.flatMap { name, used in
        // A name after a dot is a member.
        text.offsets(of: name).filter {
          text.isWhole($0..<$0 + name.utf8.count) && text.character(before: $0) != "."
        }.map {
          "Sources/\(library)/\(path):\(text.line(of: $0)): \(order[user]) must not refer to \(name), of \(order[used]), "
            + "which comes later: pass what it needs, or move the type down"
        }
      }
    }
  }

  /// The text without comments and without strings except for what they interpolate; lines keep their numbers.
  static func code(of text: String) -> String {
    let interpolation = /\\#*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/
    return text.replacing(literal) { match in
      match.0.hasPrefix("/")
        ? String(repeating: "\n", count: match.0.count { $0 == "\n" })
        : match.0.split(separator: "\n", omittingEmptySubsequences: false)
          .map { $0.matches(of: interpolation).map(\.1).joined(separator: " ") }.joined(separator: "\n")
    }
  }

  private static var declaration: Regex<(Substring, Substring)> {
    /^(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/
      .anchorsMatchLineEndings()
  }
  /// A string of several lines, a raw string, a string, or a comment.
  private static var literal: Regex<(Substring, Substring?, Substring?)> {
    /(#*)"""(?s:.*?)"""\1|(#+)"(?:[^"\n]|"(?!\2))*"\2|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*(?s:.*?)\*\//
  }
}
