/// A self-contained web page: one file, without scripts and without external fonts or images.
///
/// It fits a phone (390 px) and a desktop, follows the system's light or dark mode, and prints. Charts are inline SVG.
struct Page {
  /// The page's title, also its first heading.
  var title: String
  /// The contents below the title.
  var summary: [Markup]
  /// The sections, each with a heading.
  var sections: [Section]

  /// A heading and its contents.
  struct Section {
    var title: String
    var contents: [Markup]
  }

  /// The name of the generator.
  private static let generator = "gait"

  /// The element in the head that identifies pages written by Gait.
  static let mark = Markup.element("meta", ["name": "generator", "content": generator]).source

  /// The file's contents.
  var html: String {
    let head = Markup.element(
      "head", [:],
      [
        .element("meta", ["charset": "utf-8"]),
        .element("meta", ["name": "generator", "content": Self.generator]),
        .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .element("meta", ["name": "color-scheme", "content": "light dark"]),
        .element("title", [:], [.text(title)]),
        .element("style", [:], [.text(PageStyle.sheet)]),
      ])
    let body = Markup.element(
      "body", [:],
      [.element("h1", [:], [.text(title)])] + summary
        + sections.map { section in
          .element("section", [:], [.element("h2", [:], [.text(section.title)])] + section.contents)
        })
    let root = Markup.element("html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"], [head, body])
    return "<!DOCTYPE html>\n" + root.source + "\n"
  }
}

extension Markup {
  /// A paragraph of text.
  static func paragraph(_ text: String) -> Markup {
    .element("p", [:], [.text(text)])
  }

  /// A line of code, which wraps if necessary.
  static func code(_ text: String) -> Markup {
    .element("p", [:], [.element("code", [:], [.text(text)])])
  }

  /// Charts side by side if there is room, else stacked.
  static func grid(_ contents: [Markup]) -> Markup {
    .element("div", ["class": "grid"], contents)
  }

  /// A chart with its title above it and a note below.
  static func figure(_ title: String, _ chart: Markup, note: String = "") -> Markup {
    .element(
      "figure", [:],
      [.element("h3", [:], [.text(title)]), chart] + (note.isEmpty ? [] : [.element("figcaption", [:], [.text(note)])]))
  }

  /// A table that wraps its texts to fit a phone.
  ///
  /// - Parameter isNumeric: whether all columns but the first are numbers, which do not wrap.
  static func table(titles: [String], rows: [[String]], isNumeric: Bool = false) -> Markup {
    func row(_ cells: [String], _ name: String) -> Markup {
      .element("tr", [:], cells.map { .element(name, [:], [.text($0)]) })
    }
    return .element(
      "table", ["class": isNumeric ? "numbers" : "texts"],
      [
        .element("thead", [:], [row(titles, "th")]),
        .element("tbody", [:], rows.map { row($0, "td") }),
      ])
  }

  /// A bulleted list.
  static func list(_ items: [String]) -> Markup {
    .element("ul", [:], items.map { .element("li", [:], [.text($0)]) })
  }
}
