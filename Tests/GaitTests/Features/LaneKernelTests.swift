import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Every kernel over several lanes against a naive implementation in Double, for every length.
@Suite struct LaneKernelTests {
  static let lengths = 2...300
  private static let width = Lanes.scalarCount

  private static func window(_ length: Int, seed: UInt64, offset: Double = 0) -> [[Double]] {
    KernelTests.window(length, seed: seed, offset: offset, lanes: width)
  }

  private static func rows(_ lanes: [[Double]]) -> [Lanes] {
    lanes[0].indices.map { row in Lanes(lanes.map { Float($0[row]) }) }
  }

  private static func centred(_ lanes: [[Double]]) -> [[Double]] {
    lanes.map { lane in lane.map { Double(Float($0 - lane.reduce(0, +) / Double(lane.count))) } }
  }

  /// The mean, and Σ of the squares, cubes and fourth powers of the deviations.
  private static func moments(_ lane: [Double]) -> [Double] {
    let mean = lane.reduce(0, +) / Double(lane.count)
    return [mean] + [2.0, 3, 4].map { power in lane.map { pow($0 - mean, power) }.reduce(0, +) }
  }

  /// The sums of every kernel over rows.
  private struct Sums {
    var mean, squares, cubes, fourths, products, differences, minimum, maximum: Lanes
    var deviations: [Lanes]

    init(_ rows: [Lanes], stride: Int = 1) {
      let count = rows.count / stride
      var deviations = [Lanes](repeating: .zero, count: count)
      let (sums, minimum, maximum) = rows.withUnsafeBufferPointer {
        let rows = LaneRows(first: $0.baseAddress!, stride: stride)
        let (minimum, maximum) = LaneKernels.extrema(rows, count: count)
        return (RowSums(rows, count: count, Self.needs, deviations: &deviations), minimum, maximum)
      }
      self.init(sums, minimum: minimum, maximum: maximum, deviations: deviations)
    }

    /// The sums by those of both halves.
    init(halvesOf rows: [Lanes]) {
      var deviations = [Lanes](repeating: .zero, count: rows.count / 2)
      let (sums, minimum, maximum) = rows.withUnsafeBufferPointer {
        let (first, half) = ($0.baseAddress!, rows.count / 2)
        let a = RowSums(LaneRows(first: first, stride: 1), count: half, Self.needs, deviations: &deviations)
        let b = RowSums(LaneRows(first: first + half, stride: 1), count: half, Self.needs, deviations: &deviations)
        let (minimum, maximum) = LaneKernels.extrema(LaneRows(first: first, stride: 1), count: rows.count)
        return (RowSums(a, b, count: rows.count), minimum, maximum)
      }
      self.init(sums, minimum: minimum, maximum: maximum, deviations: [])
    }

    private static let needs: FeaturePlan.Needs = [.moments, .deviations, .higherMoments]

    private init(_ sums: RowSums, minimum: Lanes, maximum: Lanes, deviations: [Lanes]) {
      (mean, squares, cubes, fourths) = (sums.mean, sums.squares, sums.cubes, sums.fourths)
      (products, differences) = (sums.products, sums.differences)
      (self.minimum, self.maximum, self.deviations) = (minimum, maximum, deviations)
    }
  }

  /// Compares sums with the definition; `offset` is the level of the lanes.
  private static func expect(_ sums: Sums, agreeWith lanes: [[Double]], offset: Double, _ comment: Comment) {
    let count = Double(lanes[0].count)
    let neighbour = [1, 2, 0, 3, 5, 6, 4, 7]
    for (index, lane) in lanes.enumerated() {
      let expected = moments(lane)
      let spread = (expected[1] / count).squareRoot()
      #expect((Double(sums.mean[index]) - expected[0]).magnitude <= 1e-6 * max(1, offset / 10), comment)
      #expect((Double(sums.squares[index]) / expected[1] - 1).magnitude < 1e-5, comment)
      #expect((Double(sums.cubes[index]) - expected[2]).magnitude < 2e-5 * count * pow(spread, 3), comment)
      #expect((Double(sums.fourths[index]) / expected[3] - 1).magnitude < 2e-5, comment)
      let other = lanes[neighbour[index]]
      let products = zip(lane, other).map { ($0 - expected[0]) * ($1 - moments(other)[0]) }.reduce(0, +)
      #expect((Double(sums.products[index]) - products).magnitude < 1e-4 * count * max(1, spread), comment)
      let differences = zip(lane, lane.dropFirst()).map { ($1 - $0).magnitude }.reduce(0, +)
      #expect((Double(sums.differences[index]) - differences).magnitude <= 1e-5 * differences, comment)
      #expect(sums.minimum[index] == Float(lane.min()!) && sums.maximum[index] == Float(lane.max()!), comment)
    }
  }

  @Test(.requiresOptimization) func `Moments agree with the definition, with a large mean too`() {
    for length in Self.lengths {
      for offset in [0, 1e6] {
        let lanes = Self.window(length, seed: 1, offset: offset)
        let sums = Sums(Self.rows(lanes))
        Self.expect(sums, agreeWith: lanes, offset: offset, "length \(length), offset \(offset)")
        #expect((Double(sums.deviations[0][0]) - (lanes[0][0] - Self.moments(lanes[0])[0])).magnitude < 1e-5)
      }
    }
  }

  @Test(.requiresOptimization) func `The sums of two halves are those of the whole`() {
    for length in Self.lengths where length % 2 == 0 {
      for (offset, step) in [(0.0, 0.0), (1e6, 0), (0, 5), (10, -100)] {
        let lanes = Self.window(length, seed: 6, offset: offset).map { lane in
          lane.enumerated().map { Double(Float($1 + ($0 < length / 2 ? 0 : step))) }
        }
        let sums = Sums(halvesOf: Self.rows(lanes))
        Self.expect(sums, agreeWith: lanes, offset: max(offset, step.magnitude), "length \(length), \(offset), \(step)")
      }
    }
  }

  @Test func `A stride skips the other parts`() {
    let rows = Self.rows(Self.window(20, seed: 4))
    let spread: [Lanes] = rows.flatMap { [$0, Lanes(repeating: 1e9), Lanes(repeating: -1e9)] }
    let (alone, among) = (Sums(rows), Sums(spread, stride: 3))
    #expect(alone.deviations == among.deviations)
    #expect(alone.fourths == among.fourths)
    #expect(alone.differences == among.differences)
    #expect(alone.maximum == among.maximum)
  }

  @Test func `Deviation and crossing sums agree with a plain loop`() {
    for length in Self.lengths {
      let lanes = Self.window(length, seed: 2)
      let sums = LaneKernels.deviationSums(Self.rows(lanes), count: length, absolute: true)
      var deviations = [Lanes](repeating: .zero, count: length)
      let raised = Self.rows(lanes).map { $0 + 1 }
      let written = raised.withUnsafeBufferPointer {
        LaneKernels.removeMean(
          LaneRows(first: $0.baseAddress!, stride: 1), count: length, meanFromFirst: 1 - $0[0], into: &deviations)
      }
      #expect(zip(deviations, Self.rows(lanes)).allSatisfy { all(($0 - $1).magnitudes .< 1e-5) }, "length \(length)")
      #expect(all((written.absolute - sums.absolute).magnitudes .< 1e-4 * Float(length)), "length \(length)")
      for (index, lane) in lanes.enumerated() {
        let crossings = zip(lane, lane.dropFirst()).count { ($0 >= 0) != ($1 >= 0) }
        #expect(Int(sums.crossings[index]) == crossings, "length \(length)")
        let absolute = lane.map(\.magnitude).reduce(0, +)
        #expect((Double(sums.absolute[index]) - absolute).magnitude <= 1e-5 * absolute, "length \(length)")
      }
    }
  }

  @Test func `Sorting agrees with the standard library, repeats included`() {
    for length in Self.lengths {
      var lanes = Self.window(length, seed: 3)
      lanes[1] = lanes[1].map { $0.rounded() }
      lanes[2] = lanes[2].map { _ in 7 }
      var rows = Self.rows(lanes) + Array(repeating: .zero, count: LaneSort.paddedCount(length) - length)
      rows.withUnsafeMutableBufferPointer { LaneSort.sort($0.baseAddress!, count: length) }
      for (index, lane) in lanes.enumerated() {
        #expect(rows[..<length].map { $0[index] } == lane.sorted().map { Float($0) }, "length \(length)")
      }
    }
  }

  @Test func `Sorted blocks give every rank of every window`() {
    for (length, hop) in [(16, 8), (64, 8), (64, 16), (64, 32), (128, 64), (256, 16)] {
      #expect(SortedBlocks.supports(length: length, hop: hop))
      let plan = FeaturePlan(features: Feature.full, length: length, sampleRate: .hertz(25))
      let parts = plan.parts.count
      var lanes = KernelTests.window(length * 3, seed: 9, lanes: parts * Self.width)
      lanes[1] = lanes[1].map { $0.rounded() }
      let rows: [Lanes] = (0..<length * 3 * parts).map { place in
        Lanes((0..<Self.width).map { Float(lanes[place % parts * Self.width + $0][place / parts]) })
      }
      var blocks = SortedBlocks(length: length, hop: hop, parts: parts)
      for end in stride(from: length, through: length * 3, by: hop) {
        if end == 2 * length { blocks.restart() }
        rows.withUnsafeBufferPointer { blocks.append($0.baseAddress! + (end - length) * parts, plan.parts) }
        for part in [0, 1] {
          blocks.withWindow(register: part) { Self.expectRanks($0, lanes, part: part, end - length..<end) }
        }
      }
    }
    #expect(!SortedBlocks.supports(length: 100, hop: 25))
    #expect(!SortedBlocks.supports(length: 64, hop: 64))
  }

  private static func expectRanks(_ order: SortedRows, _ lanes: [[Double]], part: Int, _ window: Range<Int>) {
    for lane in 0..<width {
      let sorted = lanes[part * width + lane][window].sorted().map { Float($0) }
      for rank in sorted.indices {
        let values = order.values(atRank: rank)
        if values.0[lane] != sorted[rank] || values.1[lane] != sorted[min(rank + 1, sorted.count - 1)] {
          Issue.record("rank \(rank) of lane \(lane) in \(window) is \(values.0[lane]), then \(values.1[lane])")
        }
      }
      #expect(order.least[lane] == sorted.first && order.greatest[lane] == sorted.last)
    }
  }

  @Test func `Logarithms agree with the C library's`() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<20_000 {
      let values = Lanes((0..<Self.width).map { _ in Float(pow(10, Double.random(in: -37...38, using: &random))) })
      let logarithms = values.logarithms
      for lane in 0..<Self.width {
        let expected = log(Double(values[lane]))
        // The polynomial's own error, and a Float's rounding of the result.
        #expect((Double(logarithms[lane]) - expected).magnitude <= 2.2e-6 + 1.2e-7 * expected.magnitude)
      }
    }
  }

  @Test func `Exponentials agree with the C library's`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<20_000 {
      let values = Lanes((0..<Self.width).map { _ in Float.random(in: -87...88, using: &random) })
      let exponentials = values.exponentials
      for lane in 0..<Self.width {
        #expect((Double(exponentials[lane]) / exp(Double(values[lane])) - 1).magnitude <= 3e-7)
      }
    }
    #expect(Lanes.zero.exponentials == Lanes(repeating: 1))
  }

  @Test func `FFTs of several lanes agree with the definition`() {
    for length in [2, 3, 5, 8, 16, 25, 31, 32, 33, 50, 64, 65, 100, 128, 200, 250, 300, 512] {
      let lanes = Self.centred(Self.window(length, seed: 10))
      let plan = BatchedRealFFT(length: length)
      var powers = [Lanes](repeating: .zero, count: plan.binCount)
      var scratch = [Lanes](repeating: Lanes(repeating: .nan), count: plan.scratchCount)
      let rows = Self.rows(lanes).flatMap { row in row.indices.map { row[$0] } }
      plan.transform(rows, stride: Lanes.scalarCount, into: &powers, scratch: &scratch)
      for (index, lane) in lanes.enumerated() {
        let expected = powers.indices.map { KernelTests.power(lane, bin: $0, transformLength: plan.transformLength) }
        let total = expected.reduce(0, +)
        for bin in powers.indices {
          #expect(
            (Double(powers[bin][index]) - expected[bin]).magnitude <= 1e-5 * total, "bin \(bin) of length \(length)")
        }
      }
    }
  }

  @Test(.requiresOptimization) func `Autocorrelation peaks of several lanes agree with those of one lane along time`() {
    for length in Self.lengths {
      let lanes = Self.centred(Self.window(length, seed: 11))
      let plan = Autocorrelation(length: length, sampleRate: .hertz(25), range: 0.2...1.1)
      let rows = Self.rows(lanes) + Array(repeating: .zero, count: Autocorrelation.block)
      let lags = plan.summedLags
      var sums = [Lanes](repeating: .zero, count: Autocorrelation.sumCount(lags) + 1)
      Autocorrelation.sumProducts(of: rows, length: length, lags: lags, into: &sums)
      let variance = Lanes(lanes.map { lane in Float(lane.map { $0 * $0 }.reduce(0, +) / Double(length)) })
      let unbiased = Autocorrelation.unbiased(length: length).map { Factor(Double($0)) }
      let found = plan.peaks(of: &sums, variance: variance, unbiased: unbiased)
      for (index, lane) in lanes.enumerated() {
        let alone = KernelTests.peak(lane, plan)
        #expect((found.lag[index] - alone.lag).magnitude < 1e-4, "length \(length)")
        #expect((found.height[index] - alone.height).magnitude < 1e-4, "length \(length)")
      }
    }
  }

  @Test(.requiresOptimization) func `Half-overlapping windows have the features of independent windows`() throws {
    for length in [32, 64, 96, 100, 128, 200, 256] {
      let shared = try windows(of: length, hop: length / 2)
      let alone = try windows(of: length, hop: length)
      #expect(shared.count == 2 * alone.count - 1)
      for (index, row) in alone.enumerated() {
        for (feature, pair) in zip(Feature.full, zip(row, shared[2 * index])) {
          let scale = max(1, pair.0.magnitude)
          #expect((pair.0 - pair.1).magnitude <= 2e-4 * scale, "\(feature), window \(index) of \(length)")
        }
      }
    }
  }

  @Test func `Half-overlapping windows with an angle jump have the features of independent windows`() throws {
    let features = Feature.full.filter {
      if case .channel(let channel) = $0.lane { channel.sensor == .attitude } else { false }
    }
    let samples = shakenSamples(count: 1024, rate: 25).enumerated().map { index, sample in
      var sample = sample
      // Yaw makes a turn every 43 samples and later reverses; roll jumps once.
      sample[.attitudeYaw] = Angle.wrapped(sample[.attitudeYaw] + 0.147 * Float(abs(index - 600)))
      sample[.attitudeRoll] = Angle.wrapped(sample[.attitudeRoll] + (index < 192 ? 3 : -3))
      return sample
    }
    for length in [32, 64, 100, 128] {
      let shared = try windows(of: length, hop: length / 2, features, samples)
      let alone = try windows(of: length, hop: length, features, samples)
      #expect(shared.count >= 2 * alone.count - 1)
      for (index, row) in alone.enumerated() {
        for (feature, pair) in zip(features, zip(row, shared[2 * index])) {
          let scale = max(1, pair.0.magnitude)
          #expect((pair.0 - pair.1).magnitude <= 5e-4 * scale, "\(feature), window \(index) of \(length): \(pair)")
        }
      }
    }
  }

  private func windows(
    of length: Int, hop: Int, _ features: [Feature] = Feature.full, _ samples: [MotionSample]? = nil
  ) throws -> [[Float]] {
    let shape = WindowShape(seconds: Double(length) / 25, hopSeconds: Double(hop) / 25)
    var stream = try FeatureStream(features: features, shape: shape, sampleRate: .hertz(25))
    var rows: [[Float]] = []
    for sample in samples ?? shakenSamples(count: 6 * length, rate: 25) {
      stream.append(sample) { rows.append(Array($1)) }
    }
    return rows
  }
}
