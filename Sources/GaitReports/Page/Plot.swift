import Gait
import GaitTraining

/// Panels above one another that share a horizontal axis, as SVG in the width of the reader's page.
///
/// Horizontal positions are shares of the width and heights are pixels, so texts keep their size on a phone and on a
/// desktop. Series differ by dash and marker as well as by colour. The drawing is complete without a script; the script
/// of `PlotScript` adds zooming.
struct Plot {
  /// The title for screen readers.
  var title: String
  /// The main values of the drawing, in sentences, for screen readers.
  var description = ""
  var axis: Axis
  var panels: [Panel]
  var legend: [Key] = []
  /// Whether the page's script lets the reader zoom.
  var zooms = false
  /// The unit of the horizontal axis if it is the distance along a run; `nil` for other axes. The script then finds the
  /// time at each distance, to move the crosshairs of the other plots.
  var distanceUnit: String?
  /// Whether the script fits each panel's vertical axis to the visible part of its curve; each panel then has one
  /// curve.
  var fits = false

  /// The width of the coordinates of lines and bands.
  static let width = 1000.0

  // MARK: - Forms

  /// The plot with its legend as a part of a page.
  var markup: Markup {
    let drawing = svg(
      ("class", "plot"), ("role", "img"), ("aria-label", description.isEmpty ? title : "\(title): \(description)"),
      ("height", height(.page).coordinate),
      ("style", printScale < 1 ? "--print:\(printScale.fixed(2))" : ""),
      contents: contents(.page))
    let attributes =
      zooms
      ? [
        ("class", fits ? "chart zooms fits" : "chart zooms"), ("tabindex", "0"), ("role", "group"),
        ("aria-label", title),
        ("data-from", "\(axis.scale.domain.lowerBound)"), ("data-to", "\(axis.scale.domain.upperBound)"),
        ("data-kind", axis.kind.rawValue), ("data-distance", distanceUnit ?? ""),
      ] : [("class", "chart")]
    let data: [Markup] = zooms ? [.script(PlotData(self, tops: tops(.page)).json, Self.dataAttributes)] : []
    return .element(
      "div", of: attributes, [drawing] + Markup.legend(legend) + data)
  }

  /// The scale on paper: a plot fits on a page with its heading and legend, and below the tiles if that leaves it
  /// readable.
  private var printScale: Double {
    let height = height(.page)
    return min(1, 800 / height, max(560 / height, 0.72))
  }

  private static let dataAttributes: KeyValuePairs = ["type": "application/json", "class": "data"]

  /// The upper edge of each panel, pixels.
  private func tops(_ metrics: Metrics) -> [Double] {
    var y = 0.0
    return panels.map { panel in
      defer { y += panel.height + metrics.line + 10 }
      return y + metrics.line
    }
  }

  /// The plot as an SVG file with its own style sheet, readable on light and dark backgrounds, wide and narrow.
  ///
  /// - Parameters:
  ///   - width: the width of the panels.
  ///   - mark: a text that identifies such files.
  ///   - metrics: the sizes of texts.
  func file(width: Double, mark: String, metrics: Metrics = .picture) -> String {
    let (left, right, top) = (66.0, 40.0, legend.isEmpty ? 0 : metrics.line + 10)
    let (whole, height) = (left + width + right, height(metrics) + top)
    let size = [("width", whole.coordinate), ("height", height.coordinate)]
    var x = left
    let keys = legend.flatMap { key -> [Markup] in
      defer { x += 62 + 10.5 * Double(key.name.count) }
      return [
        svg(
          ("x", x.coordinate), ("y", "8"), ("width", "34"), ("height", "18"), contents: Self.swatchShapes(key.swatch)),
        .text(key.name, x: x + 42, y: 23),
      ]
    }
    let panels = svg(
      ("x", left.coordinate), ("y", top.coordinate), ("width", width.coordinate), ("height", (height - top).coordinate),
      ("overflow", "visible"), contents: contents(metrics))
    return svg(
      ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(whole.coordinate) \(height.coordinate)"),
      ("role", "img"), ("aria-labelledby", "chart-title chart-description"),
      contents: [
        .element("title", ["id": "chart-title"], [.text(title)]),
        .element("desc", ["id": "chart-description"], [.text(description)]),
        .element("metadata", [:], [.text(mark)]),
        .element("style", [:], [.text(PageStyle.pictureSheet(growsOnPhones: metrics.line > Metrics.page.line))]),
        .element("rect", of: [("class", "paper"), ("rx", "8")] + size),
      ] + keys + [panels]
    ).source
  }

  /// The height without the legend, pixels.
  private func height(_ metrics: Metrics) -> Double {
    panels.reduce(metrics.bottom) { $0 + $1.height + metrics.line + 10 }
  }

  private func contents(_ metrics: Metrics) -> [Markup] {
    let drawn = zip(panels, tops(metrics)).flatMap { draw($0, top: $1, metrics) }
    let bottom = height(metrics) - metrics.bottom - 10
    let ticks = axis.ticks(about: 5).flatMap { tick -> [Markup] in
      let x = share(tick)
      return [
        .line("axis", x: (x, x), y: (bottom, bottom + 5)),
        .text(axis.text(tick), x: x, y: bottom + metrics.line + 1, style: "soft", anchor: "middle"),
      ]
    }
    return drawn + [
      .element("g", ["class": "ticks", "data-y": bottom.coordinate], ticks),
      .text(
        axis.title, x: "50%", y: bottom + 2 * metrics.line + 1, style: "soft title", anchor: "middle"),
    ]
  }

  // MARK: - Panels

  private func draw(_ panel: Panel, top: Double, _ metrics: Metrics) -> [Markup] {
    let place = Place(axis: axis, panel: panel)
    let ticks = panel.hasTicks ? panel.axis.ticks(about: panel.height < 70 ? 3 : 4) : []
    let rows = ticks.flatMap { tick -> [Markup] in
      let y = top + place.y(tick)
      return [
        .line("rule", x: ("0%", "100%"), y: (y, y)),
        .text(panel.axis.text(tick), x: "-6", y: y + 4, style: "soft", anchor: "end"),
      ]
    }
    let shapes = svg(
      ("class", "stretch"), ("x", "0"), ("y", top.coordinate), ("width", "100%"), ("height", panel.height.coordinate),
      ("viewBox", "0 0 \(Self.width.coordinate) \(panel.height.coordinate)"), ("preserveAspectRatio", "none"),
      contents: panel.marks.flatMap(place.shapes))
    let titles =
      panel.title.isEmpty ? [] : [Markup.text(panel.title, x: 0, y: top - metrics.line * 0.35, style: "strong heading")]
    return titles + rows + [shapes] + panel.marks.flatMap { texts($0, place, top: top) }
      + [
        .line("axis", x: ("0%", "0%"), y: (top, top + panel.height)),
        .line("axis", x: ("0%", "100%"), y: (top + panel.height, top + panel.height)),
      ]
  }

  /// The parts of a mark that keep their shape in any width.
  private func texts(_ mark: Mark, _ place: Place, top: Double) -> [Markup] {
    switch mark {
    case .label(let text, let x, let y, let style):
      0...1 ~= axis.position(of: x) ? [.text(text, x: share(x), y: top + y, style: style, anchor: "middle")] : []
    case .level(let value, let name):
      // The name is above the line if there are fewer than 16 pixels below the line.
      [
        .text(
          name, x: "100%", y: top + place.y(value) + (place.y(value) > place.panel.height - 16 ? -4 : 14),
          style: "soft halo", anchor: "end")
      ]
    case .markers(let points, let series):
      points.map { Self.marker(series, x: share($0.x), y: top + place.y($0.y)) }
    default: []
    }
  }

  /// A place of the horizontal axis as a share of the width.
  private func share(_ x: Double) -> String { (axis.position(of: x) * 100).coordinate + "%" }

  /// Converts numbers of the data to the coordinates of a panel.
  private struct Place {
    let axis: Axis
    let panel: Panel

    func x(_ value: Double) -> Double { axis.position(of: value) * Plot.width }

    /// Pixels from the panel's top; numbers beyond the axis are at its ends.
    func y(_ value: Double) -> Double { panel.height * (1 - min(max(panel.axis.position(of: value), 0), 1)) }

    /// A mark's lines and areas, which are stretched to the width.
    func shapes(_ mark: Mark) -> [Markup] {
      switch mark {
      case .line(let points, let series):
        let style = series % PageStyle.seriesCount
        return visible(points).map { part in
          path(Self.joined(part.map(place)), "line l\(style)", panel.hasSeveralLines ? PageStyle.dashes[style] : "")
        }
      case .curve(let curve, let series, let isFilled):
        let group = Markup.element("g", ["data-curve": ""], shapes(of: curve, series, isFilled))
        return [group]
      case .envelope(let envelope, let lane, let series):
        let style = "f\(series % PageStyle.seriesCount) l\(series % PageStyle.seriesCount) envelope"
        let shapes = envelope.parts(lane).split { !$0.low.isFinite }.map { part in
          path(outline(part), style)
        }
        return [.element("g", ["class": style, "data-curve": ""], shapes)]
      case .band(let range, let style, let height, _):
        let (from, to) = (max(0, x(range.lowerBound)), min(Plot.width, x(range.upperBound)))
        guard from <= to else { return [] }
        return [
          .rectangle(
            style, x: from, y: panel.height * (1 - height), width: max(to - from, 0.4), height: panel.height * height)
        ]
      case .instant(let time, let style):
        guard 0...1 ~= axis.position(of: time) else { return [] }
        return [polyline([(x(time), 0), (x(time), panel.height)], style)]
      case .level(let value, _): return [polyline([(0, y(value)), (Plot.width, y(value))], "axis line thin", "2 4")]
      case .reference(let from, let to):
        return [polyline([(x(from.x), y(from.y)), (x(to.x), y(to.y))], "axis line thin", "3 3")]
      case .markers, .label: return []
      }
    }

    /// The columns in which a page without its script draws: about one for each pixel on a desktop.
    private static let columns = 700

    private func shapes(of curve: Curve, _ series: Int, _ isFilled: Bool) -> [Markup] {
      let style = series % PageStyle.seriesCount
      let dash = panel.hasSeveralLines ? PageStyle.dashes[style] : ""
      let points = curve.thinned(to: Self.columns, in: axis.scale.domain)
      return visible(points, keepsBreaks: curve.isStepped).flatMap { part -> [Markup] in
        let places = part.map(place)
        let line = curve.isStepped ? Self.stepped(places) : Self.joined(places)
        let base = " V\(panel.height.coordinate) H\(places[0].x.coordinate) Z"
        return (isFilled ? [path(line + base, "f\(style) area")] : [])
          + [path(line, isFilled ? "line thin l\(style)" : "line l\(style)", dash)]
      }
    }

    /// The parts of a line between missing numbers. Points beyond the horizontal axis by more than 2 % of it are left
    /// out. A stepped curve holds its last number until the break.
    private func visible(_ points: [Point], keepsBreaks: Bool = false) -> [[Point]] {
      var parts: [[Point]] = [[]]
      for point in points {
        if point.y.isFinite, -0.02...1.02 ~= axis.position(of: point.x) {
          parts[parts.count - 1].append(point)
        } else if let last = parts[parts.count - 1].last {
          if keepsBreaks, !point.y.isFinite { parts[parts.count - 1].append(Point(x: point.x, y: last.y)) }
          parts.append([])
        }
      }
      return parts.filter { !$0.isEmpty }
    }

    private func place(_ point: Point) -> (x: Double, y: Double) { (x(point.x), y(point.y)) }

    private static func joined(_ places: [(x: Double, y: Double)]) -> String {
      "M" + places.map { "\($0.x.coordinate),\(tenth($0.y))" }.joined(separator: " ")
    }

    /// A path with horizontal and vertical lines only. Heights that do not change are left out.
    private static func stepped(_ places: [(x: Double, y: Double)]) -> String {
      var (text, height) = ("M\(places[0].x.coordinate),\(tenth(places[0].y))", tenth(places[0].y))
      for (index, place) in places.enumerated().dropFirst() {
        let next = tenth(place.y)
        guard next != height || index == places.count - 1 else { continue }
        text += "H\(place.x.coordinate)" + (next == height ? "" : "V\(next)")
        height = next
      }
      return text
    }

    /// The outline of parts of equal width, each as high as its smallest and largest number.
    private func outline(_ parts: ArraySlice<(from: Double, to: Double, low: Double, high: Double)>) -> String {
      var text = ""
      for part in parts {
        text +=
          text.isEmpty ? "M\(x(part.from).coordinate),\(Self.tenth(y(part.high)))" : "V\(Self.tenth(y(part.high)))"
        text += "H\(x(part.to).coordinate)"
      }
      for part in parts.reversed() {
        text += "V\(Self.tenth(y(part.low)))H\(x(part.from).coordinate)"
      }
      return text + "Z"
    }

    private func path(_ data: String, _ style: String, _ dash: String = "") -> Markup {
      .element("path", of: [("class", style), ("stroke-dasharray", dash), ("d", data)])
    }

    private func polyline(_ places: [(Double, Double)], _ style: String, _ dash: String = "") -> Markup {
      let points = places.map { "\($0.0.coordinate),\(Self.tenth($0.1))" }.joined(separator: " ")
      return .element("polyline", of: [("class", style), ("stroke-dasharray", dash), ("points", points)])
    }

    /// A height to a tenth of a pixel, so that the last bits of a probability do not change the file.
    private static func tenth(_ value: Double) -> String { ((value * 10).rounded() / 10).coordinate }
  }

  // MARK: - Markers and legend

  /// A marker with the series' shape: disc, square, triangle, then the same hollow.
  private static func marker(_ series: Int, x: String, y: Double) -> Markup {
    let style = series % PageStyle.seriesCount
    let paint = style < 3 ? "f\(style)" : "line l\(style)"
    let shape: Markup =
      switch style % 3 {
      case 0: .element("circle", ["class": paint, "r": "3.5"])
      case 1: .rectangle(paint, x: -3.5, y: -3.5, width: 7, height: 7)
      default: .element("path", ["class": paint, "d": "M0 -4.5l4.5 8h-9z"])
      }
    return .element("svg", ["x": x, "y": y.coordinate, "overflow": "visible", "width": "1", "height": "1"], [shape])
  }

  /// The sign of a line of a legend.
  static func swatch(_ swatch: Key.Swatch) -> Markup {
    .element(
      "svg", ["class": "swatch", "width": "34", "height": "18", "aria-hidden": "true"], swatchShapes(swatch))
  }

  private static func swatchShapes(_ swatch: Key.Swatch) -> [Markup] {
    switch swatch {
    case .series(let series, let hasMarker):
      let style = series % PageStyle.seriesCount
      let line = Markup.element(
        "line",
        [
          "class": "line l\(style)", "x1": "0", "x2": "34", "y1": "9", "y2": "9",
          "stroke-dasharray": PageStyle.dashes[style].isEmpty ? "none" : PageStyle.dashes[style],
        ])
      return [line] + (hasMarker ? [marker(series, x: "17", y: 9)] : [])
    case .band(let style): return [.rectangle(style, x: 1, y: 2, width: 32, height: 14)]
    case .shape(let shape): return [shape]
    case .instant(let style): return [.line(style, x: ("17", "17"), y: (0, 18))]
    }
  }

  /// A nested drawing; attributes without a value are left out.
  private func svg(_ attributes: (String, String)..., contents: [Markup]) -> Markup {
    .element("svg", of: attributes, contents)
  }
}

extension Markup {
  /// A line of a drawing, from and to shares of its width.
  static func line(_ style: String, x: (String, String), y: (Double, Double)) -> Markup {
    .element("line", ["class": style, "x1": x.0, "x2": x.1, "y1": y.0.coordinate, "y2": y.1.coordinate])
  }

  /// A text of a drawing at a share of its width.
  static func text(_ text: String, x: String, y: Double, style: String = "", anchor: String = "start") -> Markup {
    .element("text", ["class": style, "x": x, "y": y.coordinate, "text-anchor": anchor], [.text(text)])
  }
}
