import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// The offset between the clock of GPS points and that of motion.
@Suite struct LocationClockTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A point a second from `start` to `end`, after points at `cached`.
  private static func points(_ start: Double, _ end: Double, cached: [Double] = []) -> [LocationSample] {
    (cached + Array(stride(from: start, through: end, by: 1))).map {
      LocationSample(time: .seconds($0), latitude: 48, longitude: 11)
    }
  }

  /// The shift of points onto the clock of motion from `start` to `end`, seconds.
  private static func shift(
    _ points: [LocationSample], to start: Double, _ end: Double, isSameFolder: Bool = false, shared: Double? = nil
  ) -> Double? {
    let motion = SampleTime.seconds(start).nanoseconds...SampleTime.seconds(end).nanoseconds
    let clock = LocationClock(motion: motion, samples: points, isSameFolder: isSameFolder)
    let shift = clock.shift(shared: shared.map { (SampleTime.seconds($0).nanoseconds, "seconds_elapsed") })
    return shift.map { Double($0.nanoseconds) / 1e9 }
  }

  @Test(arguments: [5.0, 9, 25])
  func `A cached point shortly before the run does not hide another time zone`(age: Double) {
    #expect(Self.shift(Self.points(3601, 4400, cached: [3600 - age]), to: 0, 805) == -3600)
    let early = Self.points(3601, 4400, cached: [3600 - 60, 3600 - age, 3600 - age / 2])
    #expect(Self.shift(early, to: 0, 805, isSameFolder: true) == -3600)
  }

  @Test func `Points within the motion, with cached ones before it, have the same clock`() {
    #expect(Self.shift(Self.points(3, 1800), to: 0, 1800) == 0)
    #expect(Self.shift(Self.points(20, 600, cached: [-180, -20]), to: 0, 1800) == 0)
    #expect(Self.shift(Self.points(-3000, 5000), to: 0, 1800) == 0)
    #expect(Self.shift(Self.points(1.7e9 + 8, 1.7e9 + 1808), to: 1.7e9, 1.7e9 + 1800) == 0)
  }

  @Test(arguments: [3600, -3600, 5400, 86_400, -366 * 86_400, 978_307_200] as [Double])
  func `Points another time zone, day, year or epoch away are brought back by whole quarter hours`(offset: Double) {
    let start = 1.7e9
    for (from, to) in [(0.0, 1800.0), (2, 1799), (-3, 1802), (25, 1800), (0, 1745)] {
      let points = Self.points(start + offset + from, start + offset + to, cached: [start + offset - 90])
      #expect(Self.shift(points, to: start, start + 1800) == -offset, "\(from) to \(to)")
    }
    #expect(Self.shift(Self.points(start + offset, start + offset + 20_000), to: start, start + 20_000) == -offset)
  }

  @Test func `Boot time and calendar time start together where both last equally long`() {
    let (boot, dated) = (54_321.0, 1.7e9)
    let (toBoot, toDated): (Double, Double) = (boot - dated, dated + 7 - boot)
    #expect(Self.shift(Self.points(dated, dated + 1800), to: boot, boot + 1800) == toBoot)
    #expect(Self.shift(Self.points(boot, boot + 1798), to: dated + 7, dated + 1807) == toDated)
    let cached = Self.points(boot, boot + 1798, cached: [54_200])
    #expect(Self.shift(cached, to: dated + 7, dated + 1807) == toDated)
  }

  @Test func `Spans at the two ends of the range of times have no offset`() {
    let points = [-3.9e9, 0, 3.9e9].map { LocationSample(time: .seconds($0), latitude: 48, longitude: 11) }
    for start in [3.95e9, -3.95e9] {
      for isSameFolder in [false, true] {
        #expect(Self.shift(points, to: start, start + 60, isSameFolder: isSameFolder) == nil)
      }
    }
  }

  @Test func `An offset that is not certain is none`() {
    #expect(Self.shift(Self.points(1.7e9, 1.7e9 + 900), to: 54_321, 56_121) == nil)
    #expect(Self.shift(Self.points(1.7e9 + 90_000, 1.7e9 + 91_000), to: 1.7e9, 1.7e9 + 1800) == nil)
    #expect(Self.shift(Self.points(1.7e9 + 5000, 1.7e9 + 5900), to: 1.7e9, 1.7e9 + 7200) == 0)
    #expect(Self.shift(Self.points(1.7e9 + 3600, 1.7e9 + 4000), to: 1.7e9, 1.7e9 + 3000) == nil)
    #expect(Self.shift(Self.points(0, 5000), to: 1.7e9, 1.7e9 + 3000) == nil)
  }

  @Test func `Files of one folder belong together`() {
    let late = Self.points(1.7e9 + 3600 + 300, 1.7e9 + 3600 + 1799)
    #expect(Self.shift(late, to: 1.7e9, 1.7e9 + 1800) == nil)
    #expect(Self.shift(late, to: 1.7e9, 1.7e9 + 1800, isSameFolder: true) == -3600)
    let boot = Self.points(54_321 + 20, 54_321 + 1800)
    #expect(Self.shift(boot, to: 1.7e9, 1.7e9 + 1800, isSameFolder: true) == 1.7e9 - 54_321)
  }

  @Test func `Columns that both files share decide`() {
    let points = Self.points(1.7e9 + 1234, 1.7e9 + 1500)
    #expect(Self.shift(points, to: 1.7e9 - 5000, 1.7e9 - 4000, shared: -6000) == -6000)
    // A shift that brings them nowhere near is rejected.
    #expect(Self.shift(points, to: 1.7e9 - 5000, 1.7e9 - 4000, shared: -60_000) == nil)
  }

  // MARK: Folders

  /// A Sensor Logger folder: 60 s of motion at 20 Hz from `start` and a GPS point a second, cached ones first.
  private static func writeSensorLogger(
    to folder: TemporaryDirectory, start: Int64 = 1_700_000_000_000_000_000, clock: Int64 = 0, elapsedClock: Double = 0
  ) throws {
    var motion = "time,seconds_elapsed,z,y,x\n"
    for row in 0...1200 { motion += "\(start + Int64(row) * 50_000_000),\(Double(row) / 20),0.1,0.2,0.3\n" }
    for name in ["Accelerometer", "Gravity", "Gyroscope"] { try folder.write(motion, to: "run/\(name).csv") }
    var places = "time,seconds_elapsed,speed,horizontalAccuracy,longitude,latitude\n"
    for second in [-90.0, -2.5] + Array(stride(from: 8.0, through: 60, by: 1)) {
      let time = start + clock + Int64(second * 1e9)
      places += "\(time),\(second + elapsedClock),3,5,11,\(48 + second / 40_000)\n"
    }
    try folder.write(places, to: "run/Location.csv")
  }

  private static func read(
    _ folder: TemporaryDirectory
  ) throws -> (recording: Recording, file: LocationFile, aligned: [LocationSample]) {
    let recording = try Recording(contentsOf: folder.file("run"))
    let file = try LocationFile(contentsOf: folder.file("run"))
    return (recording, file, try file.aligned(to: recording))
  }

  @Test func `A Sensor Logger folder with cached fixes has one clock`() throws {
    try Self.writeSensorLogger(to: folder)
    let (recording, file, aligned) = try Self.read(folder)
    #expect(aligned == file.samples)
    #expect(aligned.count == 55)
    #expect(try file.offset(to: recording) == 0)
    #expect(try file.date(ofStartOf: recording) == Date(timeIntervalSince1970: 1.7e9))
  }

  @Test(arguments: [3_600_000_000_000, -86_400_000_000_000, -1_699_900_000_123_000_000] as [Int64], [0.0, 1e5])
  func `A Location.csv of another clock is brought back`(clock: Int64, elapsed: Double) throws {
    // Where seconds_elapsed is of no use, the spans decide.
    try Self.writeSensorLogger(to: folder, clock: clock, elapsedClock: elapsed)
    let (recording, file, aligned) = try Self.read(folder)
    let offset = try file.offset(to: recording)
    #expect(abs(offset + Double(clock) / 1e9) < 1e-3, "\(offset)")
    #expect(abs(aligned[2].time.seconds(since: recording.start) - 8) < 1e-3)
  }

  @Test func `A SensorLog table joins the clocks of its rows`() throws {
    var text =
      "locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84),motionTimestamp_sinceReboot(s)\n"
    for row in 0...600 {
      let second = row / 10
      text += "\(1_700_000_000 + second),48.1,11.1,\(Double(row) / 10 + 4000.04)\n"
    }
    try folder.write(text, to: "log.csv")
    let file = try LocationFile(contentsOf: folder.file("log.csv"))
    let recording = Recording(
      name: "log.csv", sampleRate: .hertz(50), start: .seconds(4000),
      columns: [.gravityX: Array(repeating: 0, count: 3000)])
    #expect(abs(try file.offset(to: recording) - (4000.04 - 1.7e9)) < 1e-6)
  }

  @Test func `The error names both spans, and the option that helps`() throws {
    try folder.write(
      "time,latitude,longitude\n2026-05-01T10:00:00Z,48,11\n2026-05-01T10:10:00Z,48,11\n", to: "places.csv")
    let file = try LocationFile(contentsOf: URL(filePath: "places.csv", relativeTo: folder.url))
    let recording = Recording(
      name: "walk.csv", sampleRate: .hertz(10), start: .seconds(500),
      columns: [.gravityX: Array(repeating: 0, count: 201)])
    do {
      _ = try file.aligned(to: recording)
      Issue.record("the clocks differ")
    } catch {
      #expect(
        "\(error)"
          == "places.csv is from 2026-05-01T10:00:00Z to 2026-05-01T10:10:00Z, but walk.csv is from 500.0 s to 520.0 s: their clocks differ by an unknown offset; supply the seconds to add to the GPS times (--location-offset), or the GPS points of this run."
      )
    }
    #expect(try file.aligned(to: recording, offset: -1_777_629_000)[0].time == .seconds(600))
  }

  // MARK: phyphox

  /// A phyphox recording of 40 s at 20 Hz that was paused after 20 s for 300 s.
  private static func phyphoxFiles(_ separator: String = ",", decimal: String = ".") -> [(name: String, text: String)] {
    func line(_ cells: [String]) -> String {
      cells.map { $0.replacing(".", with: decimal) }.joined(separator: separator) + "\n"
    }
    func file(_ names: [String], _ rows: [[String]]) -> String {
      names.map { "\"\($0)\"" }.joined(separator: separator) + "\n" + rows.map(line).joined()
    }
    let motion = (0...800).map { ["\(Double($0) / 20 + 0.01)", "0.1", "0.2", "9.8"] }
    let places = (1...40).map { ["\($0)", "\(48 + Double($0) / 40_000)", "11.5", "3.0", "5.0"] }
    let time = [
      ["\"START\"", "0.0", "1700000000.5", "\"2023-11-14\""], ["\"PAUSE\"", "20.0", "1700000020.5", "\"\""],
      ["\"START\"", "20.0", "1700000320.5", "\"\""], ["\"PAUSE\"", "40.0", "1700000340.5", "\"\""],
    ]
    return [
      ("Accelerometer.csv", file(["Time (s)", "X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)"], motion)),
      (
        "Location.csv",
        file(["Time (s)", "Latitude (°)", "Longitude (°)", "Velocity (m/s)", "Horizontal Accuracy (m)"], places)
      ),
      ("meta/time.csv", file(["event", "experiment time", "system time", "system time text"], time)),
    ]
  }

  @Test(arguments: ["folder", "archive"], [",", ";"])
  func `phyphox's pauses are holes in the motion and in the route, and the date is its clock's`(
    kind: String, separator: String
  ) throws {
    let files = Self.phyphoxFiles(separator, decimal: separator == ";" ? "," : ".")
    if kind == "folder" {
      for file in files { try folder.write(file.text, to: "run/\(file.name)") }
    } else {
      try folder.write(ZipWriter.archive(files, isDeflated: true), to: "run")
    }
    let (recording, file, aligned) = try Self.read(folder)
    #expect(abs(recording.duration - 340) < 0.2)
    #expect(recording.gaps.count == 1)
    #expect(aligned == file.samples)
    #expect(aligned.map(\.time.seconds) == (1...20).map { Double($0) } + (321...340).map { Double($0) })
    let date = try #require(PhyphoxClock.date(ofStartOf: recording, at: folder.file("run")))
    #expect(abs(date.timeIntervalSince1970 - 1_700_000_000.51) < 1e-3)
  }

  @Test func `A recording without the file of its clock, or with a damaged one, has no date`() throws {
    for file in Self.phyphoxFiles().prefix(2) { try folder.write(file.text, to: "run/\(file.name)") }
    #expect(PhyphoxClock(in: folder.file("run")) == nil)
    for text in ["", "event\nSTART\n", "event,experiment time,system time\nSTART,x,y\n", "\u{0}\u{1}"] {
      try folder.write(text, to: "run/meta/time.csv")
      #expect(PhyphoxClock(in: folder.file("run")) == nil)
      #expect(try Recording(contentsOf: folder.file("run")).count > 700)
    }
  }
}
