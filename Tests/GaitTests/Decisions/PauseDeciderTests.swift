import Gait
import GaitTestSupport
import Testing

/// The times of decisions that GPS makes.
@Suite struct PauseDeciderTests {
  /// The decisions of GPS points of a run of 20 s, a stop of 10 s and a run of 10 s, without motion.
  private static func decisions(_ policy: PausePolicy = .whenStill) throws -> [PauseEvent] {
    var settings = PauseSettings()
    settings.locationMayPause = true
    var decider = try PauseDecider(model: TestModels.runner.with(pauses: settings), policy: policy)
    var (decisions, north): ([PauseEvent], Double) = ([], 0)
    for second in 0..<40 {
      let speed = 20..<30 ~= second ? 0.0 : 3
      north += speed
      let point = LocationSample(
        time: .seconds(Double(second)), latitude: 48 + north / 111_195, longitude: 11, speed: speed,
        horizontalAccuracy: 3)
      if let decision = decider.append(point) { decisions.append(decision) }
    }
    return decisions
  }

  @Test func `A pause by GPS begins where the speed fell, and ends where it rose`() throws {
    let decisions = try Self.decisions()
    #expect(decisions.map(\.isPause) == [true, false])
    #expect(decisions.map(\.cause) == [.location, .location])
    #expect(decisions.map(\.onset) == [.seconds(20), .seconds(30)])
    #expect(decisions.map(\.decidedAt) == [.seconds(23), .seconds(33)])
  }

  /// The pause of a run whose motion shows a stop from 30 s on, while GPS shows 4.5 m/s until `lastFast`.
  private static func pause(whileFastUntil lastFast: Int) -> PauseEvent? {
    var decider = PauseDecider(policy: .whenStill)
    var (pause, north): (PauseEvent?, Double) = (nil, 0)
    for second in 0..<90 {
      let time = SampleTime.seconds(Double(second))
      let speed = second <= lastFast ? 4.5 : 0.0
      north += speed
      let point = LocationSample(
        time: time, latitude: 48 + north / 111_195, longitude: 11, speed: speed, horizontalAccuracy: 3)
      let probabilities: [Activity: Float] = second < 30 ? [.running: 1] : [.still: 1]
      for decision in [
        decider.append(point), decider.append(probabilities, from: time, to: time.advanced(bySeconds: 1)),
      ] { pause = pause ?? decision }
    }
    return pause
  }

  @Test func `A stop that GPS shows up to ten seconds late begins where motion showed it`() throws {
    let prompt = try #require(Self.pause(whileFastUntil: 26))
    let late = try #require(Self.pause(whileFastUntil: 39))
    #expect(late.onset == prompt.onset, "\(late)")
    #expect(late.decidedAt >= .seconds(40), "\(late)")
  }

  @Test func `GPS that contradicts motion for longer delays the pause`() throws {
    let pause = try #require(Self.pause(whileFastUntil: 60))
    #expect(pause.onset >= .seconds(58), "\(pause)")
  }

  @Test func `Runs that never pause have no decisions by GPS`() throws {
    #expect(try Self.decisions(.never).isEmpty)
  }
}
