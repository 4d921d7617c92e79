import Foundation
import Testing

@testable import Gait

/// Time without motion: neither movement nor a pause.
@Suite struct HoleTests {
  /// A run of `drawing` in which `_` is a second without samples, and a GPS point a second at `speed`, if any.
  private static func track(
    _ drawing: String, speed: Double? = nil, options: RunOptions = RunOptions()
  ) throws -> (tracker: RunTracker, events: [RunEvent]) {
    var tracker = try RunStartTests.tracker(options)
    var events: [RunEvent] = []
    let seconds = Array(drawing)
    for (index, sample) in personSamples(drawing.replacing("_", with: "R")).enumerated() {
      if index % 50 == 0, let speed {
        events += tracker.append(RunStartTests.point(sample.time.seconds, speed: speed))
      }
      if seconds[index / 50] != "_" { events += tracker.append(sample) }
    }
    return (tracker, events)
  }

  private static func check(_ tracker: RunTracker, _ place: SourceLocation = #_sourceLocation) throws -> RunTimeline {
    let run = tracker.finish()
    let sum = run.movingSeconds + run.pausedSeconds + run.unknownSeconds
    #expect((sum - run.elapsedSeconds).magnitude < 1e-9, sourceLocation: place)
    #expect(run.slices.first?.start == run.start, sourceLocation: place)
    #expect(run.slices.last?.end == run.end, sourceLocation: place)
    #expect(zip(run.slices, run.slices.dropFirst()).allSatisfy { $0.end == $1.start }, sourceLocation: place)
    let states: [(RunTimeline.State, Double)] = [(.paused, run.pausedSeconds), (.unknown, run.unknownSeconds)]
    for (state, seconds) in states {
      let slices = run.slices.filter { $0.state == state }.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
      #expect((slices - seconds).magnitude < 1e-9, sourceLocation: place)
    }
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == run, sourceLocation: place)
    return run
  }

  @Test func `A hole of ten minutes is a slice of its own, neither moving nor paused`() throws {
    let (tracker, _) = try Self.track(stretch("R", 60) + stretch("_", 600) + stretch("R", 60))
    let run = try Self.check(tracker)
    #expect(run.slices.map(\.state) == [.running, .unknown, .running])
    #expect(abs(run.unknownSeconds - 600) < 0.5)
    #expect(abs(run.movingSeconds - 120) < 0.5)
    #expect(run.pausedSeconds == 0)
  }

  @Test func `A goal of moving time is not reached in a hole, and snapshots do not count it`() throws {
    let options = RunOptions(goals: [.movingTime(seconds: 60)], snapshotSeconds: 1)
    let drawing = stretch("R", 40) + stretch("_", 600) + stretch("R", 40)
    let (tracker, events) = try Self.track(drawing, options: options)
    let goals = events.compactMap { if case .goal(_, let time) = $0 { time.seconds } else { nil } }
    let snapshots = events.compactMap { if case .snapshot(let snapshot) = $0 { snapshot } else { nil } }
    try #require(goals.count == 1)
    #expect(abs(goals[0] - 660) < 1)
    #expect(snapshots.allSatisfy { $0.movingSeconds <= 80 })
    #expect(snapshots.count == 79)
    #expect(tracker.finish().movingSeconds < 81)
  }

  @Test func `GPS that moves through a hole makes it movement, GPS that stands does not`() throws {
    let drawing = stretch("R", 60) + stretch("_", 120) + stretch("R", 60)
    let moving = try Self.check(Self.track(drawing, speed: 3).tracker)
    #expect(moving.unknownSeconds == 0)
    #expect(moving.route.count == 240)
    #expect(moving.slices.map(\.state) == [.running, .moving, .running])
    let standing = try Self.check(Self.track(drawing, speed: 0).tracker)
    #expect(abs(standing.unknownSeconds - 120) < 0.5)
  }

  @Test func `Holes of up to five seconds belong to the activity around them`() throws {
    let run = try Self.check(Self.track(stretch("R", 30) + stretch("_", 4) + stretch("R", 30)).tracker)
    #expect(run.unknownSeconds == 0)
    #expect(run.gaps.count == 1)
    #expect(run.slices.map(\.state) == [.running])
  }

  @Test func `Samples without acceleration are a hole too`() throws {
    var tracker = try RunStartTests.tracker()
    for (index, var sample) in personSamples(stretch("R", 90)).enumerated() {
      if 1500..<3000 ~= index { sample[.userAccelerationX] = .nan }
      _ = tracker.append(sample)
    }
    let run = try Self.check(tracker)
    #expect(abs(run.unknownSeconds - 30) < 0.5)
    #expect(run.gaps.isEmpty)
  }

  @Test func `A hole within a stop is paused; one that ends a stop is not`() throws {
    let within = try Self.check(
      Self.track(stretch("R", 30) + stretch(".", 15) + stretch("_", 60) + stretch(".", 15) + stretch("R", 30)).tracker)
    #expect(within.unknownSeconds == 0)
    #expect(abs(within.pausedSeconds - 90) < 1)
    let ending = try Self.check(
      Self.track(stretch("R", 30) + stretch(".", 15) + stretch("_", 60) + stretch("R", 30)).tracker)
    #expect(abs(ending.unknownSeconds - 60) < 0.5)
    #expect(abs(ending.pausedSeconds - 15) < 1)
    #expect(ending.slices.map(\.state) == [.running, .paused, .unknown, .running])
    let beginning = try Self.check(
      Self.track(stretch("R", 30) + stretch("_", 60) + stretch(".", 15) + stretch("R", 30)).tracker)
    #expect(beginning.slices.map(\.state) == [.running, .unknown, .paused, .running])
  }

  @Test func `A pause that was pressed lasts through a hole`() throws {
    var tracker = try RunStartTests.tracker()
    let samples = personSamples(stretch("R", 90))
    for sample in samples[..<1500] { _ = tracker.append(sample) }
    _ = tracker.pause(at: .seconds(30))
    _ = tracker.resume(at: .seconds(60))
    for sample in samples[3000...] { _ = tracker.append(sample) }
    let run = try Self.check(tracker)
    #expect(run.pausedSeconds == 30)
    #expect(run.unknownSeconds == 0)
  }

  @Test func `A button pressed long after the last motion leaves the time between unknown`() throws {
    var tracker = try RunStartTests.tracker()
    for sample in personSamples(stretch("R", 60)) { _ = tracker.append(sample) }
    _ = tracker.pause(at: .seconds(360))
    let run = try Self.check(tracker)
    #expect(run.elapsedSeconds == 360)
    #expect(abs(run.unknownSeconds - 300) < 0.5)
  }

  @Test func `A jump of a day, and one of 100 years, make a few events and a hole`() throws {
    let options = RunOptions(snapshotSeconds: 1)
    for jump in [86_400.0, 3e9] {
      var tracker = try RunStartTests.tracker(options)
      var largest = 0
      for (index, var sample) in personSamples(stretch("R", 60)).enumerated() {
        if index >= 1500 { sample.time = sample.time.advanced(bySeconds: jump) }
        largest = max(largest, tracker.append(sample).count)
      }
      #expect(largest <= 3)
      #expect(abs(tracker.finish().unknownSeconds - jump) < 0.5)
      #expect(tracker.finish().slices.count == 3)
    }
  }
}

/// Pace where something was not measured.
@Suite struct UntimedPaceTests {
  /// Running at 3 m/s with a GPS point a second; `_` is a second without samples, `x` one without samples and points.
  private static func track(_ drawing: String) throws -> (run: RunTimeline, events: [RunEvent]) {
    let options = RunOptions(splitMeters: 500, snapshotSeconds: 1)
    var tracker = try RunStartTests.tracker(options)
    var events: [RunEvent] = []
    let seconds = Array(drawing)
    let samples = personSamples(drawing.replacing("_", with: "R").replacing("x", with: "R"))
    for (index, sample) in samples.enumerated() {
      let second = seconds[index / 50]
      if index % 50 == 0, second != "x" {
        events += tracker.append(RunStartTests.point(sample.time.seconds, speed: 3))
      }
      if second == "R" { events += tracker.append(sample) }
    }
    return (tracker.finish(), events)
  }

  private static let drawings = [
    stretch("R", 300) + stretch("x", 180) + stretch("R", 300),
    stretch("R", 300) + stretch("x", 300) + stretch("R", 200),
    stretch("R", 300) + stretch("_", 200) + stretch("R", 300),
  ]

  @Test(arguments: drawings)
  func `A steady run keeps its pace across a hole, in splits, laps and snapshots too`(drawing: String) throws {
    let (run, events) = try Self.track(drawing)
    let pace = 1000 / 3.0
    let whole = 3 * Double(drawing.count)
    #expect(abs(run.distance! - whole) < 0.02 * whole)
    #expect(abs(run.averagePace! - pace) < 0.02 * pace, "average \(run.averagePace!)")
    #expect(abs(run.bestPace()! - pace) < 0.03 * pace, "best \(run.bestPace()!)")
    let live = events.compactMap { if case .split(let split) = $0 { split } else { nil } }
    for split in run.splits(everyMeters: 500) + live {
      #expect(split.pace.map { abs($0 - pace) < 0.03 * pace } ?? (split.untimedMeters > 499), "split \(split)")
    }
    var edited = run
    edited.markLap(at: run.start.advanced(bySeconds: 250))
    #expect(edited.laps.allSatisfy { abs($0.pace! - pace) < 0.02 * pace }, "\(edited.laps)")
    let snapshots = events.compactMap { if case .snapshot(let snapshot) = $0 { snapshot } else { nil } }
    for snapshot in snapshots where snapshot.elapsedSeconds > 30 {
      #expect(abs(snapshot.averagePace! - pace) < 0.04 * pace, "\(snapshot)")
    }
  }

  @Test func `A part of a run that lies in a hole has no pace`() {
    let split = Split(
      number: 1, start: .seconds(0), end: .seconds(90), meters: 500, movingSeconds: 0, untimedMeters: 500)
    #expect(split.pace == nil)
  }

  @Test func `The length of parts of the way within ranges is their share`() {
    let path = (0..<10).map { second -> PathStep in
      PathStep(
        start: .seconds(Double(second)), end: .seconds(Double(second + 1)), meters: 2,
        kind: second > 5 ? .steps : .measured)
    }
    #expect(path.meters(in: []) == 0)
    #expect(path.meters(in: [SampleTime.seconds(-5)..<SampleTime.seconds(50)]) == 20)
    let ranges: [Range<SampleTime>] = [.seconds(0.5)..<(.seconds(1.5)), .seconds(1.75)..<(.seconds(3))]
    #expect(abs(path.meters(in: ranges) - 4.5) < 1e-9)
  }
}
