import Foundation
import Gait
import GaitTraining

/// A map of a run's route, drawn from the GPS points alone: coloured by pace, with a scale bar, and nothing fetched.
///
/// The projection is equirectangular around the middle, which is exact to 0.1 % over 50 km outside of the polar
/// regions.
struct RouteMap {
  let run: RunTimeline
  /// The ends of splits to mark, with their numbers.
  var marks: [(name: String, time: SampleTime)]
  var unit = LengthUnit.kilometer

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
    let places = Self.onTheRight(
      meters.map { point -> Place in
        ((point.x - (left + right) / 2) / width + 0.5, 0.5 - (point.y - (bottom + top) / 2) / width * Self.aspect)
      })
    let paces = MapPaces(of: route, run)
    let lines = Markup.element(
      "svg",
      [
        "class": "stretch", "width": "100%", "height": "100%", "viewBox": "0 0 1500 1000",
        "preserveAspectRatio": "none",
      ],
      paths(route, places, paces))
    return .element(
      "div", ["class": "map"],
      [
        .element(
          "svg", ["class": "map-paper", "role": "img", "aria-label": label(meters: width)],
          [.element("rect", ["class": "outline", "width": "100%", "height": "100%", "rx": "6"]), lines]
            + signs(route, places) + scaleBar(width: width, route: places))
      ] + paces.legend(unit) + legend + [
        .script(routeJSON(route, places), ["type": "application/json", "class": "route"])
      ])
  }

  /// The points with an accuracy of at most 65 m, without outliers. An outlier is farther from the point before than 15
  /// m plus 12 m/s, more than a runner can move. After eight outliers in a row, the next point is kept.
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

  /// The places moved to the right of the running direction by two to four pixels. A runner who returns by the same
  /// route is drawn beside the outward line, not on top of it.
  private static func onTheRight(_ places: [Place]) -> [Place] {
    // As shares of the map's width: how far a place is moved to the side, and how far away from it the two places are,
    // one before and one after it, that give the running direction.
    let (aside, reach) = (0.0055, 0.008)
    func distance(_ one: Place, _ other: Place) -> Double {
      hypot(one.x - other.x, (one.y - other.y) / aspect)
    }
    return places.indices.map { index in
      var (from, to) = (index, index)
      while from > 0, distance(places[from], places[index]) < reach, index - from < 300 { from -= 1 }
      while to + 1 < places.count, distance(places[to], places[index]) < reach, to - index < 300 { to += 1 }
      let (east, south) = (places[to].x - places[from].x, (places[to].y - places[from].y) / aspect)
      let length = hypot(east, south)
      guard length >= reach else { return places[index] }
      return (places[index].x - aside * south / length, places[index].y + aside * east / length * aspect)
    }
  }

  /// One line for each stretch of a pace or state.
  private func paths(_ route: [LocationSample], _ places: [Place], _ paces: MapPaces) -> [Markup] {
    var lines: [(style: String, places: [Place])] = []
    for (style, place) in zip(paces.styles, places) {
      if lines.last?.style != style {
        if !lines.isEmpty { lines[lines.count - 1].places.append(place) }
        lines.append((style, []))
      }
      let last = lines[lines.count - 1].places.last
      if last.map({ hypot($0.x - place.x, $0.y - place.y) >= 0.0015 }) ?? true {
        lines[lines.count - 1].places.append(place)
      }
    }
    return lines.map { line in
      let points = line.places.map { "\((1500 * $0.x).coordinate),\((1000 * $0.y).coordinate)" }.joined(separator: " ")
      return .element("polyline", ["class": "route \(line.style)", "points": points])
    }
  }

  private func percent(_ share: Double) -> String { (100 * share).coordinate + "%" }

  /// Times, distances and places of the route as JSON, for the script's crosshair. Of more than 3000 points, every
  /// second, third, … is used.
  private func routeJSON(_ route: [LocationSample], _ places: [Place]) -> String {
    let kept = Array(stride(from: 0, to: route.count, by: (route.count + 2999) / 3000))
    let along = run.distances(at: kept.map { route[$0].time }).map { ($0 / unit.meters).fixed(4) }
    let lists = [
      ("t", kept.map { run.seconds(to: route[$0].time).fixed(1) }), ("along", along),
      ("x", kept.map { (100 * places[$0].x).coordinate }), ("y", kept.map { (100 * places[$0].y).coordinate }),
    ]
    return "{" + lists.map { "\"\($0)\":[\($1.joined(separator: ","))]" }.joined(separator: ",") + "}"
  }

  private static let signs = [
    ("start", "ring", 6.5), ("finish", "ink", 4.5), ("pause", "paused", 4.5), ("end of a split", "number", 8),
  ]

  /// The signs' names below the map, where they cover nothing.
  private var legend: [Markup] {
    let shown = Self.signs.filter { name, _, _ in
      name != "pause" && name != "end of a split" || name == "pause" && !run.pauses.isEmpty
        || name == "end of a split" && !marks.isEmpty
    }
    return Markup.legend(
      shown.map { name, style, radius in
        let shape = Markup.element("circle", ["class": style, "cx": "17", "cy": "9", "r": radius.coordinate])
        return Plot.Key(name: name, swatch: .shape(shape))
      })
  }

  /// Start, finish, pauses and the ends of splits as numbered discs. The finish is smaller than the start, so that both
  /// are seen where a run ends at its start.
  private func signs(_ route: [LocationSample], _ places: [Place]) -> [Markup] {
    func place(at time: SampleTime) -> Place { places[route.firstIndex { $0.time >= time } ?? route.count - 1] }
    func sign(_ place: Place, _ kind: Int, _ text: String? = nil, isDetail: Bool = false) -> Markup {
      let (_, style, radius) = Self.signs[kind]
      let number = text.map { Markup.text($0, x: 0, y: 4, style: "inside", anchor: "middle") }
      return .element(
        "svg",
        [
          "class": isDetail ? "detail" : "", "x": percent(place.x), "y": percent(place.y), "width": "1", "height": "1",
          "overflow": "visible",
        ],
        [
          .element(
            "circle",
            [
              "class": text == nil && style != "ring" ? "\(style) halo" : style,
              "r": (text.map(Self.radius) ?? radius).coordinate,
            ])
        ]
          + [number].compactMap(\.self))
    }
    let ends = [places[0], places[places.count - 1]]
    let pauses = run.pauses.map { place(at: $0.onset) }
    let marked = marks.map { (name: $0.name, place: place(at: $0.time)) }
    let taken = (ends + pauses).map { (place: $0, radius: 7.0) }
    // The marks that have room on a phone, and the further marks that have room on a desktop.
    let few = Self.readable(marked, atLeast: 0.5, beside: taken, width: 330)
    let more = Self.readable(marked, atLeast: 0.75, keeping: few, beside: taken, width: 660).filter {
      !few.contains($0)
    }
    return pauses.map { sign($0, 2) } + few.map { sign(marked[$0].place, 3, marked[$0].name) }
      + more.map { sign(marked[$0].place, 3, marked[$0].name, isDetail: true) } + [sign(ends[0], 0), sign(ends[1], 1)]
  }

  /// The radius of a disc with a number inside, pixels.
  private static func radius(_ name: String) -> Double { [1: 8, 2: 9][name.count] ?? 12 }

  /// The marks that overlap nothing on paper of `width` pixels. It tries every mark, then every second, fifth, tenth …,
  /// and takes the first step at which at least `share` of the marks have room.
  private static func readable(
    _ marks: [(name: String, place: Place)], atLeast share: Double, keeping kept: [Int] = [],
    beside signs: [(place: Place, radius: Double)],
    width: Double
  ) -> [Int] {
    func chosen(step: Int) -> [Int] {
      var taken = signs + kept.map { (marks[$0].place, radius(marks[$0].name)) }
      return marks.indices.filter { index in
        guard !kept.contains(index) else { return true }
        guard (index + 1).isMultiple(of: step) else { return false }
        let (place, radius) = (marks[index].place, radius(marks[index].name))
        let isFree = taken.allSatisfy { other in
          hypot((other.place.x - place.x) * width, (other.place.y - place.y) * width / aspect)
            > other.radius + radius + 2
        }
        if isFree { taken.append((place, radius)) }
        return isFree
      }
    }
    let steps = [1, 2, 5, 10, 20, 50, 100].filter { $0 == 1 || $0 <= marks.count }
    let step = steps.first { Double(chosen(step: $0).count) >= share * Double(marks.count / $0) }
    return chosen(step: step ?? 1)
  }

  /// The scale bar and the direction of north, each in the first corner where it covers no part of the route.
  private func scaleBar(width: Double, route: [Place]) -> [Markup] {
    let power = pow(10, floor(log10(width * 0.3)))
    let length = power * ([5.0, 2].first { $0 * power <= width * 0.3 } ?? 1)
    let share = length / width
    func isFree(_ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>) -> Bool {
      !route.contains { xs.contains($0.x) && ys.contains($0.y) }
    }
    let long = max(share, 0.16) + 0.05
    let corners: [(x: Double, bottom: Double)] = [
      (0.03, 0.96), (0.97 - share, 0.96), (0.03, 0.12), (0.97 - share, 0.12),
    ]
    let bar = corners.first { isFree($0.x - 0.03...$0.x + long, $0.bottom - 0.1...$0.bottom + 0.04) } ?? corners[0]
    let name = length >= 1000 ? "\((length / 1000).short) km" : "\(length.short) m"
    func line(_ from: Double, _ to: Double, _ top: Double) -> Markup {
      .element(
        "line",
        ["class": "axis line", "x1": percent(from), "x2": percent(to), "y1": percent(top), "y2": percent(bar.bottom)])
    }
    let (from, to) = (bar.x, bar.x + share)
    let lines = [
      line(from, to, bar.bottom), line(from, from, bar.bottom - 0.015), line(to, to, bar.bottom - 0.015),
    ]
    let norths = [(0.97, 0.06, "end"), (0.03, 0.06, "start"), (0.97, 0.96, "end"), (0.03, 0.96, "start")]
    let north =
      norths.first { x, y, anchor in
        isFree(anchor == "end" ? x - 0.2...1 : 0...x + 0.2, y - 0.06...y + 0.04)
          && ((y > 0.5) != (bar.bottom > 0.5) || (x > 0.5) != (bar.x > 0.4))
      } ?? norths[0]
    return lines + [
      .element(
        "text", ["class": "soft halo", "x": percent(from + 0.01), "y": percent(bar.bottom - 0.02)], [.text(name)]),
      .element(
        "text",
        ["class": "soft halo", "x": percent(north.0), "y": percent(north.1), "text-anchor": north.2],
        [.text("north ↑")]),
    ]
  }
}

/// The paces of a route's points in five classes with equally many points each.
private struct MapPaces {
  /// The style of the line at each point: `p0`, the slowest, to `p4`, or a state without a pace.
  let styles: [String]
  /// The paces between the classes, seconds per kilometre, from slow to fast.
  private let bounds: [Double]

  init(of route: [LocationSample], _ run: RunTimeline) {
    let paces = run.paces(at: route.map(\.time))
    var slices = run.slices[...]
    let states = route.map { point in
      while let slice = slices.first, slice.end <= point.time { slices.removeFirst() }
      return slices.first?.state ?? .unknown
    }
    let sorted = paces.compactMap(\.self).sorted(by: >)
    let bounds = (1..<PageStyle.paceCount).compactMap { share in
      sorted.isEmpty ? nil : sorted[sorted.count * share / PageStyle.paceCount]
    }
    self.bounds = bounds
    styles = zip(paces, states).map { pace, state in
      pace.map { pace in "p\(bounds.count { pace < $0 })" }
        ?? ([.paused, .riding].contains(state) ? state.rawValue : "unknown")
    }
  }

  /// The legend of the slowest, the middle and the fastest class; empty if no pace is known.
  func legend(_ unit: LengthUnit) -> [Markup] {
    guard let slow = bounds.first, let fast = bounds.last else { return [] }
    func pace(_ bound: Double) -> String { unit.pace(bound) }
    let names = [
      (0, "slower than \(pace(slow))"), (2, "around \(pace(bounds[bounds.count / 2]))"),
      (4, "faster than \(pace(fast))"),
    ]
    return Markup.legend(
      names.map { index, name in
        let line = Markup.element("polyline", ["class": "route p\(index)", "points": "4,9 30,9"])
        return Plot.Key(name: name, swatch: .shape(line))
      })
  }
}
