import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

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

  @Test func `Our own GPX read back has the same points and the same distance`() throws {
    let again = try reread(Self.run)
    let paused = Self.run.pauses[0]
    #expect(again.route == Self.run.route.filter { $0.time < paused.onset || $0.time >= paused.end! })
    let (distance, other) = (try #require(Self.run.distance), try #require(again.distance))
    #expect(abs(distance - 3 * 1080) < 15 && abs(distance - other) < 2)
    var unpaused = Self.run
    unpaused.removePause(at: 0)
    #expect(try reread(unpaused).distance == unpaused.distance)
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
    #expect(laps.dropLast() == Array(repeating: 1000, count: 3)[...] && abs(laps.reduce(0, +) - distance) < 1e-6)
    let energy = try #require(Self.run.energy(bodyMass: 70))
    #expect(abs(values("Calories").reduce(0, +) - energy) < 4)
    #expect(text.components(separatedBy: "<Trackpoint>").count - 1 == Self.run.route.count)
    let unknown = try TrackDocument.tcx.text(of: Self.run)
    #expect(unknown.components(separatedBy: "<Calories>0</Calories>").count - 1 == 4)
  }

  @Test func `A run without GPS is no GPX, but a TCX of step rates`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(100), strides: StrideModel(running: 1, walking: 0.7))
    run.cadencePoints = stride(from: 2.56, to: 98, by: 1.28).map {
      CadencePoint(time: .seconds($0), stepsPerMinute: 170)
    }
    #expect(throws: TrackDocumentError.noLocations) { try TrackDocument.gpx.text(of: run) }
    let text = try TrackDocument.tcx.text(of: run)
    #expect(text.components(separatedBy: "<ns3:RunCadence>85</ns3:RunCadence>").count - 1 == run.cadencePoints.count)
    #expect(text.contains("<Lap ") && !text.contains("<Position>"))
  }
}
