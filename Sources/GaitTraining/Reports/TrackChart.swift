import Gait
import GaitFormats

/// The chart of a run over time: peak user acceleration, the stopping probability with its thresholds, and the decisions.
///
/// Pauses are shaded from onset to end, walking is outlined, and every decision is a vertical line.
struct TrackChart {
  let run: RunTimeline
  let settings: PauseSettings
  /// The stopping probability, 0…1, and the largest |u| since the previous point, g, at times of the run.
  let points: [(seconds: Double, probability: Double, acceleration: Double)]
  /// How wide the chart is.
  let form: Form

  /// Where the chart is shown.
  enum Form {
    /// Six units a second, for a box of a page that scrolls.
    case scrolling
    /// The whole run in a fixed width, for a picture.
    case fitted
  }

  /// A plot area: the unit coordinates of its top and height.
  private struct Panel {
    var top: Double
    var height: Double

    func y(_ part: Double) -> Double { top + height * (1 - part) }

    static let acceleration = Panel(top: 82, height: 140)
    static let probability = Panel(top: 272, height: 110)
    static let all = [acceleration, probability]
  }

  private static let (left, right) = (50.0, 104.0)
  private static let height = 452.0
  /// The least distance of two time labels, which fits `1:00:00` in a picture on a phone.
  private static let tickDistance = 78.0

  private var seconds: Double { max(run.elapsedSeconds, 1) }

  private var plotWidth: Double {
    switch form {
    case .scrolling: max(420, min(20_000, run.elapsedSeconds * 6))
    case .fitted: 700
    }
  }

  private var size: (width: String, height: String) {
    ((Self.left + plotWidth + Self.right).coordinate, Self.height.coordinate)
  }

  /// The chart as a part of a page, in its full width.
  var svg: Markup {
    drawing([("style", "width:\(size.width)px;max-width:none")], contents)
  }

  /// The chart as an SVG file with its own style sheet, readable on light and dark backgrounds, wide and narrow.
  var file: String {
    let paper = Markup.element("rect", ["class": "paper", "width": size.width, "height": size.height, "rx": "8"])
    return drawing(
      [],
      [.element("metadata", [:], [.text(Self.mark)]), .element("style", [:], [.text(PageStyle.pictureSheet)]), paper]
        + contents
    ).source
  }

  /// A text near the beginning of the files.
  static let mark = "gait track --chart"

  private func drawing(_ attributes: [(String, String)], _ contents: [Markup]) -> Markup {
    let common = [
      ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(size.width) \(size.height)"), ("role", "img"),
      ("aria-labelledby", "chart-title chart-description"),
    ]
    return .element(
      "svg", attributes: (common + attributes).map { Markup.Attribute(name: $0.0, value: $0.1) }, contents: contents)
  }

  private var contents: [Markup] {
    [
      .element("title", ["id": "chart-title"], [.text(title)]),
      .element("desc", ["id": "chart-description"], [.text(description)]),
    ] + legend + bands + accelerationPanel + probabilityPanel + timeAxis
      + run.decisions.compactMap(\.decision?.event).flatMap(lines)
  }

  // MARK: - Text alternative

  private var title: String {
    let count = run.slices.count { $0.state == .paused }
    return "A run of \(Self.clock(run.elapsedSeconds)) with \(count) \(count == 1 ? "pause" : "pauses")"
  }

  private var description: String {
    let spans = run.slices.filter { $0.state != .running }.map { slice in
      "\(slice.state.rawValue) from \(Self.clock(run.seconds(to: slice.start))) "
        + "to \(Self.clock(run.seconds(to: slice.end)))"
    }
    return
      "Above: the peak of the user acceleration, in g. Below: the probability that the runner has stopped; the run "
      + "pauses above \(settings.pauseAbove) and resumes below \(settings.resumeBelow). "
      + (spans.isEmpty ? "Running throughout." : "Not running: " + spans.joined(separator: ", ") + ".")
  }

  /// Seconds as `8:05` or `1:08:05`.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":" + padded(whole % 60)
  }

  // MARK: - Parts

  private var legend: [Markup] {
    let items: [(x: Double, name: String, mark: Markup)] = [
      (0, "paused", .rectangle("paused", x: Self.left, y: 10, width: 30, height: 18)),
      (190, "walking", .rectangle("walking", x: Self.left + 190, y: 10, width: 30, height: 18)),
      (390, "decision", Self.line("decision", x: (Self.left + 405, Self.left + 405), y: (8, 30))),
    ]
    return items.flatMap { [$0.mark, .text($0.name, x: Self.left + $0.x + 40, y: 26)] }
  }

  /// The slices that are not running, behind the curves of both panels; a pause has its length where there is room.
  private var bands: [Markup] {
    run.slices.filter { $0.state != .running }.flatMap { slice in
      let (from, to) = (x(run.seconds(to: slice.start)), x(run.seconds(to: slice.end)))
      let bands = Panel.all.map {
        Markup.rectangle(
          slice.state == .paused ? "paused" : "walking", x: from, y: $0.top, width: to - from, height: $0.height)
      }
      let length = Markup.text(
        Self.clock(slice.end.seconds(since: slice.start)), x: (from + to) / 2, y: Panel.acceleration.top + 20,
        style: "strong detail", anchor: "middle")
      return slice.state == .paused && to - from >= 40 ? bands + [length] : bands
    }
  }

  private var accelerationPanel: [Markup] {
    let panel = Panel.acceleration
    let largest = min(max(points.lazy.map(\.acceleration).max() ?? 0, 0.5), 8).rounded(.up)
    let scale = LinearScale(0...largest)
    let curve = binned.map { (x($0.seconds), panel.y(min(scale.position(of: $0.acceleration), 1))) }
    let area = [(x(0), panel.y(0))] + curve + [(curve.last?.0 ?? x(0), panel.y(0))]
    return grid(panel, scale, ticks: scale.ticks(about: 4), title: "Peak |user acceleration|, g")
      + [Self.polyline(area, "f0 area"), Self.polyline(curve, "line thin l0")]
  }

  private var probabilityPanel: [Markup] {
    let panel = Panel.probability
    let (pause, resume) = (panel.y(Double(settings.pauseAbove)), panel.y(Double(settings.resumeBelow)))
    // Names of thresholds that are close to each other are moved apart.
    let middle = (pause + resume) / 2
    let end = Self.left + plotWidth
    let thresholds = [(pause, "pause", min(pause, middle - 13)), (resume, "resume", max(resume, middle + 13))]
    return grid(panel, LinearScale(0...1), ticks: [0, 0.5, 1], title: "Probability that the runner has stopped")
      + thresholds.flatMap { y, name, place in
        [
          Self.line("axis", x: (Self.left, end), y: (y, y), dash: "2 4"),
          .text(name, x: end + 6, y: place + 5, style: "soft"),
        ]
      } + [Self.polyline(binned.map { (x($0.seconds), panel.y($0.probability)) }, "line l1")]
  }

  /// A panel's title, grid lines and the numbers at them.
  private func grid(_ panel: Panel, _ scale: LinearScale, ticks: [Double], title: String) -> [Markup] {
    let rows = ticks.flatMap { tick in
      let y = panel.y(scale.position(of: tick))
      return [
        Self.line("rule", x: (Self.left, Self.left + plotWidth), y: (y, y)),
        .text(tick.short, x: Self.left - 8, y: y + 5, style: "soft", anchor: "end"),
      ]
    }
    return [.text(title, x: Self.left, y: panel.top - 14, style: "strong")] + rows
  }

  private var timeAxis: [Markup] {
    let bottom = Panel.probability.y(0)
    let steps = [5.0, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
    let step = steps.first { $0 / seconds * plotWidth >= Self.tickDistance } ?? (seconds / 8 / 3600).rounded(.up) * 3600
    let labels = stride(from: 0, through: seconds + 0.01 * step, by: step).flatMap { time in
      [
        Self.line("axis", x: (x(time), x(time)), y: (bottom, bottom + 6)),
        .text(Self.clock(time), x: x(time), y: bottom + 30, style: "soft", anchor: "middle"),
      ]
    }
    return [Self.line("axis", x: (Self.left, Self.left + plotWidth), y: (bottom, bottom))] + labels
      + [.text("time, min:s", x: Self.left + plotWidth / 2, y: bottom + 58, style: "soft", anchor: "middle")]
  }

  private func lines(_ event: PauseEvent) -> [Markup] {
    let place = x(run.seconds(to: event.decidedAt))
    return Panel.all.map { Self.line("decision", x: (place, place), y: ($0.top, $0.y(0))) }
  }

  // MARK: - Shapes

  private func x(_ seconds: Double) -> Double { Self.left + min(seconds / self.seconds, 1) * plotWidth }

  /// The points, at most one for each unit of the width: the largest acceleration and the last probability of each bin.
  private var binned: [(seconds: Double, probability: Double, acceleration: Double)] {
    let size = max(1, Int((Double(points.count) / plotWidth).rounded(.up)))
    return stride(from: 0, to: points.count, by: size).map { first in
      let bin = points[first..<min(first + size, points.count)]
      return (bin[first].seconds, bin[bin.endIndex - 1].probability, bin.lazy.map(\.acceleration).max() ?? 0)
    }
  }

  /// A curve to a tenth of a unit, so that the last bits of a probability do not change the file.
  private static func polyline(_ places: [(Double, Double)], _ style: String) -> Markup {
    func tenth(_ value: Double) -> String { ((value * 10).rounded() / 10).coordinate }
    let list = places.map { "\(tenth($0.0)),\(tenth($0.1))" }.joined(separator: " ")
    return .element("polyline", ["class": style, "points": list])
  }

  private static func line(
    _ style: String, x: (Double, Double), y: (Double, Double), dash: String = "none"
  ) -> Markup {
    .element(
      "line",
      [
        "class": style, "x1": x.0.coordinate, "x2": x.1.coordinate,
        "y1": y.0.coordinate, "y2": y.1.coordinate, "stroke-dasharray": dash,
      ])
  }
}
