import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Every kernel along time against a naive implementation in Double, for every length.
@Suite struct SeriesKernelTests {
  static let lengths = 2...300

  /// A lane, followed in memory by NaNs that a kernel may read but must not use.
  private static func lane(_ length: Int, seed: UInt64, offset: Double = 0) -> (lane: [Double], memory: [Float]) {
    var random = SplitMix64(seed: seed &+ UInt64(length))
    let lane = (0..<length).map { _ in Double(Float(offset + Double.random(in: -2...2, using: &random))) }
    return (lane, lane.map { Float($0) } + Array(repeating: .nan, count: 8))
  }

  /// The mean-removed lane, followed by exactly the padding that kernels require.
  private static func series(_ memory: [Float], count: Int) -> (series: [Float], variance: Float) {
    var series = [Float](repeating: .nan, count: count + SeriesKernels.padding)
    let variance = SeriesKernels.removeMean(
      memory, count: count, meanFromFirst: SeriesKernels.meanFromFirst(memory, count: count), into: &series)
    return (series, variance)
  }

  @Test(.requiresOptimization) func `Moments agree with the definition, with a large mean too`() {
    for length in Self.lengths {
      for offset in [0, 1e6] {
        let (lane, memory) = Self.lane(length, seed: 1, offset: offset)
        let mean = lane.reduce(0, +) / Double(length)
        let about = lane.map { $0 - mean }
        let moments = [2.0, 3, 4].map { power in about.map { pow($0, power) }.reduce(0, +) / Double(length) }
        let (series, variance) = Self.series(memory, count: length)
        let found = Double(memory[0] + SeriesKernels.meanFromFirst(memory, count: length))
        #expect((found - mean).magnitude <= 1e-6 * max(1, offset / 10), "length \(length)")
        #expect((Double(variance) / moments[0] - 1).magnitude < 1e-5, "length \(length)")
        #expect(zip(series, about).allSatisfy { (Double($0) - $1).magnitude < 1e-5 }, "length \(length)")
        #expect(series.dropFirst(length).prefix(16).allSatisfy { $0 == 0 }, "length \(length)")
        let higher = SeriesKernels.higherMoments(series, count: length)
        let distance = about.map(\.magnitude).reduce(0, +) / Double(length)
        #expect((Double(higher.distance) - distance).magnitude < 1e-5, "length \(length)")
        #expect((Double(higher.third) - moments[1]).magnitude < 1e-5 * pow(moments[0], 1.5), "length \(length)")
        #expect((Double(higher.fourth) / moments[2] - 1).magnitude < 1e-5, "length \(length)")
      }
    }
  }

  @Test func `Extrema, differences and crossings agree with a plain loop`() {
    for length in Self.lengths {
      let (lane, memory) = Self.lane(length, seed: 2)
      let (minimum, maximum) = SeriesKernels.extrema(memory, count: length)
      #expect(minimum == Float(lane.min()!) && maximum == Float(lane.max()!), "length \(length)")
      let pairs = zip(lane, lane.dropFirst())
      let differences = pairs.map { ($1 - $0).magnitude }.reduce(0, +)
      let found = Double(SeriesKernels.absoluteDifferences(memory, count: length))
      #expect((found - differences).magnitude <= 1e-5 * differences, "length \(length)")
      let crossings = Float(pairs.count { ($0 >= 0) != ($1 >= 0) })
      #expect(SeriesKernels.crossings(memory, count: length) == crossings, "length \(length)")
    }
  }

  @Test func `A zero counts as above`() {
    #expect(
      SeriesKernels.crossings([0, 1, 0, -1, 0, 0, 0, -1, 0, 0] + Array(repeating: .nan, count: 8), count: 10) == 4)
  }

  @Test(.requiresOptimization) func `Lagged products agree with a plain loop at every lag`() {
    for length in Self.lengths {
      let (_, memory) = Self.lane(length, seed: 3)
      let series = Self.series(memory, count: length).series
      for lag in stride(from: 0, to: length, by: 7) {
        var sums = [Float](repeating: 0, count: SeriesKernels.manyLags + 4)
        sums.withUnsafeMutableBufferPointer {
          SeriesKernels.manyProducts(series, lag: lag, count: length, into: $0.baseAddress!)
          let rest = $0.baseAddress! + SeriesKernels.manyLags
          SeriesKernels.fourProducts(series, lag: lag + SeriesKernels.manyLags, count: length, into: rest)
        }
        for (index, sum) in sums.enumerated() {
          let later = series[..<length].dropFirst(lag + index)
          let expected = zip(series, later).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
          #expect((Double(sum) - expected).magnitude < 1e-5 * Double(length), "lag \(lag + index) of \(length)")
        }
      }
    }
  }

  @Test func `Every rank agrees with sorting, repeats included`() {
    for length in Self.lengths {
      var (lane, memory) = Self.lane(length, seed: 4)
      if length.isMultiple(of: 3) { lane = lane.map { $0.rounded() } }
      memory.replaceSubrange(0..<length, with: lane.map { Float($0) })
      let sorted = memory[..<length].sorted()
      for highest in Set([0, 1, 6, 7, 8, 15, 16, length / 4, length / 2, length - 1]) where highest < length {
        let order = OrderStatistics(length: length, highestRank: highest)
        var rows = [LaneGroup](repeating: LaneGroup(repeating: .nan), count: order.scratchCount)
        rows.withUnsafeMutableBufferPointer { order.arrange(memory, in: $0.baseAddress!) }
        for rank in 0...highest where rows[rank][0] != sorted[rank] {
          Issue.record("rank \(rank) of \(length), highest \(highest): \(rows[rank][0]), not \(sorted[rank])")
        }
      }
    }
  }

  @Test func `The first of equal peaks is chosen, and without a peak lag and height are 0`() {
    let plan = Autocorrelation(length: 60, sampleRate: .hertz(10), range: 0.2...3)
    let unbiased = Autocorrelation.unbiased(length: 60)
    var scratch = [Float](repeating: 0, count: plan.seriesScratchCount)
    let square = (0..<60).map { Float($0 % 4 < 2 ? 1 : -1) } + Array(repeating: 0, count: SeriesKernels.padding)
    #expect((plan.peak(of: square, variance: 1, unbiased: unbiased, scratch: &scratch).lag - 0.4).magnitude < 1e-3)
    let flat = [Float](repeating: 0, count: 60 + SeriesKernels.padding)
    #expect(plan.peak(of: flat, variance: 0, unbiased: unbiased, scratch: &scratch) == (0, 0))
  }
}
