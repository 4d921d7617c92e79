import GaitTestSupport
import Testing

@testable import Gait

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

  @Test func `Runs that never pause have no decisions by GPS`() throws {
    #expect(try Self.decisions(.never).isEmpty)
  }
}
