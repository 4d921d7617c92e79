import Foundation
import Gait
import Testing

@testable import GaitTraining

/// The errors of tracked outdoor runs. With motion a run takes half a second in an optimised build, and minutes in a debug
/// build, which therefore has one short run.
struct OutdoorRunEvaluationTests {
  private static var isOptimised: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// The figures that are within their limits.
  private static let met: [OutdoorRunReport.Figure] = [.standingWhenStill, .standingWhenNotRunning]

  @Test(.enabled(if: isOptimised, "minutes in a debug build; run make test-release"))
  func `A few seeds are within the limits`() throws {
    let report = try OutdoorRunEvaluation(seeds: 101...104).report(of: .running)
    for figure in Self.met { #expect(report.isWithinLimits(figure), "\(figure)\n\(report)") }
    #expect(report.errors.count == OutdoorRunReport.Figure.allCases.count)
    #expect(report.errors[.distance]?.count == 4)
  }

  @Test(
    .enabled(if: isOptimised, "minutes in a debug build; run make test-release"),
    arguments: [101, 102, 103] as [UInt64])
  func `The motion alone gives moving time within 0.3 % and every stop`(seed: UInt64) throws {
    let run = OutdoorRunSimulator(seed: seed).run()
    let timeline = try ActivityModel.running.track(#require(run.motion))
    #expect(abs(timeline.movingSeconds / run.truth.movingSeconds - 1) < 0.003)
    #expect(timeline.pauses.count == run.truth.stops.count)
    for (pause, stop) in zip(timeline.pauses, run.truth.stops) {
      #expect(abs(pause.onset.seconds(since: stop.lowerBound)) < 3)
    }
    let running = timeline.slices.filter { $0.state == .running }.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
    let truth = run.truth.activities.filter { $0.activity == .running }.reduce(0) {
      $0 + $1.range.upperBound.seconds(since: $1.range.lowerBound)
    }
    #expect(abs(running / truth - 1) < 0.1)
  }

  @Test func `Location alone is measured in any build`() throws {
    var evaluation = OutdoorRunEvaluation(seeds: 101...102)
    evaluation.kinds = [.locationAlone]
    let report = try evaluation.report(of: .running)
    #expect(Set(report.errors.keys) == [.distanceByLocationAlone, .movingTimeByLocationAlone])
    #expect(report.errors[.distanceByLocationAlone]?.count == 2)
  }

  @Test func `The errors of a figure are sorted by size, and their bias keeps the sign`() throws {
    let report = OutdoorRunReport([.distance: [-3, 1, 0.5, 0.2, -0.7], .averagePace: [.infinity], .liveDistance: [-1]])
    let errors = try #require(report.errors[.distance])
    #expect(errors.count == 5 && errors.median == 0.7 && errors.p95 == 3 && errors.worst == 3)
    #expect(abs(errors.bias + 0.4) < 1e-12)
    #expect(!report.isWithinLimits(.distance) && report.isWithinLimits(.liveDistance) && !report.isWithinLimits)
    #expect(
      report.description == """
        error               n   median     95 %    worst     bias   limit
        distance, %         5     0.70     3.00     3.00    -0.40  missed
          live, %           1     1.00     1.00     1.00    -1.00
        average pace, s/km  1  unknown  unknown  unknown  unknown  missed
        """)
    let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    #expect(json.contains(#""averagePace":{"#) && json.contains(#""worst":null"#))
  }
}
