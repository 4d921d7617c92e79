import Testing

@testable import Gait

/// Which layout features get. Both give the same values, so only these tests and the counts of costs see the choice.
@Suite struct LanePackingTests {
  private static let lanes: [Lane] = [.total, .vertical, .jerk]

  @Test func `A set of few lanes runs along time, and the full set side by side`() {
    #expect(LanePacking(features: Feature.orientationFree).isColumnar)
    let full = LanePacking(features: Feature.full)
    #expect(!full.isColumnar)
    #expect(full.groupCount > 1)
  }

  @Test(arguments: [Statistic.percentile(10), .autocorrelationPeak(0.6...0.82), .bandRMS(1.2...2.2)])
  func `Costly statistics run along time for two lanes, and side by side in one group for three`(statistic: Statistic) {
    let three = LanePacking(features: Self.lanes.map { Feature($0, statistic) })
    #expect(LanePacking(features: Self.lanes.dropLast().map { Feature($0, statistic) }).isColumnar)
    #expect(!three.isColumnar)
    #expect(three.sources.count == Lanes.scalarCount * Lanes.perGroup)
    #expect(three.sources.compactMap(\.self).count == 3)
  }

  @Test func `Sums run along time for any lanes of one group, and a whole spectrum side by side`() {
    #expect(LanePacking(features: Self.lanes.map { Feature($0, .mean) }).isColumnar)
    #expect(!LanePacking(features: [Feature(.total, .spectralEntropy)]).isColumnar)
  }
}
