// A running diary over months: summaries and runs in SQLite, by GRDB. Gait has no database; an app has its own.
import Foundation
import GRDB
import Gait
import GaitRuns
import RecordedRun

// A summary is a row: GRDB takes its columns from its Codable keys.
extension RunSummary: @retroactive FetchableRecord, @retroactive PersistableRecord {
  /// The table of the summaries.
  public static var databaseTableName: String { "summary" }
}

let database = try DatabaseQueue()  // in memory; an app passes a path
try database.write { database in
  try database.create(table: "summary") { table in
    table.primaryKey("id", .blob)
    table.column("startedAt", .double).notNull().indexed()
    for name in ["version", "steps"] { table.column(name, .integer) }
    for name in ["timeZone", "name", "notes", "metadata"] { table.column(name, .text) }
    for name in ["distance", "movingSeconds", "pausedSeconds", "elapsedSeconds", "climb", "pace", "energy"] {
      table.column(name, .double)
    }
  }
  try database.create(table: "run") { table in
    table.primaryKey("id", .blob).references("summary", onDelete: .cascade)
    table.column("data", .blob).notNull()
  }
}

/// Saves a run and its summary, or neither.
func save(_ run: StoredRun) throws {
  try database.write { database in
    try run.summary.save(database)
    try database.execute(
      sql: "INSERT OR REPLACE INTO run (id, data) VALUES (?, ?)", arguments: [run.id, try run.data()])
  }
}

func run(_ id: UUID) throws -> StoredRun? {
  try database.read { try Data.fetchOne($0, sql: "SELECT data FROM run WHERE id = ?", arguments: [id]) }
    .map { try StoredRun(data: $0) }
}

// Ten weeks of running: a recorded run, which on Saturdays is paused for walking too.
let recorded = try RecordedRun()
let runs = try [PausePolicy.whenStill, .whenNotRunning].map {
  try recorded.tracked(options: RunOptions(policy: $0, keepsEvidence: false))
}
let firstTuesday = Date(timeIntervalSince1970: 1_799_130_600)
for number in 0..<20 {
  let days = Double(number / 2 * 7 + number % 2 * 4)
  try save(
    StoredRun(
      runs[number % 2], startedAt: firstTuesday.addingTimeInterval(days * 86_400),
      timeZone: TimeZone(identifier: "America/New_York"), name: number % 2 == 0 ? "Tuesday lunch" : "Long Saturday",
      metadata: ["shoes": number < 12 ? "blue" : "red"], bodyMass: 70))
}

// The list reads rows, and no run.
let summaries = try database.read { try RunSummary.order(Column("startedAt").desc).fetchAll($0) }
print("\(summaries.count) runs; the last three:")
for summary in summaries.prefix(3) {
  var style = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.dash)
  style.timeZone = summary.timeZone ?? .gmt
  print(
    "  \(summary.startedAt.formatted(style)) \(summary.name): \(RunText.distance(summary.distance)) km, "
      + "\(RunText.clock(summary.movingSeconds)), \(RunText.pace(summary.pace)) /km, \(Int(summary.energy ?? 0)) kcal")
}

// Totals by the calendar.
var calendar = Calendar(identifier: .gregorian)
calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
for month in RunTotals.of(summaries, by: .month, in: calendar) {
  let number = calendar.component(.month, from: month.interval.start)
  print(
    "month \(number): \(month.runCount) runs, \(RunText.distance(month.meters)) km, \(RunText.clock(month.movingSeconds))"
  )
}

// What an app's own question needs is SQL.
let shoes = try database.read {
  try Row.fetchAll(
    $0,
    sql: """
      SELECT metadata ->> 'shoes' AS shoes, sum(distance) AS meters FROM summary GROUP BY shoes ORDER BY meters DESC
      """)
}
for row in shoes { print("\(row["shoes"] as String) shoes: \(RunText.distance(row["meters"])) km") }

// One run is opened, edited and saved again: its summary follows.
if let id = summaries.first?.id, var latest = try run(id) {
  print("opened \(latest.name): \(latest.timeline.route.count) GPS points, \(latest.timeline.pauses.count) pauses")
  latest.timeline.removePause(at: 0)
  latest.notes = "the first pause was a view"
  try save(latest)
  let changed = try database.read { try RunSummary.fetchOne($0, key: id) }
  print("now moving \(RunText.clock(changed?.movingSeconds)): \(changed?.notes ?? "")")
}
