/// A horizontal bar chart as SVG that scales with the page, with one or more bars for each name.
///
/// Every bar has its number next to it, so the chart does not depend on bar lengths or colours.
struct BarChart {
  /// The chart's title for screen readers.
  var title: String
  var rows: [Row]
  /// The range of values. A bar starts at 0, or at the nearer end if 0 is outside.
  var scale: LinearScale

  struct Row {
    var name: String
    var bars: [Bar]
  }

  struct Bar {
    var value: Double
    /// The text next to the bar.
    var text: String
    /// The series whose colour the bar has.
    var series = 0
  }

  private static let width = Chart.width
  private static let textWidth = 118.0
  private static let nameHeight = 13.0
  /// The number of characters that always fit in a line.
  private static let lineLength = 58
  private static let barHeight = 13.0
  private static let gap = 6.0

  /// The drawing.
  var svg: Markup {
    var drawn: [Markup] = []
    var y = 0.0
    for row in rows {
      for line in Self.lines(of: row.name) {
        drawn.append(text(line, x: 0, y: y + 10, style: "small"))
        y += Self.nameHeight
      }
      for bar in row.bars {
        drawn += draw(bar, top: y)
        y += Self.barHeight
      }
      y += Self.gap
    }
    return .element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": "0 0 \(InvariantFormat.coordinate(Self.width)) \(InvariantFormat.coordinate(max(y, 1)))",
        "role": "img",
        "aria-label": title,
      ], drawn)
  }

  /// A name in lines that fit, broken at spaces, or anywhere if there are none.
  private static func lines(of name: String) -> [String] {
    var lines = [""]
    for word in name.split(separator: " ", omittingEmptySubsequences: false) {
      var rest = Substring(word)
      if !lines[lines.count - 1].isEmpty {
        if lines[lines.count - 1].count + 1 + rest.count <= lineLength {
          lines[lines.count - 1] += " " + rest
          continue
        }
        lines.append("")
      }
      while rest.count > lineLength {
        lines[lines.count - 1] = String(rest.prefix(lineLength))
        lines.append("")
        rest = rest.dropFirst(lineLength)
      }
      lines[lines.count - 1] = String(rest)
    }
    return lines
  }

  private func draw(_ bar: Bar, top: Double) -> [Markup] {
    let room = Self.width - Self.textWidth
    let origin = room * scale.position(of: min(max(0, scale.domain.lowerBound), scale.domain.upperBound))
    let end = room * min(max(scale.position(of: bar.value), 0), 1)
    return [
      .element(
        "rect",
        [
          "class": "outline", "x": "0.5", "y": InvariantFormat.coordinate(top + 1.5),
          "width": InvariantFormat.coordinate(room), "height": InvariantFormat.coordinate(Self.barHeight - 3),
        ]),
      .element(
        "rect",
        [
          "class": "f\(bar.series % PageStyle.seriesCount)", "x": InvariantFormat.coordinate(min(origin, end)),
          "y": InvariantFormat.coordinate(top + 1.5),
          "width": InvariantFormat.coordinate(max((end - origin).magnitude, 0.8)),
          "height": InvariantFormat.coordinate(Self.barHeight - 3),
        ]),
      text(bar.text, x: room + 6, y: top + Self.barHeight - 3, style: "soft"),
    ]
  }

  private func text(_ text: String, x: Double, y: Double, style: String) -> Markup {
    .element(
      "text", ["class": style, "x": InvariantFormat.coordinate(x), "y": InvariantFormat.coordinate(y)], [.text(text)])
  }
}
