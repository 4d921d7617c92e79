import Foundation
import Gait
import GaitTestSupport
import Testing

@Suite struct LapTests {
  /// A run of 30 s, a stop of 20 s and a run of 30 s, with laps at some times; each lap is pressed when its time comes.
  private func run(
    laps: [Double], early: [Double] = [], options: RunOptions = RunOptions()
  ) throws -> (run: RunTimeline, events: [RunEvent], evidence: RunEvidence, options: RunOptions) {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
    var events = early.flatMap { tracker.lap(at: .seconds($0)) }
    var waiting = laps[...]
    for sample in personSamples(stretch("R", 30) + stretch(".", 20) + stretch("R", 30)) {
      while let lap = waiting.first, lap <= sample.time.seconds {
        events += tracker.lap(at: .seconds(waiting.removeFirst()))
      }
      events += tracker.append(sample)
    }
    for lap in waiting { events += tracker.lap(at: .seconds(lap)) }
    return (tracker.finish(), events, tracker.evidence, options)
  }

  private func lapEvents(_ events: [RunEvent]) -> [Int] {
    events.compactMap { if case .lap(let number, _) = $0 { number } else { nil } }
  }

  @Test func `Laps marked in any order are those marked in order, each once`() {
    let times = (1...50).map { SampleTime.seconds(Double($0)) }
    let empty = RunTimeline(start: .seconds(0), end: .seconds(50))
    var (ordered, shuffled) = (empty, empty)
    for (index, time) in times.enumerated() { #expect(ordered.markLap(at: time) == index + 1) }
    var random = SplitMix64(seed: 5)
    for time in times.shuffled(using: &random) + times { shuffled.markLap(at: time) }
    #expect(shuffled.lapEnds == times)
    #expect(ordered.lapEnds == times)
    #expect(shuffled.markLap(at: .seconds(0)) == nil)
    #expect(shuffled.markLap(at: .seconds(51)) == nil)
  }

  @Test func `Laps are contiguous and cover the run; without one there are none`() throws {
    let (run, events, _, _) = try run(laps: [10, 25, 60])
    #expect(run.laps.map(\.number) == [1, 2, 3, 4])
    #expect(lapEvents(events) == [1, 2, 3])
    #expect(run.laps.first?.start == run.start)
    #expect(run.laps.last?.end == run.end)
    for (lap, next) in zip(run.laps, run.laps.dropFirst()) { #expect(lap.end == next.start) }
    #expect(abs(run.laps.reduce(0) { $0 + $1.movingSeconds } - run.movingSeconds) < 1e-9)
    #expect(abs(run.laps[2].movingSeconds - 15) < 0.5, "the stop is paused: \(run.laps[2])")
    #expect(try self.run(laps: []).run.laps.isEmpty)
  }

  @Test func `A lap in a pause divides its time, and the run stays paused`() throws {
    let (run, _, _, _) = try run(laps: [40])
    #expect(run.pauses.count == 1)
    #expect(run.laps.map(\.end.seconds) == [40, run.end.seconds])
    #expect(abs(run.laps[0].movingSeconds - 30) < 0.3)
    #expect(abs(run.laps[1].movingSeconds - 30) < 0.3)
  }

  @Test func `Laps out of order are sorted, and laps twice or outside the run are ignored`() throws {
    let (run, events, _, _) = try run(laps: [20, 10, 20], early: [-5, 0])
    #expect(run.lapEnds == [.seconds(10), .seconds(20)])
    #expect(lapEvents(events) == [1, 1])
    var later = run
    #expect(later.markLap(at: run.end.advanced(bySeconds: 1)) == nil)
    #expect(later.markLap(at: run.start) == nil)
    #expect(later.markLap(at: .seconds(15)) == 2)
    #expect(later.laps.count == 4)
  }

  @Test func `A lap after the last sample extends the run, as a pause does`() throws {
    let (run, events, _, _) = try run(laps: [90])
    #expect(run.end == .seconds(90))
    #expect(lapEvents(events) == [1])
    #expect(run.laps.count == 1)
  }

  @Test func `A lap with an invalid time is ignored`() throws {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50))
    #expect(tracker.lap(at: SampleTime(nanoseconds: .max)).isEmpty)
    #expect(tracker.timeline == nil)
  }

  @Test func `A programme of intervals ends laps by moving time and begins again`() throws {
    let (run, events, _, _) = try run(laps: [], options: RunOptions(intervalSeconds: [20, 5]))
    #expect(lapEvents(events) == [1, 2, 3, 4])
    for (lap, seconds) in zip(run.laps, [20.0, 5, 20, 5]) {
      // A pause is decided some seconds after its onset, which moves the moving time of the lap before it.
      #expect(abs(lap.movingSeconds - seconds) < 2.5, "\(lap)")
    }
  }

  @Test func `A button 120 years ahead ends one interval, and the programme goes on after it`() throws {
    let options = RunOptions(intervalSeconds: [1, 2])
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
    // Without an acceleration the time to the button is no hole, so that it counts as moving.
    tracker.append(
      MotionSample(time: .seconds(0), gravity: [0, 0, -1], userAcceleration: [.nan, .nan, .nan]))
    let far = SampleTime.range.upperBound.advanced(bySeconds: -10)
    var events: [RunEvent] = []
    events += tracker.lap(at: far)
    for second in 1...9 { events += tracker.lap(at: far.advanced(bySeconds: Double(second))) }
    #expect(lapEvents(events) == Array(1...10))
  }

  @Test func `Evidence has the laps`() throws {
    let (run, _, evidence, options) = try run(laps: [10, 60])
    #expect(try evidence.replayed(by: TestModels.runner, options: options).laps == run.laps)
  }

  @Test func `A run–walk programme has parts by activity`() throws {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50))
    for sample in personSamples(stretch("R", 40) + stretch("w", 30) + stretch("R", 40)) { tracker.append(sample) }
    let parts = tracker.finish().activityLaps
    #expect(parts.count == 3)
    for (part, seconds) in zip(parts, [40.0, 30, 40]) { #expect(abs(part.movingSeconds - seconds) < 4, "\(part)") }
  }
}
