import Gait
import GaitTraining

/// A self-contained web page: one file without external scripts, fonts or images.
///
/// It fits a phone (390 px) and a desktop, follows the system's light or dark mode, prints, and is complete without its
/// script, which only zooms plots. Charts are inline SVG.
struct Page {
  /// The page's title, also its first heading.
  var title: String
  /// The contents below the title.
  var summary: [Markup]
  /// The sections, each with a heading.
  var sections: [Section]
  /// What made the page, for its footer.
  var origin = PageOrigin()
  /// The style and the script of this kind of page, besides those of all pages.
  var own: (style: String, script: String)?

  /// A heading and its contents.
  struct Section {
    var title: String
    var contents: [Markup]

    init(title: String, contents: [Markup]) { (self.title, self.contents) = (title, contents) }

    /// A section of figures side by side.
    init(title: String, grid: [Markup]) { self.init(title: title, contents: [.grid(grid)]) }
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
        .element("style", [:], [.text(PageStyle.sheet + (own?.style ?? ""))]),
      ])
    let main = Markup.element(
      "main", [:],
      [.element("h1", [:], [.text(title)])] + summary + [contents].compactMap(\.self)
        + sections.enumerated().map { index, section in
          .element("section", ["id": "s\(index + 1)"], [.element("h2", [:], [.text(section.title)])] + section.contents)
        })
    let body = Markup.element(
      "body", [:],
      [main, origin.footer(title: title)]
        + [hasZoom ? PlotScript.source : nil, own?.script].compactMap(\.self).map { .script($0) })
    let root = Markup.element("html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"], [head, body])
    return "<!DOCTYPE html>\n" + root.source + "\n"
  }

  /// Links to the sections; `nil` for fewer than three.
  private var contents: Markup? {
    guard sections.count > 2 else { return nil }
    let links = sections.enumerated().map { index, section in
      Markup.element("a", ["href": "#s\(index + 1)"], [.text(section.title)])
    }
    return .element("nav", ["aria-label": "contents"], links)
  }

  private var hasZoom: Bool {
    (summary + sections.flatMap(\.contents)).contains(where: \.zooms)
  }
}

/// What made a page: the version, the command, the models and the date.
public struct PageOrigin: Hashable, Sendable {
  /// The version of Gait; empty if unknown.
  public var version = ""
  /// The command line; empty if there was none.
  public var command = ""
  /// The folder in which the command ran, to which the page's paths are relative; empty if unknown.
  public var folder = ""
  /// The names of the models that the page is about.
  public var models: [String] = []
  /// The day, such as 2026-11-25; empty if unknown.
  public var date = ""
  /// The options that read a recording of the page, such as `--rate 50`; empty if none are needed.
  public var reading = ""

  /// An unknown origin.
  public init() {}

  /// What a reader does before running a command of the page.
  static let advice = "Run commands in the folder in which this page was made: paths are relative to it."

  /// A path relative to the folder in which the command ran, so that a page does not name its author's folders.
  package func relative(_ path: String) -> String {
    path.hasPrefix("/") && !folder.isEmpty ? path.relativePath(from: folder) : path
  }

  /// The command that draws a recording, or the stretch between two of its times, seconds.
  func plotCommand(_ recording: String, from: Double? = nil, to: Double? = nil) -> String {
    let range = from.flatMap { from in to.map { " --from \(from.fixed(0)) --to \($0.rounded(.up).fixed(0))" } } ?? ""
    return "gait plot \(relative(recording).shellWord)" + (reading.isEmpty ? "" : " \(reading)") + range
  }

  /// The page's last lines.
  func footer(title: String) -> Markup {
    let model = models.isEmpty ? "" : " with the model\(models.count == 1 ? "" : "s") \(models.joined(separator: ", "))"
    let made =
      "\(title). Made by gait" + (version.isEmpty ? "" : " \(version)") + (date.isEmpty ? "" : " on \(date)") + model
      + "." + (command.isEmpty ? "" : " \(Self.advice)")
    return .element("footer", [:], [.paragraph(made)] + (command.isEmpty ? [] : [.code(command)]))
  }
}

extension Markup {
  /// A legend; empty without keys.
  static func legend(_ keys: [Plot.Key]) -> [Markup] {
    let lines = keys.map { Markup.element("li", [:], [Plot.swatch($0.swatch), .text($0.name)]) }
    return lines.isEmpty ? [] : [.element("ul", ["class": "legend"], lines)]
  }
}

extension String {
  /// The last part of a path.
  var fileName: String { split(separator: "/").last.map(String.init) ?? self }

  /// The text with a capital as its first letter.
  var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
