import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

@Suite struct StoredRunTests {
  /// A run of `meters` at 3 m/s due north.
  private static func run(meters: Double) -> RunTimeline {
    let seconds = Int(meters / 3)
    let route = (0...seconds).map {
      LocationSample(
        time: .seconds(Double($0)), latitude: 50 + Double($0) * 3 / 111_195, longitude: 8, speed: 3,
        horizontalAccuracy: 4)
    }
    return RunTimeline(start: .seconds(0), end: .seconds(Double(seconds)), route: route)
  }

  private static func stored(_ meters: Double, _ date: String) throws -> StoredRun {
    StoredRun(run(meters: meters), startedAt: try Date(date, strategy: .iso8601), name: date)
  }

  @Test("a store keeps runs by date, and names files that it cannot read")
  func store() throws {
    let folder = try TemporaryDirectory()
    let store = RunStore(directory: folder.file("runs"))
    #expect(store.contents().runs.isEmpty)
    let later = try Self.stored(900, "2026-05-02T07:00:00Z")
    let earlier = try Self.stored(600, "2026-05-01T07:00:00Z")
    for run in [later, earlier, later] { try store.save(run) }
    #expect(store.contents().runs == [earlier, later])
    #expect(later.date(at: .seconds(60)) == (try Date("2026-05-02T07:01:00Z", strategy: .iso8601)))
    try folder.write("{\"format\":\"gait.run\",\"version\":9}", to: "runs/new.json")
    try folder.write("{", to: "runs/cut.json")
    let unreadable = store.contents().unreadable
    let reasons = Dictionary(uniqueKeysWithValues: unreadable.map { ($0.key.lastPathComponent, $0.value) })
    #expect(reasons["new.json"]?.hasSuffix("new.json: version: is 9, but this Gait reads 1; update the app.") == true)
    #expect(
      reasons["cut.json"]?.hasSuffix(
        "cut.json: it ends before its last bracket or quotation mark is closed; restore it from a backup."
      )
        == true)
    #expect(store.contains(later.id))
    try store.remove(later.id)
    #expect(!store.contains(later.id))
    #expect(store.contents().runs == [earlier])
  }

  @Test(
    "an impossible timeline is refused",
    arguments: [
      ("\"end\":200000000000", "\"end\":-1", "the run ends before it starts"),
      ("\"onset\":5000000000", "\"onset\":9000000000", "a pause ends before it begins"),
      ("\"version\":1", "\"version\":2", "update the app"),
    ])
  func impossible(part: String, replacement: String, reason: String) throws {
    var run = Self.run(meters: 600)
    run.addPause(from: .seconds(5), to: .seconds(8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(run), as: UTF8.self)
    #expect(text.contains(part), "\(text.prefix(300))")
    #expect(try JSONDecoder().decode(RunTimeline.self, from: Data(text.utf8)) == run)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        RunTimeline.self, from: Data(text.replacingOccurrences(of: part, with: replacement).utf8))
    }
    guard case .dataCorrupted(let context) = error else { throw try #require(error) }
    #expect(context.debugDescription.contains(reason))
  }

  @Test(
    "an entry that cannot be is refused with its place",
    arguments: [
      ("route", #"[{"time":1000000000,"latitude":500,"longitude":8}]"#, "timeline.route[0]"),
      ("path", "[[0,1000000000,3,0],[1000000000,2000000000,-3,0]]", "timeline.path[1]"),
      ("path", "[[0,1000000000,1e308,0]]", "timeline.path[0]"),
      ("path", "[[2000000000,1000000000,3,0]]", "timeline.path[0]"),
      ("unknown", "[[10000000000,999000000000]]", "timeline.unknown[0]"),
      ("holes", "[[-10000000000,5000000000]]", "timeline.holes[0]"),
      ("cadencePoints", #"[{"time":1000000000,"stepsPerMinute":1e308}]"#, "timeline.cadencePoints[0]"),
      ("cadencePoints", #"[{"time":1000000000,"stepsPerMinute":-7}]"#, "timeline.cadencePoints[0]"),
      ("droppedSampleCount", "-1", "timeline.droppedSampleCount"),
      ("rejected", #"{"late":-2}"#, "timeline.rejected.late"),
      ("barometer", #"[{"time":0,"relativeAltitude":1e300}]"#, "timeline.barometer[0]"),
      (
        "pauseLog",
        #"{"decisions":[],"mergeGapSeconds":0,"pauses":[{"onset":-5,"decidedAt":0,"end":9,"cause":"manual"}]}"#,
        "timeline.pauseLog.pauses[0]"
      ),
    ])
  func impossibleEntry(key: String, value: String, place: String) throws {
    let stored = StoredRun(
      RunTimeline(start: .seconds(0), end: .seconds(60)), startedAt: Date(timeIntervalSince1970: 0))
    let encoded = try JSONEncoder().encode(stored)
    var object = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
    var timeline = try #require(object["timeline"] as? [String: Any])
    timeline[key] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    object["timeline"] = timeline
    let json = try JSONSerialization.data(withJSONObject: object)
    let fault = #expect(throws: JSONFault.self) { try JSONFault.decode(StoredRun.self, from: json) }
    #expect(fault?.description.hasPrefix(place + ":") == true, "\(fault?.description ?? "")")
  }

  @Test("a pause is limited to its run")
  func limitedPauses() {
    var run = RunTimeline(start: .seconds(10), end: .seconds(60))
    run.addPause(from: .seconds(-100), to: .seconds(20))
    run.addPause(from: .seconds(50), to: .seconds(1e6))
    #expect(run.pauses.map(\.onset) == [.seconds(10), .seconds(50)])
    #expect(run.pausedSeconds == 20)
  }

  @Test("a file without the entries that came later is read")
  func older() throws {
    let text = #"{"start":0,"end":60000000000,"pauseLog":{"decisions":[],"pauses":[],"mergeGapSeconds":3}}"#
    let run = try JSONDecoder().decode(RunTimeline.self, from: Data(text.utf8))
    #expect(run.movingSeconds == 60)
    #expect(run.route.isEmpty)
    #expect(run.distance == nil)
  }

  @Test("totals follow the calendar's weeks and time zone")
  func totals() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    calendar.firstWeekday = 2
    // The second run starts on a Sunday in UTC, which is Monday, and May, in Auckland.
    let runs = try [
      Self.stored(600, "2026-04-27T07:00:00Z"), Self.stored(900, "2026-05-03T22:00:00Z"),
      Self.stored(300, "2027-01-01T00:00:00Z"),
    ]
    let weeks = RunTotals.of(runs, by: .week, in: calendar)
    #expect(weeks.map(\.runCount) == [1, 1, 1])
    #expect(weeks.map { $0.meters.rounded() } == [600, 900, 300])
    let months = RunTotals.of(runs, by: .month, in: calendar)
    #expect(months.map(\.runCount) == [1, 1, 1])
    #expect(months.map(\.movingSeconds) == [200, 300, 100])
    #expect(RunTotals.of(runs, by: .year, in: calendar).map(\.runCount) == [2, 1])
    calendar.timeZone = .gmt
    #expect(RunTotals.of(runs, by: .week, in: calendar).map(\.runCount) == [2, 1])
    #expect(weeks[1].interval.duration == 7 * 86_400)
  }
}
