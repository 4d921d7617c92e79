import Foundation
import Testing

/// No file has a word or a name that the project has replaced: the list is `Tests/replaced-words.tsv`.
@Suite struct ReplacedWordsTests {
  private static let list = "Tests/replaced-words.tsv"

  @Test(.requiresClone) func `No file has a replaced word or name`() throws {
    let words = try ReplacedWords(Repository.text(Self.list))
    // The list, expected numbers, inputs of crashes, data and generated sources.
    let skipped =
      #/
      Tests/replaced-words\.tsv | LICENSE | Tests/References/.*\.(json|tsv) | Tests/FuzzTests/Crashes/.* | datasets/.*\.csv | .*\.svg
      | .*ActivityModel\+Running\.swift | Benchmarks/gate/costs\.json
      /#
    for path in Repository.files where path.wholeMatch(of: skipped) == nil {
      let file = Repository.root.appending(path: path)
      for found in words.find(in: file.deletingPathExtension().lastPathComponent, of: path) {
        Issue.record("\(path): the file's name has \"\(found.text)\"; write: \(found.replacement) (\(Self.list))")
      }
      guard let bytes = try? Data(contentsOf: file), let text = String(validating: bytes, as: UTF8.self) else {
        continue
      }
      for found in words.find(in: text, of: path) {
        Issue.record("\(path):\(found.line): \"\(found.text)\"; write: \(found.replacement) (\(Self.list))")
      }
    }
  }

  /// Invented rows, so that this file has no replaced word.
  private static let example = "kiwi, kiwis\tA\ngone bad\tA\n.ripe\tA\nOldCells\tB\nmeanStay\tB\n"

  @Test(arguments: [
    ("the KIWI is green", "KIWI"), ("two\nKiwis.", "Kiwis"), ("kiwiWidth", "kiwiWidth"), ("old_kiwi", "old_kiwi"),
    ("isGoneBad()", "isGoneBad"), ("rows are Gone bad", "Gone bad"), ("report.ripe", ".ripe"),
    ("OldCells()", "OldCells"), ("`OldCellsTests`", "OldCellsTests"), ("let \("meanStay") = 3", "meanStay"),
  ])
  func `Words are found in any case, and in names`(text: String, word: String) throws {
    #expect(try ReplacedWords(Self.example).find(in: text, of: "a.swift").map(\.text) == [word])
  }

  @Test(arguments: ["akiwi", "kiwifruitFile", "OldCellsIn", "old cells", "is gone badly", "ripe", "\"meanStay\" : 3"])
  func `Parts of other words are not found, nor keys of model files`(text: String) throws {
    #expect(try ReplacedWords(Self.example).find(in: text, of: "a.swift").isEmpty)
  }
}

/// The rows of the list.
private struct ReplacedWords {
  /// A place in a text at which a replaced word stands.
  struct Place {
    var line: Int
    var text: String
    var replacement: String
  }

  private var rows: [(word: String, replacement: String)]

  init(_ list: String) throws {
    rows = try list.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { row in
      let cells = row.split(separator: "\t").map(String.init)
      try #require(cells.count == 2, "\(row): a row has words, a tab, and what to write instead")
      return cells[0].split(separator: ", ").map { (String($0), cells[1]) }
    }
  }

  func find(in text: String, of path: String) -> [Place] {
    let (original, lowercase) = (SearchedText(text.utf8), SearchedText(text.utf8.map(Self.lowercase)))
    return rows.flatMap { word, replacement in
      let isName = word.contains(where: \.isUppercase)
      let places =
        isName
        ? original.offsets(of: word).map(original.identifier).filter {
          [word, word + "Tests"].contains(original[$0]) && !Self.isKeyOfModels($0, in: original, of: path)
        }
        : Self.places(of: word, in: lowercase, original)
      return places.map {
        Place(line: original.line(of: $0.lowerBound), text: original[$0], replacement: replacement)
      }
    }
  }

  /// Where words stand, and the names of which they are a part.
  private static func places(of words: String, in lowercase: SearchedText, _ original: SearchedText) -> [Range<Int>] {
    let phrases = lowercase.offsets(of: words).map { $0..<$0 + words.utf8.count }.filter(lowercase.isWhole)
    let names = lowercase.offsets(of: words.filter { $0 != " " }).map(original.identifier).filter {
      (" " + self.words(of: original[$0]) + " ").contains(" \(words) ") && !phrases.contains($0)
    }
    return phrases + names
  }

  /// The words of a name, in small letters: "is gone bad" of `isGoneBad`.
  private static func words(of name: String) -> String {
    name.replacing("_", with: " ").replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }.lowercased()
  }

  /// Model files keep the names of their first version.
  private static func isKeyOfModels(_ place: Range<Int>, in text: SearchedText, of path: String) -> Bool {
    ["meanStay", "evidenceWeight", "smallestRhythm"].contains(text[place])
      && (path.hasSuffix("/PauseSettings.swift") || "\"`".contains(text.character(before: place.lowerBound) ?? " "))
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
