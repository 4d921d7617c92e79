import Gait
import Testing

/// Pauses by the probabilities of a model that Gait does not run.
@Suite struct OtherModelTests {
  /// The decisions on windows of a second, which begin half a second apart.
  private static func decisions(
    _ windows: [[Activity: Float]], _ policy: PausePolicy = .whenStill,
    activities: Set<Activity> = [.running, .walking, .still]
  ) -> [PauseEvent] {
    var pauses = PauseDecider(policy: policy, activities: activities)
    return windows.enumerated().compactMap { index, window in
      pauses.append(window, from: .seconds(Double(index) / 2), to: .seconds(Double(index) / 2 + 1))
    }
  }

  private static let running: [Activity: Float] = [.running: 0.97, .walking: 0.02, .still: 0.01]
  private static let still: [Activity: Float] = [.running: 0.01, .walking: 0.02, .still: 0.97]
  private static let walking: [Activity: Float] = [.running: 0.02, .walking: 0.96, .still: 0.02]

  private static func series(_ middle: [Activity: Float]) -> [[Activity: Float]] {
    [[Activity: Float]](repeating: running, count: 40) + Array(repeating: middle, count: 40)
      + Array(repeating: running, count: 40)
  }

  @Test func `A stop pauses and movement resumes`() {
    let decisions = Self.decisions(Self.series(Self.still))
    #expect(decisions.map(\.isPause) == [true, false])
    #expect(decisions.map(\.cause) == [.still, .moving])
    for (decision, change) in zip(decisions, [20.0, 40]) {
      #expect((change...change + 4) ~= decision.decidedAt.seconds)
      #expect((change...decision.decidedAt.seconds) ~= decision.onset.seconds)
    }
  }

  @Test func `A walk pauses under one policy only`() {
    #expect(Self.decisions(Self.series(Self.walking)).isEmpty)
    #expect(Self.decisions(Self.series(Self.walking), .whenNotRunning).map(\.isPause) == [true, false])
    #expect(Self.decisions(Self.series(Self.still), .never).isEmpty)
  }

  @Test func `Two activities suffice`() {
    let windows = Self.series([.still: 1]).map { $0.filter { $0.key != .walking } }
    #expect(Self.decisions(windows, activities: [.running, .still]).map(\.isPause) == [true, false])
  }

  @Test func `Percentages are divided by their sum`() {
    let halves = Self.series(Self.still).map { $0.mapValues { $0 / 2 } }
    #expect(Self.decisions(halves).map(\.decidedAt) == Self.decisions(Self.series(Self.still)).map(\.decidedAt))
  }

  @Test(
    arguments: [
      [.still: .nan], [.still: 2], [.still: -1, .running: 0.5], [:], [.other: 1], [.other: 0.9, .still: 0.1],
    ] as [[Activity: Float]])
  func `Windows that are no probabilities change nothing`(window: [Activity: Float]) {
    #expect(Self.decisions(Self.series(window)).isEmpty)
  }

  @Test func `Windows out of order change nothing`() {
    var pauses = PauseDecider(policy: .whenStill)
    _ = pauses.append(Self.running, from: .seconds(100), to: .seconds(101))
    let before = pauses.stoppingProbability
    for second in 0..<60 {
      #expect(pauses.append(Self.still, from: .seconds(Double(second)), to: .seconds(Double(second) + 1)) == nil)
    }
    #expect(pauses.stoppingProbability == before)
  }

  @Test func `A policy for activities that the model cannot tell is refused, during a run too`() async {
    var pauses = PauseDecider(policy: .never, activities: [.running, .walking])
    #expect(pauses.change(to: .whenNotRunning, at: .seconds(1)) == nil)
    #expect(pauses.policy == .whenNotRunning)
    await #expect(processExitsWith: .failure) {
      var pauses = PauseDecider(policy: .never, activities: [.running, .walking])
      _ = pauses.change(to: .whenStill, at: .seconds(1))
    }
  }

  @Test func `The button holds a pause until it is pressed again`() {
    var pauses = PauseDecider(policy: .whenStill)
    #expect(pauses.pause(autoResume: false, at: .seconds(1))?.cause == .manual)
    for index in 4..<100 {
      _ = pauses.append(Self.running, from: .seconds(Double(index)), to: .seconds(Double(index) + 1))
    }
    #expect(pauses.isPaused)
    #expect(pauses.resume(at: .seconds(120))?.isPause == false)
    #expect(!pauses.isPaused)
  }
}
