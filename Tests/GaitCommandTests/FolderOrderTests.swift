import Foundation
import Testing

/// The source files of each library refer only to their own folder and to folders before it, in no long cycle, and have
/// the name of a type in them.
///
/// A reference is the name of a type, declared at the top level of a file of the same library, in the code of another
/// file; comments and the text of strings do not count, nor do members, which follow a dot. A name that several files
/// declare counts for the first of their folders.
@Suite struct FolderOrderTests {
  /// The folders, or files, of each library with folders, lowest first. Subfolders have their own place.
  private static let orders = [
    "Gait": [
      "Files", "Samples", "Signal", "Features", "Features/Kernels", "Features/Spectrum", "Features/Order",
      "Features/Plan", "Features/Statistics", "Features/Stream", "Models", "Decisions", "Runs", "RunTracker.swift",
      "Apple",
    ],
    "GaitFormats": [
      "Recordings", "Bytes", "CSV", "Timeline", "Archives", "Formats", "Labels", "Live", "Location", "Export",
    ],
    "GaitTraining": [
      "Support", "Fitting", "Fitting/Logistic", "Fitting/Trees", "Datasets", "Collections", "Batch", "Validation",
      "Calibration", "Trainers", "Selection", "Pauses", "Export",
    ],
    "GaitReports": ["Page", "Recordings", "Models"],
    "GaitLab": ["Simulation", "Simulation/Outdoors", "Outdoors", "Models", "Judges"],
  ]
  /// The most files that may refer to each other, directly or through others.
  private static let longestCycle = 3

  private static let libraries: [LibrarySources] = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: Repository.root.path + "/Sources")) ?? []
    return folders.sorted().compactMap { try? LibrarySources($0) }.filter { !$0.files.isEmpty }
  }()

  @Test(arguments: orders.keys.sorted()) func `Folders refer only to folders before them`(library: String) throws {
    let order = try #require(Self.orders[library])
    for fault in try LibrarySources(library).faults(order: order) { Issue.record("\(fault)") }
  }

  @Test func `Every library with folders has their order`() {
    #expect(Self.libraries.count >= 9)
    for library in Self.libraries where Self.orders[library.name] == nil {
      #expect(library.files.keys.allSatisfy { !$0.contains("/") }, "\(library.name) needs an order of its folders")
    }
  }

  @Test func `No cycle of files is longer than three`() {
    for library in Self.libraries {
      for cycle in library.cycles where cycle.count > Self.longestCycle {
        let list = cycle.joined(separator: ", ")
        Issue.record("Sources/\(library.name): \(cycle.count) files refer to each other: \(list): move what they share")
      }
    }
  }

  @Test func `A file has the name of a type in it`() {
    for library in Self.libraries {
      for (path, file) in library.files.sorted(by: { $0.key < $1.key }) where !file.types.isEmpty {
        let name = LibrarySources.stem(of: path)
        let types = file.types.sorted()
        #expect(types.contains(name), "Sources/\(library.name)/\(path) has \(types), and none of its own name")
      }
    }
  }

  @Test func `Strings and comments are not code, except for interpolations`() {
    let text = """
      let a = "Text \\(Value.b(list.joined(separator: ", Text"))) // Text" // Comment
      /* Comment /* Comment */
      Comment */ let c: Type = #"Text " \\(Text)"# { }
      let d = \"\"\"
        Text "\\(Other(f(1)))" Text
        \"\"\" + Last.Member
      """
    let words = CodeWord.words(of: text)
    let found = words.filter { $0.text.first!.isUppercase && !$0.isMember }.map { "\($0.line) \($0.text)" }
    #expect(found == ["1 Value", "3 Type", "5 Other", "6 Last"])
    #expect(words.allSatisfy { $0.depth == 0 })
  }

  @Test func `Cycles are files that refer to each other, through others too`() {
    let references: [String: Set<String>] = [
      "A": ["B"], "B": ["C"], "C": ["A", "D"], "D": ["E"], "E": ["D"], "F": ["A"],
    ]
    #expect(LibrarySources.cycles(references) == [["A", "B", "C"], ["D", "E"]])
  }
}

/// The files of a library, and the types that each declares and names.
private struct LibrarySources {
  struct File {
    /// The types that are declared or extended at the top level.
    var types: Set<String> = []
    /// The types of it that other files may name.
    var shared: Set<String> = []
    /// The names that may be types, and the line of each that is first.
    var named: [String: Int] = [:]
  }

  var name: String
  /// Each file, by its path in the library.
  var files: [String: File] = [:]

  init(_ name: String) throws {
    self.name = name
    let folder = Repository.root.appending(path: "Sources/\(name)")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      files[path] = try File(CodeWord.words(of: String(contentsOf: folder.appending(path: path), encoding: .utf8)))
    }
  }

  /// A file's name without its ending and without what follows a plus sign.
  static func stem(of path: String) -> String {
    String(path.split(separator: "/").last!.dropLast(".swift".count).prefix { $0 != "+" })
  }

  /// What is wrong with the order of folders.
  func faults(order: [String]) -> [String] {
    let places = files.keys.reduce(into: [String: Int]()) { places, path in
      places[path] = order.firstIndex(of: path) ?? order.firstIndex(of: (path as NSString).deletingLastPathComponent)
    }
    let unordered = files.keys.filter { places[$0] == nil }.sorted().map {
      "Sources/\(name)/\($0): its folder has no place in the order of FolderOrderTests; add it"
    }
    let empty = order.indices.filter { !places.values.contains($0) }.map {
      "Sources/\(name)/\(order[$0]): stands in the order of FolderOrderTests, but has no file of its own"
    }
    guard unordered.isEmpty, empty.isEmpty else { return unordered + empty }
    var owner: [String: Int] = [:]
    for (path, file) in files {
      for type in file.shared { owner[type] = min(owner[type] ?? order.count, places[path]!) }
    }
    return files.sorted { $0.key < $1.key }.flatMap { path, file in
      file.named.sorted { $0.key < $1.key }.compactMap { type, line in
        guard let used = owner[type], used > places[path]! else { return nil }
        return "Sources/\(name)/\(path):\(line): \(order[places[path]!]) must not refer to \(type), of \(order[used]), "
          + "which comes later: pass what it needs, or move the type down"
      }
    }
  }

  /// The groups of files that refer to each other. `Type+X` counts with the `Type` of its folder.
  var cycles: [[String]] {
    func node(_ path: String) -> String {
      let type = path.prefix { $0 != "+" } + ".swift"
      return path.contains("+") && files[String(type)] != nil ? String(type) : path
    }
    var owners: [String: Set<String>] = [:]
    for (path, file) in files { for type in file.shared { owners[type, default: []].insert(path) } }
    var references: [String: Set<String>] = [:]
    for (path, file) in files {
      let used = file.named.keys.flatMap { type in owners[type].map { $0.contains(path) ? [] : $0 } ?? [] }.map(node)
      references[node(path), default: []].formUnion(Set(used).subtracting([node(path)]))
    }
    return Self.cycles(references)
  }

  /// The groups of two and more nodes that reach each other.
  static func cycles(_ references: [String: Set<String>]) -> [[String]] {
    let reached = references.mapValues { direct in
      var (reached, next) = (direct, Array(direct))
      while let node = next.popLast() {
        for other in references[node] ?? [] where reached.insert(other).inserted { next.append(other) }
      }
      return reached
    }
    let groups = reached.filter { $1.contains($0) }.map { node, others in
      others.filter { reached[$0]?.contains(node) ?? false }.sorted()
    }
    return Set(groups).sorted { $0[0] < $1[0] }
  }
}

extension LibrarySources.File {
  private static let declaring: Set = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype", "extension",
  ]

  fileprivate init(_ words: [CodeWord]) {
    var isPrivate = false
    var nested: Set<String> = []
    for (index, word) in words.enumerated() {
      if word.text.first!.isUppercase, !word.isMember { named[word.text] = named[word.text] ?? word.line }
      if word.depth == 0, word.text == "private" || word.text == "fileprivate" { isPrivate = true }
      guard !word.isMember, Self.declaring.contains(word.text), index + 1 < words.count else { continue }
      let type = words[index + 1].text
      guard word.depth == 0 else {
        nested.insert(type)
        continue
      }
      types.insert(type)
      if word.text != "extension", !isPrivate { shared.insert(type) }
      isPrivate = false
    }
    // In the file, the name of a nested type is that type's.
    for type in nested { named[type] = nil }
  }
}

/// A word of Swift code that is not in a comment or the text of a string.
private struct CodeWord {
  var text: String
  /// Lines count from 1.
  var line: Int
  /// The number of open braces before it.
  var depth: Int
  /// Whether a dot is before it.
  var isMember: Bool

  /// An open string, and the brackets that are open in an interpolation of it; `nil` in its text.
  private struct OpenString {
    var hashes: Int
    var isLong: Bool
    var brackets: Int?
  }

  static func words(of text: String) -> [CodeWord] {
    let bytes = Array(text.utf8)
    let (slash, star, quote, hash) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "#"))
    func isQuoted(thrice index: Int) -> Bool {
      index + 2 < bytes.count && bytes[index] == quote && bytes[index + 1] == quote && bytes[index + 2] == quote
    }
    func isWord(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 128 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 32
    }
    func hashes(_ index: Int) -> Int { index < bytes.count ? bytes[index...].prefix { $0 == hash }.count : 0 }
    var words: [CodeWord] = []
    var strings: [OpenString] = []
    var (index, line, depth, comments) = (0, 1, 0, 0)
    while index < bytes.count {
      let (byte, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
      if byte == UInt8(ascii: "\n") { line += 1 }
      let isText = comments == 0 && strings.last.map { $0.brackets == nil } ?? false
      if comments > 0 || !isText && byte == slash && next == star {
        let change = byte == slash && next == star ? 1 : byte == star && next == slash ? -1 : 0
        comments += change
        index += change == 0 ? 1 : 2
      } else if isText, let string = strings.last {
        let isEnd =
          (string.isLong ? isQuoted(thrice: index) : byte == quote)
          && hashes(index + (string.isLong ? 3 : 1)) >= string.hashes
        if isEnd || !string.isLong && byte == UInt8(ascii: "\n") {
          strings.removeLast()
          index += isEnd ? (string.isLong ? 3 : 1) + string.hashes : 1
        } else if byte == UInt8(ascii: "\\"), hashes(index + 1) >= string.hashes {
          index += 1 + string.hashes
          if index < bytes.count, bytes[index] == UInt8(ascii: "(") { strings[strings.count - 1].brackets = 0 }
          index += 1
        } else {
          index += 1
        }
      } else if byte == slash && next == slash {
        index += bytes[index...].prefix { $0 != UInt8(ascii: "\n") }.count
      } else if isWord(byte) {
        let word = bytes[index...].prefix(while: isWord)
        let isMember = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
        if !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) {
          words.append(
            CodeWord(text: String(decoding: word, as: UTF8.self), line: line, depth: depth, isMember: isMember))
        }
        index += word.count
      } else {
        let count = byte == hash ? hashes(index) : 0
        if index + count < bytes.count, bytes[index + count] == quote {
          let isLong = isQuoted(thrice: index + count)
          strings.append(OpenString(hashes: count, isLong: isLong))
          index += count + (isLong ? 3 : 1)
          continue
        }
        if byte == UInt8(ascii: "{") { depth += 1 } else if byte == UInt8(ascii: "}") { depth -= 1 }
        if let brackets = strings.last?.brackets {
          let change = byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
          strings[strings.count - 1].brackets = brackets + change < 0 ? nil : brackets + change
        }
        index += 1
      }
    }
    return words
  }
}
