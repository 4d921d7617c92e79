import GaitFormats

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
    // Two adjacent placeholders are letters and digits; a third has no rule.
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

  /// The known placeholder that `name` probably misspells: one that differs only in case, or by one edit.
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
public enum PathLayoutError: Error, Hashable, Sendable, CustomStringConvertible {
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
      "layout \"\(template)\" has the placeholder {\(name)}; did you mean {\(intended)}? Any other name must differ from"
        + " {\(intended)} by more than one letter."
    case .noPlaceholder(let template):
      "layout \"\(template)\" has no placeholder; write {label} in place of the label, as in {label}/{recording}.csv."
    }
  }
}
