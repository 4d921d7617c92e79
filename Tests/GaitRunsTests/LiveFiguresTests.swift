import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// The figures that a display shows during a run.
@Suite(.requiresOptimization) struct LiveFiguresTests {
  @Test("moving time never falls, and the current pace follows the runner", arguments: [21, 22] as [UInt64])
  func snapshots(seed: UInt64) throws {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 10...10)
    let run = simulator.run()
    let options = RunOptions(snapshotSeconds: 1, keepsEvidence: false)
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
    #expect(median < 0.05, "the current pace is off by \(median) in the median, \(high) at most in 95 %")
    #expect(high < 0.2, "the current pace is off by \(median) in the median, \(high) at most in 95 %")
  }

  /// The snapshots of a run, and the run.
  private static func figures(
    seed: UInt64, usesBarometer: Bool
  ) throws -> (snapshots: [RunSnapshot], run: RunTimeline) {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.programme = .varied(minutes: 12...12)
    simulator.climb = 60
    let options = RunOptions(snapshotSeconds: 5, bodyMass: 70, keepsEvidence: false)
    var snapshots: [RunSnapshot] = []
    let run = try simulator.run().tracked(by: .running, options: options, usesBarometer: usesBarometer) {
      if case .snapshot(let snapshot) = $0 { snapshots.append(snapshot) }
    }
    return (snapshots, run)
  }

  @Test("energy, distance and the box only grow, and end near the finished run's", arguments: [31, 32] as [UInt64])
  func growing(seed: UInt64) throws {
    let (snapshots, run) = try Self.figures(seed: seed, usesBarometer: true)
    for figure in [\RunSnapshot.energy, \.activeEnergy, \.distance] {
      let values = snapshots.compactMap { $0[keyPath: figure] }
      #expect(values == values.sorted(), "\(figure) fell")
      #expect(values.count > 100, "\(figure) fell")
    }
    let last = try #require(snapshots.last)
    let energy = try #require(try run.energy(bodyMass: 70)), active = try #require(try run.activeEnergy(bodyMass: 70))
    #expect(try (#require(last.energy) / energy - 1).magnitude < 0.03, "\(last) \(energy)")
    #expect(try (#require(last.activeEnergy) / active - 1).magnitude < 0.04, "\(last) \(active)")
    #expect((energy - active - 3.5 * run.elapsedSeconds / 60 * 70 / 200).magnitude < 1e-9)
    let box = try #require(run.boundingBox)
    let latitudes = try #require(last.latitudes), longitudes = try #require(last.longitudes)
    #expect((latitudes.upperBound - box.latitudes.upperBound).magnitude < 2e-4, "\(latitudes) \(box)")
    #expect((longitudes.lowerBound - box.longitudes.lowerBound).magnitude < 2e-4, "\(longitudes) \(box)")
    for (one, next) in zip(snapshots, snapshots.dropFirst()) {
      let isInside = next.latitudes.map { $0.contains(one.latitudes ?? $0) } ?? true
      #expect(isInside, "the box shrank")
    }
  }

  @Test(
    "climb and altitudes are corrected by a few metres with a barometer, and by more with GPS alone",
    arguments: [(33 as UInt64, true), (34, true), (33, false), (34, false)])
  func climb(seed: UInt64, usesBarometer: Bool) throws {
    let (snapshots, run) = try Self.figures(seed: seed, usesBarometer: usesBarometer)
    let climbs = snapshots.compactMap(\.climb)
    let falls = zip(climbs, climbs.dropFirst()).map { $0 - $1 }.max() ?? 0
    let limit = usesBarometer ? 3.0 : 30
    #expect(falls < limit, "the climb fell by \(falls) m")
    guard usesBarometer else { return }
    let final = try #require(run.elevation()?.gain), last = try #require(climbs.last)
    #expect((final - last).magnitude < limit, "\(last) m, and \(final) m in the finished run")
    let range = try #require(run.altitudeRange), shown = try #require(snapshots.last?.altitudeRange)
    #expect((range.upperBound - range.lowerBound) > 20, "\(range)")
    #expect((range.lowerBound - shown.lowerBound).magnitude < 3)
    #expect((range.upperBound - shown.upperBound).magnitude < 3)
  }
}
