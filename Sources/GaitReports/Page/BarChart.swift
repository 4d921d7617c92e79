import Gait
import GaitTraining

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

  /// How the numbers at the axis are written.
  var kind = Axis.Kind.number

  /// The share of the width that bars have; their texts are right of it.
  private static let room = 0.64
  private static let nameHeight = 15.0
  /// The number of characters that always fit in a line.
  private static let lineLength = 44
  private static let barHeight = 15.0
  private static let gap = 6.0

  /// The drawing.
  var svg: Markup {
    var drawn: [Markup] = []
    var y = 0.0
    for row in rows {
      for line in Self.lines(of: row.name) {
        drawn.append(.text(line, x: 0, y: y + 11))
        y += Self.nameHeight
      }
      for bar in row.bars {
        drawn += draw(bar, top: y)
        y += Self.barHeight
      }
      y += Self.gap
    }
    return .drawing(height: y + 20, label: title, axis(bottom: y - 2) + drawn)
  }

  /// The grid and its numbers below the bars.
  private func axis(bottom: Double) -> [Markup] {
    let axis = Axis(title: "", scale: scale, kind: kind)
    let ticks = axis.ticks(about: 3).flatMap { tick -> [Markup] in
      let place = scale.position(of: tick)
      let x = (100 * Self.room * place).coordinate + "%"
      return [
        .line("rule", x: (x, x), y: (0, bottom + 3)),
        .text(
          axis.text(tick), x: x, y: bottom + 17, style: "soft",
          anchor: place < 0.02 ? "start" : place > 0.98 ? "end" : "middle"),
      ]
    }
    return ticks + [.line("axis", x: ("0%", (100 * Self.room).coordinate + "%"), y: (bottom, bottom))]
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
    func place(_ value: Double) -> Double { Self.room * min(max(scale.position(of: value), 0), 1) }
    let origin = place(min(max(0, scale.domain.lowerBound), scale.domain.upperBound))
    let end = place(bar.value)
    return [
      .rectangle(
        "f\(bar.series % PageStyle.seriesCount)", x: min(origin, end), y: top + 1.5,
        share: max((end - origin).magnitude, 0.003), height: Self.barHeight - 3),
      .text(bar.text, x: (100 * Self.room + 1.5).coordinate + "%", y: top + Self.barHeight - 3, style: "soft"),
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

  /// The share of the width left of the cells.
  private static let left = 0.24
  private static let top = 74.0

  private var cell: Double { (1 - Self.left) / Double(labels.count) }
  private var cellHeight: Double { labels.count > 6 ? 34 : 44 }

  /// The drawing.
  var svg: Markup {
    .drawing(
      height: Self.top + cellHeight * Double(labels.count) + 4, label: "confusion matrix",
      [.text("true label", x: 0, y: Self.top - 6, style: "soft"), .text("predicted", x: 0, y: 12, style: "soft")]
        + labels.indices.flatMap { row in [rowTitle(row), columnTitle(row)] + labels.indices.flatMap { draw(row, $0) } }
    )
  }

  private func rowTitle(_ index: Int) -> Markup {
    let y = Self.top + cellHeight * (Double(index) + 0.5) + 4
    return .text(Self.short(labels[index], to: 11), x: 0, y: y, style: "strong")
  }

  private func columnTitle(_ index: Int) -> Markup {
    let title = Markup.element(
      "text", ["class": "strong", "transform": "rotate(-38)"], [.text(Self.short(labels[index], to: 11))])
    let x = Self.left + cell * (Double(index) + 0.4)
    return .element(
      "svg", ["x": percent(x), "y": (Self.top - 6).coordinate, "overflow": "visible", "width": "1", "height": "1"],
      [title])
  }

  private func percent(_ share: Double) -> String { (100 * share).coordinate + "%" }

  private func draw(_ row: Int, _ column: Int) -> [Markup] {
    let total = counts[row].reduce(0, +)
    let share = total > 0 ? Double(counts[row][column]) / Double(total) : 0
    let (x, y) = (Self.left + cell * Double(column), Self.top + cellHeight * Double(row))
    let frame = [
      ("x", percent(x)), ("y", y.coordinate), ("width", percent(cell - 0.004)), ("height", (cellHeight - 1).coordinate),
    ]
    func rectangle(_ paint: (String, String)...) -> Markup {
      .element("rect", attributes: (paint + frame).map { Markup.Attribute(name: $0.0, value: $0.1) }, contents: [])
    }
    let cells = [
      rectangle(("class", row == column ? "f0" : "f1"), ("fill-opacity", (0.55 * share).coordinate)),
      rectangle(("class", "outline")),
    ]
    guard counts[row][column] > 0 else { return cells }
    let middle = percent(x + cell / 2)
    return cells + [
      .text(percentText(share), x: middle, y: y + cellHeight / 2 - 1, style: "strong", anchor: "middle"),
      .text(counts[row][column].grouped, x: middle, y: y + cellHeight / 2 + 12, anchor: "middle"),
    ]
  }

  /// A share in percent, with a decimal only if there is room.
  private func percentText(_ share: Double) -> String {
    let isWide = labels.count <= 5
    let rounded = (share * 100).fixed(isWide ? 1 : 0)
    return (share < 1 && rounded.hasPrefix("100") ? isWide ? "99.9" : "99" : rounded) + (isWide ? " %" : "")
  }

  private static func short(_ label: String, to length: Int) -> String {
    label.count > length ? label.prefix(length - 1) + "…" : label
  }
}
