import Gait

/// The drawing of a run along its time: how loud it was, the probability in stopping with its thresholds, and the decisions.
///
/// It is as wide as the run is long, six units a second, for a box of the page that scrolls.
struct TrackChart {
  let run: RunTimeline
  let settings: PauseSettings
  /// Along the run: the probability in stopping, 0…1, and the largest |u| since the point before, g.
  let points: [(seconds: Double, probability: Double, loudness: Double)]

  private static let height = 400.0
  private static let margin = 24.0
  private static let loudest = 4.0
  private static let unitsPerSecond = 6.0

  /// Where a value of 0…1 stands on the paper: the top of a panel.
  private enum Panel: Double {
    case loudness = 40
    case probability = 220

    static let height = 150.0

    func y(_ value: Double) -> Double { rawValue + Self.height * (1 - value) }
  }

  private var seconds: Double { max(run.elapsedSeconds, 1) }

  private var width: Double { max(300, min(20_000, run.elapsedSeconds * Self.unitsPerSecond)) }

  /// The drawing.
  var svg: Markup {
    let size = (InvariantFormat.coordinate(width + 2 * Self.margin), InvariantFormat.coordinate(Self.height))
    return .element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(size.0) \(size.1)", "role": "img",
        "aria-label": "the signal, the probability in stopping and the decisions along the run",
        "style": "width:\(size.0)px;max-width:none",
      ],
      bands + axis
        + [
          curve(points.map { ($0.seconds, min($0.loudness / Self.loudest, 1)) }, on: .loudness, "l5"),
          curve(points.map { ($0.seconds, $0.probability) }, on: .probability, "l0"),
        ]
        + level(Double(settings.pauseAbove), "pause above \(settings.pauseAbove)")
        + level(Double(settings.resumeBelow), "resume below \(settings.resumeBelow)")
        + run.decisions.compactMap(\.decision).flatMap(drawing))
  }

  private func x(_ seconds: Double) -> Double { Self.margin + seconds / self.seconds * width }

  /// A tick a minute, or every ten seconds in short runs; at most 600, as data may hold a jump of years.
  private var axis: [Markup] {
    stride(from: 0, through: seconds, by: max(seconds > 600 ? 60 : 10, (seconds / 600).rounded(.up))).map { time in
      text("\(Int(time))", x: x(time), y: 390, style: "soft", anchor: "middle")
    } + [line(from: 0, to: seconds, y: 372, "axis")]
  }

  /// The slices that are not running as bands behind everything.
  private var bands: [Markup] {
    run.slices.filter { $0.state != .running }.map { slice in
      let (from, to) = (x(run.seconds(to: slice.start)), x(run.seconds(to: slice.end)))
      return .element(
        "rect",
        [
          "class": slice.state == .paused ? "paused" : "walking", "x": InvariantFormat.coordinate(from), "y": "32",
          "width": InvariantFormat.coordinate(to - from), "height": "340",
        ])
    }
  }

  private func curve(_ points: [(seconds: Double, value: Double)], on panel: Panel, _ style: String) -> Markup {
    let places = points.map {
      "\(InvariantFormat.coordinate(x($0.seconds))),\(InvariantFormat.coordinate(panel.y($0.value)))"
    }
    return .element(
      "polyline", ["class": "line thin \(style)", "fill": "none", "points": places.joined(separator: " ")])
  }

  private func level(_ value: Double, _ name: String) -> [Markup] {
    let y = Panel.probability.y(value)
    return [
      line(from: 0, to: seconds, y: y, "axis", dash: "2 4"), text(name, x: x(0) + 4, y: y - 3, style: "small soft"),
    ]
  }

  /// A decision where it fell, with its name, and its onset as a dashed line.
  private func drawing(_ event: PauseEvent, isPause: Bool) -> [Markup] {
    let (name, style, y) = isPause ? ("paused", "l1", 14.0) : ("resumed", "l2", 28.0)
    let place = x(run.seconds(to: event.decidedAt))
    let isAtEnd = place + 50 > Self.margin + width
    return [
      upright(place, "line thin \(style)"),
      upright(x(run.seconds(to: event.onset)), "line thin \(style)", dash: "4"),
      text(name, x: place + (isAtEnd ? -2 : 2), y: y, style: "small", anchor: isAtEnd ? "end" : "start"),
    ]
  }

  private func upright(_ x: Double, _ style: String, dash: String = "none") -> Markup {
    let x = InvariantFormat.coordinate(x)
    return .element("line", ["class": style, "x1": x, "x2": x, "y1": "32", "y2": "372", "stroke-dasharray": dash])
  }

  private func line(from: Double, to: Double, y: Double, _ style: String, dash: String = "none") -> Markup {
    let y = InvariantFormat.coordinate(y)
    return .element(
      "line",
      [
        "class": style, "x1": InvariantFormat.coordinate(x(from)), "x2": InvariantFormat.coordinate(x(to)), "y1": y,
        "y2": y,
        "stroke-dasharray": dash,
      ])
  }

  private func text(_ text: String, x: Double, y: Double, style: String, anchor: String = "start") -> Markup {
    .element(
      "text",
      ["class": style, "x": InvariantFormat.coordinate(x), "y": InvariantFormat.coordinate(y), "text-anchor": anchor],
      [.text(text)])
  }
}

extension RunTimeline {
  /// Seconds from the run's start.
  func seconds(to time: SampleTime) -> Double {
    Double(time.nanoseconds - start.nanoseconds) / 1e9
  }
}
