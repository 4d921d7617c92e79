import GaitTestSupport
import Testing

@testable import Gait

/// The search for the highest autocorrelation peak, along time and side by side, against its definition.
@Suite struct AutocorrelationPeakTests {
  private static func search(_ length: Int, _ rate: Double, _ range: ClosedRange<Double>) -> ClosedRange<Int>? {
    Autocorrelation(length: length, sampleRate: .hertz(rate), range: range).lags
  }

  @Test func `Lags are the whole samples of the range, at most 0.6 of the window and two before its end`() {
    #expect(Self.search(64, 25, 0.2...1.1) == 5...27)
    #expect(Self.search(64, 25, 0.2000001...1.1) == 6...27)
    #expect(Self.search(64, 25, 0.2...1.2) == 5...30)
    #expect(Self.search(100, 10, 0.3...6) == 3...60)
    #expect(Self.search(100, 10, 0.3...5.9) == 3...59)
    #expect(Self.search(100, 10, 6...7) == 60...60)
    #expect(Self.search(100, 10, 6.1...7) == nil)
    #expect(Self.search(99, 10, 0.1...9) == 1...59)
    // The lag that two more samples must follow.
    #expect(Self.search(5, 10, 0.1...9) == 1...3)
    #expect(Self.search(4, 10, 0.1...9) == 1...2)
    #expect(Self.search(3, 10, 0.1...9) == 1...1)
    #expect(Self.search(2, 10, 0.1...9) == nil)
    #expect(Self.search(20, 10, 0.01...0.3) == 1...3)
    #expect(Self.search(20, 10, 1e300...2e300) == nil)
    #expect(Self.search(20, 10, 0.1...2e300) == 1...12)
  }

  @Test func `Sums, scratch and factors have the sizes that the searches read`() {
    let search = Autocorrelation(length: 64, sampleRate: .hertz(25), range: 0.2...1.1)
    #expect(search.summedLags == 4..<29)
    #expect(search.seriesScratchCount == 23 + 18)
    let none = Autocorrelation(length: 2, sampleRate: .hertz(25), range: 0.2...1.1)
    #expect(none.summedLags.isEmpty)
    #expect(none.seriesScratchCount == 18)
    for (count, sums) in [(0, 0), (1, 5), (4, 5), (5, 5), (6, 10), (10, 10), (11, 15)] {
      #expect(Autocorrelation.sumCount(3..<3 + count) == sums)
    }
    let factors = Autocorrelation.unbiased(length: 4)
    #expect(factors == [0.25, 1 / Float(3), 0.5, 1] + Array(repeating: 0, count: 8))
  }

  /// The lag, refined, and the height, from the definition and in the same Floats.
  private static func expected(_ values: [Float], _ lags: ClosedRange<Int>, period: Float) -> (Float, Float) {
    let count = values.count
    let sums = (0..<count).map { lag in zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } }
    let r = (0..<count).map { sums[$0] * (1 / Float(count - $0)) }
    var best: Int?
    for lag in lags where r[lag] > r[lag - 1] && r[lag] >= r[lag + 1] && r[lag] > (best.map { r[$0] } ?? -.infinity) {
      best = lag
    }
    guard let best else { return (0, 0) }
    let curvature = r[best - 1] - 2 * r[best] + r[best + 1]
    let shift = curvature < 0 ? 0.5 * (r[best - 1] - r[best + 1]) / curvature : 0
    return ((Float(best) + shift) * period, r[best] / r[0])
  }

  /// Integers whose sums are exact: noise, square waves of several periods, and a ramp without a peak.
  private static func lane(_ kind: Int, _ count: Int) -> [Float] {
    var random = SplitMix64(seed: UInt64(1000 * kind + count))
    switch kind {
    case 0, 1, 2: return (0..<count).map { _ in Float(Int.random(in: -2...2, using: &random)) }
    case 3: return (0..<count).map { $0 % 4 < 2 ? 1 : -1 }
    case 4: return (0..<count).map { $0 % 6 < 3 ? 1 : -1 }
    case 5: return (0..<count).map { Float($0 % 5) - 2 }
    case 6: return (0..<count).map { Float($0 - count / 2) }
    default: return (0..<count).map { _ in 1 }
    }
  }

  @Test(arguments: [3, 4, 5, 8, 9, 12, 16, 20, 31, 32, 47, 60, 64, 97])
  func `The first of the highest peaks is found, along time and side by side`(count: Int) {
    for range in [0.1...0.1001, 0.1...0.25, 0.1...1.1, 0.3...0.9, 0.2...2.7, 0.1...3, 0.5...6] {
      let search = Autocorrelation(length: count, sampleRate: .hertz(10), range: range)
      let unbiased = Autocorrelation.unbiased(length: count)
      for first in [0, 4] {
        let lanes = (0..<4).map { Self.lane(first + $0, count) }
        let expected = lanes.map { lane in search.lags.map { Self.expected(lane, $0, period: 0.1) } ?? (0, 0) }
        let variances = lanes.map { lane in lane.reduce(0) { $0 + $1 * $1 } * (1 / Float(count)) }
        for (lane, (variance, expected)) in zip(lanes, zip(variances, expected)) {
          let series = lane + Array(repeating: 0, count: 64)
          var scratch = [Float](repeating: 0, count: search.seriesScratchCount)
          let found = search.peak(of: series, variance: variance, unbiased: unbiased, scratch: &scratch)
          #expect((found.lag - expected.0).magnitude < 1e-5, "\(count) values, \(range), from \(first)")
          #expect((found.height - expected.1).magnitude < 1e-5, "\(count) values, \(range), from \(first)")
        }
        guard Lanes.scalarCount == 4 else { continue }
        let rows = (0..<count).map { row in Lanes(lanes.map { $0[row] }) } + Array(repeating: .zero, count: 32)
        var sums = [Lanes](repeating: .zero, count: Autocorrelation.sumCount(search.summedLags))
        Autocorrelation.sumProducts(of: rows, length: count, lags: search.summedLags, into: &sums)
        let found = search.peaks(
          of: sums, variance: Lanes(variances), unbiased: unbiased.map { Factor(Double($0)) })
        for lane in 0..<4 {
          #expect((found.lag[lane] - expected[lane].0).magnitude < 1e-5, "\(count) values, \(range), from \(first)")
          #expect((found.height[lane] - expected[lane].1).magnitude < 1e-5, "\(count) values, \(range), from \(first)")
        }
      }
    }
  }

  @Test func `A lane without variance has no peak`() {
    let search = Autocorrelation(length: 20, sampleRate: .hertz(10), range: 0.1...1)
    let factors = Autocorrelation.unbiased(length: 20)
    let sums = (0..<search.summedLags.count).map { Lanes(repeating: $0 == 4 ? 3 : 1) }
    var variance = Lanes.zero
    variance[0] = 2
    let found = search.peaks(of: sums, variance: variance, unbiased: factors.map { Factor(Double($0)) })
    #expect(found.lag[0] > 0)
    #expect(found.height[0] > 0)
    #expect((1..<Lanes.scalarCount).allSatisfy { found.lag[$0] == 0 && found.height[$0] == 0 })
    let none = Autocorrelation(length: 2, sampleRate: .hertz(10), range: 0.1...1)
    let nothing = none.peaks(of: sums, variance: variance, unbiased: factors.map { Factor(Double($0)) })
    #expect(nothing.lag == .zero)
    #expect(nothing.height == .zero)
  }
}
