import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The page of a tracked run, as its runner reads it: distance, time, pace and climb, the map, pace over distance,
/// splits, and a sentence for each pause. How this was measured is in a folded part at the end.
struct RunPage {
  /// The heading; `nil` for the date and the time of day.
  var title: String?
  /// The name of the recording.
  var recording = ""
  let run: RunTimeline
  let plot: RunPlot
  /// The length of a split, metres. If it is a mile, the page is in miles; otherwise it is in kilometres.
  let splitMeters: Double
  /// When the run began; `nil` if unknown.
  var started: Date?
  /// The zone in which the date is written.
  var timeZone = TimeZone.current
  var origin = PageOrigin()

  var html: String {
    Page(
      title: title ?? started.map(dated) ?? "Run",
      summary: (title == nil ? [] : [started.map(dated).map(Markup.paragraph)].compactMap(\.self))
        + [motionAlert, tiles].compactMap(\.self),
      sections: [
        map, course, splits, PauseSection(run: run, hasMotion: plot.hasMotion).section,
        MeasuredSection(run: run, plot: plot, recording: origin.relative(recording)).section,
      ].compactMap(\.self), origin: origin
    ).html
  }

  private var unit: LengthUnit { plot.unit }

  /// The date and the time of day, with their zone, such as "Run of 2026-05-01, 07:12 (UTC+2)".
  private func dated(_ date: Date) -> String {
    let minutes = timeZone.secondsFromGMT(for: date) / 60
    let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
    let offset = minutes == 0 ? "" : (minutes < 0 ? "−" : "+") + "\(hours)" + (rest == 0 ? "" : ":\(rest)")
    return "Run of \(date.dayAndTime(in: timeZone)) (UTC\(offset))"
  }

  private var motionAlert: Markup? {
    plot.hasMotion
      ? nil
      : .element(
        "div", ["class": "alert"],
        [
          .paragraph(
            "The recording has no whole window of motion without missing values: what the runner did is not known, and "
              + "the state, the moving time and the pauses below are not measured.")
        ])
  }

  // MARK: - Totals

  private var tiles: Markup {
    var tiles: [(name: String, value: String, more: String)] = []
    if let distance = run.distanceEstimate {
      let (low, high) = (distance.interval.lowerBound, distance.interval.upperBound)
      let estimate = distance.bySteps >= distance.meters * 0.01 ? ", \(unit.text(distance.bySteps)) from steps" : ""
      tiles.append(
        ("Distance", unit.text(distance.meters), "\(unit.number(low))–\(unit.text(high)) (95 %)\(estimate)"))
    }
    let times = ShownTimes(run)
    // Without motion and GPS points nothing else is known.
    guard plot.hasMotion || run.distance != nil else {
      return .tiles([("Length", times.elapsed.clock, "of the recording"), ("Moving time", "unknown", "no motion data")])
    }
    let unknown = times.unknown > 0 ? ", \(times.unknown.clock) without motion data" : ""
    let pauses = run.pauses.isEmpty ? "no pause" : "\(times.elapsed.clock) with \(run.pauses.count.counted("pause"))"
    let riding = times.riding > 0 ? ", \(times.riding.clock) riding" : ""
    let stepless = run.steplessMovingSeconds
    let steps = stepless >= 30 ? ", \(stepless.clock) of it without steps" : ""
    tiles.append(("Moving time", times.moving.clock, pauses + unknown + riding + steps))
    if let pace = run.averagePace {
      let level = run.gradeAdjustedPace.map { "\(unit.pace($0)) on level ground" }
      tiles.append(("Pace", unit.pace(pace), level ?? "without pauses"))
    }
    // GPS altitudes show only climbs above several times their error.
    if let elevation = run.elevation(), !run.altitudes.isEmpty || elevation.gain + elevation.loss > 0 {
      tiles.append(("Climb", "\(elevation.gain.fixed(0)) m", "down \(elevation.loss.fixed(0)) m"))
    }
    if let cadence = run.cadence {
      tiles.append(("Cadence", "\(cadence.fixed(0)) steps/min", "\(run.steps.grouped) steps"))
    }
    return .tiles(tiles)
  }

  // MARK: - Sections

  private var map: Page.Section? {
    let marks = run.splits(everyMeters: splitMeters).map { ("\($0.number)", $0.end) }
    return RouteMap(run: run, marks: marks, unit: unit).markup.map {
      Page.Section(
        title: "Map",
        contents: [
          .figure(
            "Route", $0,
            note:
              "Coloured by pace; faster is wider. A stretch that was run both ways is drawn as two lines, each on the runner's right."
          )
        ])
    }
  }

  /// One chart, over the distance or over the time.
  private var course: Page.Section {
    let overTime = Markup.figure("Over time", plot.overTime.markup, note: courseNote, isWhole: true)
    guard let overDistance = plot.overDistance else {
      return Page.Section(title: "Course of the run", grid: [overTime])
    }
    let note = courseNote.isEmpty ? "" : "Over time, the state is shown too."
    return Page.Section(
      title: "Course of the run",
      contents: [
        .choice(
          of: "course",
          [
            ("by distance", .figure("Over distance", overDistance.markup, note: note, isWhole: true)),
            ("by time", overTime),
          ])
      ])
  }

  /// How to read the panels that the page has.
  private var courseNote: String {
    let titles = plot.overTime.panels.map(\.title)
    let states = plot.stateKeys.map(\.name)
    var notes: [String] = []
    if states.contains("paused") { notes.append("Pauses are shaded from onset to end.") }
    if states.contains("walking") { notes.append("Walking is outlined.") }
    if titles.contains(where: { $0.hasPrefix("Pace") }) { notes.append("Paces slower than the axis are at its edge.") }
    if titles.contains(where: { $0.hasPrefix("Cadence") }) {
      notes.append("Step rates are left out where they are half or twice the surrounding minute's.")
    }
    return notes.joined(separator: " ")
  }

  private var splits: Page.Section? {
    let tables = [SplitTable(run: run, meters: splitMeters).figure, efforts].compactMap(\.self)
    return tables.isEmpty ? nil : Page.Section(title: "Splits", grid: tables)
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
      return [name, (pace * meters / 1000).clock, unit.pace(pace)]
    }
    guard !rows.isEmpty else { return nil }
    return .figure(
      "Best efforts", .table(titles: ["distance", "time", "pace"], rows: rows, isNumeric: true),
      note: "The fastest stretches of these lengths.")
  }
}

extension Date {
  /// The day and the time of day, such as "2026-05-01, 07:12".
  func dayAndTime(in zone: TimeZone) -> String {
    formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits), \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: zone, calendar: Calendar(identifier: .gregorian)))
  }
}

/// The splits of a run as a table, with the rest of the run after the last whole split. A longer bar is faster.
struct SplitTable {
  let run: RunTimeline
  /// The length of a split.
  let meters: Double

  /// The maximum number of splits that are shown.
  private static let limit = 120

  private var unit: LengthUnit { LengthUnit(ofSplit: meters) }

  /// The splits and the rest, unless the run is shorter than a split.
  private var parts: [Split] {
    let parts = run.splits(everyMeters: meters, includingRest: true)
    return parts.count == 1 && parts[0].meters < meters ? [] : parts
  }

  /// The table; `nil` if the run is shorter than a split.
  var figure: Markup? {
    let parts = parts
    guard !parts.isEmpty else { return nil }
    let shown = Array(parts.prefix(Self.limit))
    let fastest = shown.compactMap(\.pace).min() ?? 0
    let adjusted = run.gradeAdjustedPaces(of: shown).map { $0.map { unit.pace($0) } }
    let details = shown.map { run.part(from: $0.start, to: $0.end) }
    let hasClimb = !run.altitudes.isEmpty || (run.elevation().map { $0.gain + $0.loss > 0 } ?? false)
    let climbs = details.map { hasClimb ? $0.elevation().map { "\($0.gain.fixed(0)) m" } : nil }
    let cadences = details.map { $0.cadence?.fixed(0) }
    let isUnit = meters == unit.meters
    var columns: [(head: String, cells: [String?])] = [
      (
        isUnit ? unit.name : "\(meters.short) m",
        shown.map { split in
          guard split.meters < meters - 1 else { return "\(split.number)" }
          return isUnit ? unit.number(split.meters) : "\(split.meters.fixed(0)) m"
        }
      ),
      ("time", shown.map { $0.movingSeconds.clock }),
    ]
    let paces = shown.map { split in split.pace.map { unit.pace($0) } }
    columns.append(("pace", zip(shown, paces).map { split, pace in pace.map { $0 + (split.isEstimated ? "*" : "") } }))
    columns += [("by grade", adjusted), ("climb", climbs), ("steps/min", cadences)].filter { column in
      column.1.contains { $0 != nil }
    }
    let rows = shown.indices.map { row in
      columns.map { column in
        let text = Markup.text((column.cells[row] ?? "–").replacing(" ", with: "\u{A0}"))
        guard column.head == "pace", let pace = shown[row].pace, pace > 0 else {
          return Markup.element("td", [:], [text])
        }
        return .element("td", ["class": "bar", "style": "--share:\((100 * fastest / pace).fixed(0))%"], [text])
      }
    }
    let table = Markup.table(
      heads: columns.map { .element("th", [:], [.text($0.head)]) }, rows: rows, style: "numbers splits")
    let notes = [
      shown.count < parts.count ? "The first \(shown.count) of \(parts.count)." : nil,
      shown.contains(where: \.isEstimated) ? "*: the distance is estimated." : nil,
      adjusted.contains { $0 != nil } ? "By grade: the pace on level ground that costs as much energy." : nil,
    ].compactMap(\.self)
    return .figure(
      isUnit ? "Each \(unit == .mile ? "mile" : "kilometer")" : "Each \(meters.short) m", table,
      note: (["A longer bar is faster."] + notes).joined(separator: " "))
  }
}
