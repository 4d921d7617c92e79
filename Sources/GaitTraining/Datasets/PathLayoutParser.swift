import GaitFormats

/// Cuts a template into text and placeholders, and refuses those that cannot work.
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
    if let meant = Self.knownName(near: name) { throw .misspelled(name, meant: meant, in: template) }
    flushText()
    if case .field(let before) = segments.last {
      throw .adjacentPlaceholders(fieldNames[before], name, in: template)
    }
    if let known = fieldNames.firstIndex(of: name) {
      segments.append(.field(known))
    } else {
      segments.append(.field(fieldNames.count))
      fieldNames.append(name)
    }
  }

  /// The placeholders that mean something to a dataset.
  private static let knownNames = ["label", "subject"]

  /// The placeholder with a meaning that a name is probably meant to be: one that differs in capitals alone, or in one
  /// character that is missing, added, wrong or exchanged with its neighbour.
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

/// What is wrong with the template of a `PathLayout`.
public enum PathLayoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The template is empty.
  case empty
  /// The template begins with `/`.
  case absolutePath(String)
  /// A part between slashes is empty, `.` or `..`, which no path in a folder has.
  case impossibleComponent(String, in: String)
  /// A `{` has no `}`.
  case unclosedBrace(String)
  /// A `}` has no `{`.
  case unopenedBrace(String)
  /// A placeholder is `{}`.
  case emptyName(String)
  /// A placeholder's name has other characters than letters, digits, `_` and `-`.
  case invalidName(String, in: String)
  /// Nothing stands between two placeholders, so nothing says where the first ends.
  case adjacentPlaceholders(String, String, in: String)
  /// There is no placeholder at all.
  case noPlaceholder(String)
  /// A placeholder's name is nearly one that has a meaning.
  case misspelled(String, meant: String, in: String)

  /// One sentence that says what is wrong and how to mend it.
  public var description: String {
    switch self {
    case .empty:
      "the layout is empty; write a path such as {label}/{recording}.csv."
    case .absolutePath(let template):
      "layout \"\(template)\" begins with a slash; write it relative to the dataset's folder."
    case .impossibleComponent(let component, let template):
      "layout \"\(template)\" has \(component.isEmpty ? "an empty" : "a \"\(component)\"") path component,"
        + " which no recording's path has; take it out."
    case .unclosedBrace(let template):
      "layout \"\(template)\" has a { without its }; close every placeholder, as in {label}."
    case .unopenedBrace(let template):
      "layout \"\(template)\" has a } without its {; open every placeholder, as in {label}."
    case .emptyName(let template):
      "layout \"\(template)\" has a placeholder without a name; name it, as in {recording}."
    case .invalidName(let name, let template):
      "layout \"\(template)\" has a placeholder named \"\(name)\"; use letters, digits, _ and - only."
    case .adjacentPlaceholders(let first, let second, let template):
      "layout \"\(template)\" has nothing between {\(first)} and {\(second)}; put the text that separates them there."
    case .misspelled(let name, let meant, let template):
      "layout \"\(template)\" has a placeholder named \"\(name)\", which is nearly {\(meant)}; write {\(meant)}, or choose a"
        + " name that differs more."
    case .noPlaceholder(let template):
      "layout \"\(template)\" has no placeholder; write {label} where the label is, as in {label}/{recording}.csv."
    }
  }
}
