import Gait
import GaitLab
import GaitTraining
import Testing

@Suite struct SimulatedRunTests {
  private static let simulator = Simulator(seed: 42, sampleRate: .hertz(50))
  private static let run = SimulatedRun(
    subject: 1,
    stretches: [
      .init(.running, seconds: 8), .init(.still, seconds: 6), .init(.walking, seconds: 5), .init(.running, seconds: 4),
    ])

  private static func magnitude(_ sample: MotionSample) -> Float {
    (sample.userAcceleration * sample.userAcceleration).sum().squareRoot()
  }

  @Test func `A run has the length of its stretches, every channel, and only finite values`() {
    let recording = Self.simulator.recording(Self.run)
    #expect(recording.count == 23 * 50)
    #expect(Self.run.seconds == 23)
    #expect(recording.name == "run_1.csv")
    #expect(recording.channels == Set(Channel.allCases))
    for channel in Channel.allCases { #expect(recording[channel].allSatisfy { $0.isFinite }) }
    for index in 0..<recording.count {
      let gravity = recording[index].gravity
      #expect(abs((gravity * gravity).sum() - 1) < 0.004, "at row \(index)")
    }
  }

  @Test func `The same seed gives the same bytes, another seed others`() {
    #expect(Self.simulator.recording(Self.run).rows == Self.simulator.recording(Self.run).rows)
    #expect(
      Self.simulator.recording(Self.run).rows != Simulator(seed: 43, sampleRate: .hertz(50)).recording(Self.run).rows)
  }

  @Test func `Each stretch moves as its activity does`() {
    let recording = Self.simulator.recording(Self.run)
    func mean(_ seconds: ClosedRange<Int>) -> Float {
      let rows = seconds.lowerBound * 50..<seconds.upperBound * 50
      return rows.reduce(0) { $0 + Self.magnitude(recording[$1]) } / Float(rows.count)
    }
    let (running, still, walking, again) = (mean(1...7), mean(9...13), mean(15...18), mean(20...22))
    #expect(running > 0.7)
    #expect(again > 0.7)
    #expect(still < 0.2)
    #expect(walking > 2 * still)
    #expect(walking < running)
  }

  @Test func `A longer run begins with the shorter one`() {
    var longer = Self.run
    longer.stretches[3].seconds = 7
    let (short, long) = (Self.simulator.recording(Self.run), Self.simulator.recording(longer))
    #expect(Array(long.rows.prefix(short.count)) == short.rows)
  }
}
