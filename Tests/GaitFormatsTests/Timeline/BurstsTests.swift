import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Rows that come in bursts.
struct BurstsTests {
  /// Times of rows at a steady rate, as they are delivered: in bursts of random sizes, late by a random time, the rows
  /// of a burst `apart` nanoseconds apart.
  private func delivered(
    _ count: Int, hertz: Double, sizes: ClosedRange<Int>, apart: Int64, seed: UInt64, gap: Int64 = 0
  ) -> [Int64] {
    var random = SplitMix64(seed: seed)
    var times: [Int64] = []
    while times.count < count {
      let size = Int.random(in: sizes, using: &random)
      let last = times.count + size
      let late = Int64.random(in: 0...Int64(5e8 / hertz), using: &random)
      let time = Int64(Double(last) / hertz * 1e9) + late + (last > count / 2 ? gap : 0)
      times += (0..<size).map { time + Int64($0) * apart }
    }
    return Array(times.prefix(count))
  }

  @Test(
    arguments: [(2, 4), (3, 5), (4, 8), (1, 6), (10, 12)], [Int64(0), 100_000])
  func `Rows of a burst are spread, and the rate is the mean over the times`(sizes: (Int, Int), apart: Int64) throws {
    for (hertz, seed) in [(50.0, UInt64(1)), (104, 2), (228, 3)] {
      let times = delivered(3000, hertz: hertz, sizes: sizes.0...sizes.1, apart: apart, seed: seed)
      let recording = try TimedRows.read(times).recording
      #expect(recording.repairs.contains(.spreadBursts) || recording.repairs.contains { $0.isSpread }, "\(sizes)")
      #expect(recording.numbers == Array(0..<3000))
      let mean = Double(2999) / Double(times[2999] - times[0]) * 1e9
      #expect((recording.sampleRate.hertz / mean - 1).magnitude < 0.011)
      #expect((recording.duration - Double(times[2999] - times[0]) / 1e9).magnitude < 0.3)
      #expect(recording.gaps.isEmpty)
      // A row is read near the time at which it was measured.
      let errors = recording.nanoseconds.enumerated().map { (Double($1) / 1e9 - Double($0) / hertz).magnitude }
      #expect((errors.max() ?? 1) < (Double(sizes.1) + 2) / hertz + 0.01, "\(sizes) \(hertz)")
    }
  }

  @Test func `A gap between bursts stays a gap`() throws {
    let times = delivered(3000, hertz: 100, sizes: 3...5, apart: 0, seed: 4, gap: 20_000_000_000)
    let recording = try TimedRows.read(times).recording
    #expect(recording.gaps.count == 1)
    #expect((recording.sampleRate.hertz / 100 - 1).magnitude < 0.02)
  }

  @Test(arguments: [(21, true), (22, false)])
  func `A burst that is much longer than the others is a clock that stood still`(longest: Int, isSpread: Bool) {
    let sizes = Array(repeating: 2, count: 13) + [longest]
    let limit = 8 + 4 * sizes.reduce(0, +) / sizes.count
    #expect(isSpread == (longest <= limit), "\(longest) rows, at most \(limit) in a burst")
    let times = sizes.enumerated().flatMap { burst, size in Array(repeating: Int64(burst + 1) * 40_000_000, count: size)
    }
    let content = RowContent(times.indices.map { SIMD16(repeating: Float($0)) })
    #expect((Bursts(times: times, content: content) != nil) == isSpread)
  }

  @Test func `Even times have no bursts, and pairs of rows have, by the mean step or by a stated one`() {
    let even = TimedRows.even(100), pairs = even.indices.map { even[$0 / 2 * 2] + Int64($0 % 2) * 1_000 }
    for period in [nil, Double(even[1] - even[0])] {
      #expect(!Bursts.mayHave(even, period: period))
      #expect(Bursts.mayHave(pairs, period: period))
    }
  }

  @Test func `Times of a steady clock with jitter, and single repeats, are left alone`() throws {
    var random = SplitMix64(seed: 5)
    let even = TimedRows.even(2000)
    let jitter = even.map { $0 + Int64.random(in: -8_000_000...8_000_000, using: &random) }.sorted()
    #expect(try TimedRows.read(jitter).recording.nanoseconds == jitter)
    var repeats = even
    for row in stride(from: 50, to: 2000, by: 50) { repeats[row] = repeats[row - 1] }
    #expect(try TimedRows.read(repeats).recording.repairs == [.droppedRepeatedTimes(count: 39, differing: 39)])
  }
}

extension Repair {
  fileprivate var isSpread: Bool { if case .spreadRows = self { true } else { false } }
}
