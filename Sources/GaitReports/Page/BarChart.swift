import Foundation
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
  /// Whether short names are left of their bars instead of above them.
  var isCompact = false

  /// The share of the width that bars have; their texts are right of it.
  private var room: Double { isCompact ? 0.48 : 0.64 }
  /// The share of the width left of the bars.
  private var left: Double { isCompact ? 0.16 : 0 }
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
      if isCompact { drawn.append(.text(row.name, x: 0, y: y + Self.barHeight - 3)) }
      for line in isCompact ? [] : Self.lines(of: row.name) {
        drawn.append(.text(line, x: 0, y: y + 11))
        y += Self.nameHeight
      }
      for bar in row.bars {
        drawn += draw(bar, top: y)
        y += Self.barHeight
      }
      y += isCompact ? 1 : Self.gap
    }
    return .drawing(height: y + 20, label: label, axis(bottom: y - 2) + drawn)
  }

  /// The rows that the label for screen readers names.
  private static let spokenRows = 8

  /// The title with the first rows' texts.
  private var label: String {
    let spoken = rows.prefix(Self.spokenRows).map { row in
      "\(row.name) \(row.bars.map(\.text).joined(separator: ", "))"
    }
    let more = rows.count - spoken.count
    return "\(title): \(spoken.joined(separator: "; "))" + (more > 0 ? "; and \(more) more" : "")
  }

  /// The grid and its numbers below the bars.
  private func axis(bottom: Double) -> [Markup] {
    let axis = Axis(title: "", scale: scale, kind: kind)
    let ticks = axis.ticks(about: 3).flatMap { tick -> [Markup] in
      let place = scale.position(of: tick)
      let x = (100 * (left + room * place)).coordinate + "%"
      return [
        .line("rule", x: (x, x), y: (0, bottom + 3)),
        .text(
          axis.text(tick), x: x, y: bottom + 17, style: "soft",
          anchor: place < 0.02 ? "start" : place > 0.98 ? "end" : "middle"),
      ]
    }
    return ticks + [
      .line("axis", x: ((100 * left).coordinate + "%", (100 * (left + room)).coordinate + "%"), y: (bottom, bottom))
    ]
  }

  /// A name in lines that fit, broken after spaces and the signs between words, or anywhere if there are none.
  private static func lines(of name: String) -> [String] {
    var (lines, rest) = ([String](), name[...])
    while rest.count > lineLength {
      let line = rest.prefix(lineLength)
      let end = line.lastIndex { " /_-.,;".contains($0) }.map(line.index(after:)) ?? line.endIndex
      lines.append(rest[..<end].trimmingCharacters(in: .whitespaces))
      rest = rest[end...]
    }
    return lines + [String(rest)]
  }

  private func draw(_ bar: Bar, top: Double) -> [Markup] {
    func place(_ value: Double) -> Double { left + room * min(max(scale.position(of: value), 0), 1) }
    let origin = place(min(max(0, scale.domain.lowerBound), scale.domain.upperBound))
    let end = place(bar.value)
    return [
      .rectangle(
        "f\(bar.series % PageStyle.seriesCount)", x: min(origin, end), y: top + 1.5,
        // A small value has a visible bar; 0 has no bar.
        share: bar.value == 0 ? 0 : max((end - origin).magnitude, 0.003), height: Self.barHeight - 3),
      .text(bar.text, x: (100 * (left + room) + 1.5).coordinate + "%", y: top + Self.barHeight - 3, style: "soft"),
    ]
  }
}
