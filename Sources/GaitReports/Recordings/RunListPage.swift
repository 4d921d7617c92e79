import Foundation
import Gait
import GaitRuns
import GaitTraining

/// The overview of many tracked runs: totals, a row for each run with a link to its page, and the totals of weeks and
/// months.
public struct RunListPage: Sendable {
  /// A run, or a recording that could not be tracked.
  public struct Row: Sendable {
    /// The recording's name.
    public var name: String
    /// When the run began; `nil` if unknown.
    public var startedAt: Date?
    /// The time from the start of the run to its end, seconds.
    public var elapsedSeconds = 0.0
    /// The moving time, seconds.
    public var movingSeconds = 0.0
    /// The time in pauses, seconds.
    public var pausedSeconds = 0.0
    /// The number of pauses.
    public var pauses = 0
    /// The distance, metres; `nil` if unknown.
    public var distance: Double?
    /// The metres climbed; `nil` if unknown.
    public var climb: Double?
    /// The states of the run, in order, seconds from its start.
    public var slices: [(seconds: Range<Double>, state: RunTimeline.State)] = []
    /// The address of the run's page, relative to this one; `nil` without one.
    public var page: String?
    /// Why there is no run; `nil` if there is one.
    public var failure: String?

    /// A row with a name only.
    public init(name: String) { self.name = name }
  }

  /// The page's heading.
  public var title: String
  /// The runs.
  public var rows: [Row]
  /// Whether lengths and paces are in miles.
  public var usesMiles = false
  /// The zone of the dates, and the days on which weeks begin.
  public var calendar = Calendar.current
  /// What made the page, for its footer.
  public var origin = PageOrigin()

  /// The maximum number of rows of a table.
  private static let rowLimit = 2000

  /// An overview of runs.
  public init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  private var unit: LengthUnit { usesMiles ? .mile : .kilometer }

  /// The folder that contains all recordings; rows leave it out.
  private var commonFolder: String {
    guard let first = rows.first?.name.split(separator: "/", omittingEmptySubsequences: false) else {
      return ""
    }
    let depth =
      rows.map { row in
        zip(first.dropLast(), row.name.split(separator: "/", omittingEmptySubsequences: false).dropLast()).prefix(
          while: ==
        ).count
      }.min() ?? 0
    return first.prefix(depth).map { $0 + "/" }.joined()
  }

  /// The page as HTML.
  public var html: String {
    let failed = rows.filter { $0.failure != nil }
    // The latest first; those without a date keep their order after them.
    let runs = rows.filter { $0.failure == nil }.enumerated().sorted { one, other in
      switch (one.element.startedAt, other.element.startedAt) {
      case (let first?, let second?) where first != second: first > second
      case (_?, nil): true
      case (nil, _?): false
      default: one.offset < other.offset
      }
    }.map(\.element)
    let folder = commonFolder
    var sections = [runSection(runs, folder: folder)]
    let summaries = runs.compactMap(\.summary)
    if !summaries.isEmpty {
      sections.append(
        Page.Section(
          title: "Weeks and months",
          grid: [
            totals("By week", RunTotals.of(summaries, by: .week, in: calendar), name: "week of"),
            totals("By month", RunTotals.of(summaries, by: .month, in: calendar), name: "month"),
          ]))
    }
    if !failed.isEmpty {
      sections.append(
        Page.Section(
          title: "Failed",
          contents: [.list(failed.map { Self.failure(of: $0, folder: folder) })]))
    }
    return Page(title: title, summary: [tiles(runs, failed: failed.count)], sections: sections, origin: origin).html
  }

  /// The name of a recording and why it failed; the name alone stands for the path in the reason.
  private static func failure(of row: Row, folder: String) -> String {
    let (name, reason) = (String(row.name.dropFirst(folder.count)), row.failure ?? "")
    return reason.hasPrefix(row.name) ? name + reason.dropFirst(row.name.count) : "\(name): \(reason)"
  }

  private func tiles(_ runs: [Row], failed: Int) -> Markup {
    let meters = runs.compactMap(\.distance)
    let distance =
      meters.isEmpty
      ? []
      : [
        (
          name: "Distance", value: "\((meters.reduce(0, +) / unit.meters).fixed(1)) \(unit.name)",
          more: meters.count == runs.count ? "of all runs" : "of \(meters.count.counted("run")) with a distance"
        )
      ]
    return .tiles(
      distance + [
        ("Runs", "\(runs.count)", failed == 0 ? "all tracked" : "\(failed) more failed"),
        (
          "Moving time", runs.reduce(0) { $0 + $1.movingSeconds }.clock,
          "of \(runs.reduce(0) { $0 + $1.elapsedSeconds }.clock)"
        ),
        ("Pauses", runs.reduce(0) { $0 + $1.pauses }.grouped, "in all runs"),
      ])
  }

  // MARK: - Runs

  private func runSection(_ runs: [Row], folder: String) -> Page.Section {
    guard !runs.isEmpty else { return Page.Section(title: "Runs", contents: [.paragraph("None.")]) }
    let hasClimb = runs.contains { $0.climb != nil }
    let heads = ["run", unit.name, "moving", "pace", "pauses"] + (hasClimb ? ["climb"] : [])
    let rows = runs.prefix(Self.rowLimit).map { row -> [Markup] in
      let pace = row.distance.flatMap { $0 >= 10 ? row.movingSeconds / $0 * 1000 : nil }
      let figures =
        [
          row.distance.map(unit.number), row.movingSeconds.clock, pace.map { unit.pace($0) }, "\(row.pauses)",
        ] + (hasClimb ? [row.climb.map { "\($0.fixed(0)) m" }] : [])
      return [.element("td", [:], heading(of: row, folder: folder))]
        + figures.map { .element("td", [:], [.text(($0 ?? "–").replacing(" ", with: "\u{A0}"))]) }
    }
    let table = Markup.table(heads: heads.map { .element("th", [:], [.text($0)]) }, rows: rows, style: "numbers runs")
    let states = RunTimeline.State.allCases.filter { state in
      runs.contains { $0.slices.contains { $0.state == state } }
    }
    let keys = states.map { Plot.Key(name: $0.shownName, swatch: .band($0.rawValue)) }
    let more = runs.count > rows.count ? [Markup.paragraph("The first \(rows.count) of \(runs.count).")] : []
    return Page.Section(
      title: "Runs", contents: [table] + Markup.legend(keys) + more)
  }

  /// The date of a run, or its name if there is no date, as a link. Below it are the name, if the date is shown, and a
  /// strip of the run's states.
  private func heading(of row: Row, folder: String) -> [Markup] {
    let name = String(row.name.dropFirst(folder.count))
    let text = row.startedAt.map { $0.dayAndTime(in: calendar.timeZone) } ?? name
    let link = row.page.map { Markup.element("a", ["href": $0], [.text(text)]) } ?? .text(text)
    let below = row.startedAt == nil ? [] : [Markup.element("div", ["class": "more"], [.text(name)])]
    let strip = row.slices.map { slice in
      Markup.rectangle(
        slice.state.rawValue, x: slice.seconds.lowerBound / max(1, row.elapsedSeconds),
        y: 10 * (1 - slice.state.height),
        share: (slice.seconds.upperBound - slice.seconds.lowerBound) / max(1, row.elapsedSeconds),
        height: 10 * slice.state.height)
    }
    let paused = row.slices.count { $0.state == .paused }
    let label = "\(row.elapsedSeconds.clock) with \(paused.counted("pause"))"
    return [link] + below + (strip.isEmpty ? [] : [.drawing(height: 10, label: label, strip)])
  }

  private func totals(_ title: String, _ totals: [RunTotals], name: String) -> Markup {
    let hasClimb = rows.contains { $0.climb != nil }
    let rows = totals.reversed().prefix(Self.rowLimit).map { part in
      let date = part.interval.start.dayAndTime(in: calendar.timeZone)
      return [
        String(date.prefix(name == "month" ? 7 : 10)), "\(part.runCount)", unit.number(part.meters),
        part.movingSeconds.clock,
      ] + (hasClimb ? ["\(part.climb.fixed(0)) m"] : [])
    }
    let titles = [name, "runs", unit.name, "moving"] + (hasClimb ? ["climb"] : [])
    return .figure(title, .table(titles: titles, rows: rows, isNumeric: true))
  }
}

extension RunListPage.Row {
  /// The figures that totals need; `nil` without a date.
  fileprivate var summary: RunSummary? {
    startedAt.map { date in
      RunSummary(
        name: name, startedAt: date, elapsedSeconds: elapsedSeconds, movingSeconds: movingSeconds,
        pausedSeconds: pausedSeconds, distance: distance, climb: climb)
    }
  }
}
