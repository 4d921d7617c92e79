import Foundation
import Gait
import GaitFormats

/// A template of recordings' paths, such as `{label}_{trial}/sub_{subject}.csv`.
///
/// A placeholder matches one or more characters other than `/`. If a path matches in several ways, the leftmost
/// placeholder takes as much as it can, then the next one. A name that is used twice matches the same text both times.
/// A dataset uses two names: `label` for the activity and `subject` for the person.
///
/// If two placeholders adjoin, the second one matches digits only, and the first one does not end in a digit:
/// `{label}{n}` splits `run12` into `run` and `12`.
///
/// ```swift
/// let layout = try PathLayout("{label}_{trial}/sub_{subject}.csv")
/// layout.fieldNames                       // ["label", "trial", "subject"]
/// layout.match("jog_9/sub_1.csv")         // ["label": "jog", "trial": "9", "subject": "1"]
/// layout.match("README.md")               // nil
/// ```
///
/// Wildcards, alternatives and literal braces are not supported.
public struct PathLayout: Hashable, Sendable, CustomStringConvertible {
  /// The text that the layout was made from.
  public let template: String

  /// The names of the placeholders, each once, in the order of their first appearance.
  public let fieldNames: [String]

  let segments: [Segment]

  /// A piece of the template: literal text, or a placeholder by its position in `fieldNames`.
  enum Segment: Hashable, Sendable {
    case text([Character])
    case field(Int)

    var isField: Bool { if case .field = self { true } else { false } }
  }

  /// A layout from its template, relative to the dataset's folder, with `/` between folders.
  ///
  /// - Throws: `PathLayoutError` if the template cannot match any path or is ambiguous.
  public init(_ template: String) throws(PathLayoutError) {
    var parser = PathLayoutParser(template: template)
    try parser.parse()
    self.template = template
    self.fieldNames = parser.fieldNames
    self.segments = parser.segments
  }

  /// The template.
  public var description: String { template }

  /// The value of every placeholder in `path`; `nil` if the path does not match.
  ///
  /// - Parameter path: a path relative to the dataset's folder, such as `jog_9/sub_1.csv`.
  /// - Returns: a text for each of `fieldNames`.
  /// - Complexity: O(*n*) for usual paths; at worst O(*s* · *n*²) for a layout of *s* pieces, and *n*² times as much
  ///   for every name that is used twice.
  public func match(_ path: String) -> [String: String]? {
    var search = PathSearch(segments: segments, path: Array(path), fieldCount: fieldNames.count)
    guard search.match(from: 0, segment: 0) else { return nil }
    var fields: [String: String] = [:]
    for (name, range) in zip(fieldNames, search.found) { fields[name] = range.map { String(search.path[$0]) } }
    return fields
  }
}

/// A search for the first match of a path, by backtracking with memoised failures.
private struct PathSearch {
  let segments: [PathLayout.Segment]
  let path: [Character]
  /// The range of each placeholder in the path; `nil` for one that is not matched yet.
  private(set) var found: [Range<Int>?]
  /// For each segment, the placeholders that occur both before it and at or after it. Of the earlier placeholders, only
  /// these affect whether the remaining segments can match.
  private let repeated: [[Int]]
  private var failures: Set<Failure> = []
  /// Whether two placeholders have no text between them.
  private let hasNeighbours: Bool

  /// A state from which the remaining segments cannot match the rest of the path.
  private struct Failure: Hashable {
    var segment: Int
    var position: Int
    var repeated: [Range<Int>?]
  }

  init(segments: [PathLayout.Segment], path: [Character], fieldCount: Int) {
    self.segments = segments
    self.path = path
    found = Array(repeating: nil, count: fieldCount)
    hasNeighbours = zip(segments, segments.dropFirst()).contains { $0.isField && $1.isField }
    repeated = segments.indices.map { index in
      Set(Self.fields(segments[..<index])).intersection(Self.fields(segments[index...])).sorted()
    }
  }

  /// Whether two adjoining placeholders are divided by their rule: the first does not end in a digit, the second has
  /// only digits.
  private func isDivided(_ range: Range<Int>, at index: Int) -> Bool {
    func isField(_ index: Int) -> Bool { segments.indices ~= index && segments[index].isField }
    func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    if isField(index - 1), !path[range].allSatisfy(isDigit) { return false }
    return !isField(index + 1) || !isDigit(path[range.upperBound - 1])
  }

  private static func fields(_ segments: ArraySlice<PathLayout.Segment>) -> [Int] {
    segments.compactMap { segment in
      if case .field(let field) = segment { field } else { nil }
    }
  }

  /// Whether the segments from `index` on match the path from `position` to its end; if so, `found` has the ranges.
  mutating func match(from position: Int, segment index: Int) -> Bool {
    guard index < segments.count else { return position == path.count }
    switch segments[index] {
    case .text(let text):
      return path[position...].starts(with: text) && match(from: position + text.count, segment: index + 1)
    case .field(let field):
      if let known = found[field] {
        return path[position...].starts(with: path[known])
          && (!hasNeighbours || isDivided(position..<position + known.count, at: index))
          && match(from: position + known.count, segment: index + 1)
      }
      let state = Failure(segment: index, position: position, repeated: repeated[index].map { found[$0] })
      if failures.contains(state) { return false }
      var end = path[position...].firstIndex(of: "/") ?? path.count
      while end > position {
        found[field] = position..<end
        if !hasNeighbours || isDivided(position..<end, at: index), match(from: end, segment: index + 1) { return true }
        end -= 1
      }
      found[field] = nil
      failures.insert(state)
      return false
    }
  }
}

/// Parses a template into literal text and placeholders.
struct PathLayoutParser {
  let template: String
  private(set) var fieldNames: [String] = []
  private(set) var segments: [PathLayout.Segment] = []
  private var text: [Character] = []

  init(template: String) {
    self.template = template
  }

  mutating func parse() throws(PathLayoutError) {
    try checkComponents()
    var rest = template[...]
    while let character = rest.popFirst() {
      switch character {
      case "{":
        guard let end = rest.firstIndex(where: { $0 == "}" || $0 == "{" }), rest[end] == "}" else {
          throw .unclosedBrace(template)
        }
        try addField(String(rest[..<end]))
        rest = rest[end...].dropFirst()
      case "}": throw .unopenedBrace(template)
      default: text.append(character)
      }
    }
    flushText()
    guard !fieldNames.isEmpty else { throw .noPlaceholder(template) }
  }

  private func checkComponents() throws(PathLayoutError) {
    guard !template.isEmpty else { throw .empty }
    guard !template.hasPrefix("/") else { throw .absolutePath(template) }
    for component in template.split(separator: "/", omittingEmptySubsequences: false) {
      if component.isEmpty || component == "." || component == ".." {
        throw .impossibleComponent(String(component), in: template)
      }
    }
  }

  private mutating func addField(_ name: String) throws(PathLayoutError) {
    guard !name.isEmpty else { throw .emptyName(template) }
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
      throw .invalidName(name, in: template)
    }
    if let intended = Self.knownName(near: name) { throw .misspelled(name, intended: intended, in: template) }
    flushText()
    // Two adjoining placeholders are divided by digits. There is no rule for a third one.
    if case .field(let before) = segments.last, segments.count >= 2, segments[segments.count - 2].isField {
      throw .adjacentPlaceholders(fieldNames[before], name, in: template)
    }
    if let known = fieldNames.firstIndex(of: name) {
      segments.append(.field(known))
    } else {
      segments.append(.field(fieldNames.count))
      fieldNames.append(name)
    }
  }

  /// The placeholders that a dataset uses.
  private static let knownNames = ["label", "subject"]

  /// The known placeholder that `name` probably misspells: it differs only in case, or by one edit. `nil` if there is
  /// none, or if `name` is a known placeholder.
  private static func knownName(near name: String) -> String? {
    guard !knownNames.contains(name) else { return nil }
    return knownNames.first { known in
      let written = name.lowercased()
      return EditDistance.between(written, known) <= 1
    }
  }

  private mutating func flushText() {
    if !text.isEmpty { segments.append(.text(text)) }
    text = []
  }
}

/// An error in the template of a `PathLayout`.
public enum PathLayoutError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The template is empty.
  case empty
  /// The template begins with `/`.
  case absolutePath(String)
  /// A path component is empty, `.` or `..`, so no path can match.
  case impossibleComponent(String, in: String)
  /// A `{` has no `}`.
  case unclosedBrace(String)
  /// A `}` has no `{`.
  case unopenedBrace(String)
  /// A placeholder is `{}`.
  case emptyName(String)
  /// A placeholder's name has other characters than letters, digits, `_` and `-`.
  case invalidName(String, in: String)
  /// No text separates three placeholders, so the end of the second is undefined.
  case adjacentPlaceholders(String, String, in: String)
  /// The template has no placeholder.
  case noPlaceholder(String)
  /// A placeholder's name is a near miss of `label` or `subject`.
  case misspelled(String, intended: String, in: String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure, in one or two sentences.
  public var description: String {
    switch self {
    case .empty:
      "the layout is empty; write a path such as {label}/{recording}.csv."
    case .absolutePath(let template):
      "layout \"\(template)\" begins with a slash; write it relative to the dataset's folder."
    case .impossibleComponent(let component, let template):
      "layout \"\(template)\" has \(component.isEmpty ? "an empty" : "a \"\(component)\"") path component; remove it."
    case .unclosedBrace(let template):
      "layout \"\(template)\" has a { without a }; close every placeholder, as in {label}."
    case .unopenedBrace(let template):
      "layout \"\(template)\" has a } without a {; open every placeholder, as in {label}."
    case .emptyName(let template):
      "layout \"\(template)\" has a placeholder without a name; name it, as in {recording}."
    case .invalidName(let name, let template):
      "layout \"\(template)\" has the invalid placeholder name \"\(name)\"; use only letters, digits, _ and -."
    case .adjacentPlaceholders(let first, let second, let template):
      "layout \"\(template)\" has no text between {\(first)} and {\(second)}; add the text that separates them."
    case .misspelled(let name, let intended, let template):
      "layout \"\(template)\" has the placeholder {\(name)}; did you mean {\(intended)}? Any other name must differ "
        + "from {\(intended)} by more than one letter."
    case .noPlaceholder(let template):
      "layout \"\(template)\" has no placeholder; write {label} in place of the label, as in {label}/{recording}.csv."
    }
  }
}
