import Foundation
import Gait
import GaitTraining

/// A map of a run's route, drawn from the GPS points alone: coloured by state, with a scale bar, and nothing fetched.
///
/// The projection is equirectangular around the middle, which is exact to 0.1 % over 50 km outside of the polar regions.
struct RouteMap {
  let run: RunTimeline
  /// The ends of splits to mark, with their numbers.
  var marks: [(name: String, time: SampleTime)]

  /// A place on the paper: shares of its width and height from the upper left corner.
  private typealias Place = (x: Double, y: Double)

  /// Width over height, as in the style sheet.
  private static let aspect = 1.5
  /// The part of the paper around the route.
  private static let margin = 0.08
  private static let metersPerDegree = 6_371_008.8 * Double.pi / 180

  /// The map; `nil` for a route shorter than 20 m.
  var markup: Markup? {
    let route = points
    guard let first = route.first else { return nil }
    let middle = (route.map(\.latitude).min()! + route.map(\.latitude).max()!) / 2
    let east = cos(middle * .pi / 180) * Self.metersPerDegree
    let meters = route.map { point in
      (
        x: (point.longitude - first.longitude).remainder(dividingBy: 360) * east,
        y: (point.latitude - first.latitude) * Self.metersPerDegree
      )
    }
    let (left, right) = (meters.map(\.x).min()!, meters.map(\.x).max()!)
    let (bottom, top) = (meters.map(\.y).min()!, meters.map(\.y).max()!)
    guard max(right - left, top - bottom) >= 20 else { return nil }
    // The metres across the paper.
    let width = max(right - left, (top - bottom) * Self.aspect) / (1 - 2 * Self.margin)
    let places = meters.map { point -> Place in
      ((point.x - (left + right) / 2) / width + 0.5, 0.5 - (point.y - (bottom + top) / 2) / width * Self.aspect)
    }
    let lines = Markup.element(
      "svg",
      [
        "class": "stretch", "width": "100%", "height": "100%", "viewBox": "0 0 1500 1000",
        "preserveAspectRatio": "none",
      ],
      paths(route, places))
    return .element(
      "div", ["class": "map"],
      [
        .element(
          "svg", ["class": "map-paper", "role": "img", "aria-label": label(meters: width)],
          [.element("rect", ["class": "outline", "width": "100%", "height": "100%", "rx": "6"]), lines]
            + signs(route, places) + scaleBar(width: width))
      ])
  }

  /// The points without outliers, which no runner could reach from the point before.
  private var points: [LocationSample] {
    var kept: [LocationSample] = []
    var skipped = 0
    for point in run.route
    where point.latitude.isFinite && point.longitude.isFinite && (point.horizontalAccuracy ?? 0) <= 65 {
      if let last = kept.last, skipped < 8, point.distance(to: last) > 15 + 12 * point.time.seconds(since: last.time) {
        skipped += 1
        continue
      }
      skipped = 0
      kept.append(point)
    }
    return kept
  }

  private func label(meters: Double) -> String {
    "map of the route, north is up, \(meters.fixed(0)) m from left to right"
      + (run.distance.map { ", \($0.fixed(0)) m long" } ?? "")
  }

  /// One line for each stretch of a state.
  private func paths(_ route: [LocationSample], _ places: [Place]) -> [Markup] {
    var slices = run.slices[...]
    var lines: [(state: String, places: [Place])] = []
    for (point, place) in zip(route, places) {
      while let slice = slices.first, slice.end <= point.time { slices.removeFirst() }
      let state = slices.first?.state.rawValue ?? "unknown"
      if lines.last?.state != state {
        if !lines.isEmpty { lines[lines.count - 1].places.append(place) }
        lines.append((state, []))
      }
      let last = lines[lines.count - 1].places.last
      if last.map({ hypot($0.x - place.x, $0.y - place.y) >= 0.0015 }) ?? true {
        lines[lines.count - 1].places.append(place)
      }
    }
    return lines.map { line in
      let points = line.places.map { "\((1500 * $0.x).coordinate),\((1000 * $0.y).coordinate)" }.joined(separator: " ")
      return .element("polyline", ["class": "route \(line.state)", "points": points])
    }
  }

  private func percent(_ share: Double) -> String { (100 * share).coordinate + "%" }

  /// Start, finish, pauses and the ends of splits.
  private func signs(_ route: [LocationSample], _ places: [Place]) -> [Markup] {
    func place(at time: SampleTime) -> Place { places[route.firstIndex { $0.time >= time } ?? route.count - 1] }
    func sign(_ place: Place, _ style: String, _ radius: Double, _ name: String = "", y: Double = -8) -> Markup {
      let text = Markup.text(name, x: 0, y: y, style: "strong halo", anchor: "middle")
      return .element(
        "svg", ["x": percent(place.x), "y": percent(place.y), "width": "1", "height": "1", "overflow": "visible"],
        [.element("circle", ["class": style, "r": radius.coordinate])] + (name.isEmpty ? [] : [text]))
    }
    let pauses = run.pauses.map { sign(place(at: $0.onset), "paused", 4.5) }
    let step = max(1, (marks.count + 11) / 12)
    let splits = marks.enumerated().filter { ($0.offset + 1).isMultiple(of: step) }
      .map { sign(place(at: $0.element.time), "f3", 3.5, $0.element.name) }
    return pauses + splits + [
      sign(places[0], "f2", 5, "start", y: 19), sign(places[places.count - 1], "f0", 5, "finish"),
    ]
  }

  private func scaleBar(width: Double) -> [Markup] {
    let power = pow(10, floor(log10(width * 0.3)))
    let length = power * ([5.0, 2].first { $0 * power <= width * 0.3 } ?? 1)
    let (from, to) = (0.03, 0.03 + length / width)
    let name = length >= 1000 ? "\((length / 1000).short) km" : "\(length.short) m"
    func line(_ from: Double, _ to: Double, _ top: String) -> Markup {
      .element("line", ["class": "axis line", "x1": percent(from), "x2": percent(to), "y1": top, "y2": "96%"])
    }
    let lines = [line(from, to, "96%"), line(from, from, "94.5%"), line(to, to, "94.5%")]
    return lines + [
      .element("text", ["class": "soft halo", "x": percent(from + 0.01), "y": "94%"], [.text(name)]),
      .element("text", ["class": "soft halo", "x": "97%", "y": "6%", "text-anchor": "end"], [.text("north ↑")]),
    ]
  }
}
