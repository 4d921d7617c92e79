import Gait

/// A node of HTML or SVG: text, or an element with attributes and contents.
///
/// The output is valid XML as well as HTML: every element is closed and every special character is escaped. Attributes
/// keep their order, so equal pages have equal bytes.
indirect enum Markup: Hashable, Sendable {
  case text(String)
  case element(String, attributes: [Attribute], contents: [Markup])

  struct Attribute: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// An element of HTML or SVG.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ contents: [Markup] = []
  ) -> Markup {
    .element(name, attributes: attributes.map { Attribute(name: $0.key, value: $0.value) }, contents: contents)
  }

  /// The node's source text.
  var source: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .text(let content): Self.escape(content, quotes: false, into: &text)
    case .element(let name, let attributes, let contents):
      text += "<\(name)"
      for attribute in attributes {
        text += " \(attribute.name)=\""
        Self.escape(attribute.value, quotes: true, into: &text)
        text += "\""
      }
      if contents.isEmpty, Self.voidElements.contains(name) {
        text += "/>"
      } else {
        text += ">"
        for content in contents { content.write(to: &text) }
        text += "</\(name)>"
      }
      if Self.blocks.contains(name) { text += "\n" }
    }
  }

  private static func escape(_ content: String, quotes: Bool, into text: inout String) {
    for character in content.unicodeScalars {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where quotes: text += "&quot;"
      case "\n", "\t": text.unicodeScalars.append(character)
      // Neither XML nor HTML allows control characters, escaped or not, and direction marks could reverse a line.
      case _ where character.isControl: text += character.visibleEscape
      default: text.unicodeScalars.append(character)
      }
    }
  }

  /// Elements without contents, which HTML writes without an end tag. For SVG's shapes the end tag is optional.
  private static let voidElements: Set = ["br", "circle", "line", "meta", "path", "polyline", "rect"]

  /// Elements followed by a line feed, for readable source.
  private static let blocks: Set = [
    "desc", "div", "figure", "g", "h1", "h2", "head", "meta", "metadata", "p", "section", "style", "svg", "title", "tr",
  ]
}

extension Markup: ExpressibleByStringInterpolation {
  /// A text node.
  init(stringLiteral value: String) {
    self = .text(value)
  }
}
