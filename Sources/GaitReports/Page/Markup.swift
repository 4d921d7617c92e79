import Gait
import GaitTraining

extension Markup {
  /// A paragraph of text.
  static func paragraph(_ text: String) -> Markup {
    .element("p", [:], [.text(text)])
  }

  /// A line of code, which wraps if necessary, but not within the name of an option.
  static func code(_ text: String) -> Markup {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).enumerated().flatMap { index, word in
      let name = Markup.text(String(word))
      let shown = word.hasPrefix("--") ? Markup.element("span", ["class": "word"], [name]) : name
      return index == 0 ? [shown] : [.text(" "), shown]
    }
    return .element("p", [:], [.element("code", [:], words)])
  }

  /// A text whose long words, such as paths and features, can break between their parts, and after 16 characters
  /// without a break.
  static func breaking(_ text: String) -> [Markup] {
    var (parts, part, length) = ([Markup](), "", 0)
    func end() {
      parts += [.text(part), .element("wbr")]
      (part, length) = ("", 0)
    }
    for character in text {
      if length > 3 && character.isUppercase && part.last?.isLowercase == true || length >= 16 && character != " " {
        end()
      }
      part.append(character)
      length = character == " " ? 0 : length + 1
      if length > 7 && "/_.,-|]".contains(character) { end() }
    }
    return parts + (part.isEmpty ? [] : [.text(part)])
  }

  /// Charts side by side if there is room; otherwise one below the other.
  static func grid(_ contents: [Markup]) -> Markup {
    .element("div", ["class": "grid"], contents)
  }

  /// Contents of which the reader sees one at a time, chosen by its title. Without the style sheet all are seen.
  ///
  /// - Parameter name: the name of the choice, unique on the page.
  static func choice(of name: String, _ parts: [(title: String, contents: Markup)]) -> Markup {
    let elements = parts.enumerated().flatMap { index, part -> [Markup] in
      let id = "\(name)-\(index + 1)"
      return [
        .element(
          "input",
          of: [("type", "radio"), ("name", name), ("id", id), ("checked", index == 0 ? "checked" : "")]),
        .element("label", ["for": id], [.text(part.title)]),
        .element("div", ["class": "part"], [part.contents]),
      ]
    }
    return .element("div", ["class": "choice"], elements)
  }

  /// A chart with its title above it and a note below.
  ///
  /// - Parameters:
  ///   - command: the command that draws the chart larger; empty if there is none.
  ///   - isWhole: whether the chart takes the whole width of a grid.
  static func figure(
    _ title: String, _ chart: Markup, note: String = "", command: String = "", isWhole: Bool = false
  ) -> Markup {
    .element(
      "figure", isWhole ? ["class": "whole"] : [:],
      [.element("h3", [:], breaking(title)), chart] + (note.isEmpty ? [] : [.element("figcaption", [:], [.text(note)])])
        + (command.isEmpty ? [] : [code(command)]))
  }

  /// A table that wraps its texts to fit a phone. A column of texts is aligned left if there are more than two columns;
  /// numbers keep their unit in their line.
  ///
  /// - Parameter isNumeric: whether all columns but the first are numbers, which do not wrap.
  static func table(titles: [String], rows: [[String]], isNumeric: Bool = false) -> Markup {
    let areTexts = titles.indices.map { column in
      column > 0 && titles.count > 2 && rows.contains { $0[column].first?.isLetter ?? false }
    }
    func cells(_ texts: [String], _ name: String) -> [Markup] {
      zip(texts, areTexts).map { cell, isText in
        Markup.element(
          name, isText ? ["class": "text"] : [:],
          breaking(cell.count < 12 ? cell.replacing(" %", with: "\u{A0}%").replacing(" /km", with: "\u{A0}/km") : cell))
      }
    }
    return capped(rows) { rows in
      table(heads: cells(titles, "th"), rows: rows.map { cells($0, "td") }, style: isNumeric ? "numbers" : "texts")
    }
  }

  /// A table of elements `th` above rows of elements `td`.
  static func table(heads: [Markup], rows: [[Markup]], style: String) -> Markup {
    .element(
      "table", ["class": style],
      [
        .element("thead", [:], [.element("tr", [:], heads)]),
        .element("tbody", [:], rows.map { .element("tr", [:], $0) }),
      ])
  }

  /// A drawing as wide as its container, whose horizontal positions are shares of the width.
  static func drawing(height: Double, label: String, _ contents: [Markup]) -> Markup {
    .element("svg", ["class": "bars", "role": "img", "aria-label": label, "height": height.coordinate], contents)
  }

  /// A rectangle of a drawing, from and as wide as shares of its width.
  static func rectangle(_ style: String, x: Double, y: Double, share: Double, height: Double) -> Markup {
    rectangle(style, ((100 * x).coordinate + "%", y), ((100 * share).coordinate + "%", height))
  }

  /// A rectangle of a drawing.
  static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> Markup {
    rectangle(style, (x.coordinate, y), (width.coordinate, height))
  }

  private static func rectangle(_ style: String, _ place: (String, Double), _ size: (String, Double)) -> Markup {
    .element(
      "rect",
      [
        "class": style, "x": place.0, "y": place.1.coordinate, "width": size.0, "height": size.1.coordinate,
      ])
  }

  /// A text of a drawing.
  static func text(_ text: String, x: Double, y: Double, style: String = "", anchor: String = "start") -> Markup {
    .text(text, x: x.coordinate, y: y, style: style, anchor: anchor)
  }

  typealias Tile = (name: String, value: String, more: String)

  /// Figures side by side, each with its name above and more about it below.
  static func tiles(_ tiles: [Tile]) -> Markup {
    let boxes = tiles.map { tile in
      Markup.element(
        "div", ["class": "tile"],
        [("name", tile.name), ("value", tile.value), ("more", tile.more)].map {
          .element("div", ["class": $0.0], [.text($0.1.replacing(" %", with: "\u{A0}%"))])
        })
    }
    return .element("div", ["class": "tiles"], boxes)
  }

  /// A bulleted list.
  static func list(_ items: [String]) -> Markup {
    guard !items.isEmpty else { return .paragraph("None.") }
    return capped(items) { .element("ul", [:], $0.map { .element("li", [:], [.text($0)]) }) }
  }

  /// The items; of more than `limit` + 3, the first `limit`, and the others folded below them.
  static func capped<Item>(_ items: [Item], limit: Int = 12, _ draw: ([Item]) -> Markup) -> Markup {
    guard items.count > limit + 3 else { return draw(items) }
    let summary = Markup.element("summary", [:], [.text("Show all \(items.count.grouped)")])
    return .element(
      "div", [:],
      [draw(Array(items.prefix(limit))), .element("details", [:], [summary, draw(Array(items.dropFirst(limit)))])])
  }
}

/// A node of HTML or SVG: text, or an element with attributes and contents.
///
/// The output is valid XML as well as HTML: every element is closed and every special character is escaped. Attributes
/// keep their order, so equal pages have equal bytes.
indirect enum Markup: Hashable, Sendable {
  case text(String)
  case element(String, attributes: [Attribute], contents: [Markup])
  /// Source text that neither HTML nor XML unescapes: a script or its data.
  case literal(String)

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

  /// An element without those of the attributes that have no value.
  static func element(_ name: String, of attributes: [(String, String)], _ contents: [Markup] = []) -> Markup {
    let given = attributes.filter { !$0.1.isEmpty }
    return .element(name, attributes: given.map { Attribute(name: $0.0, value: $0.1) }, contents: contents)
  }

  /// A script, or data for a script, in which HTML and XML escape nothing.
  static func script(_ text: String, _ attributes: KeyValuePairs<String, String> = [:]) -> Markup {
    .element("script", attributes, [.literal(attributes.isEmpty ? "//<![CDATA[\n\(text)\n//]]>" : text)])
  }

  /// Whether a plot with zoom is inside.
  var zooms: Bool {
    guard case .element(_, let attributes, let contents) = self else { return false }
    return attributes.contains { $0.name == "class" && $0.value.hasPrefix("chart zooms") }
      || contents.contains(where: \.zooms)
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
    case .literal(let content): text += content
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
      case _ where character.isUnsafe: text += character.visibleEscape
      default: text.unicodeScalars.append(character)
      }
    }
  }

  /// Elements without contents, which HTML writes without an end tag. For SVG's shapes the end tag is optional.
  private static let voidElements: Set = ["br", "circle", "input", "line", "meta", "path", "polyline", "rect", "wbr"]

  /// Elements followed by a line feed, for readable source.
  private static let blocks: Set = [
    "desc", "div", "figure", "footer", "g", "h1", "h2", "head", "main", "meta", "metadata", "nav", "p", "script",
    "section", "style", "svg",
    "title", "tr", "ul",
  ]
}

extension Markup: ExpressibleByStringInterpolation {
  /// A text node.
  init(stringLiteral value: String) {
    self = .text(value)
  }
}
