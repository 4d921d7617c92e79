import Gait
import Testing

@testable import GaitTraining

/// The stretches in which a run's state is wrong.
@Suite struct PauseMomentTests {
  /// A run that moves until 60 s, stands until 90, moves until 120 and stands until 150.
  private static let truth = [(0, 60, false), (60, 90, true), (90, 120, false), (120, 150, true)].map {
    ComposedRun.Stretch(start: .seconds(Double($0.0)), end: .seconds(Double($0.1)), isStopped: $0.2)
  }

  /// The mistakes with their times, of decisions at these seconds.
  private static func moments(_ decisions: [(seconds: Double, isPause: Bool)]) -> [String] {
    var log = PauseLog()
    for decision in decisions {
      let time = SampleTime.seconds(decision.seconds)
      log.record(
        PauseEvent(isPause: decision.isPause, decidedAt: time, onset: time, cause: .still, confidence: 1))
    }
    return PauseMoment.moments(of: log, in: truth, run: 0).map {
      "\($0.mistake.rawValue) \(Int($0.start.seconds))–\(Int($0.end.seconds))"
    }
  }

  @Test func `A delay is a moment that ends with the decision`() {
    let moments = Self.moments([(63, true), (92, false), (121, true)])
    #expect(moments == ["paused late 60–63", "resumed late 90–92", "paused late 120–121"])
  }

  @Test func `A wrong decision is a moment that ends with the next one or with the truth`() {
    let moments = Self.moments([(20, true), (25, false), (50, true), (70, false), (75, true), (90, false), (120, true)])
    #expect(
      moments == ["paused while moving 20–25", "paused while moving 50–60", "resumed while standing 70–75"])
  }

  @Test func `A change that is never decided is missed`() {
    #expect(Self.moments([]) == ["did not pause 60–90", "did not pause 120–150"])
    #expect(Self.moments([(61, true)]) == ["paused late 60–61", "did not resume 90–120"])
  }
}
