import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitRuns

/// Races, totals and summaries are the same after JSON, whose keys stay, and another version is one clear error.
@Suite struct JSONFormsOfRunsTests {
  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func read<Value: Decodable>(_: Value.Type, _ json: String) throws -> Value {
    try JSONFault.decode(Value.self, from: Data(json.utf8))
  }

  @Test func `A race goes on after JSON as if it had not been written`() throws {
    var race = Race()
    race.update("me", seconds: 61, meters: 203)
    race.update("you", seconds: 50, meters: 180.5)
    race.end("you")
    let text = try Self.json(race)
    #expect(text == #"{"ended":["you"],"runners":{"me":[[0,0],[61,203]],"you":[[0,0],[50,180.5]]},"version":1}"#)
    var restored = try Self.read(Race.self, text)
    #expect(restored == race)
    race.update("me", seconds: 30, meters: 120)
    restored.update("me", seconds: 30, meters: 120)
    #expect(restored.standings(at: 55) == race.standings(at: 55))
  }

  @Test(arguments: ["[]", "[[0,0],[0,1]]", "[[5,0],[4,1]]", "[[-1,0]]", "[[0,-1]]"])
  func `A race that cannot be is refused with the runner`(track: String) {
    let fault = #expect(throws: JSONFault.self) { try Self.read(Race.self, #"{"runners":{"me":\#(track)}}"#) }
    #expect(fault?.description == "runners: the updates of me are missing, out of order, or negative")
  }

  @Test func `A race without the runner who ended is refused`() {
    let fault = #expect(throws: JSONFault.self) { try Self.read(Race.self, #"{"runners":{},"ended":["you"]}"#) }
    #expect(fault?.description == "ended: you is not among the runners")
  }

  @Test func `Summaries and totals are the same after JSON`() throws {
    let runs = try (0..<3).map(RunStoreTests.stored)
    for run in runs {
      let text = try Self.json(run.summary)
      #expect(try Self.read(RunSummary.self, text) == run.summary)
      #expect(text.contains(#""timeZone":"Europe/Berlin","version":1}"#))
    }
    let empty = StoredRun(RunTimeline(start: .seconds(0), end: .seconds(60)), startedAt: Date(timeIntervalSince1970: 0))
    #expect(empty.summary.distance == nil && empty.summary.energy == nil && empty.summary.timeZone == nil)
    #expect(try Self.read(RunSummary.self, Self.json(empty.summary)) == empty.summary)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let totals = RunTotals.of([empty], by: .day, in: calendar)
    #expect(
      try Self.json(totals)
        == #"[{"climb":0,"end":86400,"meters":0,"movingSeconds":60,"runCount":1,"start":0,"version":1}]"#)
    #expect(try Self.read([RunTotals].self, Self.json(totals)) == totals)
    let fault = #expect(throws: JSONFault.self) { try Self.read(RunTotals.self, #"{"start":1,"end":0}"#) }
    #expect(fault?.description == "end: is before the start")
  }

  @Test func `Another version is one clear error in every form`() {
    func check<Value: Decodable>(_ type: Value.Type) {
      let fault = #expect(throws: JSONFault.self) { try Self.read(type, #"{"format":"gait.run","version":2}"#) }
      #expect(fault?.description == "version: is 2, but this Gait reads 1; update the app", "\(type)")
    }
    check(Race.self)
    check(RunSummary.self)
    check(RunTotals.self)
    check(StoredRun.self)
  }
}
