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
        drawn.append(.text(line, x: 0, y: y + 10, style: "small"))
        y += Self.nameHeight
      }
      for bar in row.bars {
        drawn += draw(bar, top: y)
        y += Self.barHeight
      }
      y += Self.gap
    }
    return .drawing(width: Self.width, height: max(y, 1), label: title, drawn)
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
      .rectangle("outline", x: 0.5, y: top + 1.5, width: room, height: Self.barHeight - 3),
      .rectangle(
        "f\(bar.series % PageStyle.seriesCount)", x: min(origin, end), y: top + 1.5,
        width: max((end - origin).magnitude, 0.8), height: Self.barHeight - 3),
      .text(bar.text, x: room + 6, y: top + Self.barHeight - 3, style: "soft"),
    ]
  }
}

/// A confusion matrix as SVG: rows are true labels, columns predicted labels, cells show share and count.
///
/// A cell's shade grows with its share of the row; the numbers do not depend on seeing shades.
struct ConfusionChart {
  let labels: [String]
  /// Windows, shape `[truth × predicted]`.
  let counts: [[Int]]

  private static let left = 84.0
  private static let top = 74.0

  private var cell: Double { (Chart.width - Self.left) / Double(labels.count) }
  private var cellHeight: Double { min(cell, 44) }

  /// The drawing.
  var svg: Markup {
    let height = Self.top + cellHeight * Double(labels.count) + 4
    return .drawing(
      width: Chart.width, height: height, label: "confusion matrix",
      [.text("true label", x: 0, y: Self.top - 6, style: "soft"), .text("predicted", x: 0, y: 12, style: "soft")]
        + labels.indices.flatMap { row in [rowTitle(row), columnTitle(row)] + labels.indices.flatMap { draw(row, $0) } }
    )
  }

  private func rowTitle(_ index: Int) -> Markup {
    let y = Self.top + cellHeight * (Double(index) + 0.5) + 4
    return .text(Self.short(labels[index], to: 13), x: 0, y: y, style: "strong")
  }

  private func columnTitle(_ index: Int) -> Markup {
    let x = Self.left + cell * (Double(index) + 0.5)
    return .element(
      "text",
      [
        "class": "strong", "text-anchor": "start",
        "transform":
          "translate(\(x.coordinate) \((Self.top - 6).coordinate)) rotate(-38)",
      ], [.text(Self.short(labels[index], to: 11))])
  }

  private func draw(_ row: Int, _ column: Int) -> [Markup] {
    let total = counts[row].reduce(0, +)
    let share = total > 0 ? Double(counts[row][column]) / Double(total) : 0
    let (x, y) = (Self.left + cell * Double(column), Self.top + cellHeight * Double(row))
    let frame: Markup = .element(
      "rect",
      [
        "class": row == column ? "f0" : "f1", "fill-opacity": (0.55 * share).coordinate,
        "x": x.coordinate, "y": y.coordinate,
        "width": (cell - 1).coordinate,
        "height": (cellHeight - 1).coordinate,
      ])
    let outline: Markup = .rectangle("outline", x: x, y: y, width: cell - 1, height: cellHeight - 1)
    guard counts[row][column] > 0 else { return [frame, outline] }
    let middle = x + (cell - 1) / 2
    return [
      frame, outline,
      .text(percent(share), x: middle, y: y + cellHeight / 2 - 1, style: "strong", anchor: "middle"),
      .text(
        counts[row][column].grouped, x: middle, y: y + cellHeight / 2 + 12, style: "small",
        anchor: "middle"),
    ]
  }

  /// A share in percent, with a decimal only if there is room.
  private func percent(_ share: Double) -> String {
    let decimals = cell >= 44 ? 1 : 0
    let rounded = (share * 100).fixed(decimals)
    return (share < 1 && rounded.hasPrefix("100") ? "99.9" : rounded) + (cell >= 44 ? " %" : "")
  }

  private static func short(_ label: String, to length: Int) -> String {
    label.count > length ? label.prefix(length - 1) + "…" : label
  }
}
