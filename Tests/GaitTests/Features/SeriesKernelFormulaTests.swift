import GaitTestSupport
import Testing

@testable import Gait

/// The kernels along time and side by side against plain loops, for every size at which another path begins. Integers
/// have exact sums, so most results are compared to the last bit.
@Suite struct SeriesKernelFormulaTests {
  private static let sizes = Array(1...42) + [47, 48, 49, 63, 64, 65]

  /// Small integers with many ties, followed by `padding` values.
  private static func integers(_ count: Int, seed: Int, padding: Int = 24, filler: Float = 0) -> [Float] {
    var random = SplitMix64(seed: UInt64(seed))
    return (0..<count).map { _ in Float(Int.random(in: -3...3, using: &random)) }
      + Array(repeating: filler, count: padding)
  }

  @Test(arguments: sizes)
  func `Sums along time agree with loops and ignore what follows the series`(count: Int) {
    for (seed, filler) in [(1, Float(0)), (2, 777)] {
      let series = Self.integers(count, seed: 100 * count + seed, filler: filler)
      let values = Array(series[..<count])
      let sum = values.reduce(0, +)
      #expect(SeriesKernels.energy(series, count: count) == values.reduce(0) { $0 + $1 * $1 })
      let extrema = SeriesKernels.extrema(series, count: count)
      #expect(extrema.minimum == values.min())
      #expect(extrema.maximum == values.max())
      let differences = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
      #expect(SeriesKernels.absoluteDifferences(series, count: count) == differences)
      // A 0 counts as positive.
      let crossings = zip(values, values.dropFirst()).count { ($0 < 0) != ($1 < 0) }
      #expect(SeriesKernels.crossings(series, count: count) == Float(crossings))
      let mean = SeriesKernels.meanFromFirst(series, count: count)
      #expect(mean == (sum - Float(count) * values[0]) / Float(count))
      let moments = SeriesKernels.higherMoments(series, count: count)
      let scale = 1 / Float(count)
      #expect(moments.distance == values.reduce(0) { $0 + $1.magnitude } * scale)
      #expect(moments.third == values.reduce(0) { $0 + $1 * $1 * $1 } * scale)
      #expect(moments.fourth == values.reduce(0) { $0 + $1 * $1 * $1 * $1 } * scale)
    }
  }

  @Test(arguments: sizes)
  func `The mean is removed, and zeros follow`(count: Int) {
    // A mean of 2 above the first value, which Floats represent exactly.
    var lane = Self.integers(count, seed: count, filler: 55)
    let first = lane[0]
    var series = [Float](repeating: 9, count: count + 40)
    let square = series.withUnsafeMutableBufferPointer {
      SeriesKernels.removeMean(lane, count: count, meanFromFirst: 2, into: $0.baseAddress!)
    }
    let expected = lane[..<count].map { $0 - first - 2 }
    #expect(Array(series[..<count]) == expected)
    #expect(square == expected.reduce(0) { $0 + $1 * $1 } / Float(count))
    let zeros = (count + 7) / 8 * 8 + 16
    #expect(series[count..<zeros].allSatisfy { $0 == 0 })
    #expect(series[zeros...].allSatisfy { $0 == 9 })
    // From an array, at a place.
    lane = [5, 5] + Self.integers(count, seed: count)
    var output = [Float](repeating: 9, count: count + 50)
    let whole = lane.removeMean(from: 2, count: count, into: &output, at: 3)
    let values = lane[2..<2 + count].map { Double($0) }
    let mean = values.reduce(0, +) / Double(count)
    for (index, value) in values.enumerated() { #expect((Double(output[3 + index]) - value + mean).magnitude < 2e-6) }
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    #expect((Double(whole) - variance).magnitude < 1e-5)
    #expect(output[..<3] == [9, 9, 9])
  }

  private static func product(_ values: ArraySlice<Float>, _ lag: Int) -> Float {
    guard lag < values.count else { return 0 }
    return zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }
  }

  @Test(arguments: sizes)
  func `Lagged products agree with loops`(count: Int) {
    // Lags that are read past the end of the series need further zeros.
    let series = Self.integers(count, seed: 7 * count, padding: 64)
    let unpadded = Self.integers(count, seed: 7 * count, padding: 64, filler: 99)
    let values = series[..<count]
    for lag in 0..<count {
      let expected = (0..<SeriesKernels.manyLags).map { Self.product(values, lag + $0) }
      #expect(SeriesKernels.product(series, lag: lag, count: count) == expected[0])
      #expect(SeriesKernels.boundedProduct(unpadded, lag: lag, count: count) == expected[0])
      var four = [Float](repeating: -1, count: 5)
      SeriesKernels.fourProducts(series, lag: lag, count: count, into: &four)
      #expect(four == expected[..<4] + [-1], "\(count) values, lag \(lag)")
      var many = [Float](repeating: -1, count: SeriesKernels.manyLags + 1)
      SeriesKernels.manyProducts(series, lag: lag, count: count, into: &many)
      #expect(many == expected + [-1], "\(count) values, lag \(lag)")
    }
  }

  @Test func `Four lagged products are summed over several series`() {
    let (count, stride) = (19, 60)
    let parts = (0..<3).map { Self.integers(count, seed: 40 + $0, padding: stride - count) }
    for used in 1...3 {
      for lag in [0, 3, 11, 18] {
        let sums = SeriesKernels.fourProducts(
          parts.flatMap(\.self), seriesCount: used, stride: stride, lag: lag, count: count)
        for extra in 0..<4 {
          #expect(sums[extra] == parts[..<used].reduce(0) { $0 + Self.product($1[..<count], lag + extra) })
        }
      }
    }
  }

  @Test func `A group has the filler from the end on`() {
    let values = (0..<40).map { Float($0) }
    for count in 0...17 {
      for index in 0...17 {
        let group = SeriesKernels.group(values, at: index, below: count, filler: -5)
        for lane in 0..<8 { #expect(group[lane] == (index + lane < count ? Float(index + lane) : -5)) }
      }
    }
  }

  // MARK: - Side by side

  /// Rows of integers, a different lane in each place, with another register between two rows.
  private static func rows(_ count: Int) -> (rows: [Lanes], lanes: [[Float]]) {
    let lanes = (0..<Lanes.scalarCount).map { integers(count, seed: 31 * count + $0, padding: 0) }
    let rows = (0..<count).flatMap { row in
      [Lanes(lanes.map { $0[row] }), Lanes(repeating: 1000)]
    }
    return (rows, lanes)
  }

  @Test(arguments: Array(1...20) + [63, 64])
  func `Sums side by side agree with loops`(count: Int) {
    let (rows, lanes) = Self.rows(count)
    rows.withUnsafeBufferPointer { rows in
      let part = LaneRows(first: rows.baseAddress!, stride: 2)
      let mean = LaneKernels.meanFromFirst(part, count: count)
      let extrema = LaneKernels.extrema(part, count: count)
      let dense = (0..<count).map { part[$0] }
      let (absolute, crossings) = LaneKernels.deviationSums(dense, count: count, absolute: true)
      let (none, same) = LaneKernels.deviationSums(dense, count: count, absolute: false)
      for (index, lane) in lanes.enumerated() {
        #expect(mean[index] == lane.reduce(0) { $0 + ($1 - lane[0]) } * (1 / Float(count)))
        #expect(extrema.minimum[index] == lane.min())
        #expect(extrema.maximum[index] == lane.max())
        #expect(absolute[index] == lane.reduce(0) { $0 + $1.magnitude })
        #expect(none[index] == 0)
        let expected = zip(lane, lane.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        #expect(crossings[index] == UInt32(expected))
        #expect(same[index] == UInt32(expected))
      }
    }
  }

  @Test func `Only the sums that are needed are computed, and the others are 0`() {
    let (rows, lanes) = Self.rows(11)
    let count = 11
    let cases: [(FeaturePlan.Needs, all: Bool, squares: Bool)] = [
      ([], false, false), ([.moments], false, false), ([.moments, .deviations], false, true),
      ([.moments, .deviations, .higherMoments], true, true), ([.moments, .deviations, .correlation], true, true),
      ([.differences], true, true), ([.moments, .deviations, .spectrum], false, true),
    ]
    for (needs, all, squares) in cases {
      var deviations = [Lanes](repeating: Lanes(repeating: 5), count: count)
      let sums = rows.withUnsafeBufferPointer { rows in
        RowSums(LaneRows(first: rows.baseAddress!, stride: 2), count: count, needs, deviations: &deviations)
      }
      for (index, lane) in lanes.enumerated() {
        let mean = needs.contains(.moments) ? lane.reduce(0, +) / Float(count) : lane[0]
        #expect((sums.mean[index] - mean).magnitude < 1e-5)
        let rest = lane.map { $0 - mean }
        let next = lanes[index < 3 ? (index + 1) % 3 : 0]
        let nextMean = needs.contains(.moments) ? next.reduce(0, +) / Float(count) : next[0]
        func near(_ sum: Lanes, _ expected: Float, _ isNeeded: Bool) -> Bool {
          isNeeded ? (sum[index] - expected).magnitude < 1e-3 + 1e-5 * expected.magnitude : sum[index] == 0
        }
        #expect(near(sums.squares, rest.reduce(0) { $0 + $1 * $1 }, squares))
        #expect(near(sums.cubes, rest.reduce(0) { $0 + $1 * $1 * $1 }, all))
        #expect(near(sums.fourths, rest.reduce(0) { $0 + $1 * $1 * $1 * $1 }, all))
        #expect(near(sums.products, zip(rest, next).reduce(0) { $0 + $1.0 * ($1.1 - nextMean) }, all))
        #expect(
          near(sums.differences, zip(lane, lane.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1).magnitude }, all))
        #expect(zip(deviations, rest).allSatisfy { squares ? ($0[index] - $1).magnitude < 1e-5 : $0[index] == 5 })
      }
    }
  }
}
