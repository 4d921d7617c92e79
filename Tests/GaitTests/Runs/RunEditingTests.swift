import Gait
import GaitTestSupport
import Testing

/// Runs that are changed afterwards or during the run, and samples that arrive in disorder.
@Suite struct RunEditingTests {
  private static let drawing = stretch("R", 30) + stretch(".", 15) + stretch("R", 30) + stretch("w", 20)

  private static func tracked(
    _ samples: [MotionSample], rate: Double = 50, options: RunOptions = RunOptions(),
    changes: [(Double, PausePolicy)] = []
  ) throws -> (tracker: RunTracker, events: [RunEvent]) {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(rate), options: options)
    var events: [RunEvent] = []
    var rest = changes[...]
    for sample in samples {
      if let change = rest.first, sample.time.seconds >= change.0 {
        events += tracker.change(to: change.1, at: .seconds(change.0))
        rest.removeFirst()
      }
      events += tracker.append(sample)
    }
    return (tracker, events)
  }

  @Test func `A trimmed run is decided from its part of the evidence`() throws {
    let (tracker, _) = try Self.tracked(personSamples(Self.drawing))
    let whole = tracker.finish()
    let part = try tracker.evidence.part(from: .seconds(20), to: .seconds(60)).replayed(by: TestModels.runner)
    #expect(part.start == .seconds(20))
    #expect(part.end == .seconds(60))
    #expect(part.pauses.count == 1)
    #expect(whole.pauses.count == 1)
    let (mine, its) = (part.pauses[0], whole.pauses[0])
    #expect(abs(mine.onset.seconds(since: its.onset)) < 0.1)
    #expect(mine.end == its.end)
    #expect(part.cadencePoints.allSatisfy { (20...60).contains($0.time.seconds) })
    #expect(part.cadencePoints.count > 10)
    let none = try tracker.evidence.part(from: .seconds(200), to: .seconds(300)).replayed(by: TestModels.runner)
    #expect(none.elapsedSeconds == 0)
  }

  @Test func `Joined evidence is decided with a pause between its parts`() throws {
    let (tracker, _) = try Self.tracked(personSamples(stretch("R", 80)))
    let (first, second) = (
      tracker.evidence.part(from: .seconds(0), to: .seconds(30)),
      tracker.evidence.part(from: .seconds(50), to: .seconds(79))
    )
    let run = try first.joined(with: second).replayed(by: TestModels.runner)
    #expect(run.elapsedSeconds == 79)
    #expect(run.pauses.map(\.cause) == [.manual])
    #expect(abs(run.movingSeconds - 59) < 0.1, "\(run.movingSeconds) s")
    #expect(run.start == .seconds(0), "\(run.movingSeconds) s")
  }

  @Test func `Laps are joined and moved by hand`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(100))
    for seconds in [20.0, 50, 80] { run.markLap(at: .seconds(seconds)) }
    run.removeLap(at: 1)
    #expect(run.laps.map(\.end.seconds) == [20, 80, 100])
    let isMoved = run.moveLap(at: 0, to: .seconds(90))
    #expect(isMoved)
    #expect(run.laps.map(\.end.seconds) == [80, 90, 100])
    let isMovedPastTheNext = run.moveLap(at: 0, to: .seconds(120))
    #expect(!isMovedPastTheNext)
    #expect(run.laps.map(\.end.seconds) == [80, 90, 100])
  }

  @Test func `A policy that is changed during the run holds from then on, also when decided again`() throws {
    let drawing = stretch("R", 20) + stretch("w", 20) + stretch("R", 20) + stretch("w", 20) + stretch("R", 10)
    let (tracker, _) = try Self.tracked(personSamples(drawing), changes: [(50, .whenNotRunning)])
    let run = tracker.finish()
    #expect(run.pauses.count == 1)
    #expect(tracker.policy == .whenNotRunning)
    #expect(abs(run.pauses[0].onset.seconds - 60) < 3, "\(run.pauses)")
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == run)
    let unchanged = try tracker.evidence.replayed(by: TestModels.runner, changesPolicy: false)
    #expect(unchanged.pauses.isEmpty)
    // Trimmed after the change, the policy still holds.
    let late = try tracker.evidence.part(from: .seconds(55), to: .seconds(89)).replayed(by: TestModels.runner)
    #expect(late.pauses.count == 1)
  }

  @Test func `A policy that never pauses ends an automatic pause, not one by the button`() throws {
    let samples = personSamples(stretch("R", 20) + stretch(".", 20))
    let (tracker, events) = try Self.tracked(samples, changes: [(35, .never)])
    let resumes = events.compactMap { if case .resumed(let event) = $0 { event } else { nil } }
    #expect(
      resumes == [
        PauseEvent(isPause: false, decidedAt: .seconds(35), onset: .seconds(35), cause: .manual, confidence: 1)
      ])
    #expect(!tracker.isPaused)
    #expect(tracker.finish().pauses.count == 1)
    var held = tracker
    held.pause(at: .seconds(41))
    held.change(to: .whenStill, at: .seconds(42))
    held.change(to: .never, at: .seconds(43))
    #expect(held.isPaused)
  }

  @Test func `Of 5,000 samples of which 480 come late the drops are counted and told, and the pauses stay`() throws {
    let samples = personSamples(stretch("R", 40) + stretch(".", 20) + stretch("R", 40))
    #expect(samples.count == 5000)
    let expected = try Self.tracked(samples).tracker.finish()
    var random = SplitMix64(seed: 9)
    var disordered = samples
    var places = Set<Int>()
    while places.count < 480 {
      let place = Int.random(in: 1..<disordered.count - 1, using: &random)
      if places.isDisjoint(with: place - 1...place + 1) { places.insert(place) }
    }
    for place in places { disordered.swapAt(place, place + 1) }
    let run = try Self.tracked(disordered).tracker.finish()
    #expect(run.droppedSampleCount == 480)
    #expect(run.pauses.count == 1)
    #expect(expected.pauses.count == 1)
    #expect(abs(run.pauses[0].onset.seconds(since: expected.pauses[0].onset)) <= 0.2)
    #expect(abs(try #require(run.pauses[0].end).seconds(since: try #require(expected.pauses[0].end))) <= 0.2)
  }

  @Test(arguments: [200.0, 800])
  func `Batches of a fast source give the same pauses within a hop`(rate: Double) throws {
    let drawing = stretch("R", 20) + stretch(".", 12) + stretch("R", 15)
    let expected = try Self.tracked(personSamples(drawing)).tracker.finish()
    let samples = personSamples(drawing, rate: rate)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(rate))
    var decisions: [RunEvent] = []
    for start in stride(from: 0, to: samples.count, by: Int(rate)) {
      for sample in samples[start..<min(samples.count, start + Int(rate))] { decisions += tracker.append(sample) }
    }
    let run = tracker.finish()
    #expect(run.pauses.count == 1, "\(run.pauses)")
    #expect(expected.pauses.count == 1, "\(run.pauses)")
    let hop = TestModels.runner.pauseHead.window.hopSeconds
    #expect(abs(run.pauses[0].onset.seconds(since: expected.pauses[0].onset)) <= hop)
    #expect(abs(try #require(run.pauses[0].end).seconds(since: try #require(expected.pauses[0].end))) <= hop)
    #expect(abs(run.pauses[0].decidedAt.seconds(since: expected.pauses[0].decidedAt)) <= hop)
  }
}
