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
    let riding = times.riding > 0 ? ", \(times.riding.clock) riding" : ""
    let stepless = run.steplessMovingSeconds
    let steps = stepless >= 30 ? ", \(stepless.clock) of it without steps" : ""
    tiles.append(("Moving time", times.moving.clock, "of \(times.elapsed.clock)\(unknown)\(riding)\(steps)"))
    if let pace = run.averagePace {
      tiles.append(("Pace", "\(pace.pace) /km", "\((pace * Split.mile / 1000).pace) /mi"))
    }
    tiles.append(("Paused", times.paused.clock, run.pauses.count.counted("pause")))
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
      grid: [.figure("Over time", plot.overTime.markup, note: courseNote, isWhole: true)]
        + [overDistance].compactMap { $0 })
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
      ? nil : Page.Section(title: "Splits", grid: figures + [efforts].compactMap(\.self))
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

/// The section of a run's page on pauses: each with its decision and what the sensors showed, and what was dropped.
struct PauseSections {
  let run: RunTimeline
  let plot: RunPlot

  /// The most pauses with a picture; a page stays below 1 MB.
  private static let pictureLimit = 12

  var section: Page.Section {
    let rows = run.pauses.map { pause in
      let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
      return [
        ShownTimes.text(onset), ShownTimes.text(end),
        ShownTimes.text(ShownTimes.length(from: onset, to: end)), decision(pause),
        cause(pause.cause),
      ]
    }
    let table =
      rows.isEmpty
      ? Markup.paragraph("None.")
      : .table(titles: ["onset", "end", "length", "delay", "cause"], rows: rows, isNumeric: true)
    let pictures = run.pauses.prefix(Self.pictureLimit).enumerated().map(picture)
    let more = run.pauses.count - pictures.count
    return Page.Section(
      title: "Pauses",
      contents: [table] + dropped + (pictures.isEmpty ? [] : [.grid(pictures)])
        + (more > 0 ? [.paragraph("\(more) more pauses have no picture; zoom into the course of the run.")] : []))
  }

  /// The time of the decision and its delay.
  private func decision(_ pause: Pause) -> String {
    guard pause.cause != .edited, pause.cause != .manual else { return "–" }
    return "\(pause.decidedAt.seconds(since: pause.onset).fixed(1)) s"
  }

  private func cause(_ cause: PauseCause) -> String {
    switch cause {
    case .still: "standing"
    case .notRunning: "not running"
    case .moving: "moving"
    case .location: "GPS"
    case .manual: "button"
    case .edited: "edited"
    }
  }

  private func picture(_ index: Int, _ pause: Pause) -> Markup {
    let (onset, end) = (run.seconds(to: pause.onset), run.seconds(to: pause.end ?? run.end))
    let range = max(0, onset - 10)...min(max(run.elapsedSeconds, 1), max(min(end + 10, onset + 120), onset + 5))
    return .figure(
      "Pause \(index + 1), \(onset.clock) to \(end.clock)", plot.moment(range).markup,
      note: end + 10 > onset + 120 ? "The first two minutes." : "")
  }

  /// The decisions that are no pauses in the end, and the moments that looked like stops but were none.
  private var dropped: [Markup] {
    var lines: [String] = []
    let decisions = run.decisions
    for (index, decision) in decisions.enumerated() where decision.isPause {
      guard !run.pauses.contains(where: { $0.decidedAt == decision.decidedAt }) else { continue }
      let resume = decisions[(index + 1)...].first { !$0.isPause }
      let time = run.seconds(to: decision.decidedAt).clock
      if run.pauses.contains(where: { $0.onset <= decision.onset && decision.onset <= ($0.end ?? run.end) }) {
        lines.append("\(time): paused again; joined with the pause before.")
      } else {
        let withdrawn = resume.map { " at \(run.seconds(to: $0.decidedAt).clock)" } ?? ""
        lines.append(
          "\(time): paused (\(cause(decision.cause))), withdrawn\(withdrawn), because the movement had not stopped."
        )
      }
    }
    let unheeded = plot.unheeded
    lines += unheeded.prefix(20).map { stretch in
      "\(stretch.range.lowerBound.clock): the stopping probability rose to \(stretch.largest.fixed(3)) for "
        + "\((stretch.range.upperBound - stretch.range.lowerBound).fixed(1)) s; "
        + (stretch.largest < Double(plot.settings.pauseAbove)
          ? "a pause needs more than \(plot.settings.pauseAbove)." : "no pause was decided.")
    }
    if unheeded.count > 20 { lines.append("and \(unheeded.count - 20) more such moments") }
    return lines.isEmpty
      ? [] : [.element("h3", [:], [.text("Considered and dropped")]), .list(lines)]
  }
}

/// The lengths of a run's states as readers can check them: each is its end minus its start as shown, in tenths of a second, and
/// the totals in whole seconds add up.
package struct ShownTimes {
  /// Whole seconds.
  package let elapsed: Double
  package let moving: Double
  package let paused: Double
  package let riding: Double
  package let unknown: Double

  package init(_ run: RunTimeline) {
    (elapsed, paused, riding, unknown) = (
      run.elapsedSeconds.rounded(), run.pausedSeconds.rounded(), run.ridingSeconds.rounded(),
      run.unknownSeconds.rounded()
    )
    moving = max(0, elapsed - paused - riding - unknown)
  }

  /// The length of a stretch whose ends are shown in tenths of a second.
  package static func length(from start: Double, to end: Double) -> Double {
    ((end * 10).rounded() - (start * 10).rounded()) / 10
  }

  /// Seconds as `2:10.4`.
  package static func text(_ seconds: Double) -> String {
    let tenths = Int(saturating: (seconds * 10).rounded())
    return "\(Double(tenths / 10).clock).\(tenths % 10)"
  }
}
