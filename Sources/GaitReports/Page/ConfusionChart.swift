import Gait
import GaitTraining

/// A confusion matrix as SVG: rows are true labels, columns predicted labels, cells show share and count.
///
/// A cell's shade grows with its share of the row; the numbers do not depend on seeing shades.
struct ConfusionChart {
  let labels: [String]
  /// Windows, shape `[truth × predicted]`.
  let counts: [[Int]]

  /// The share of the width left of the cells.
  private static let left = 0.29
  private var top: Double { hasNumbers ? 84 : 36 }

  /// The maximum number of labels with which cells have room for their numbers on a phone.
  static let numberLimit = 6

  private var hasNumbers: Bool { labels.count <= Self.numberLimit }

  /// The matrix. With more than `numberLimit` labels, its cells have only shades, and a table below it lists the most
  /// frequent confusions.
  var markup: Markup {
    guard !hasNumbers else { return svg }
    let rows = confusions.prefix(200).map { row, column in
      let total = counts[row].reduce(0, +)
      return [
        labels[row], labels[column], counts[row][column].grouped, (Double(counts[row][column]) / Double(total)).percent,
      ]
    }
    let table = Markup.table(titles: ["label", "predicted", "windows", "share"], rows: rows)
    return .element(
      "div", [:],
      [
        svg, .paragraph("Columns have the numbers of the rows; the darker a cell, the larger its share of the row."),
        rows.isEmpty ? .paragraph("No window is wrong.") : table,
      ])
  }

  /// The cells of wrong windows, the most frequent first.
  private var confusions: [(row: Int, column: Int)] {
    var pairs: [(row: Int, column: Int)] = []
    for row in labels.indices {
      for column in labels.indices where row != column && counts[row][column] > 0 { pairs.append((row, column)) }
    }
    return pairs.sorted { first, second in
      let (one, other) = (counts[first.row][first.column], counts[second.row][second.column])
      return one != other ? one > other : (first.row, first.column) < (second.row, second.column)
    }
  }

  /// The correct windows of each label, and the most frequent confusions, for screen readers.
  private var summary: String {
    let correct = labels.indices.map { "\(labels[$0]) \(counts[$0][$0].grouped) of \(counts[$0].reduce(0, +).grouped)" }
    let wrong = confusions.prefix(3).map { row, column in
      "\(counts[row][column].grouped) \(labels[row]) predicted as \(labels[column])"
    }
    return "correct windows: \(correct.joined(separator: ", ")); "
      + (wrong.isEmpty ? "none wrong" : "most frequent errors: \(wrong.joined(separator: ", "))")
  }

  private var cell: Double { (1 - Self.left) / Double(labels.count) }
  private var cellHeight: Double { hasNumbers ? 44 : max(14, 280 / Double(labels.count)) }

  /// The drawing.
  var svg: Markup {
    var contents: [Markup] = [
      .text("true label", x: 0, y: top - 6, style: "soft"), .text("predicted", x: 0, y: top - 22, style: "soft"),
    ]
    // With many labels only some columns are numbered, because numbers would overlap on a phone.
    let step = labels.count <= 12 ? 1 : labels.count <= 24 ? 2 : 5
    for row in labels.indices {
      contents += rowTitle(row)
      if hasNumbers {
        contents.append(columnTitle(row))
      } else if (row + 1).isMultiple(of: step) {
        contents.append(
          .text(
            "\(row + 1)", x: percent(Self.left + cell * (Double(row) + 0.5)), y: top - 6, style: "soft",
            anchor: "middle"))
      }
      contents += labels.indices.flatMap { draw(row, $0) }
    }
    return .drawing(
      height: top + cellHeight * Double(labels.count) + 4, label: "confusion matrix, \(summary)", contents)
  }

  /// The name of a row, with its number if columns have only that; shorter on a phone.
  private func rowTitle(_ index: Int) -> [Markup] {
    let y = top + cellHeight * (Double(index) + 0.5) + 4
    guard !hasNumbers else { return [.text(Self.short(labels[index], to: 11), x: 0, y: y, style: "strong")] }
    return [("detail", 40), ("brief", 9)].map { style, length in
      .text("\(index + 1) \(Self.short(labels[index], to: length))", x: 0, y: y, style: style)
    }
  }

  private func columnTitle(_ index: Int) -> Markup {
    let title = Markup.element(
      "text", ["class": "strong", "transform": "rotate(\(labels.count > 4 ? -65 : -38))"],
      [.text(Self.short(labels[index], to: 11))])
    let x = Self.left + cell * (Double(index) + 0.4)
    return .element(
      "svg", ["x": percent(x), "y": (top - 6).coordinate, "overflow": "visible", "width": "1", "height": "1"],
      [title])
  }

  /// The opacity of a cell. It grows with the square root of the cell's share, so that a few wrong windows are seen
  /// too.
  private static func opacity(_ share: Double) -> Double { share > 0 ? 0.08 + 0.5 * share.squareRoot() : 0 }

  private func percent(_ share: Double) -> String { (100 * share).coordinate + "%" }

  private func draw(_ row: Int, _ column: Int) -> [Markup] {
    let total = counts[row].reduce(0, +)
    let share = total > 0 ? Double(counts[row][column]) / Double(total) : 0
    let (x, y) = (Self.left + cell * Double(column), top + cellHeight * Double(row))
    let frame = [
      ("x", percent(x)), ("y", y.coordinate), ("width", percent(cell - 0.004)), ("height", (cellHeight - 1).coordinate),
    ]
    func rectangle(_ paint: (String, String)...) -> Markup { .element("rect", of: paint + frame) }
    let cells = [
      rectangle(("class", row == column ? "f0" : "f1"), ("fill-opacity", Self.opacity(share).coordinate)),
      rectangle(("class", "outline")),
    ]
    guard counts[row][column] > 0, hasNumbers else { return cells }
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
