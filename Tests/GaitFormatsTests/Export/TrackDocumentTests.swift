import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

@Suite struct TrackDocumentTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Twenty minutes north at 3 m/s with a stop of two minutes, and jitter that depends on the second.
  private static let run: RunTimeline = {
    let start = 1_700_000_000.0
    var place = 0.0
    var route: [LocationSample] = []
    for second in 0...1200 {
      let stands = 600..<720 ~= second
      if !stands, second > 0 { place += 3 }
      let jitter = Double(second * 7919 % 101) / 50 - 1
      route.append(
        LocationSample(
          time: .seconds(start + Double(second)), latitude: 48 + (place + jitter) / 111_190,
          longitude: 11 + jitter / 74_600,
          altitude: 500 + jitter, speed: stands ? 0.05 : 3 + jitter / 10, horizontalAccuracy: 5.5,
          verticalAccuracy: 4.25, speedAccuracy: 0.3))
    }
    let pause = Pause(
      onset: .seconds(start + 600), decidedAt: .seconds(start + 602), end: .seconds(start + 720), cause: .still)
    return RunTimeline(start: .seconds(start), end: .seconds(start + 1200), pauses: [pause], route: route)
  }()

  private func reread(_ run: RunTimeline, as document: TrackDocument = .gpx) throws -> RunTimeline {
    let url = folder.url.appending(path: "run.gpx")
    try document.text(of: run).write(to: url, atomically: true, encoding: .utf8)
    return RunTimeline(
      start: run.start, end: run.end, pauses: run.pauses, route: try LocationFile(contentsOf: url).samples)
  }

  @Test func `Our own GPX read back has the same times and the same distance`() throws {
    let again = try reread(Self.run)
    let paused = Self.run.pauses[0]
    #expect(again.route.map(\.time) == Self.run.route.map(\.time).filter { $0 <= paused.onset || $0 >= paused.end! })
    let (distance, other) = (try #require(Self.run.distance), try #require(again.distance))
    #expect(abs(distance - 3 * 1080) < 15)
    #expect(abs(distance - other) < 5)
    var unpaused = Self.run
    unpaused.removePause(at: 0)
    let whole = try #require(unpaused.distance)
    let reread = try reread(unpaused).distance ?? 0
    #expect(abs(reread - whole) < 0.03 * whole, "\(reread) m of \(whole) m")
  }

  /// The length of the line through points, metres.
  private func length(of points: some Collection<LocationSample>) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
  }

  @Test func `The line of a GPX is as long as the distance, and its segments end where pauses begin`() throws {
    var run = Self.run
    run.movePause(at: 0, from: run.start.advanced(bySeconds: 600.25), to: run.start.advanced(bySeconds: 719.5))
    let raw = length(of: run.route.filter { $0.time < run.pauses[0].onset || $0.time > run.pauses[0].end! })
    let url = folder.url.appending(path: "segments.gpx")
    try TrackDocument.gpx.text(of: run).write(to: url, atomically: true, encoding: .utf8)
    let segments = try LocationFile(contentsOf: url).segments
    let distance = try #require(run.distance)
    let line = segments.reduce(0) { $0 + length(of: $1) }
    #expect(raw > 1.05 * distance, "\(raw) m, \(line) m of \(distance) m")
    #expect(abs(line - distance) < 0.002 * distance, "\(raw) m, \(line) m of \(distance) m")
    let edges = segments.flatMap { [$0.first?.time, $0.last?.time] }.map { $0?.seconds(since: run.start) ?? -1 }
    #expect(zip(edges, [0, 600.25, 719.5, 1200]).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(edges.count == 4)
  }

  @Test func `A point at the start of a stretch stays as it was measured`() {
    let (start, middle) = (SampleTime(nanoseconds: 0), SampleTime(nanoseconds: 5_000_000_000))
    let route = [
      LocationSample(time: start, latitude: 48.123_456_789, longitude: 11, speed: 3),
      LocationSample(time: SampleTime(nanoseconds: 10_000_000_000), latitude: 48.2, longitude: 11, speed: 3),
    ]
    let points = route.points(in: start..<middle)
    #expect(points.first == route[0])
    #expect(points.map(\.time) == [start, middle])
  }

  @Test func `A line across the date line stays there`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(100))
    run.route = (0...100).map { second in
      let east = 179.9995 + Double(second) * 1e-5 + (second.isMultiple(of: 2) ? 1e-5 : 0)
      return LocationSample(
        time: .seconds(Double(second)), latitude: 0, longitude: east > 180 ? east - 360 : east, speed: 1.1,
        horizontalAccuracy: 5)
    }
    let url = folder.url.appending(path: "east.gpx")
    try TrackDocument.gpx.text(of: run).write(to: url, atomically: true, encoding: .utf8)
    let points = try LocationFile(contentsOf: url).samples
    #expect(points.count == 101)
    #expect(points.allSatisfy { $0.longitude.magnitude > 179.99 })
  }

  @Test func `Altitudes are the barometer's where it has any, above sea level`() throws {
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for point in Self.run.route.prefix(300) {
      tracker.append(point)
      let seconds = point.time.seconds(since: Self.run.start)
      if seconds > 20 { tracker.append(AltitudeSample(time: point.time, relativeAltitude: seconds / 30)) }
    }
    let points = TrackStretches(tracker.finish()).points.joined()
    let altitudes = points.compactMap(\.altitude)
    #expect(altitudes == altitudes.sorted())
    #expect(altitudes.count == points.count)
    let mean: Double = altitudes.reduce(0, +) / Double(altitudes.count)
    let rise: Double = altitudes[altitudes.count - 1] - altitudes[0]
    #expect(abs(mean - 500) < 1)
    #expect(abs(rise - 279 / 30) < 0.7)
  }

  @Test func `Laps are waypoints of GPX and laps of TCX with a track for each stretch`() throws {
    var run = Self.run
    run.markLap(at: run.start.advanced(bySeconds: 300.4))
    run.markLap(at: run.start.advanced(bySeconds: 650))
    let gpx = try TrackDocument.gpx.text(of: run)
    #expect(gpx.components(separatedBy: "<type>lap</type>").count == 3)
    #expect(gpx.contains("<name>Lap 2</name>"))
    // A lap between two points of the route has the place between them.
    for (text, lap) in zip(gpx.components(separatedBy: "<wpt lat=\"").dropFirst(), run.lapEnds) {
      let next = try #require(run.route.first { $0.time >= lap }),
        before = try #require(run.route.last { $0.time <= lap })
      let latitude = try #require(Double(text.prefix { $0 != "\"" }))
      let north = max(next.latitude, before.latitude), south = min(next.latitude, before.latitude)
      #expect((south - 1e-7...north + 1e-7) ~= latitude)
    }
    let laps = try TrackDocument.tcx.text(of: run).components(separatedBy: "<Lap ").dropFirst()
    #expect(laps.map { $0.components(separatedBy: "<Track>").count - 1 } == [1, 1, 1])
    run.removeLap(at: 1)
    let fewer = try TrackDocument.tcx.text(of: run).components(separatedBy: "<Lap ").dropFirst()
    #expect(fewer.map { $0.components(separatedBy: "<Track>").count - 1 } == [1, 2])
    let url = folder.url.appending(path: "run.tcx")
    try TrackDocument.tcx.text(of: run).write(to: url, atomically: true, encoding: .utf8)
    #expect(try LocationFile(contentsOf: url).segments.count == 2)
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func `A mass that cannot be is an error that says so`(kilograms: Double) throws {
    #expect(throws: ExportError.self) { try TrackDocument.tcx.text(of: Self.run, bodyMass: kilograms) }
    #expect(throws: RunValueError.self) { try Self.run.energy(bodyMass: kilograms) }
    #expect(throws: ModelError.self) {
      try RunTracker(sampleRate: .hertz(50), options: RunOptions(bodyMass: kilograms))
    }
    #expect("\(RunValueError.bodyMass(0))" == "a body mass cannot be 0.0 kg; enter a positive number of kilograms.")
  }

  @Test func `Points that a run rejected are not written`() throws {
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for (index, point) in Self.run.route.prefix(60).enumerated() {
      var point = point
      if index % 10 == 5 { point.horizontalAccuracy = -1 }
      if index == 33 { point.latitude += 1 }
      _ = tracker.append(point)
    }
    let run = tracker.finish()
    #expect(run.rejectedLocations == ["invalidAccuracy": 6, "teleport": 1])
    let text = try TrackDocument.gpx.text(of: run)
    #expect(text.components(separatedBy: "<trkpt").count - 1 == 53)
    #expect(!text.contains("lat=\"49"))
  }

  @Test(.requiresOptimization)
  func `A TCX has a lap for each kilometre and the rest, which add up, with calories for a known body mass`()
    throws
  {
    let text = try TrackDocument.tcx.text(of: Self.run, bodyMass: 70)
    func values(_ name: String) -> [Double] {
      text.components(separatedBy: "<\(name)>").dropFirst().compactMap { Double($0.prefix { $0 != "<" }) }
    }
    let distance = try #require(Self.run.distance)
    #expect(values("TotalTimeSeconds").count == 4)
    #expect(abs(values("TotalTimeSeconds").reduce(0, +) - Self.run.movingSeconds) < 1e-6)
    let laps = text.components(separatedBy: "</TotalTimeSeconds><DistanceMeters>").dropFirst()
      .compactMap { Double($0.prefix { $0 != "<" }) }
    #expect(laps.dropLast() == Array(repeating: 1000, count: 3)[...])
    #expect(abs(laps.reduce(0, +) - distance) < 1e-6)
    let energy = try #require(try Self.run.energy(bodyMass: 70))
    #expect(abs(values("Calories").reduce(0, +) - energy) < 4)
    // Both ends of the pause and of each lap have a point; those in the pause are left out.
    #expect(text.components(separatedBy: "<Trackpoint>").count - 1 == Self.run.route.count - 119 + 6)
    let unknown = try TrackDocument.tcx.text(of: Self.run)
    #expect(unknown.components(separatedBy: "<Calories>0</Calories>").count - 1 == 4)
  }

  @Test func `A run without GPS is no GPX, but a TCX of step rates`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(100), strides: StrideModel(running: 1, walking: 0.7))
    run.cadencePoints = stride(from: 2.56, to: 98, by: 1.28).map {
      CadencePoint(time: .seconds($0), stepsPerMinute: 170)
    }
    #expect(throws: ExportError.noLocations) { try TrackDocument.gpx.text(of: run) }
    let text = try TrackDocument.tcx.text(of: run)
    #expect(
      text.components(separatedBy: "<ns3:RunCadence>85</ns3:RunCadence>").count - 1 == run.cadencePoints.count + 2)
    #expect(text.contains("<Lap "))
    #expect(!text.contains("<Position>"))
  }

  /// A heart rate every 5 s of the first ten minutes, which rises by one beat a minute.
  private static let heartRates = stride(from: 0.0, to: 600, by: 5).map {
    HeartRate(time: run.start.advanced(bySeconds: $0), beatsPerMinute: 120 + ($0 / 60).rounded(.down))
  }

  @Test func `Points and laps have the heart rates of the app, where there are any`() throws {
    let gpx = try TrackDocument.gpx.text(of: Self.run, heartRates: Self.heartRates.reversed())
    let points = gpx.components(separatedBy: "<trkpt").dropFirst()
    #expect(points.first?.contains("<gpxtpx:hr>120</gpxtpx:hr><gpxtpx:speed>") == true)
    #expect(points.dropFirst(90).first?.contains("<gpxtpx:hr>121</gpxtpx:hr>") == true)
    // The last heart rate is at 595 s, and the next 10 s have it.
    #expect(points.count { $0.contains("<gpxtpx:hr>") } == 601)
    let tcx = try TrackDocument.tcx.text(of: Self.run, heartRates: Self.heartRates)
    #expect(tcx.contains("</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm><Extensions>"))
    let laps = tcx.components(separatedBy: "<Lap ").dropFirst()
    let heart =
      "<AverageHeartRateBpm><Value>122</Value></AverageHeartRateBpm>"
      + "<MaximumHeartRateBpm><Value>125</Value></MaximumHeartRateBpm><Intensity>"
    #expect(laps.first?.contains(heart) == true, "\(laps.first?.prefix(400) ?? "")")
    #expect(laps.last?.contains("HeartRateBpm") == false)
    #expect(try TrackDocument.gpx.text(of: Self.run).contains("gpxtpx:hr") == false)
  }

  @Test(arguments: [0, 256, -1, .nan, .infinity] as [Double])
  func `A heart rate that cannot be is refused by its place`(rate: Double) throws {
    let rates = Self.heartRates.prefix(2) + [HeartRate(time: Self.run.start, beatsPerMinute: rate)]
    let error = try #require(throws: ExportError.self) {
      try TrackDocument.tcx.text(of: Self.run, heartRates: Array(rates))
    }
    #expect(
      error.description == "heartRates[2] is \(rate) beats a minute, but GPX and TCX have 1 to 255; leave it out.")
  }
}
