import Gait
import GaitRuns
import Testing

/// Sources, texts and races exactly at their limits.
@Suite struct SourceAndTextLimitTests {
  private static func sample(_ seconds: Double) -> MotionSample {
    MotionSample(time: .seconds(seconds), gravity: SIMD3(0, 0, -1), userAcceleration: .zero)
  }

  @Test func `Another source is used after more than two seconds of silence`() {
    for (silence, current) in [(2.0, "watch"), (2.01, "phone")] {
      var sources = MotionSources(["watch": .hertz(50), "phone": .hertz(50)], preferring: ["watch", "phone"])
      #expect(sources.delaySeconds == 0)
      #expect(sources.rate == .hertz(50))
      #expect(sources.current == nil)
      #expect(sources.append(Self.sample(1), from: "watch").count == 1)
      #expect(sources.append(Self.sample(1 + silence), from: "phone").count == (current == "phone" ? 1 : 0))
      #expect(sources.current == current)
      #expect(sources.delaySeconds == 0)
      #expect(sources.droppedCounts["phone"] == (current == "phone" ? 0 : 1))
    }
  }

  @Test func `Texts end at their limits`() {
    #expect(RunText.clock(3.6e9) == "–")
    #expect(RunText.clock(3.6e9 - 1) == "999999:59:59")
    #expect(RunText.pace(300_000, per: 12_000_000) == "–")
    #expect(RunText.pace(299_999, per: 12_000_000) != "–")
    #expect(RunText.distance(1e15) == "–")
    #expect(RunText.distance(0.99e15) != "–")
    #expect(RunText.clock(9) == "0:09")
    #expect(RunText.clock(10) == "0:10")
    #expect(RunText.clock(3600) == "1:00:00")
  }

  @Test func `A runner is silent after more than fifteen seconds`() {
    var race = Race()
    race.update("a", seconds: 5, meters: 10)
    #expect(race.silentRunners(at: 20).isEmpty)
    #expect(race.silentRunners(at: 20.5) == ["a"])
    race.update("a", seconds: 0, meters: 0)
    race.update("b", seconds: -1, meters: 3)
    #expect(race.runners == ["a"])
    #expect(race.meters(of: "a", at: 5) == 10)
    #expect(race.seconds(of: "a", at: 0) == 0)
  }
}
