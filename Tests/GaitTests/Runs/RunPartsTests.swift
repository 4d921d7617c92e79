import Foundation
import Gait
import Testing

/// Parts of a run have the figures of the run in their time.
@Suite struct RunPartsTests {
  /// 100 s due north at 3 m/s with a pause from 40 to 50 s, cadence and altitudes.
  private static let run: RunTimeline = {
    let route = (0...100).map {
      LocationSample(
        time: .seconds(Double($0)), latitude: 50 + Double($0) * 3 / 111_195, longitude: 8, speed: 3,
        horizontalAccuracy: 4)
    }
    var run = RunTimeline(
      start: .seconds(0), end: .seconds(100),
      pauses: [Pause(onset: .seconds(40), decidedAt: .seconds(41), end: .seconds(50), cause: .still)],
      activities: [
        ActivityChange(decidedAt: .seconds(1), onset: .seconds(0), activity: .walking),
        ActivityChange(decidedAt: .seconds(61), onset: .seconds(60), activity: .running),
      ], route: route)
    run.cadencePoints = (0...20).map { CadencePoint(time: .seconds(Double($0) * 5), stepsPerMinute: 160) }
    return run
  }()

  @Test func `The parts add up to the run`() throws {
    let total = try #require(Self.run.distance)
    for cut in [0.0, 12.5, 40, 45, 50, 73.2, 100] {
      let (before, after) = Self.run.divided(at: .seconds(cut))
      #expect(((before.distance ?? 0) + (after.distance ?? 0) - total).magnitude < 1e-6, "cut at \(cut) s")
      #expect((before.movingSeconds + after.movingSeconds - Self.run.movingSeconds).magnitude < 1e-9, "at \(cut) s")
      #expect(before.end == after.start)
      #expect(before.elapsedSeconds == cut)
      #expect(before.cadencePoints.count + after.cadencePoints.count >= Self.run.cadencePoints.count)
    }
  }

  @Test func `A part keeps the activity that began before it`() {
    let part = Self.run.part(from: .seconds(70), to: .seconds(90))
    #expect(part.slices.map(\.state) == [.running])
    #expect(part.activities.count == 1)
    #expect(part.route.count == 21)
    #expect(part.pauses.isEmpty)
    #expect(Self.run.part(from: .seconds(-5), to: .seconds(500)).distance == Self.run.distance)
  }

  @Test func `A part that ends in a pause ends paused`() {
    let part = Self.run.part(from: .seconds(20), to: .seconds(44))
    #expect(part.pauses == [Pause(onset: .seconds(40), decidedAt: .seconds(41), end: nil, cause: .still)])
    #expect(part.pausedSeconds == 4)
    #expect(part.movingSeconds == 20)
  }

  @Test(arguments: [12.5, 40, 45, 50, 73.2])
  func `A run that was split and joined again is the run, without a pause of no length`(cut: Double) {
    let (before, after) = Self.run.divided(at: .seconds(cut))
    let joined = before.joined(with: after)
    #expect(joined.pauses.count == 1, "\(joined.pauses)")
    #expect(joined.pauses.allSatisfy { $0.onset < $0.end ?? joined.end }, "\(joined.pauses)")
    #expect(joined.movingSeconds == Self.run.movingSeconds)
    #expect(joined.slices == Self.run.slices)
    #expect(((joined.distance ?? 0) - (Self.run.distance ?? 0)).magnitude < 1e-6)
  }

  @Test func `Two parts are joined with a pause between them`() throws {
    let first = Self.run.part(from: .seconds(0), to: .seconds(30))
    let second = Self.run.part(from: .seconds(60), to: .seconds(100))
    let joined = first.joined(with: second)
    #expect(joined.elapsedSeconds == 100)
    #expect(joined.movingSeconds == 70)
    #expect(joined.pausedSeconds == 30)
    let distances = try [first, second, joined].map { try #require($0.distance) }
    #expect((distances[0] + distances[1] - distances[2]).magnitude < 1e-6)
    #expect(joined.pauses.map(\.cause) == [.edited])
  }
}
