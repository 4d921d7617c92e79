import Gait
import GaitTraining

/// A self-contained web page: one file without external scripts, fonts or images.
///
/// It fits a phone (390 px) and a desktop, follows the system's light or dark mode, prints, and is complete without its script,
/// which only zooms plots. Charts are inline SVG.
struct Page {
  /// The page's title, also its first heading.
  var title: String
  /// The contents below the title.
  var summary: [Markup]
  /// The sections, each with a heading.
  var sections: [Section]
  /// What made the page, for its footer.
  var origin = PageOrigin()

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
    let main = Markup.element(
      "main", [:],
      [.element("h1", [:], [.text(title)])] + summary + [contents].compactMap(\.self)
        + sections.enumerated().map { index, section in
          .element("section", ["id": "s\(index + 1)"], [.element("h2", [:], [.text(section.title)])] + section.contents)
        })
    let body = Markup.element(
      "body", [:], [main, origin.footer(title: title)] + (hasZoom ? [.script(PlotScript.source)] : []))
    let root = Markup.element("html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"], [head, body])
    return "<!DOCTYPE html>\n" + root.source + "\n"
  }

  /// Links to the sections; `nil` for one or two.
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

/// What made a page: the version, the command and the date.
public struct PageOrigin: Hashable, Sendable {
  /// The version of Gait; empty if unknown.
  public var version = ""
  /// The command line; empty if there was none.
  public var command = ""
  /// The day, such as 2026-11-25; empty if unknown.
  public var date = ""

  /// An unknown origin.
  public init() {}

  /// The page's last lines.
  func footer(title: String) -> Markup {
    let made =
      "\(title). Made by gait" + (version.isEmpty ? "" : " \(version)") + (date.isEmpty ? "" : " on \(date)") + "."
    return .element("footer", [:], [.paragraph(made)] + (command.isEmpty ? [] : [.code(command)]))
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
  ///
  /// - Parameter isWhole: whether the chart takes the whole width of a grid.
  static func figure(_ title: String, _ chart: Markup, note: String = "", isWhole: Bool = false) -> Markup {
    .element(
      "figure", isWhole ? ["class": "whole"] : [:],
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

  /// A drawing as wide as its container, whose horizontal positions are shares of the width.
  static func drawing(height: Double, label: String, _ contents: [Markup]) -> Markup {
    .element("svg", ["class": "bars", "role": "img", "aria-label": label, "height": height.coordinate], contents)
  }

  /// A rectangle of a drawing, from and as wide as shares of its width.
  static func rectangle(_ style: String, x: Double, y: Double, share: Double, height: Double) -> Markup {
    .element(
      "rect",
      [
        "class": style, "x": (100 * x).coordinate + "%", "y": y.coordinate, "width": (100 * share).coordinate + "%",
        "height": height.coordinate,
      ])
  }

  /// A rectangle of a drawing.
  static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> Markup {
    .element(
      "rect",
      [
        "class": style, "x": x.coordinate, "y": y.coordinate, "width": width.coordinate, "height": height.coordinate,
      ])
  }

  /// A text of a drawing.
  static func text(_ text: String, x: Double, y: Double, style: String = "", anchor: String = "start") -> Markup {
    .element(
      "text", ["class": style, "x": x.coordinate, "y": y.coordinate, "text-anchor": anchor], [.text(text)])
  }

  /// Figures side by side, each with its name above and more about it below.
  static func tiles(_ tiles: [(name: String, value: String, more: String)]) -> Markup {
    let boxes = tiles.map { tile in
      Markup.element(
        "div", ["class": "tile"],
        [("name", tile.name), ("value", tile.value), ("more", tile.more)].map {
          .element("div", ["class": $0.0], [.text($0.1)])
        })
    }
    return .element("div", ["class": "tiles"], boxes)
  }

  /// A bulleted list.
  static func list(_ items: [String]) -> Markup {
    .element("ul", [:], items.map { .element("li", [:], [.text($0)]) })
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

  /// A script or data for one, in which HTML and XML escape nothing.
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
  private static let voidElements: Set = ["br", "circle", "line", "meta", "path", "polyline", "rect"]

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

/// The style of pages and their charts.
enum PageStyle {
  /// The number of distinct series styles in a chart: colour, strength and dash.
  static let seriesCount = 30
  private static let colorCount = 6

  /// The dashes of the series' lines, so that series differ without colour; none for the first.
  static let dashes = (0..<seriesCount).map { series in
    let plain = ["", "7 3", "2 3", "10 3 2 3", "4 2", "1 2"][series % colorCount]
    let more = String(repeating: " 12 4", count: series / colorCount)
    return plain.isEmpty ? String(more.dropFirst()) : plain + more
  }

  /// The series of each label: running, walking and standing look the same on all pages.
  static func series(of labels: [String]) -> [Int] {
    var free = (0..<max(seriesCount, labels.count + 3)).filter { ![0, 1, 2].contains($0) }[...]
    var activities: [Activity: Int] = [.running: 0, .still: 1, .walking: 2]
    return labels.map { label in
      activities.removeValue(forKey: Activity(label: label)) ?? free.popFirst() ?? 0
    }
  }

  /// The colours of pages and drawings, light and dark.
  ///
  /// The series' colours are those of Okabe and Ito, "Color Universal Design", 2008, distinguishable with any colour
  /// vision, and lighter on a dark page.
  private static let colors = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d8dee4;--card:#f6f8fa;\
    --s0:#0072b2;--s1:#c04a00;--s2:#00795a;--s3:#a8487f;--s4:#8a6d00;--s5:#30729e}
    @media (prefers-color-scheme:dark){:root{--paper:#0f1419;--ink:#e6e9ed;--soft:#a3adb8;--rule:#343c46;--card:#171d24;\
    --s0:#56b4e9;--s1:#f0883e;--s2:#2fc79a;--s3:#e39bc8;--s4:#f0e442;--s5:#9ecbe8}}

    """

  /// The classes of drawings.
  private static let drawing = """
    svg text{fill:var(--ink)}
    svg .soft{fill:var(--soft)}
    svg .strong{font-weight:600}
    svg .rule{stroke:var(--rule);stroke-width:1}
    svg .axis{stroke:var(--soft);stroke-width:1}
    svg .missing{fill:var(--s3);fill-opacity:.35}
    svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
    svg .thin{stroke-width:1}
    svg .area{fill-opacity:.35}
    svg .envelope{fill-opacity:1;stroke-width:1;stroke-linejoin:round}
    svg .stretch *{vector-effect:non-scaling-stroke}
    svg .running{fill:var(--s0)}
    svg .walking{fill:var(--s2)}
    svg .moving{fill:var(--s5)}
    svg .paused{fill:var(--s1)}
    svg .unknown{fill:var(--soft);fill-opacity:.5}
    svg .shade{fill-opacity:.2}
    svg .walk{fill:none;stroke:var(--s2);stroke-width:1.5;stroke-dasharray:5 3}
    svg .decision{stroke:var(--ink);stroke-width:1;fill:none}
    \((0..<seriesCount).map(Self.rules).joined(separator: "\n"))

    """

  /// The rules of a series. Those beyond the sixth have the same colours, paler and with an edge.
  private static func rules(_ series: Int) -> String {
    let color = "var(--s\(series % colorCount))"
    let strength = [1, 0.6, 0.35, 0.2, 0.08][series / colorCount]
    let pale = strength < 1 ? ";fill-opacity:\(strength);stroke:\(color)" : ""
    return "svg .f\(series){fill:\(color)\(pale)}svg .l\(series){stroke:\(color)}"
  }

  /// The style sheet of a stand-alone drawing.
  ///
  /// - Parameter growsOnPhones: whether text is larger on a phone and details are hidden; a drawing needs room for that.
  static func pictureSheet(growsOnPhones: Bool) -> String {
    colors + """
      svg{font:15px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg .paper{fill:var(--paper)}
      svg .detail{font-size:14px}
      \(growsOnPhones ? "@media (max-width:560px){svg{font-size:25px}svg .detail{display:none}}" : "")

      """ + drawing
  }

  /// The style sheet of a page.
  ///
  /// The sheet has no character that XML would escape, because HTML does not unescape style sheets.
  static let sheet =
    colors + """
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--paper);color:var(--ink);\
      font:1rem/1.45 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;overflow-wrap:anywhere}
      h1{font-size:1.5rem;margin:.4rem 0}
      h2{font-size:1.15rem;margin:1.6rem 0 .6rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
      h3{font-size:.95rem;margin:0 0 .4rem}
      p{margin:.5rem 0}
      ul{margin:.5rem 0;padding-left:1.2rem}
      code{font:.85rem/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--card);padding:.1rem .3rem}
      .grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(21rem,100%),1fr));align-items:start}
      figure{margin:0;padding:.75rem;background:var(--card);border:1px solid var(--rule);border-radius:.5rem;min-width:0}
      figure.whole{grid-column:1/-1}
      figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
      section+section{margin-top:2rem}
      .narrow{max-width:34rem}
      table{border-collapse:collapse;width:100%;font-size:.9rem}
      th,td{text-align:right;padding:.25rem .35rem;border-bottom:1px solid var(--rule);vertical-align:top}
      th:first-child,td:first-child{text-align:left}
      .texts td:first-child{min-width:5rem}
      .texts th,.texts td:not(:first-child){overflow-wrap:break-word}
      .numbers{font-size:.8rem}
      .numbers th,.numbers td{white-space:nowrap}
      .numbers th,.numbers td{padding:.25rem .2rem}
      .numbers td:first-child{white-space:normal;min-width:3.6rem}
      th{color:var(--soft);font-weight:600}
      svg{display:block;width:100%;font:12px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg.plot,svg.bars,svg.map-paper{overflow:visible}
      svg .outline{fill:none;stroke:var(--rule)}
      @media (max-width:560px){svg .detail{display:none}}
      .chart{margin:0 1.4rem 0 3rem;outline-offset:.4rem}
      .chart svg.plot{user-select:none;-webkit-user-select:none}
      .legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;margin:.5rem 0 0 -2.6rem;padding:0;font-size:.8rem}
      .legend li{display:flex;align-items:center;gap:.45rem}
      .legend svg{width:34px;flex:none}
      nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem;margin:.8rem 0}
      a{color:var(--s0)}
      footer{margin-top:2rem;border-top:1px solid var(--rule);font-size:.8rem;color:var(--soft)}
      .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      svg.overview{height:34px;margin:0 0 .6rem;background:var(--paper);cursor:pointer;touch-action:none}
      svg .range{fill:var(--ink);fill-opacity:.1;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
      svg .cross{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 2}
      svg .now{font-weight:600;font-variant-numeric:tabular-nums}
      svg circle.here{fill:var(--ink);stroke:var(--card);stroke-width:2}
      .alert{border-left:.3rem solid var(--s1);background:var(--card);padding:.1rem .7rem;margin:.8rem 0}
      .tools{display:flex;gap:.3rem;justify-content:flex-end;margin-bottom:.3rem}
      .tools button{font:600 .85rem/1 system-ui,sans-serif;min-width:2.2rem;padding:.45rem .5rem;color:var(--ink);\
      background:var(--paper);border:1px solid var(--rule);border-radius:.4rem;cursor:pointer}
      .tiles{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));margin:1rem 0}
      .tile{background:var(--card);border:1px solid var(--rule);border-radius:.6rem;padding:.55rem .7rem}
      .tile .value{font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:normal}
      .tile .name,.tile .more{font-size:.8rem;color:var(--soft)}
      .map{max-width:44rem;margin:0 auto}
      .map svg.map-paper{height:auto;aspect-ratio:3/2}
      svg polyline.route{fill:none;stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}
      svg .route.running{stroke:var(--s0)}
      svg .route.walking{stroke:var(--s2);stroke-dasharray:1 6}
      svg .route.moving{stroke:var(--s5)}
      svg .route.paused{stroke:var(--s1)}
      svg .route.unknown{stroke:var(--soft);stroke-dasharray:4 6}
      .map .legend{margin-left:0}
      svg .halo{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
      .wide{overflow-x:auto}
      @media print{body{max-width:none}figure,.tile,tr{break-inside:avoid}h2,h3{break-after:avoid}.tools,nav,svg.overview{display:none}}

      """ + drawing
}
