import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitTraining

/// The errors of tracked outdoor runs: few seeds, and fewer in a debug build, where a run takes seconds.
struct OutdoorRunEvaluationTests {
  private static let seeds: ClosedRange<UInt64> = Optimization.isOn ? 101...104 : 101...101

  private static func check(
    _ kinds: [OutdoorRunEvaluation.Kind], _ figures: [OutdoorRunReport.Figure]
  ) throws {
    var evaluation = OutdoorRunEvaluation(seeds: seeds)
    evaluation.kinds = kinds
    let report = try evaluation.report(of: .running)
    for figure in figures {
      #expect((report.errors[figure]?.count ?? 0) >= seeds.count, "\(figure)")
      #expect(report.isWithinLimits(figure), "\(figure)\n\(report)")
    }
  }

  @Test(.requiresOptimization) func `Standing for twenty minutes adds no more than the limits`() throws {
    try Self.check(
      [.standing],
      [
        .standingWhenStill, .standingWhenNotRunning, .standingNever, .standingByLocationAlone, .standingByPlacesAlone,
      ])
  }

  @Test(.requiresOptimization)
  func `Distance, pace, moving and elapsed time, and climb are within the limits`() throws {
    try Self.check(
      [.usual, .flat, .hills],
      [
        .distance, .averagePace, .movingTime, .elapsedTime, .flatClimbByLocation, .flatClimbByBarometer,
        .hillsByBarometer,
      ])
  }

  @Test(.requiresOptimization)
  func `Every figure is measured`() throws {
    let report = try OutdoorRunEvaluation(seeds: 101...101).report(of: .running)
    #expect(Set(report.errors.keys) == Set(OutdoorRunReport.Figure.allCases))
  }

  @Test(.requiresOptimization, arguments: seeds)
  func `The motion alone gives moving time within 0.2 % and every stop`(seed: UInt64) throws {
    let run = OutdoorRunSimulator(seed: seed).run()
    let timeline = try ActivityModel.running.track(#require(run.motion))
    #expect(abs(timeline.movingSeconds / run.truth.movingSeconds - 1) < 0.002)
    #expect(timeline.pauses.count == run.truth.stops.count)
    for (pause, stop) in zip(timeline.pauses, run.truth.stops) {
      #expect(abs(pause.onset.seconds(since: stop.lowerBound)) < 1)
    }
    let running = timeline.slices.filter { $0.state == .running }.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
    let truth = run.truth.activities.filter { $0.activity == .running }.reduce(0) {
      $0 + $1.range.upperBound.seconds(since: $1.range.lowerBound)
    }
    #expect(abs(running / truth - 1) < 0.05)
  }

  @Test func `Location alone is measured in any build`() throws {
    var evaluation = OutdoorRunEvaluation(seeds: 101...102)
    evaluation.kinds = [.locationAlone]
    let report = try evaluation.report(of: .running)
    #expect(Set(report.errors.keys) == [.distanceByLocationAlone, .movingTimeByLocationAlone])
    #expect(report.errors[.distanceByLocationAlone]?.count == 2)
  }

  @Test func `The errors of a figure are sorted by size, and their bias keeps the sign`() throws {
    let report = OutdoorRunReport([
      .distance: [-3, 1, 0.5, 0.2, -0.7], .averagePace: [.infinity], .liveDistance: [-1], .elapsedTime: [0.5],
    ])
    let errors = try #require(report.errors[.distance])
    #expect(errors.count == 5)
    #expect(errors.median == 0.7)
    #expect(errors.p95 == 3)
    #expect(errors.worst == 3)
    #expect(abs(errors.bias + 0.4) < 1e-12)
    #expect(!report.isWithinLimits(.distance))
    #expect(report.isWithinLimits(.liveDistance))
    #expect(!report.isWithinLimits)
    #expect(
      report.description == """
        error               n  median  95 %  worst   bias            limit
        distance, %         5    0.70  3.00   3.00  -0.40  0.5, 95 % 1.5 ✗
        distance, live, %   1    1.00  1.00   1.00  -1.00                –
        average pace, s/km  1       ∞     ∞      ∞      ∞         95 % 3 ✗
        elapsed time, s     1    0.50  0.50   0.50   0.50          all 1 ✓
        """)
    let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    #expect(json.contains(#""averagePace":{"#))
    #expect(json.contains(#""worst":null"#))
  }
}
