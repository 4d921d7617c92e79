import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// The figures that a display shows during a run.
@Suite struct LiveFiguresTests {
  @Test("moving time never falls, and the current pace follows the runner", arguments: [21, 22] as [UInt64])
  func snapshots(seed: UInt64) throws {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 10...10)
    let run = simulator.run()
    var options = RunOptions()
    options.snapshotSeconds = 1
    options.keepsEvidence = false
    var snapshots: [RunSnapshot] = []
    let timeline = try run.tracked(by: .running, options: options) {
      if case .snapshot(let snapshot) = $0 { snapshots.append(snapshot) }
    }
    let moving = snapshots.map(\.movingSeconds)
    #expect(moving == moving.sorted(), "moving time fell")
    #expect(timeline.pauses.count >= 3)
    let last = try #require(snapshots.last)
    #expect((last.movingSeconds - timeline.movingSeconds).magnitude < 3, "\(last.movingSeconds)")
    #expect(snapshots.allSatisfy { !$0.isPaused || $0.currentPace == nil })
    let errors = snapshots.compactMap { snapshot -> Double? in
      let middle = snapshot.time.advanced(bySeconds: -11)
      let from = middle.advanced(bySeconds: -10), to = middle.advanced(bySeconds: 10)
      let isMoving = run.truth.stops.allSatisfy { $0.upperBound < from || $0.lowerBound > to }
      guard isMoving, from > run.truth.start, let pace = snapshot.currentPace else { return nil }
      let truth = 20_000 / (run.truth.distance(at: to) - run.truth.distance(at: from))
      return (pace / truth - 1).magnitude
    }.sorted()
    #expect(errors.count > 200, "\(errors.count) paces")
    let (median, high) = (errors[errors.count / 2], errors[errors.count * 19 / 20])
    #expect(median < 0.05 && high < 0.2, "the current pace is off by \(median) in the median, \(high) at most in 95 %")
  }
}
