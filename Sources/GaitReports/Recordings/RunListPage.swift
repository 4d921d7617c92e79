import Gait
import GaitTraining

/// The overview of many tracked runs: totals, and a row for each run.
public struct RunListPage: Sendable {
  /// A run, or a recording that could not be tracked.
  public struct Row: Sendable {
    /// The recording's name.
    public var name: String
    /// Seconds.
    public var elapsedSeconds = 0.0
    /// Seconds.
    public var movingSeconds = 0.0
    /// The number of pauses.
    public var pauses = 0
    /// Metres; `nil` if unknown.
    public var distance: Double?
    /// Why there is no run; `nil` if there is one.
    public var failure: String?

    /// A row with a name only.
    public init(name: String) { self.name = name }
  }

  /// The page's heading.
  public var title: String
  /// The runs.
  public var rows: [Row]
  /// What made the page, for its footer.
  public var origin = PageOrigin()

  /// The most rows with bars; more are counted.
  private static let rowLimit = 2000

  /// An overview of runs.
  public init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  /// The folder of all recordings, which no row repeats.
  private var commonFolder: String {
    guard rows.count > 1, let first = rows.first?.name.split(separator: "/", omittingEmptySubsequences: false) else {
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
    let runs = rows.filter { $0.failure == nil }
    let failed = rows.filter { $0.failure != nil }
    let meters = runs.compactMap(\.distance)
    let tiles = [
      ("Runs", "\(runs.count)", failed.isEmpty ? "all tracked" : "\(failed.count) failed"),
      (
        "Moving time", runs.reduce(0) { $0 + $1.movingSeconds }.clock,
        "of \(runs.reduce(0) { $0 + $1.elapsedSeconds }.clock)"
      ),
      ("Pauses", runs.reduce(0) { $0 + $1.pauses }.grouped, "in all runs"),
    ]
    let distance =
      meters.isEmpty
      ? [] : [("Distance", "\((meters.reduce(0, +) / 1000).fixed(1)) km", "of \(meters.count) runs with a distance")]
    let folder = commonFolder
    let cells = runs.prefix(Self.rowLimit).map { row in
      [
        String(row.name.dropFirst(folder.count)), row.elapsedSeconds.clock, row.movingSeconds.clock, "\(row.pauses)",
        row.distance.map { ($0 / 1000).fixed(2) } ?? "–",
        row.distance.map { $0 >= 10 ? (row.movingSeconds / $0 * 1000).pace : "–" } ?? "–",
      ]
    }
    let table = Markup.table(
      titles: ["recording", "elapsed", "moving", "pauses", "km", "/km"], rows: cells, isNumeric: true)
    let more = runs.count > cells.count ? [Markup.paragraph("The first \(cells.count) of \(runs.count).")] : []
    var sections = [Page.Section(title: "Runs", contents: cells.isEmpty ? [.paragraph("None.")] : [table] + more)]
    if !failed.isEmpty {
      sections.insert(
        Page.Section(
          title: "Failed",
          contents: [.list(failed.map { "\($0.name.dropFirst(folder.count)): \($0.failure ?? "")" })]), at: 0)
    }
    return Page(title: title, summary: [.tiles(distance + tiles)], sections: sections, origin: origin).html
  }
}
