import Foundation
import Testing

@testable import Gait

/// A run begins with its motion: what GPS and buttons do before it, and GPS points of another clock.
@Suite struct RunStartTests {
  static func tracker(_ options: RunOptions = RunOptions()) throws -> RunTracker {
    try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
  }

  /// A GPS point of a run due north at `speed`, which was at latitude 48° at 0 s.
  static func point(_ seconds: Double, speed: Double = 3, clock: Double = 0) -> LocationSample {
    LocationSample(
      time: .seconds(seconds + clock), latitude: 48 + seconds * speed / 111_195, longitude: 11, speed: speed,
      horizontalAccuracy: 5)
  }

  /// A run of `drawing` with a GPS point a second, of a clock that is `clock` seconds ahead.
  static func track(
    _ drawing: String, clock: Double, options: RunOptions = RunOptions()
  ) throws -> (tracker: RunTracker, events: [RunEvent]) {
    var tracker = try tracker(options)
    var events: [RunEvent] = []
    for (index, sample) in personSamples(drawing).enumerated() {
      if index % 50 == 10 { events += tracker.append(point(sample.time.seconds, clock: clock)) }
      events += tracker.append(sample)
    }
    return (tracker, events)
  }

  private static func checkReplay(_ tracker: RunTracker, _ options: RunOptions = RunOptions()) throws {
    #expect(try tracker.evidence.replayed(by: TestModels.runner, options: options) == tracker.finish())
  }

  @Test(arguments: [0.8, 20, 180]) func `Cached fixes do not start a run; they are dropped and counted`(age: Double)
    throws
  {
    var tracker = try Self.tracker()
    for second in 0..<3 {
      let cached = LocationSample(
        time: .seconds(-age + Double(second) / 10), latitude: 47, longitude: 12, speed: 0, horizontalAccuracy: 5)
      #expect(tracker.append(cached).isEmpty)
      #expect(tracker.timeline == nil)
    }
    for (index, sample) in personSamples(stretch("R", 30)).enumerated() {
      _ = tracker.append(sample)
      if index % 50 == 0 { _ = tracker.append(Self.point(sample.time.seconds)) }
    }
    let run = tracker.finish()
    #expect(run.start == .seconds(0))
    #expect(run.end == .seconds(29.98))
    #expect(run.cachedLocationCount == 3)
    #expect(run.offClockLocationCount == 0)
    #expect(run.route.count == 30)
    #expect(try abs(#require(run.distance) - 87) < 2)
    try Self.checkReplay(tracker)
  }

  @Test(arguments: [3600, -3600, 86_400, -86_400, 1.8e9, -1.8e9])
  func `GPS on another clock never moves a run, and costs no snapshots`(clock: Double) throws {
    let options = RunOptions(snapshotSeconds: 1)
    let (tracker, events) = try Self.track(stretch("R", 30), clock: clock, options: options)
    let run = tracker.finish()
    #expect(run.elapsedSeconds == 29.98)
    #expect(run.route.isEmpty)
    #expect(run.offClockLocationCount + run.cachedLocationCount == 30)
    #expect(events.count { if case .snapshot = $0 { true } else { false } } == 29)
    try Self.checkReplay(tracker, options)
  }

  @Test func `One fix dated 1970 or a day later in a run of phone time is dropped`() throws {
    let start: Int64 = 1_732_000_000_000_000_000
    var tracker = try Self.tracker()
    for (index, sample) in personSamples(stretch("R", 20), start: start).enumerated() {
      if index == 500 {
        for seconds in [0.0, 1.732e9 + 86_410, 1.732e9 + 10] {
          _ = tracker.append(LocationSample(time: .seconds(seconds), latitude: 48, longitude: 11))
        }
      }
      _ = tracker.append(sample)
    }
    let run = tracker.finish()
    #expect(run.elapsedSeconds == 19.98)
    #expect(run.route.count == 1)
    #expect(run.cachedLocationCount == 1)
    #expect(run.offClockLocationCount == 1)
    try Self.checkReplay(tracker)
  }

  @Test func `A point up to a second ahead of the motion is taken, and a later one waits for it`() throws {
    var tracker = try Self.tracker()
    let samples = personSamples(stretch("R", 20))
    for sample in samples[..<500] { _ = tracker.append(sample) }
    _ = tracker.append(Self.point(10.5))
    #expect(tracker.timeline?.route.count == 1)
    #expect(tracker.timeline?.end == .seconds(10.5))
    _ = tracker.append(Self.point(14))
    #expect(tracker.timeline?.route.count == 1)
    #expect(tracker.timeline?.end == .seconds(10.5))
    for sample in samples[500...] { _ = tracker.append(sample) }
    #expect(tracker.finish().route.count == 2)
    #expect(tracker.finish().end == .seconds(19.98))
    for second in 21..<80 { _ = tracker.append(Self.point(Double(second))) }
    #expect(tracker.finish().end == .seconds(19.98))
    #expect(tracker.finish().offClockLocationCount == 59)
    try Self.checkReplay(tracker)
  }

  @Test(arguments: [1, 9, 10, 40]) func `Without motion the GPS points are the run`(count: Int) throws {
    var tracker = try Self.tracker()
    for second in 0..<count { _ = tracker.append(Self.point(Double(second), clock: 1000)) }
    let run = tracker.finish()
    #expect((tracker.timeline == nil) == (count < RunGate.pointCount))
    #expect(run.start == .seconds(1000))
    #expect(run.elapsedSeconds == Double(count - 1))
    #expect(run.route.count == count)
    try Self.checkReplay(tracker)
  }

  @Test func `Without motion a run begins with the first usable point`() throws {
    var tracker = try Self.tracker()
    for second in 0..<200 {
      _ = tracker.append(
        LocationSample(
          time: .seconds(Double(second)), latitude: second % 2 == 0 ? .nan : 48, longitude: 11, horizontalAccuracy: 900)
      )
    }
    #expect(tracker.timeline == nil)
    #expect(tracker.finish().elapsedSeconds == 0)
    for second in 200..<230 { _ = tracker.append(Self.point(Double(second))) }
    #expect(tracker.finish().start == .seconds(200))
    #expect(tracker.finish().elapsedSeconds == 29)
    try Self.checkReplay(tracker)
  }

  @Test func `A barometer on another clock is ignored`() throws {
    var tracker = try Self.tracker()
    for (index, sample) in personSamples(stretch("R", 20)).enumerated() {
      _ = tracker.append(sample)
      guard index % 50 == 0 else { continue }
      for clock in [0.0, 3600, -3600, 1.8e9] {
        _ = tracker.append(AltitudeSample(time: sample.time.advanced(bySeconds: clock), relativeAltitude: 1))
      }
    }
    let run = tracker.finish()
    #expect(run.elapsedSeconds == 19.98)
    #expect(run.barometer?.count == 20)
    try Self.checkReplay(tracker)
  }

  @Test func `Without motion a step of more than an hour is a change of clock`() throws {
    var tracker = try Self.tracker()
    _ = tracker.append(Self.point(0))
    for second in 0..<30 {
      _ = tracker.append(Self.point(Double(second), clock: 1.8e9))
      if second == 20 { _ = tracker.append(Self.point(0)) }
    }
    let run = tracker.finish()
    #expect(run.start == .seconds(1.8e9))
    #expect(run.elapsedSeconds == 29)
    #expect(run.offClockLocationCount == 2)
    try Self.checkReplay(tracker)
  }

  @Test func `A run of GPS points ends where motion begins, and its splits begin again`() throws {
    let options = RunOptions(splitMeters: 30)
    var tracker = try Self.tracker(options)
    var splits: [Int] = []
    func note(_ events: [RunEvent]) { for case .split(let split) in events { splits.append(split.number) } }
    for second in -30..<0 { note(tracker.append(Self.point(Double(second)))) }
    #expect(splits == [1, 2])
    for (index, sample) in personSamples(stretch("R", 30)).enumerated() {
      note(tracker.append(sample))
      if index % 50 == 0 { note(tracker.append(Self.point(sample.time.seconds))) }
    }
    let run = tracker.finish()
    #expect(run.start == .seconds(0))
    #expect(run.cachedLocationCount == 30)
    #expect(run.route.count == 30)
    #expect(splits == [1, 2, 1, 2])
    try Self.checkReplay(tracker, options)
  }

  @Test func `A pause pressed before the motion holds, and does not start the run`() throws {
    var tracker = try Self.tracker()
    #expect(tracker.pause(at: .seconds(-5)).count == 1)
    #expect(tracker.isPaused)
    _ = tracker.append(Self.point(-2))
    for (index, sample) in personSamples(stretch("R", 30)).enumerated() {
      if index == 500 { _ = tracker.resume(at: sample.time) }
      _ = tracker.append(sample)
    }
    let run = tracker.finish()
    #expect(run.start == .seconds(0))
    #expect(run.pausedSeconds == 10)
    #expect(run.decisions.count == 2)
    try Self.checkReplay(tracker)
  }
}
