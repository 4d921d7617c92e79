import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The page of a tracked run: totals, the course of the run, the map, splits and pauses.
struct RunPage {
  let title: String
  let run: RunTimeline
  let plot: RunPlot
  /// The length of a split, metres.
  let splitMeters: Double
  /// When the run began; `nil` if unknown.
  var started: Date?
  var origin = PageOrigin()

  var html: String {
    Page(
      title: String(title.split(separator: "/").last ?? "Run"),
      summary: [startText.map(Markup.paragraph), motionAlert, tiles].compactMap(\.self),
      sections: [course, map, PauseSections(run: run, plot: plot).section, splits].compactMap(\.self), origin: origin
    ).html
  }

  private var startText: String? {
    started.map { date in
      let format = Date.VerbatimFormatStyle(
        format:
          "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
      return "Started \(date.formatted(format)) (UTC)"
    }
  }

  private var motionAlert: Markup? {
    plot.hasMotion
      ? nil
      : .element(
        "div", ["class": "alert"],
        [
          .paragraph(
            "The recording has no whole window of motion without missing values: what the runner did is not known, and the "
              + "state, the moving time and the pauses below are not measured.")
        ])
  }

  // MARK: - Totals

  private var tiles: Markup {
    var tiles: [(name: String, value: String, more: String)] = []
    if let meters = run.distance {
      let estimate =
        run.estimatedDistance >= meters * 0.01 ? ", \(run.estimatedDistance.fixed(0)) m of it estimated" : ""
      tiles.append(("Distance", "\((meters / 1000).fixed(2)) km", "\((meters / Split.mile).fixed(2)) mi\(estimate)"))
    }
    let times = ShownTimes(run)
    // Without motion and GPS points nothing else is known.
    guard plot.hasMotion || run.distance != nil else {
      return .tiles([("Length", times.elapsed.clock, "of the recording"), ("Moving time", "unknown", "no motion data")])
    }
    let unknown = times.unknown > 0 ? ", \(times.unknown.clock) without motion data" : ""
    tiles.append(("Moving time", times.moving.clock, "of \(times.elapsed.clock)\(unknown)"))
    if let pace = run.averagePace {
      tiles.append(("Pace", "\(pace.pace) /km", "\((pace * Split.mile / 1000).pace) /mi"))
    }
    let count = run.pauses.count
    tiles.append(("Paused", times.paused.clock, "\(count) \(count == 1 ? "pause" : "pauses")"))
    tiles.append(("Steps", run.steps.grouped, run.cadence.map { "\($0.fixed(0)) steps/min" } ?? "no cadence"))
    // GPS altitudes show only climbs above several times their error.
    if let elevation = run.elevation(), !run.altitudes.isEmpty || elevation.gain + elevation.loss > 0 {
      tiles.append(("Climb", "\(elevation.gain.fixed(0)) m", "down \(elevation.loss.fixed(0)) m; \(deadBand)"))
    }
    return .tiles(tiles)
  }

  /// The size of the ups and downs that the climb leaves out.
  private var deadBand: String {
    let noise = run.altitudeProfile.noise
    return "without ups and downs below \(max(2, 5 * noise).fixed(noise > 0 ? 0 : 1)) m"
  }

  // MARK: - Sections

  private var course: Page.Section {
    let overDistance = plot.overDistance.map { Markup.figure("Over distance", $0.markup, isWhole: true) }
    return Page.Section(
      title: "Course of the run",
      contents: [
        .grid(
          [
            .figure(
              "Over time", plot.overTime.markup,
              note: courseNote, isWhole: true)
          ] + [overDistance].compactMap { $0 })
      ])
  }

  /// How the panels that are there are read.
  private var courseNote: String {
    let titles = plot.overTime.panels.map(\.title)
    let states = plot.stateKeys.map(\.name)
    var notes: [String] = []
    if states.contains("paused") {
      notes.append("Pauses are shaded from onset to end; each decision is a vertical line.")
    }
    if states.contains("walking") { notes.append("Walking is outlined.") }
    if titles.contains(where: { $0.hasPrefix("Pace") }) { notes.append("Paces slower than the axis are at its edge.") }
    if titles.contains(where: { $0.hasPrefix("Cadence") }) {
      notes.append("Step rates are left out where they are half or twice the surrounding minute's.")
    }
    return notes.joined(separator: " ")
  }

  private var map: Page.Section? {
    let marks = run.splits(everyMeters: splitMeters).map { ("\($0.number)", $0.end) }
    return RouteMap(run: run, marks: marks).markup.map {
      Page.Section(
        title: "Map",
        contents: [
          .figure(
            "Route", $0,
            note:
              "Numbers mark the ends of splits; those without room are left out. Walking is dotted. "
              + "Drawn from \(run.route.count.grouped) GPS points; outliers are left out.")
        ])
    }
  }

  private var splits: Page.Section? {
    let lengths = [splitMeters] + [Split.kilometer, Split.mile].filter { $0 != splitMeters }
    let figures = lengths.compactMap(splitFigure)
    return figures.isEmpty
      ? nil : Page.Section(title: "Splits", contents: [.grid(figures + [efforts].compactMap(\.self))])
  }

  /// The splits of one length with the rest after the last one; `nil` if the run is shorter than one.
  private func splitFigure(_ length: Double) -> Markup? {
    let (unit, meters) = length == Split.mile ? ("mi", Split.mile) : ("km", Split.kilometer)
    var splits = run.splits(everyMeters: length)
    guard let last = splits.last, let distance = run.distance else { return nil }
    let rest = distance - Double(last.number) * length
    if rest >= 10 {
      splits.append(
        Split(
          number: last.number + 1, start: last.end, end: run.end, meters: rest,
          movingSeconds: run.movingSeconds(from: last.end, to: run.end),
          untimedMeters: run.untimedMeters(from: last.end, to: run.end)))
    }
    let shown = splits.prefix(120)
    let paces = shown.compactMap(\.pace).map { $0 * meters / 1000 }.sorted()
    // A short split that was walked does not flatten the others.
    let slowest = paces.isEmpty ? 0 : min(paces[paces.count - 1], 1.5 * paces[paces.count / 2])
    var chart = BarChart(
      title: "pace of each split",
      rows: shown.map { split in
        let pace = (split.pace ?? .infinity) * meters / 1000
        let name = split.meters < length - 1 ? "\((split.meters / meters).fixed(2)) \(unit)" : "\(split.number)"
        return BarChart.Row(
          name: name,
          bars: [
            .init(
              value: pace, text: "\(pace.pace), \(run.seconds(to: split.end).clock)\(split.isEstimated ? " est." : "")")
          ])
      }, scale: LinearScale(0...max(slowest, 60)), kind: .clock)
    chart.isCompact = true
    let name = length == meters ? unit : "\(length.short) m"
    return .figure(
      "Pace of each \(name)", chart.svg,
      note: "Moving time per \(unit), and the time at the end of the split."
        + (shown.contains(where: \.isEstimated) ? " est.: distance estimated." : "")
        + (shown.count < splits.count ? " The first \(shown.count) of \(splits.count)." : ""))
  }

  /// The fastest stretches of usual lengths; `nil` if the run is shorter than all.
  private var efforts: Markup? {
    let lengths = [
      ("400 m", 400.0), ("1 km", 1000), ("1 mi", Split.mile), ("5 km", 5000), ("10 km", 10_000),
      ("half marathon", 21_097.5),
      ("marathon", 42_195),
    ]
    let rows = lengths.compactMap { name, meters -> [String]? in
      guard (run.distance ?? 0) >= meters, let pace = run.bestPace(over: meters) else { return nil }
      return [name, (pace * meters / 1000).clock, "\(pace.pace) /km"]
    }
    guard !rows.isEmpty else { return nil }
    return .figure(
      "Best efforts", .table(titles: ["distance", "time", "pace"], rows: rows, isNumeric: true),
      note: "The fastest stretches of these lengths.")
  }
}
