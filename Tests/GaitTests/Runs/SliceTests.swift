import Foundation
import Testing

@testable import Gait

/// The shortest slices of a finished run, and the speeds that no walk has.
@Suite struct SliceTests {
  private static func track(_ drawing: String) throws -> (run: RunTimeline, events: [RunEvent]) {
    var tracker = try RunStartTests.tracker()
    let events = personSamples(drawing).flatMap { tracker.append($0) }
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == tracker.finish())
    return (tracker.finish(), events)
  }

  private static func seconds(_ run: RunTimeline) -> [Double] {
    run.slices.map { ($0.end.seconds(since: $0.start) * 10).rounded() / 10 }
  }

  @Test func `A still recording is one pause from its first sample`() throws {
    for drawing in [stretch(".", 30), "R" + stretch(".", 30), "w" + stretch(".", 30)] {
      let (run, events) = try Self.track(drawing)
      #expect(run.slices.map(\.state) == [.paused], "\(drawing): \(Self.seconds(run))")
      #expect(run.movingSeconds == 0)
      #expect(events.contains { $0.decision != nil })
    }
  }

  @Test(arguments: [3, 4, 5, 8]) func `A few seconds of walking after each pause belong to the run`(walk: Int) throws {
    let stop = stretch(".", 15) + stretch("w", walk)
    let (run, _) = try Self.track(stretch("R", 30) + stop + stretch("R", 30) + stop + stretch("R", 30))
    #expect(run.slices.map(\.state) == [.running, .paused, .running, .paused, .running], "\(Self.seconds(run))")
  }

  @Test func `A walk of half a minute stays a slice`() throws {
    let (run, _) = try Self.track(stretch("R", 30) + stretch("w", 30) + stretch("R", 30))
    #expect(run.slices.map(\.state) == [.running, .walking, .running])
  }

  /// A run of 100 s with these automatic pauses and changes of activity.
  private static func run(pauses: [(Double, Double)], activities: [(Double, Activity)] = []) -> RunTimeline {
    var run = RunTimeline(
      start: .seconds(0), end: .seconds(100),
      pauses: pauses.map {
        Pause(onset: .seconds($0.0), decidedAt: .seconds($0.0 + 1), end: .seconds($0.1), cause: .still)
      },
      activities: activities.map { ActivityChange(decidedAt: .seconds($0.0), onset: .seconds($0.0), activity: $0.1) })
    run.applyHindsight()
    return run
  }

  @Test func `A pause of less than two seconds is none, and movement of less than three at an end is none`() {
    #expect(Self.run(pauses: [(0, 0.2), (50, 51.9)]).slices.map(\.state) == [.running])
    #expect(Self.run(pauses: [(0.3, 20)]).pauses.map(\.onset) == [.seconds(0)])
    #expect(Self.run(pauses: [(3.1, 20)]).pauses.map(\.onset) == [.seconds(3.1)])
    #expect(Self.run(pauses: [(50, 97.5)]).pauses.map(\.end) == [.seconds(100)])
    #expect(Self.run(pauses: [(50, 60)]).slices.map(\.state) == [.running, .paused, .running])
  }

  @Test func `Pauses that were pressed keep their times`() {
    var run = RunTimeline(
      start: .seconds(0), end: .seconds(100),
      pauses: [
        Pause(onset: .seconds(0.5), decidedAt: .seconds(0.5), end: .seconds(1), cause: .manual),
        Pause(onset: .seconds(2), decidedAt: .seconds(3), end: .seconds(20), cause: .still),
      ])
    run.applyHindsight()
    #expect(run.pauses.map(\.onset) == [.seconds(0.5), .seconds(1)])
    #expect(run.pauses.map(\.end) == [.seconds(1), .seconds(20)])
  }

  @Test func `Activities shorter than ten seconds belong to the one before`() {
    let changes: [(Double, Activity)] = [
      (0, .running), (30, .walking), (34, .other), (38, .walking), (42, .running), (80, .walking),
    ]
    let run = Self.run(pauses: [], activities: changes)
    #expect(run.slices.map(\.state) == [.running, .walking])
    #expect(run.slices.map(\.start) == [.seconds(0), .seconds(80)])
    let opening = Self.run(pauses: [], activities: [(0, .walking), (5, .running)])
    #expect(opening.slices.map(\.state) == [.running])
    let hurried = Self.run(pauses: [(20, 40), (52, 90)], activities: [(43, .walking), (49, .running)])
    #expect(hurried.slices.map(\.state) == [.walking, .paused, .walking, .paused, .running])
  }

  /// A route due north at a speed for each second.
  private static func route(_ speeds: [Double], hasSpeed: Bool = true) -> [LocationSample] {
    var place = 0.0
    return speeds.enumerated().map { second, speed in
      defer { place += speed }
      return LocationSample(
        time: .seconds(Double(second)), latitude: 48 + place / 111_195, longitude: 11, speed: hasSpeed ? speed : nil,
        horizontalAccuracy: 5)
    }
  }

  @Test(arguments: [true, false]) func `Steps at 19 m/s are no walk, and at 14 m/s no run`(hasSpeed: Bool) {
    let speeds = Array(repeating: 1.5, count: 40) + Array(repeating: 19, count: 40) + Array(repeating: 1.5, count: 21)
    for (activity, state) in [(Activity.walking, RunTimeline.State.walking), (.running, .running)] {
      var run = Self.run(pauses: [], activities: [(0, activity)])
      run.route = Self.route(speeds, hasSpeed: hasSpeed)
      #expect(run.slices.map(\.state) == [state, .moving, state])
      run.route = Self.route(speeds.map { min($0, 6) }, hasSpeed: hasSpeed)
      #expect(run.slices.map(\.state) == (activity == .walking ? [.walking, .moving, .walking] : [.running]))
      run.route = Self.route(speeds.map { min($0, 2) }, hasSpeed: hasSpeed)
      #expect(run.slices.map(\.state) == [state])
    }
  }

  @Test func `Many changes and pauses cost no more than their number`() {
    let changes = (0..<40_000).map { row -> (Double, Activity) in
      (Double(row) / 400, row % 2 == 0 ? .running : .walking)
    }
    let pauses = (0..<90).map { second -> (Double, Double) in (Double(second) + 5, Double(second) + 5.5) }
    let run = Self.run(pauses: pauses, activities: changes)
    #expect(run.slices.count == 1)
  }
}
