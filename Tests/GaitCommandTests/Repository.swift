import Foundation
import Testing

/// The files of this repository, whose texts some tests check.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths of all files that git tracks, or would if they were added; none outside of a clone.
  static let files: [String] = {
    let (git, listing) = (Process(), Pipe())
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    (git.currentDirectoryURL, git.standardOutput, git.standardError) = (root, listing, FileHandle.nullDevice)
    guard (try? git.run()) != nil else { return [] }
    let paths = String(decoding: listing.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    git.waitUntilExit()
    return paths.split(separator: "\0").map(String.init)
  }()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, visibly, where git cannot list the files of the repository.
  static var requiresClone: Self {
    .enabled(if: !Repository.files.isEmpty, "needs git, and a clone of the repository")
  }
}

/// The bytes of a text, searched for many words: by `strstr`, which is as fast in a debug build.
struct SearchedText {
  private let count: Int
  /// With a zero at the end, as `strstr` needs it.
  private let bytes: [UInt8]

  init(_ text: some Collection<UInt8>) {
    count = text.count
    bytes = text + [0]
  }

  /// The offsets at which `word` stands, also within longer words.
  func offsets(of word: String) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      guard var next = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return [] }
      let start = next
      var found: [Int] = []
      while let hit = strstr(next, word) {
        found.append(start.distance(to: UnsafePointer(hit)))
        next = UnsafePointer(hit) + 1
      }
      return found
    }
  }

  /// The identifier or word around an offset: its letters, digits and underscores.
  func identifier(at offset: Int) -> Range<Int> {
    var (start, end) = (offset, offset)
    while start > 0, Self.isInWord(bytes[start - 1]) { start -= 1 }
    while end < count, Self.isInWord(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Whether a range is not a part of a longer word.
  func isWhole(_ range: Range<Int>) -> Bool {
    let (start, end) = (range.lowerBound, range.upperBound)
    return !(start > 0 && Self.isInWord(bytes[start - 1]) && Self.isInWord(bytes[start]))
      && !(end < count && Self.isInWord(bytes[end - 1]) && Self.isInWord(bytes[end]))
  }

  /// The character before an offset, if it is ASCII.
  func character(before offset: Int) -> Character? {
    offset > 0 ? Character(UnicodeScalar(bytes[offset - 1])) : nil
  }

  subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The number of the line of an offset, counted from 1.
  func line(of offset: Int) -> Int { 1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") } }

  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }
}
