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

  var html: String {
    Page(
      title: String(title.split(separator: "/").last ?? "Run"), summary: [tiles],
      sections: [course, map, splits, pauses].compactMap { $0 }
    ).html
  }

  // MARK: - Totals

  private var tiles: Markup {
    var tiles: [(name: String, value: String, more: String)] = []
    if let meters = run.distance {
      let estimate =
        run.estimatedDistance >= meters * 0.01 ? ", \(run.estimatedDistance.fixed(0)) m of it estimated" : ""
      tiles.append(("Distance", "\((meters / 1000).fixed(2)) km", "\((meters / Split.mile).fixed(2)) mi\(estimate)"))
    }
    let unknown = run.unknownSeconds >= 0.5 ? ", \(run.unknownSeconds.clock) without motion data" : ""
    tiles.append(("Moving time", run.movingSeconds.clock, "of \(run.elapsedSeconds.clock)\(unknown)"))
    if let pace = run.averagePace {
      tiles.append(("Pace", "\(pace.pace) /km", "\((pace * Split.mile / 1000).pace) /mi"))
    }
    let count = run.pauses.count
    tiles.append(("Paused", run.pausedSeconds.clock, "\(count) \(count == 1 ? "pause" : "pauses")"))
    tiles.append(("Steps", run.steps.grouped, run.cadence.map { "\($0.fixed(0)) steps/min" } ?? "no cadence"))
    // GPS altitudes show only climbs above several times their error.
    if let elevation = run.elevation(), !run.altitudes.isEmpty || elevation.gain + elevation.loss > 0 {
      tiles.append(("Climb", "\(elevation.gain.fixed(0)) m", "down \(elevation.loss.fixed(0)) m"))
    }
    return .tiles(tiles)
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
              note: "Pauses are shaded from onset to end; walking is outlined; each decision is a vertical line.",
              isWhole: true)
          ] + [overDistance].compactMap { $0 })
      ])
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
              "Numbers mark the ends of splits\(run.pauses.isEmpty ? "." : ", orange dots pauses.") Walking is dotted. "
              + "Drawn from \(run.route.count.grouped) GPS points; outliers are left out.")
        ])
    }
  }

  private var splits: Page.Section? {
    let lengths = [splitMeters] + [Split.kilometer, Split.mile].filter { $0 != splitMeters }
    let figures = lengths.compactMap(splitFigure)
    return figures.isEmpty ? nil : Page.Section(title: "Splits", contents: [.grid(figures)])
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
    let slowest = shown.compactMap(\.pace).max().map { $0 * meters / 1000 } ?? 0
    let chart = BarChart(
      title: "pace of each split",
      rows: shown.map { split in
        let pace = (split.pace ?? .infinity) * meters / 1000
        let part = split.meters < length - 1 ? " (\((split.meters / meters).fixed(2)) \(unit))" : ""
        return BarChart.Row(
          name: "\(split.number)\(part), until \(run.seconds(to: split.end).clock)",
          bars: [.init(value: pace, text: "\(pace.pace) /\(unit)\(split.isEstimated ? ", estimated" : "")")])
      }, scale: LinearScale(0...max(slowest, 60)), kind: .clock)
    let name = length == meters ? unit : "\(length.short) m"
    return .figure(
      "Pace of each \(name)", chart.svg,
      note: "Moving time per \(unit)."
        + (shown.count < splits.count ? " The first \(shown.count) of \(splits.count)." : ""))
  }

  private var pauses: Page.Section {
    let rows = run.pauses.map { pause in
      let end = pause.end ?? run.end
      let delay =
        pause.cause == .edited || pause.cause == .manual ? "–" : pause.decidedAt.seconds(since: pause.onset).fixed(1)
      return [
        run.seconds(to: pause.onset).clock, run.seconds(to: end).clock, end.seconds(since: pause.onset).clock,
        run.seconds(to: pause.decidedAt).clock, delay, pause.cause.rawValue,
      ]
    }
    return Page.Section(
      title: "Pauses",
      contents: rows.isEmpty
        ? [.paragraph("None.")]
        : [.table(titles: ["onset", "end", "length", "detected", "delay, s", "cause"], rows: rows, isNumeric: true)])
  }
}
