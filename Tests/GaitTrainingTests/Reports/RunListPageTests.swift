import Foundation
import Gait
import GaitTraining
import Testing

@testable import GaitReports

@Suite struct RunListPageTests {
  private static func row(_ name: String, day: Int?, meters: Double?) -> RunListPage.Row {
    var row = RunListPage.Row(name: "runs/\(name).csv")
    // Days of May 2026, which begins on a Friday.
    row.startedAt = day.map { Date(timeIntervalSince1970: 1_777_593_600 + Double($0 - 1) * 86_400 + 7 * 3600) }
    (row.elapsedSeconds, row.movingSeconds, row.pausedSeconds, row.pauses) = (1900, 1800, 100, 1)
    (row.distance, row.climb, row.page) = (meters, 30, "tracked/\(name).csv.run.html")
    row.slices = [(0..<900, .running), (900..<1000, .paused), (1000..<1900, .running)]
    return row
  }

  private static func page(_ rows: [RunListPage.Row]) throws -> ParsedPage {
    var page = RunListPage(title: "Runs", rows: rows)
    page.calendar = Calendar(identifier: .iso8601)
    page.calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    return try ParsedPage(page.html)
  }

  @Test func `Runs are listed from the latest, with a link to each page, and failures come last`() throws {
    var failed = RunListPage.Row(name: "runs/broken.csv")
    failed.failure = "no rows"
    let page = try Self.page([
      failed, Self.row("undated", day: nil, meters: 4000), Self.row("old", day: 2, meters: 5000),
      Self.row("new", day: 9, meters: nil),
    ])
    #expect(page.texts["a"]?.suffix(3) == ["2026-05-09, 07:00", "2026-05-02, 07:00", "undated.csv"])
    #expect(page.texts["h2"] == ["Runs", "Weeks and months", "Failed"])
    #expect(page.texts["li"]?.last == "broken.csv: no rows")
    #expect(page.texts["div"]?.contains("of 2 runs with a distance") == true)
    #expect(page.labels.contains("31:40 with 1 pause"), "\(page.labels)")
  }

  @Test func `No folder of the author's is on the page`() throws {
    var failed = RunListPage.Row(name: "/home/me/runs/broken.csv")
    failed.failure = "/home/me/runs/broken.csv:1: no rows"
    let page = RunListPage(title: "t", rows: [failed]).html
    #expect(page.contains("broken.csv:1: no rows"))
    #expect(!page.contains("/home/me"))
    var origin = PageOrigin()
    origin.folder = "/home/me/work"
    #expect(origin.relative("/home/me/work/data/1.csv") == "data/1.csv")
    #expect(origin.relative("data/1.csv") == "data/1.csv")
    #expect(origin.relative("/home/me/runs/1.csv") == "../runs/1.csv")
    #expect(origin.relative("/home/me/work") == ".")
    #expect(
      origin.plotCommand("/home/me/runs/a b.csv", from: 3, to: 7.5) == "gait plot '../runs/a b.csv' --from 3 --to 8")
  }

  @Test func `Weeks and months add up the runs with a date`() throws {
    let page = try Self.page([
      Self.row("a", day: 3, meters: 5000), Self.row("b", day: 4, meters: 6000), Self.row("c", day: 5, meters: 7000),
      Self.row("undated", day: nil, meters: 4000),
    ])
    let cells = try #require(page.texts["td"])
    let week = try #require(cells.firstIndex(of: "2026-05-04"))
    #expect(cells[week...].prefix(5) == ["2026-05-04", "2", "13.00", "1:00:00", "60 m"])
    #expect(cells.contains("2026-04-27"), "the third of May is a Sunday")
    let month = try #require(cells.firstIndex(of: "2026-05"))
    #expect(cells[month...].prefix(5) == ["2026-05", "3", "18.00", "1:30:00", "90 m"])
  }
}
