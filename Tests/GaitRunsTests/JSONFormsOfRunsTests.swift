import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// Races, totals and summaries are the same after JSON, whose keys stay, and another version is one clear error.
@Suite struct JSONFormsOfRunsTests {
  @Test func `A race goes on after JSON as if it had not been written`() throws {
    var race = Race()
    race.update("me", seconds: 61, meters: 203)
    race.update("you", seconds: 50, meters: 180.5)
    race.end("you")
    let text = try JSONForm.text(race)
    #expect(text == #"{"ended":["you"],"runners":{"me":[[0,0],[61,203]],"you":[[0,0],[50,180.5]]},"version":1}"#)
    var restored = try JSONForm.read(Race.self, text)
    #expect(restored == race)
    race.update("me", seconds: 30, meters: 120)
    restored.update("me", seconds: 30, meters: 120)
    #expect(restored.standings(at: 55) == race.standings(at: 55))
  }

  @Test(arguments: ["[]", "[[0,0],[0,1]]", "[[5,0],[4,1]]", "[[-1,0]]", "[[0,-1]]"])
  func `A race that cannot be is refused with the runner`(track: String) {
    let fault = #expect(throws: JSONFault.self) { try JSONForm.read(Race.self, #"{"runners":{"me":\#(track)}}"#) }
    #expect(fault?.description == "runners: the updates of me are missing, out of order, or negative")
  }

  @Test func `A race without the runner who ended is refused`() {
    let fault = #expect(throws: JSONFault.self) { try JSONForm.read(Race.self, #"{"runners":{},"ended":["you"]}"#) }
    #expect(fault?.description == "ended: you is not among the runners")
  }

  @Test func `Summaries and totals are the same after JSON`() throws {
    let runs = try (0..<3).map(RunStoreTests.stored)
    for run in runs {
      let text = try JSONForm.text(run.summary)
      #expect(try JSONForm.read(RunSummary.self, text) == run.summary)
      #expect(text.contains(#""timeZone":"Europe/Berlin","version":1}"#))
    }
    let empty = StoredRun(RunTimeline(start: .seconds(0), end: .seconds(60)), startedAt: Date(timeIntervalSince1970: 0))
    #expect(empty.summary.distance == nil)
    #expect(empty.summary.energy == nil)
    #expect(empty.summary.timeZone == nil)
    #expect(try JSONForm.read(RunSummary.self, JSONForm.text(empty.summary)) == empty.summary)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let totals = RunTotals.of([empty], by: .day, in: calendar)
    #expect(
      try JSONForm.text(totals)
        == #"[{"climb":0,"end":86400,"meters":0,"movingSeconds":60,"runCount":1,"start":0,"version":1}]"#)
    #expect(try JSONForm.read([RunTotals].self, JSONForm.text(totals)) == totals)
    let fault = #expect(throws: JSONFault.self) { try JSONForm.read(RunTotals.self, #"{"start":1,"end":0}"#) }
    #expect(fault?.description == "end: is before the start")
  }

  @Test func `Another version is one clear error in every form`() {
    func check<Value: Decodable>(_ type: Value.Type) {
      let fault = #expect(throws: JSONFault.self) { try JSONForm.read(type, #"{"format":"gait.run","version":2}"#) }
      #expect(fault?.description == "version: is 2, but this Gait reads 1; update the app", "\(type)")
    }
    check(Race.self)
    check(RunSummary.self)
    check(RunTotals.self)
    check(StoredRun.self)
  }
}
