import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Every kernel beside the plainest code that does the same, in Double, over every length.
@Suite struct KernelTests {
  static let lengths = 2...300

  private static func window(_ length: Int, seed: UInt64, offset: Double = 0) -> [[Double]] {
    var random = SplitMix64(seed: seed &+ UInt64(length))
    return (0..<8).map { _ in
      (0..<length).map { _ in Double(Float(offset + Double.random(in: -2...2, using: &random))) }
    }
  }

  private static func rows(_ lanes: [[Double]]) -> [LaneGroup] {
    lanes[0].indices.map { row in LaneGroup(lanes.map { Float($0[row]) }) }
  }

  /// Mean, variance, mean absolute deviation, third and fourth moment of a lane.
  private static func moments(_ lane: [Double]) -> [Double] {
    let count = Double(lane.count)
    let mean = lane.reduce(0, +) / count
    let about = lane.map { $0 - mean }
    return [mean, about.map { $0 * $0 }.reduce(0, +) / count, about.map(\.magnitude).reduce(0, +) / count]
      + [3.0, 4].map { power in about.map { pow($0, power) }.reduce(0, +) / count }
  }

  @Test func `Moments agree with the textbook, with a large mean too`() {
    for length in Self.lengths {
      for offset in [0, 1e6] {
        let lanes = Self.window(length, seed: 1, offset: offset)
        let rows = Self.rows(lanes)
        var sums = LaneKernels.Sums()
        var deviations = rows
        LaneKernels.mean(rows, stride: 1, count: length, into: &sums)
        LaneKernels.variance(rows, stride: 1, count: length, into: &sums, deviations: &deviations)
        LaneKernels.higherMoments(deviations, count: length, into: &sums)
        for (index, lane) in lanes.enumerated() {
          let expected = Self.moments(lane)
          let spread = expected[1].squareRoot()
          #expect((Double(sums.mean[index]) - expected[0]).magnitude <= 1e-6 * max(1, offset / 10), "length \(length)")
          #expect((Double(sums.variance[index]) / expected[1] - 1).magnitude < 1e-5, "length \(length)")
          #expect((Double(sums.meanAbsoluteDeviation[index]) - expected[2]).magnitude < 1e-5 * spread)
          #expect((Double(sums.third[index]) - expected[3]).magnitude < 1e-5 * pow(spread, 3))
          #expect((Double(sums.fourth[index]) / expected[4] - 1).magnitude < 1e-5, "length \(length)")
          #expect((Double(deviations[0][index]) - (lane[0] - expected[0])).magnitude < 1e-5)
        }
      }
    }
  }

  @Test func `Extrema, differences and crossings agree with a plain loop`() {
    for length in Self.lengths {
      let lanes = Self.window(length, seed: 2)
      let rows = Self.rows(lanes)
      let (minimum, maximum) = LaneKernels.extrema(rows, stride: 1, count: length)
      let differences = LaneKernels.absoluteDifferences(rows, stride: 1, count: length)
      let crossings = LaneKernels.crossings(rows, count: length)
      for (index, lane) in lanes.enumerated() {
        #expect(minimum[index] == Float(lane.min()!))
        #expect(maximum[index] == Float(lane.max()!))
        let pairs = zip(lane, lane.dropFirst())
        let expected = pairs.map { ($1 - $0).magnitude }.reduce(0, +)
        #expect((Double(differences[index]) - expected).magnitude <= 1e-5 * expected, "length \(length)")
        #expect(crossings[index] == Float(pairs.count { ($0 >= 0) != ($1 >= 0) }), "length \(length)")
      }
    }
  }

  @Test func `Sorting agrees with the standard library, repeats included`() {
    for length in Self.lengths {
      var lanes = Self.window(length, seed: 3)
      lanes[1] = lanes[1].map { $0.rounded() }
      lanes[2] = lanes[2].map { _ in 7 }
      var rows = Self.rows(lanes)
      rows.withUnsafeMutableBufferPointer { LaneSort(sorting: length)($0.baseAddress!) }
      for (index, lane) in lanes.enumerated() {
        #expect(rows.map { $0[index] } == lane.sorted().map { Float($0) }, "length \(length)")
      }
    }
  }

  @Test func `Shared sorted blocks give every rank of every window`() {
    for (length, hop) in [(16, 8), (64, 8), (64, 16), (64, 32), (128, 64), (256, 16)] {
      #expect(SortedBlocks.serves(length: length, hop: hop))
      var lanes = Self.window(length * 3, seed: 9)
      lanes[1] = lanes[1].map { $0.rounded() }
      let rows = Self.rows(lanes)
      var blocks = SortedBlocks(length: length, hop: hop)
      for end in stride(from: hop, through: rows.count, by: hop) {
        rows.withUnsafeBufferPointer { blocks.append($0.baseAddress! + end - hop, stride: 1) }
        guard end >= length else { continue }
        let sorted = lanes.map { $0[end - length..<end].sorted().map { Float($0) } }
        for rank in 0..<length {
          let value = blocks.value(atRank: rank)
          for lane in 0..<8 where value[lane] != sorted[lane][rank] {
            Issue.record("rank \(rank) of lane \(lane) in \(length)/\(hop) is \(value[lane])")
          }
        }
      }
    }
    #expect(!SortedBlocks.serves(length: 100, hop: 25))
    #expect(!SortedBlocks.serves(length: 64, hop: 64))
  }

  @Test func `A stride skips the other groups`() {
    let lanes = Self.window(20, seed: 4)
    let rows = Self.rows(lanes)
    let spread: [LaneGroup] = rows.flatMap { [$0, LaneGroup(repeating: 1e9), LaneGroup(repeating: -1e9)] }
    var (alone, among) = (LaneKernels.Sums(), LaneKernels.Sums())
    var deviations = rows
    LaneKernels.mean(rows, stride: 1, count: 20, into: &alone)
    LaneKernels.variance(rows, stride: 1, count: 20, into: &alone, deviations: &deviations)
    LaneKernels.mean(spread, stride: 3, count: 20, into: &among)
    LaneKernels.variance(spread, stride: 3, count: 20, into: &among, deviations: &deviations)
    #expect(alone.mean == among.mean)
    #expect(alone.variance == among.variance)
    #expect(
      LaneKernels.absoluteDifferences(rows, stride: 1, count: 20)
        == LaneKernels.absoluteDifferences(spread, stride: 3, count: 20))
  }

  @Test func `Logarithms agree with the C library's`() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<20_000 {
      let values = SIMD4<Float>((0..<4).map { _ in Float(pow(10, Double.random(in: -37...38, using: &random))) })
      let logarithms = values.logarithms
      for lane in 0..<4 {
        let expected = log(Double(values[lane]))
        #expect((Double(logarithms[lane]) - expected).magnitude <= 2e-7 * max(1, expected.magnitude))
      }
    }
  }

  @Test func `Eight transforms at a time agree with the sum that defines them`() {
    for length in [2, 3, 5, 8, 16, 25, 31, 32, 33, 50, 64, 65, 100, 128, 200, 250, 300] {
      let lanes = Self.window(length, seed: 10).map { lane in
        lane.map { Double(Float($0 - lane.reduce(0, +) / Double(length))) }
      }
      let plan = LaneFourier(length: length)
      var powers = [LaneGroup](repeating: .zero, count: plan.binCount)
      var scratch = [LaneGroup](repeating: LaneGroup(repeating: .nan), count: plan.scratchCount)
      plan.powers(of: Self.rows(lanes), into: &powers, scratch: &scratch)
      for (index, lane) in lanes.enumerated() {
        let expected = powers.indices.map { Self.power(lane, bin: $0, transformLength: plan.transformLength) }
        let total = expected.reduce(0, +)
        for bin in powers.indices {
          #expect(
            (Double(powers[bin][index]) - expected[bin]).magnitude <= 1e-5 * total, "bin \(bin) of length \(length)")
        }
      }
    }
  }

  @Test func `Eight autocorrelations at a time agree with one along time`() {
    for length in Self.lengths {
      let lanes = Self.window(length, seed: 11).map { lane in lane.map { $0 - lane.reduce(0, +) / Double(length) } }
      let plan = Autocorrelation(length: length, sampleRate: .hertz(25), range: 0.2...1.1)
      let rows = Self.rows(lanes) + Array(repeating: .zero, count: Autocorrelation.block)
      var scratch = [LaneGroup](repeating: .zero, count: plan.scratchCount)
      let variance = LaneGroup(lanes.map { lane in Float(lane.map { $0 * $0 }.reduce(0, +) / Double(length)) })
      let found = plan.peaks(of: rows, variance: variance, scratch: &scratch)
      for (index, lane) in lanes.enumerated() {
        let alone = Self.peak(lane, plan)
        #expect((found.lag[index] - alone.lag).magnitude < 1e-4, "length \(length)")
        #expect((found.height[index] - alone.height).magnitude < 1e-4, "length \(length)")
      }
    }
  }

  @Test func `The periodogram agrees with the sum that defines it`() {
    for length in [2, 3, 7, 8, 15, 16, 17, 25, 31, 32, 33, 64, 100, 128, 200, 300] {
      let lane = Self.window(length, seed: 5)[0]
      let mean = lane.reduce(0, +) / Double(length)
      let plan = Periodogram(length: length, sampleRate: .hertz(25), bands: [0...12.5])
      let transformLength = Periodogram.transformLength(for: length)
      #expect(plan.bins == 0..<transformLength / 2)
      var powers = [Float](repeating: 0, count: plan.powerCount)
      var scratch = [Float](repeating: 0, count: plan.scratchCount)
      plan.powers(of: Self.padded(lane.map { Float($0 - mean) }), into: &powers, scratch: &scratch)
      let total = Double(powers.reduce(0, +))
      for bin in plan.bins {
        let expected = Self.power(lane.map { $0 - mean }, bin: bin, transformLength: transformLength)
        #expect((Double(powers[bin]) - expected).magnitude <= 1e-5 * total, "bin \(bin) of length \(length)")
      }
    }
  }

  /// The mean square in one bin of the one-sided Hann periodogram, from the definition.
  private static func power(_ series: [Double], bin: Int, transformLength: Int) -> Double {
    let count = Double(series.count)
    let hann = series.indices.map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / count) }
    var (real, imaginary) = (0.0, 0.0)
    for (index, value) in series.enumerated() {
      let angle = -2 * .pi * Double(bin) * Double(index) / Double(transformLength)
      real += hann[index] * value * cos(angle)
      imaginary += hann[index] * value * sin(angle)
    }
    let sides = bin == 0 || bin * 2 == transformLength ? 1.0 : 2.0
    return sides * (real * real + imaginary * imaginary)
      / (Double(transformLength) * hann.map { $0 * $0 }.reduce(0, +))
  }

  private static func padded(_ series: [Float]) -> [Float] {
    series + Array(repeating: 0, count: SeriesKernels.padding)
  }

  private static func peak(_ series: [Double], _ plan: Autocorrelation) -> (lag: Float, height: Float) {
    var scratch = [Float](repeating: 0, count: plan.seriesScratchCount)
    let variance = series.reduce(0) { $0 + $1 * $1 } / Double(series.count)
    return plan.peak(of: padded(series.map { Float($0) }), variance: Float(variance), scratch: &scratch)
  }

  @Test func `The autocorrelation's lag agrees with a plain search`() {
    for length in Self.lengths {
      let lane = Self.window(length, seed: 6)[0]
      let mean = lane.reduce(0, +) / Double(length)
      let series = lane.map { Double(Float($0 - mean)) }
      let plan = Autocorrelation(length: length, sampleRate: .hertz(25), range: 0.2...1.1)
      let lag = Self.peak(series, plan).lag
      #expect((Double(lag) - Self.lag(series)).magnitude < 1e-3, "length \(length)")
    }
  }

  private static func lag(_ series: [Double]) -> Double {
    let count = series.count
    let autocorrelation = (0..<count).map { lag in
      zip(series, series.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(count - lag)
    }
    var best = (value: -Double.infinity, lag: 0.0)
    for lag in 5...27 where Double(lag) <= 0.6 * Double(count) && lag + 1 < count {
      let (before, here, after) = (autocorrelation[lag - 1], autocorrelation[lag], autocorrelation[lag + 1])
      guard here > before, here >= after, here > best.value else { continue }
      best = (here, Double(lag) + 0.5 * (before - after) / (before - 2 * here + after))
    }
    return best.lag / 25
  }

  @Test func `A sine inside the band has the RMS of a sine`() throws {
    let columns: [Channel: [Float]] = [
      .userAccelerationX: (0..<128).map { Float(3 * sin(2 * .pi * 2.7 * Double($0) / 25)) }
    ]
    let recording = Recording(name: "sine", sampleRate: .hertz(25), columns: columns)
    let feature = Feature(.channel(.userAccelerationX), .bandRMS(2...3.5))
    let value = try #require(computed([feature], of: recording).first?.first)
    #expect((value - 3 / Float(2).squareRoot()).magnitude < 0.02)
  }

  @Test func `An angle that passes π is not motion`() throws {
    let yaw = (0..<64).map { Float(remainder(3 + 0.01 * Double($0), 2 * .pi)) }
    let recording = Recording(name: "turn", sampleRate: .hertz(25), columns: [.attitudeYaw: yaw])
    let features = [Statistic.maximum, .minimum, .standardDeviation].map { Feature(.channel(.attitudeYaw), $0) }
    let values = try #require(computed(features, of: recording).first)
    #expect((values[0] - 3.63).magnitude < 1e-5)
    #expect((values[1] - 3).magnitude < 1e-5)
    #expect((values[2] - 0.1847).magnitude < 1e-3)
  }
}
