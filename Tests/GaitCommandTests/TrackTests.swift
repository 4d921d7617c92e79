import Foundation
import GaitTestSupport
import Testing

/// `gait track`, `gait evaluate --pauses` and `gait tune-pauses` on the sample set that comes with the package.
@Suite struct TrackTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let data = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "datasets/simulated").path
  private static let layout = [data, "--layout", "{label}/sub_{subject}.csv", "--rate", "50"]
  private static let running = data + "/running/sub_7.csv"

  private static func run(
    _ arguments: [String], in folder: TemporaryDirectory, input: String? = nil
  ) throws -> GaitProcess {
    let run = try GaitProcess(arguments, in: folder.url, input: input)
    #expect(run.status == 0, "\(arguments): \(run.complaints)")
    return run
  }

  /// A folder with a model that was trained on some of the people.
  private static func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    _ = try run(
      ["train"] + layout + ["--only", "subject=1,2,3", "--skip-cross-validation", "--output", "m.json"], in: folder)
    return folder
  }

  @Test func `A run is printed as JSON, text, slices, GPX and TCX, with a report`() throws {
    let folder = try Self.folder()
    let track = ["track", "m.json", Self.running, "--rate", "50"]
    let run = try Self.run(track + ["--json", "--step-length", "1", "--body-mass", "70"], in: folder).json()
    let keys = ["elapsed", "moving", "paused", "unknown", "slices", "pauses", "splits", "steps", "cadence"]
    #expect(keys.allSatisfy { run[$0] != nil })
    let (elapsed, moving, paused) = (
      try #require(run["elapsed"] as? Double), try #require(run["moving"] as? Double),
      try #require(run["paused"] as? Double)
    )
    #expect(abs(elapsed - moving - paused) < 1e-3)
    #expect(paused == 0)
    #expect((run["energy"] as? Double ?? 0) > 0)
    #expect(try Self.run(track, in: folder).output.hasPrefix("elapsed "))
    #expect(try Self.run(track + ["--output-format", "csv"], in: folder).output.hasPrefix("start,end,state\n0.0,"))
    #expect(try Self.run(track + ["--output-format", "tcx"], in: folder).output.contains("<ns3:RunCadence>"))
    let withoutRoute = try GaitProcess(track + ["--output-format", "gpx"], in: folder.url)
    #expect(withoutRoute.status == 65)
    #expect(withoutRoute.complaints.contains("supply a route (--location)."))
    try folder.write(
      "time,latitude,longitude,speed,horizontalAccuracy\n0,48,11,3,5\n10,48.0003,11,3,5\n20,48.0006,11,3,5\n",
      to: "route.csv")
    let withRoute = track + ["--location", "route.csv", "--report", "track.html"]
    #expect(try Self.run(withRoute + ["--output-format", "gpx"], in: folder).output.contains("<trkpt lat=\"48.0003\""))
    try folder.write(
      "<gpx><trk><trkseg><trkpt lat=\"48\" lon=\"11\"><time>2026-05-01T10:00:00Z</time></trkpt>"
        + "<trkpt lat=\"48.0003\" lon=\"11\"><time>2026-05-01T10:00:10Z</time></trkpt></trkseg></trk></gpx>",
      to: "route.gpx")
    let dated = try Self.run(track + ["--location", "route.gpx", "--output-format", "tcx"], in: folder).output
    #expect(dated.contains("<Id>2026-05-01T10:00:00.000Z</Id>"))
    #expect(dated.contains("<Time>2026-05-01T10:00:10.000Z</Time>"))
    let page = try String(contentsOf: folder.file("track.html"), encoding: .utf8)
    let charted = try Self.run(track + ["--chart", "track.svg"], in: folder)
    #expect(charted.output.hasPrefix("elapsed "))
    let chart = try String(contentsOf: folder.file("track.svg"), encoding: .utf8)
    #expect(chart.hasPrefix("<svg xmlns="))
    #expect(chart.contains("A run of 0:28 with 0 pauses"))
    #expect(page.contains("<svg"))
    #expect(!page.contains("http://www.w3.org/1999/xlink"))
    #expect(page.contains("Course of the run"))
  }

  @Test(arguments: ["run.gpx", "points.csv"])
  func `A track or a table of GPS points is a run, with its stops and the pauses between its segments`(name: String)
    throws
  {
    // 3 m/s north with a stop of 30 s; the device then paused for 60 s.
    var (gpx, csv) = ("<gpx><trk><trkseg>", "time,latitude,longitude,altitude\n")
    for second in 0..<400 where !(200..<260 ~= second) {
      if second == 260 { gpx += "</trkseg><trkseg>" }
      let moving = second - min(30, max(0, second - 100)) - (second >= 260 ? 60 : 0)
      let (place, time) = (
        48 + 3 * Double(moving) / 111_195, "2026-05-01T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      )
      gpx += "<trkpt lat=\"\(place)\" lon=\"11\"><ele>100</ele><time>\(time)</time></trkpt>"
      csv += "\(time),\(place),11,100\n"
    }
    try folder.write(gpx + "</trkseg></trk></gpx>", to: "run.gpx")
    try folder.write(csv, to: "points.csv")
    let tracked = try Self.run(["track", name, "--json", "--report", "run.html"], in: folder)
    #expect(tracked.complaints.contains("GPS points alone"))
    #expect(name == "points.csv" || tracked.complaints.contains("paused between its 2 segments"))
    let run = try tracked.json()
    let (elapsed, paused) = (try #require(run["elapsed"] as? Double), try #require(run["paused"] as? Double))
    #expect(abs(elapsed - 399) < 1)
    #expect(abs(paused - 90) < 6)
    let distance = try #require((run["distance"] as? [String: Any])?["meters"] as? Double)
    #expect(abs(distance - 3 * 309) < 30, "\(distance)")
    #expect(try String(contentsOf: folder.file("run.html"), encoding: .utf8).contains("<svg"))
  }

  @Test func `GPS on another clock is brought back and told, or refused with both spans`() throws {
    _ = try Self.run(["convert", Self.running, "own.csv", "--rate", "50"], in: folder)
    let lines = try String(contentsOf: folder.file("own.csv"), encoding: .utf8).split(separator: "\n")
    let rows = lines.drop { $0.hasPrefix("#") }
    let seconds = Double(rows.count - 2) / 50
    let later = rows.enumerated().map { index, row in
      index == 0
        ? String(row)
        : "\(1_700_000_000 + Double(index - 1) / 50)," + row.split(separator: ",").dropFirst().joined(separator: ",")
    }
    try folder.write(later.joined(separator: "\n") + "\n", to: "dated.csv")
    func places(_ start: Double, _ length: Double) -> String {
      "time,latitude,longitude,speed,horizontalAccuracy\n"
        + stride(from: 0, through: length, by: 1).map { "\(start + $0),\(48 + $0 / 40_000),11,3,5\n" }.joined()
    }
    let track = ["track", "running", "dated.csv", "--location", "places.csv"]
    try folder.write(places(1_700_003_600, seconds), to: "places.csv")
    let hour = try Self.run(track + ["--json"], in: folder)
    #expect(hour.complaints.contains("places.csv: -3600.000 s were added to the times of the GPS points"))
    let run = try hour.json()
    #expect(abs((run["elapsed"] as? Double ?? 0) - seconds) < 1)
    #expect(run["distance"] is [String: Any])
    let csv = try Self.run(track + ["--output-format", "csv"], in: folder).output
    #expect(csv.hasPrefix("start,end,state\n1700000000.0,"), "\(csv)")

    try folder.write(places(54_321, 2 * seconds + 20), to: "places.csv")
    let refused = try GaitProcess(track, in: folder.url)
    #expect(refused.status == 65)
    #expect(refused.complaints.contains("places.csv is from 54321.0 s to"))
    #expect(refused.complaints.contains("but dated.csv is from 2023-11-14T22:13:20Z to"))
    let stated = try Self.run(track + ["--location-offset", "1699945679", "--json"], in: folder)
    #expect(stated.complaints.contains("(as stated)"))
    #expect(abs((try stated.json()["elapsed"] as? Double ?? 0) - seconds) < 1)
  }

  @Test func `A run tells how much of it is unknown`() throws {
    _ = try Self.run(["convert", Self.running, "own.csv", "--rate", "50"], in: folder)
    let lines = try String(contentsOf: folder.file("own.csv"), encoding: .utf8).split(separator: "\n")
    let rows = lines.drop { $0.hasPrefix("#") }
    let middle = rows.count / 2
    let holed = rows.enumerated().map { index, row in
      guard index > 0 else { return String(row) }
      let time = Double(index - 1) / 50 + (index > middle ? 600 : 0)
      return "\(time)," + row.split(separator: ",").dropFirst().joined(separator: ",")
    }
    try folder.write(holed.joined(separator: "\n") + "\n", to: "holed.csv")
    let text = try Self.run(["track", "running", "holed.csv"], in: folder).output
    #expect(text.contains(", unknown 10:0"), "\(text)")
    #expect(text.contains("(no motion data)"), "\(text)")
    let run = try Self.run(["track", "running", "holed.csv", "--json"], in: folder).json()
    let (elapsed, moving, paused, unknown) = (
      run["elapsed"] as? Double ?? 0, run["moving"] as? Double ?? 0, run["paused"] as? Double ?? 0,
      run["unknown"] as? Double ?? 0
    )
    #expect(abs(elapsed - moving - paused - unknown) < 1e-6)
    #expect(abs(unknown - 600) < 1)
  }

  @Test func `Lines on standard input give the run of the file and every event`() throws {
    let folder = try Self.folder()
    let still = try String(contentsOfFile: Self.data + "/still/sub_7.csv", encoding: .utf8)
    let rows = still.split(separator: "\n").dropFirst().joined(separator: "\n")
    let running = try String(contentsOfFile: Self.running, encoding: .utf8)
    let text = running.trimmingCharacters(in: .newlines) + "\n" + rows + "\n"
    let live = try Self.run(["track", "m.json", "-", "--rate", "50"], in: folder, input: text).output
    #expect(live.contains("  paused since "))
    #expect(live.contains("activity since"))
    try folder.write(text, to: "whole.csv")
    let whole = try Self.run(["track", "m.json", "whole.csv", "--rate", "50"], in: folder).output
    #expect(live.hasSuffix(whole))
  }

  @Test func `Lines with times need no rate, and none is lost while the rate is determined`() throws {
    let folder = try Self.folder()
    _ = try Self.run(["convert", Self.running, "own.csv", "--rate", "50"], in: folder)
    let lines = try String(contentsOf: folder.file("own.csv"), encoding: .utf8).split(separator: "\n")
    let text = lines.drop { $0.hasPrefix("#") }.joined(separator: "\n") + "\n"
    let stated = try Self.run(["track", "m.json", "-", "--rate", "50"], in: folder, input: text).output
    #expect(try Self.run(["track", "m.json", "-"], in: folder, input: text).output == stated)
    #expect(stated.contains("activity since"))
    let untimed = try String(contentsOfFile: Self.running, encoding: .utf8)
    let refused = try GaitProcess(["track", "m.json", "-"], in: folder.url, input: untimed)
    #expect(refused.status == 64)
    #expect(refused.output == "")
    #expect(
      refused.complaints
        == "Error: standard input has no timestamps that give a sample rate; state the sample rate (--rate).\n")
  }

  @Test func `Only a run without a whole window gives a warning`() throws {
    let running = try String(contentsOfFile: Self.running, encoding: .utf8)
    try folder.write(running.split(separator: "\n").prefix(50).joined(separator: "\n") + "\n", to: "short.csv")
    let short = try Self.run(["track", "running", "short.csv", "--rate", "50"], in: folder)
    #expect(short.complaints.contains("short.csv lasts 1.0 s and has no whole window of 2.56 s"))
    let whole = try Self.run(["track", "running", Self.running, "--rate", "50"], in: folder)
    #expect(!whole.complaints.contains("no whole window"))
  }

  @Test func `Lines without an acceleration get an error that says what they hold`() throws {
    let text = "Time (s),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)\n0,1,2,3\n"
    let run = try GaitProcess(["track", "running", "-", "--rate", "50"], in: folder.url, input: text)
    #expect(run.status == 65, "\(run.complaints)")
    #expect(run.complaints.contains("rotation alone"), "\(run.complaints)")
    let bare = try GaitProcess(["track", "running", "-", "--rate", "50"], in: folder.url, input: "0,1,2,3\n")
    #expect(bare.status == 65, "\(bare.complaints)")
    #expect(bare.complaints.contains("does not name the columns"), "\(bare.complaints)")
  }

  @Test func `A pipe that is read as a file loses no bytes`() throws {
    let text = try String(contentsOfFile: Self.running, encoding: .utf8)
    let piped = try Self.run(["track", "running", "/dev/stdin", "--rate", "50"], in: folder, input: text)
    #expect(piped.output == (try Self.run(["track", "running", Self.running, "--rate", "50"], in: folder)).output)
  }

  @Test(arguments: [";", "\t", " "])
  func `Lines of any text format give the run of the file`(separator: String) throws {
    let lines = try String(contentsOfFile: Self.running, encoding: .utf8).split(separator: "\n").dropFirst()
    let rows = lines.enumerated().map { row, line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
      let total = (0..<3).map { "\(Float((cells[4 + $0] + cells[10 + $0]) * 9.80665))" }
      return (["\(row * 20)"] + total).joined(separator: separator)
        .replacing(".", with: separator == ";" ? "," : ".")
    }
    let names = ["time_ms"] + ["x", "y", "z"].map { "acc_\($0) (m/s^2)" }
    let header = separator == " " ? [] : [names.joined(separator: separator)]
    let options = separator == " " ? ["--columns", names.joined(separator: ",")] : []
    let text = (header + rows).joined(separator: "\n") + "\n"
    try folder.write(text, to: "walk.csv")
    let file = try Self.run(["track", "running", "walk.csv", "--policy", "notRunning"] + options, in: folder)
    let live = try Self.run(["track", "running", "-", "--policy", "notRunning"] + options, in: folder, input: text)
    #expect(live.output.hasSuffix(file.output))
    #expect(live.output.contains("activity since"))
    #expect(live.complaints.contains("standard input: estimated gravity from the total acceleration"))
  }

  @Test(.requiresOptimization)
  func `Pauses of recordings without gravity are evaluated with the model that fits`() throws {
    let source = URL(filePath: Self.data)
    for label in try FileManager.default.contentsOfDirectory(at: source, includingPropertiesForKeys: nil) {
      for person in [7, 8] {
        let file = label.appending(path: "sub_\(person).csv")
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
          .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let kept = rows[0].indices.filter { !rows[0][$0].hasPrefix("gravity") && !rows[0][$0].hasPrefix("attitude") }
        let lines = rows.map { row in kept.map { String(row[$0]) }.joined(separator: ",") }
        try folder.write(lines.joined(separator: "\n"), to: "\(label.lastPathComponent)/sub_\(person).csv")
      }
    }
    let judged = try Self.run(
      [
        "evaluate", "running", ".", "--layout", "{label}/sub_{subject}.csv", "--rate", "50", "--pauses", "--seeds", "1",
        "--hours", "0.05", "--json",
      ], in: folder)
    #expect(judged.complaints.contains("used the built-in model running-linear"), "\(judged.complaints)")
    let report = try judged.json()
    #expect(report["falsePausesPerHour"] as? Double == 0)
    #expect((report["pauseLatency"] as? [String: Double])?["median"] ?? 9 < 2.3)
  }

  @Test(.requiresOptimization)
  func `Pauses are evaluated on composed runs, and tuned settings are written into the model`() throws {
    let folder = try Self.folder()
    let pauses = Self.layout + ["--only", "subject=7,8", "--seeds", "1", "--hours", "0.05", "--json"]
    let judged = try Self.run(["evaluate", "m.json", "--pauses"] + pauses, in: folder)
    let report = try judged.json()
    #expect((report["leaks"] as? [Any])?.isEmpty == true)
    #expect(!judged.complaints.contains("trained on"))
    let keys = [
      "hours", "falsePausesPerHour", "missedPauses", "falseResumesPerPausedHour", "pauseLatency", "resumeLatency",
      "pauseOnset", "resumeOnset", "movingTimeErrorPercent", "raw", "tradeOff",
    ]
    #expect(keys.allSatisfy { report[$0] != nil })
    #expect(report["falsePausesPerHour"] as? Double == 0)
    #expect((report["pauseLatency"] as? [String: Double])?["median"] ?? 9 < 2.3)
    let onset = try #require(report["pauseOnset"] as? [String: Any])
    #expect(onset.keys.sorted() == ["largest", "mean", "size", "sizeByFixedOffset"])
    let seen =
      ["evaluate", "m.json", "--pauses"] + Self.layout
      + ["--only", "subject=1", "--seeds", "1", "--hours", "0.02", "--json"]
    let optimistic = try Self.run(seen, in: folder)
    #expect((try optimistic.json()["leaks"] as? [Any])?.isEmpty == false)
    #expect(optimistic.complaints.contains("was trained on at least 3 of these recordings: its scores are too high"))
    let refused = try GaitProcess(seen + ["--strict"], in: folder.url)
    #expect(refused.status == 65)
    #expect(refused.output.isEmpty)
    #expect(refused.complaints.contains("omit --strict"))
    let tuned = try Self.run(["tune-pauses", "m.json"] + pauses + ["--output", "t.json"], in: folder).json()
    #expect(tuned["settings"] != nil)
    #expect(tuned["tried"] as? Int ?? 0 > 100)
    #expect(try Self.run(["inspect", "t.json"], in: folder).output.contains("every 0.2 s, tuned"))
    let only = ["--only", "subject=1,2,3,4", "--folds", "2", "--output", "f.json"]
    let folded = ["tune-pauses", "m.json"] + Self.layout + only
    let every = ["--every-minute", "--seeds", "1"]
    #expect(try Self.run(folded + every + ["--json"], in: folder).json()["hours"] as? Double ?? 0 > 0)
    let other = try GaitProcess(folded + every + ["--penalty", "1", "--force"], in: folder.url)
    #expect(other.status != 0, "\(other.complaints)")
    #expect(other.complaints.contains("give its --penalty"), "\(other.complaints)")
  }
}
