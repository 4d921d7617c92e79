import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// GPS points in the formats of several loggers.
struct LocationFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func samples(_ text: String, name: String = "places.csv") throws -> [LocationSample] {
    try folder.write(text, to: name)
    return try LocationFile(contentsOf: URL(filePath: name, relativeTo: folder.url)).samples
  }

  private func error(_ text: String, name: String = "places.csv") throws -> LocationFileError? {
    do {
      _ = try samples(text, name: name)
      return nil
    } catch let error as LocationFileError {
      return error
    }
  }

  /// 1e-7 degrees are about a centimetre; `Float` would be off by half a metre.
  @Test(arguments: [
    "time,latitude,longitude,altitude,speed,horizontalAccuracy\n2,48.1234567,-111.7654321,520.5,3.25,4\n",
    """
    time,seconds_elapsed,bearingAccuracy,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,bearing,altitude,\
    longitude,latitude
    2000000000,0.5,-1,-1,,4,3.25,90,520.5,-111.7654321,48.1234567

    """,
    """
    loggingTime(txt),locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84),locationAltitude(m),\
    locationSpeed(m/s),locationHorizontalAccuracy(m),motionYaw(rad)
    -,2.0,48.1234567,-111.7654321,520.5,3.25,4,1
    -,,,,,,,1

    """,
    """
    "Time (s)";"Latitude (°)";"Longitude (°)";"Height (m)";"Velocity (m/s)";"Direction (°)";"Horizontal Accuracy (m)"
    2,000000000E0;4,81234567E1;-1,117654321E2;5,205E2;3,25E0;9,0E1;4,0E0

    """,
    "timestamp_ms,lat,long,alt,speed,horizontal_accuracy\n2000,48.1234567,-111.7654321,520.5,3.25,4\n",
    "timestamp,lat,lon,elevation,speed,horizontalAccuracy\n1970-01-01T00:00:02Z,48.1234567,-111.7654321,520.5,3.25,4\n",
  ])
  func `Each recorder's table gives the same GPS point to a centimetre`(text: String) throws {
    #expect(
      try samples(text) == [
        LocationSample(
          time: .seconds(2), latitude: 48.1234567, longitude: -111.7654321, altitude: 520.5, speed: 3.25,
          horizontalAccuracy: 4)
      ])
  }

  @Test func `A FIT file is refused by name`() throws {
    #expect(try error("\u{0E}\u{10}456789.FIT", name: "run.fit") == .fit(file: "run.fit"))
  }

  @Test func `A watch's location is read if the phone's is absent`() throws {
    let text = "time,seconds_elapsed,latitude,longitude,course,altitude\n2000000000,0.5,1,2,90,520.5\n"
    try folder.write(text, to: "watch/WatchLocation.csv")
    let read = try LocationFile(contentsOf: URL(filePath: "watch", relativeTo: folder.url))
    #expect(read.samples == [LocationSample(time: .seconds(2), latitude: 1, longitude: 2, altitude: 520.5)])
  }

  @Test func `Rows without coordinates and invalid values are skipped`() throws {
    let found = try samples(
      "time,latitude,longitude,speed,horizontalAccuracy\n3,1,2,-1,-1\n1,,2,3,4\n,1,2,3,4\n2,5,6,7,8\n3,9,9,9,9\n")
    #expect(found.map(\.time) == [.seconds(2), .seconds(3)])
    #expect(found[1].latitude == 1)
    #expect(found[1].speed == nil)
    #expect(found[1].horizontalAccuracy == -1)
  }

  @Test(arguments: ["91,2", "-90.5,2", "1,180.5", "1,", ",2", "1,x", "N48°,2", "1,nan", "1e400,2"])
  func `One point with invalid coordinates is skipped and counted`(coordinates: String) throws {
    try folder.write(
      "time,latitude,longitude,speed\n1,5,6,3\n2,\(coordinates),3\n3,,,\n4,7,8,3\n", to: "places.csv")
    let file = try LocationFile(contentsOf: folder.file("places.csv"))
    #expect(file.samples.map(\.latitude) == [5, 7])
    #expect(file.invalidPointCount == 1)
  }

  @Test func `A negative horizontal accuracy marks an invalid fix, which a run rejects and counts`() throws {
    let rows = (0..<20).map { "\($0),\(48 + Double($0) * 0.00003),11,3,\($0 % 5 == 0 ? -1 : 5)\n" }
    let points = try samples("time,latitude,longitude,speed,horizontalAccuracy\n" + rows.joined())
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for point in points { tracker.append(point) }
    let run = tracker.finish()
    #expect(run.rejectedLocations == ["invalidAccuracy": 4])
    #expect(run.route.count == 16)
  }

  @Test func `GPX is detected from the content, not the file name`() throws {
    let text = """
      <?xml version="1.0"?><gpx><trk><trkseg>
      <trkpt lat="48.5" lon="11.25"><ele>500</ele><time>2026-01-02T03:04:05.500Z</time></trkpt>
      <trkpt lon='11.5' lat='48.75'><time>2026-01-02T04:04:06+01:00</time></trkpt>
      </trkseg></trk></gpx>
      """
    let found = try samples(text, name: "run.xml")
    #expect(found.map(\.latitude) == [48.5, 48.75])
    #expect(found.map(\.longitude) == [11.25, 11.5])
    #expect(found[0].altitude == 500)
    #expect(found[1].time.nanoseconds - found[0].time.nanoseconds == 500_000_000)
    #expect(try samples(text.replacingOccurrences(of: "48.75", with: "98.75"), name: "run.gpx") == [found[0]])
    let broken = try error(text.replacingOccurrences(of: "lat=", with: "x="), name: "run.gpx")
    guard case .malformed(_, "run.gpx", 2) = broken else {
      Issue.record("\(String(describing: broken))")
      return
    }
  }

  @Test func `The location file in a folder or archive is found`() throws {
    let text = "time,seconds_elapsed,latitude,longitude\n2000000000,1,1,2\n"
    try folder.write(text, to: "run/Location.csv")
    try folder.write(
      ZipWriter.archive([("Location.csv", text), ("Gravity.csv", "time\n")], isDeflated: true), to: "run.zip")
    try folder.write("time\n", to: "bare/Gravity.csv")
    for name in ["run", "run.zip"] {
      #expect(try LocationFile(contentsOf: folder.file(name)).samples.map(\.time) == [.seconds(2)])
    }
    #expect(throws: LocationFileError.self) { try LocationFile(contentsOf: folder.file("bare")) }
  }

  @Test func `Errors have file, line and column`() throws {
    #expect(
      try error("time,latitude\n1,2\n")
        == .table(.missingColumn("longitude", file: "places.csv", found: ["time", "latitude"])))
    #expect(
      try error("time,latitude,longitude\n1,2,x\n")
        == .table(.notANumber(file: "places.csv", line: 2, column: 3, name: "longitude", found: "x")))
    let malformed = LocationFileError.malformed("2.0, 181.0", file: "places.csv", line: 2)
    #expect(try error("time,latitude,longitude\n1,2,181\n") == malformed)
    #expect(malformed.description == "places.csv:2: the GPS point is not valid (2.0, 181.0); correct or remove it.")
    let empty = LocationFileError.noLocations(file: "places.csv")
    #expect(try error("time,latitude,longitude\n1,,\n") == empty)
    #expect(
      empty.description
        == "places.csv has no GPS points; supply a GPX or TCX track, or a table with time, latitude and longitude.")
    #expect(throws: LocationFileError.self) { try LocationFile(contentsOf: folder.file("none.csv")) }
  }

  /// Where a point at `point` seconds, with another 5 s later, lies on the clock of a recording of 20 s from `start`
  /// on.
  private func shifted(_ start: Double, _ point: Double) throws -> Double {
    let recording = Recording(
      name: "run", sampleRate: .hertz(50), start: .seconds(start),
      columns: [.gravityX: Array(repeating: 0, count: 1000)])
    let file = try samples("time,latitude,longitude\n\(point),1,2\n\(point + 5),1,2\n")
    #expect(file.count == 2)
    return try LocationFile(contentsOf: folder.file("places.csv")).aligned(to: recording)[0].time.seconds
  }

  @Test func `Clocks are the same if they overlap; a clock that starts at 0 starts with the other`() throws {
    #expect(try shifted(0, 12) == 12)
    #expect(try shifted(1000, 0) == 1000)
    #expect(try shifted(0, 1.8e9) == 0)
    #expect(try shifted(1.7e9, 1.7e9 + 3) == 1.7e9 + 3)
    #expect(throws: LocationFileError.self) { try shifted(1000, 1.8e9) }
  }

  /// TCX with a lap of points due north at these seconds.
  private func lap(_ seconds: [Int], total: Double) -> String {
    let points = seconds.map { second in
      let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(second)).formatted(.iso8601)
      return "<Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>\(48 + Double(second) / 40_000)"
        + "</LatitudeDegrees><LongitudeDegrees>11</LongitudeDegrees></Position></Trackpoint>"
    }
    return "<Lap><TotalTimeSeconds>\(total)</TotalTimeSeconds><Track>\(points.joined())</Track></Lap>"
  }

  private func segmentLengths(_ laps: [String]) throws -> [Int] {
    let url = try folder.write("<Activity>\(laps.joined())</Activity>", to: "run.tcx")
    return try LocationFile(contentsOf: url).segments.map(\.count)
  }

  @Test func `A lap of TCX that lasts longer than its time was paused in its longest steps`() throws {
    // Pauses of 40 s after second 99 and of 15 s after second 219.
    let paused = Array(0..<100) + Array(140..<220) + Array(235..<300)
    #expect(try segmentLengths([lap(paused, total: 299)]) == [245])
    #expect(try segmentLengths([lap(paused, total: 299 - 41)]) == [100, 145])
    #expect(try segmentLengths([lap(paused, total: 299 - 41 - 16)]) == [100, 80, 65])
    #expect(try segmentLengths([lap(paused, total: 299 - 16)]) == [180, 65])
    // A device that pauses from point to point says 40 and 15 s.
    #expect(try segmentLengths([lap(paused, total: 299 - 40 - 15)]) == [100, 80, 65])
    #expect(try segmentLengths([lap(paused, total: .nan)]) == [245])
    #expect(try segmentLengths([lap(paused, total: -5)]) == [245])
  }

  @Test func `Rare points and the rest between laps are no pauses of a device`() throws {
    let rare = Array(stride(from: 0, through: 300, by: 7))
    #expect(try segmentLengths([lap(rare, total: 294)]) == [rare.count])
    #expect(try segmentLengths([lap(rare, total: 292.5)]) == [rare.count])
    #expect(try segmentLengths([lap(Array(0..<60), total: 59), lap(Array(90..<150), total: 59)]) == [120])
    let second = lap(Array(60..<90) + [130, 131], total: 31)
    #expect(try segmentLengths([lap(Array(0..<60), total: 59), second]) == [90, 2])
  }
}
