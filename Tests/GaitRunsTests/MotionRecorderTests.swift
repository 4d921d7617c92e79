import Gait
import GaitRuns
import GaitTestSupport
import Synchronization
import Testing

@Suite struct MotionRecorderTests {
  private static func samples(hertz: Double, seconds: Double) -> [MotionSample] {
    (0...Int(hertz * seconds)).map {
      MotionSample(
        time: .seconds(5 + Double($0) / hertz), gravity: [0, 0, -1], rotationRate: [1, 2, 3],
        userAcceleration: [Float($0), 0, 0])
    }
  }

  @Test("a recorder records at its rate, for at most its length", arguments: [10.0, 50, 100, 200])
  func limits(hertz: Double) {
    var recorder = MotionRecorder(sourceRate: .hertz(hertz), longestSeconds: 6)
    let taken = Self.samples(hertz: hertz, seconds: 20).count { recorder.append($0) }
    let recording = recorder.recording(named: "test")
    #expect(recorder.isFull)
    #expect(recording.sampleRate == .hertz(10))
    #expect(recording.count == 60, "\(recording.count) samples")
    #expect((recorder.seconds - 6).magnitude < 1e-6, "\(recording.count) samples")
    // The filter needs the samples after the last one, and as many before the first.
    let delay = recorder.delaySeconds
    #expect(hertz == 10 ? delay == 0 : 0.2...1 ~= delay, "\(delay) s")
    #expect((5.9 * hertz...(6.1 + 2 * delay) * hertz).contains(Double(taken)), "\(taken) samples taken, \(delay) s")
  }

  @Test("60 s at 10 Hz are 600 samples, the last one at 59.9 s")
  func aMinute() {
    var recorder = MotionRecorder(sourceRate: .hertz(50))
    for sample in Self.samples(hertz: 50, seconds: 62) where !recorder.append(sample) { break }
    let recording = recorder.recording(named: "minute")
    #expect(recording.count == 600)
    #expect(recording.time(at: 599).seconds(since: recording.time(at: 0)) == 59.9)
  }

  @Test("nothing recorded is an empty recording")
  func empty() {
    let recorder = MotionRecorder(sourceRate: .hertz(50))
    #expect(recorder.recording(named: "none").count == 0)
    #expect(recorder.seconds == 0)
    #expect(!recorder.isFull)
  }

  /// A clock that never waits and keeps what it was asked to.
  private final class TestClock: Clock, Sendable {
    struct Instant: InstantProtocol {
      var offset: Duration
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }
    let deadlines = Mutex<[Duration]>([])
    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      deadlines.withLock { $0.append(deadline.offset) }
    }
  }

  @Test("a replay has the spacing of the recording, divided by the speed")
  func replay() async throws {
    let recording = Recording(name: "r", sampleRate: .hertz(10), samples: Self.samples(hertz: 10, seconds: 1))
    let clock = TestClock()
    var drawn: [MotionSample] = []
    for await sample in recording.replayed(speed: 2, clock: clock) { drawn.append(sample) }
    #expect(drawn.map(\.time) == (0..<recording.count).map { recording.time(at: $0) })
    let deadlines = clock.deadlines.withLock { $0 }
    try #require(deadlines.count == 11)
    #expect(deadlines[10] == .milliseconds(500))
    #expect(deadlines[1] == .milliseconds(50))
  }
}
