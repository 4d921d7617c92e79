import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

@Suite struct RateEstimateTests {
  private static func estimate(_ times: [Int64]) throws -> RateEstimate { try #require(RateEstimate(times: times)) }

  @Test(arguments: [5.0, 10, 12.5, 20, 25, 30, 50, 51.2, 52, 60, 62.5, 100, 104, 128, 200, 400, 800])
  func `Even times give their rate`(hertz: Double) throws {
    for count in [2, 3, 10, 1000, 60_000] {
      let estimate = try Self.estimate(TimedRows.even(count, hertz: hertz))
      #expect(estimate.hertz == hertz, "\(count) rows")
      #expect(estimate.jitter < 1)
    }
  }

  @Test(arguments: [
    4.0, 5, 8, 10, 12.5, 15, 16, 20, 25, 30, 31.25, 32, 40, 50, 51.2, 52, 60, 62.5, 64, 75, 80, 90, 100, 104, 120, 125,
    128, 150, 200, 208, 250, 256, 400, 416, 500, 512, 800, 833, 1000, 1600,
  ])
  func `A clock that is wrong by a thousandth gives the nominal rate`(hertz: Double) throws {
    for share in [0.999, 1.001] {
      let estimate = try Self.estimate(TimedRows.even(2000, hertz: hertz * share))
      #expect(estimate.hertz == hertz, "\(hertz * share) Hz")
    }
  }

  @Test(arguments: [10.0, 25, 50, 60, 100, 200], [0.05, 0.2, 0.45])
  func `Jitter does not change the rate, and is measured`(hertz: Double, jitter: Double) throws {
    var random = SplitMix64(seed: 3)
    let times = TimedRows.even(3000, hertz: hertz).map {
      $0 + Int64(Double.random(in: -jitter...jitter, using: &random) * 1e9 / hertz)
    }
    let estimate = try Self.estimate(times)
    #expect(estimate.hertz == hertz)
    // The difference of two even distributions of width 2j has a variance of 2 · j²/3.
    let expected = jitter * 1e9 / hertz * (2.0 / 3).squareRoot()
    #expect((estimate.jitter / expected - 1).magnitude < 0.05)
  }

  /// Clocks that tick every 10 ms, 15.625 ms (Windows), 1 ms and 20 ms.
  @Test(arguments: [10_000_000, 15_625_000, 1_000_000, 20_000_000])
  func `A coarse clock gives the correct rate`(tick: Int64) throws {
    for hertz in [10.0, 20, 25, 30, 40, 50, 60, 64, 62.5] where 1e9 / hertz >= Double(tick) {
      let times = TimedRows.even(5000, hertz: hertz, from: 3_141_592_653).map { $0 / tick * tick }
      #expect(try Self.estimate(times).hertz == hertz, "\(hertz) Hz in ticks of \(tick) ns")
    }
  }

  @Test(arguments: [2, 5, 10, 16])
  func `Rows in bursts give the correct rate`(burst: Int) throws {
    let even = TimedRows.even(burst * 400, hertz: 100)
    let times = even.indices.map { even[$0 / burst * burst + burst - 1] + Int64($0 % burst) * 50_000 }
    #expect(try Self.estimate(times).hertz == 100)
  }

  @Test func `Gaps do not change the rate`() throws {
    for (every, seconds) in [(50, 0.2), (500, 5), (3000, 86_400), (100, 0.1), (3, 3600)] {
      var shift: Int64 = 0
      let times = TimedRows.even(5990, hertz: 50).enumerated().map { index, time in
        // At random, but in at most one step of twenty.
        if index % max(every, 25) == 24 { shift += Int64(seconds * 1e9) }
        return time + shift
      }
      #expect(try Self.estimate(times).hertz == 50, "\(seconds) s after every \(every) rows")
    }
  }

  @Test func `Lost rows lower the rate in proportion`() throws {
    var random = SplitMix64(seed: 4)
    let times = TimedRows.even(6000, hertz: 100).filter { _ in Double.random(in: 0..<1, using: &random) > 0.03 }
    #expect(try (Self.estimate(times).hertz - 97).magnitude < 0.6)
    let half = TimedRows.even(6000, hertz: 100).enumerated().filter { $0.offset % 3 != 2 }.map(\.element)
    #expect(try (Self.estimate(half).hertz - 66.667).magnitude < 0.01)
  }

  @Test func `A rate far from every nominal one is not rounded`() throws {
    for hertz in [17.3, 45.5, 55.5, 70, 112, 180] {
      #expect(try (Self.estimate(TimedRows.even(500, hertz: hertz)).hertz - hertz).magnitude <= 0.0005)
    }
    for hertz in [49.6, 50.4, 99.2] {
      #expect(try [50, 100].contains(Self.estimate(TimedRows.even(500, hertz: hertz)).hertz))
    }
  }

  @Test func `Fewer than two times give no rate`() {
    #expect(RateEstimate(times: []) == nil)
    #expect(RateEstimate(times: [5]) == nil)
  }
}
