import Foundation
import Gait
import Testing

@Suite struct PauseLogTests {
  private static func event(_ onset: Double, _ cause: PauseCause = .still) -> PauseEvent {
    PauseEvent(
      isPause: cause != .moving, decidedAt: .seconds(onset + 1.5), onset: .seconds(onset), cause: cause,
      confidence: 0.9)
  }

  /// A log of pauses from each first to each second number; the last one may be open.
  private static func log(_ pauses: [(Double, Double?)], mergeGapSeconds: Double = 3, cause: PauseCause = .still)
    -> PauseLog
  {
    var log = PauseLog(mergeGapSeconds: mergeGapSeconds)
    for (onset, end) in pauses {
      log.record(event(onset, cause))
      if let end { log.record(event(end, .moving)) }
    }
    return log
  }

  private static func stretches(_ log: PauseLog) -> [[Double?]] {
    log.pauses.map { [$0.onset.seconds, $0.end?.seconds] }
  }

  @Test func `Pauses close together are merged, and every decision is kept`() {
    let log = Self.log([(10, 20), (22, 30), (34, nil)])
    #expect(Self.stretches(log) == [[10, 30], [34, nil]])
    #expect(log.decisions.count == 5)
  }

  @Test func `Manual pauses are not merged`() {
    #expect(Self.log([(10, 20), (22, 30)], cause: .manual).pauses.count == 2)
  }

  @Test func `Removing, adding, moving and merging pauses changes the moving time`() {
    var log = Self.log([(10, 20), (40, 50)])
    func moving() -> Double { log.movingSeconds(from: .seconds(0), to: .seconds(100)) }
    #expect(moving() == 80)
    log.remove(at: 0)
    #expect(moving() == 90)
    log.add(from: .seconds(60), to: .seconds(75))
    #expect(moving() == 75)
    #expect(log.pauses.last?.cause == .edited)
    log.add(from: .seconds(45), to: .seconds(65))
    #expect(Self.stretches(log) == [[40, 75]])
    log.move(at: 0, from: .seconds(5), to: .seconds(10))
    #expect(moving() == 95)
    log.add(from: .seconds(14), to: .seconds(20))
    log.merge(closerThanSeconds: 4)
    #expect(log.pauses.count == 2)
    log.merge(closerThanSeconds: 4.5)
    #expect(Self.stretches(log) == [[5, 20]])
    #expect(log.decisions.count == 4)
  }

  @Test func `An open pause lasts to the end`() {
    let log = Self.log([(90, nil)])
    #expect(log.movingSeconds(from: .seconds(0), to: .seconds(100)) == 90)
    #expect(log.movingSeconds(from: .seconds(0), to: .seconds(50)) == 50)
  }
}
