import Foundation

/// A line chart as SVG that scales with the page.
///
/// The drawing is 360 units wide, so that its text has the page's size on a phone. Series differ by dash and marker as
/// well as by colour, and are named in a legend.
struct Chart {
  /// The chart's title for screen readers.
  var title: String
  var horizontal: Axis
  var vertical: Axis
  var series: [Series]
  /// A thin reference line, such as the diagonal, from one point to another.
  var reference: [Point] = []
  /// The height of the plot, units.
  var plotHeight = 220.0

  struct Axis {
    var title: String
    var scale: LinearScale
    /// The number format of the ticks.
    var format: @Sendable (Double) -> String = { $0.short }
  }

  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  struct Series {
    var name: String
    var points: [Point]
    /// Whether each point has a marker on the line.
    var hasMarkers = false
  }

  static let width = 360.0
  private static let left = 40.0
  private static let right = 12.0
  private static let top = 8.0
  private static let lineHeight = 16.0

  /// The drawing.
  var svg: Markup {
    let legendTop = Self.top + plotHeight + 40
    let height = legendTop + (series.count > 1 ? Self.lineHeight * Double(series.count) : 0)
    return .drawing(
      width: Self.width, height: height, label: title,
      axes + [line(reference, "axis", dash: "3 3")].filter { _ in !reference.isEmpty }
        + series.indices.map(drawing) + (series.count > 1 ? series.indices.map { legend($0, top: legendTop) } : []))
  }

  private func place(_ point: Point) -> Point {
    Point(
      x: Self.left + horizontal.scale.position(of: point.x) * (Self.width - Self.left - Self.right),
      y: Self.top + (1 - vertical.scale.position(of: point.y)) * plotHeight)
  }

  private var axes: [Markup] {
    let (low, high) = (vertical.scale.domain.lowerBound, vertical.scale.domain.upperBound)
    let (start, end) = (horizontal.scale.domain.lowerBound, horizontal.scale.domain.upperBound)
    let rows = vertical.scale.ticks().flatMap { tick in
      [
        line([Point(x: start, y: tick), Point(x: end, y: tick)], "rule"),
        text(vertical.format(tick), at: place(Point(x: start, y: tick)), dx: -5, dy: 4, anchor: "end"),
      ]
    }
    let columns = horizontal.scale.ticks().flatMap { tick in
      [
        line([Point(x: tick, y: low), Point(x: tick, y: high)], "rule"),
        text(horizontal.format(tick), at: place(Point(x: tick, y: low)), dy: 14, anchor: "middle"),
      ]
    }
    let titles = [
      text(
        horizontal.title, at: Point(x: (Self.left + Self.width - Self.right) / 2, y: Self.top + plotHeight), dy: 30,
        anchor: "middle"),
      Markup.element(
        "text",
        [
          "class": "soft", "text-anchor": "middle",
          "transform": "translate(10 \((Self.top + plotHeight / 2).coordinate)) rotate(-90)",
        ], [.text(vertical.title)]),
    ]
    let frame = [
      line([Point(x: start, y: high), Point(x: start, y: low), Point(x: end, y: low)], "axis")
    ]
    return rows + columns + titles + frame
  }

  private func line(_ points: [Point], _ style: String, dash: String = "") -> Markup {
    let places = points.map(place).map { "\($0.x.coordinate),\($0.y.coordinate)" }
    return Self.polyline(places.joined(separator: " "), style, dash: dash)
  }

  private static func polyline(_ points: String, _ style: String, dash: String) -> Markup {
    dash.isEmpty
      ? .element("polyline", ["class": style, "fill": "none", "points": points])
      : .element("polyline", ["class": style, "fill": "none", "stroke-dasharray": dash, "points": points])
  }

  private func text(_ text: String, at point: Point, dx: Double = 0, dy: Double = 0, anchor: String) -> Markup {
    .text(text, x: point.x + dx, y: point.y + dy, style: "soft", anchor: anchor)
  }

  private func drawing(_ index: Int) -> Markup {
    let style = index % PageStyle.seriesCount
    let stroke = line(series[index].points, "line l\(style)", dash: PageStyle.dashes[style])
    let markers = series[index].hasMarkers ? series[index].points.map { Self.marker(style, at: place($0)) } : []
    return .element("g", [:], [stroke] + markers)
  }

  /// A marker with the series' shape: disc, square, triangle, then the same hollow.
  private static func marker(_ style: Int, at point: Point) -> Markup {
    let (x, y, size) = (point.x.coordinate, point.y.coordinate, 3.5)
    let paint = style < 3 ? "f\(style)" : "line l\(style)"
    switch style % 3 {
    case 0: return .element("circle", ["class": paint, "cx": x, "cy": y, "r": "3.5"])
    case 1:
      return .rectangle(paint, x: point.x - size, y: point.y - size, width: 7, height: 7)
    default:
      return .element("path", ["class": paint, "d": "M\(x) \((point.y - 4.5).coordinate)l4.5 8h-9z"])
    }
  }

  private func legend(_ index: Int, top: Double) -> Markup {
    let style = index % PageStyle.seriesCount
    let y = top + Self.lineHeight * (Double(index) + 0.5)
    let swatch = Self.polyline(
      "\(Self.left.coordinate),\(y.coordinate) "
        + "\((Self.left + 34).coordinate),\(y.coordinate)",
      "line l\(style)", dash: PageStyle.dashes[style])
    let marker = series[index].hasMarkers ? [Self.marker(style, at: Point(x: Self.left + 17, y: y))] : []
    let name = Markup.text(series[index].name, x: Self.left + 42, y: y + 4)
    return .element("g", [:], [swatch] + marker + [name])
  }
}

/// A linear scale: maps numbers of a domain to positions of 0…1.
struct LinearScale: Hashable, Sendable {
  /// The numbers at the two ends.
  let domain: ClosedRange<Double>

  /// A scale over `domain`.
  ///
  /// - Precondition: the domain is finite and not empty.
  init(_ domain: ClosedRange<Double>) {
    precondition(
      domain.lowerBound < domain.upperBound && (domain.upperBound - domain.lowerBound).isFinite,
      "an axis needs two different ends")
    self.domain = domain
  }

  /// The position of a number: 0 to 1 within the domain.
  func position(of value: Double) -> Double {
    (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
  }

  /// About `count` round numbers within the domain, with a step of 1, 2 or 5 times a power of ten.
  func ticks(about count: Int = 5) -> [Double] {
    let rough = (domain.upperBound - domain.lowerBound) / Double(max(1, count))
    let power = pow(10, floor(log10(rough)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.63 } ?? 10 * power
    let first = Int((domain.lowerBound / step - 1e-9).rounded(.up))
    let last = Int((domain.upperBound / step + 1e-9).rounded(.down))
    return first > last ? [] : (first...last).map { Double($0) * step }
  }
}
