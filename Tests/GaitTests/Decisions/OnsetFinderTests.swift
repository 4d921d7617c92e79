import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct OnsetFinderTests {
  private static func sample(_ acceleration: Float, at index: Int) -> MotionSample {
    MotionSample(
      time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(acceleration, 0, 0))
  }

  private func onset(by finder: OnsetFinder, after earliest: SampleTime) -> SampleTime? {
    OnsetFinder.onset(
      in: finder.energies[finder.searched], after: earliest,
      longestStep: Resampler.longestOutputStep(at: .hertz(25)))
  }

  /// The change point from the definition, by trying every cut.
  private static func naive(_ accelerations: [Float]) -> Int {
    let energies = accelerations.map { Double($0 * $0 + 1e-4) }
    func cost(_ part: ArraySlice<Double>) -> Double {
      Double(part.count) * log(part.reduce(0, +) / Double(part.count))
    }
    return (3...energies.count - 3).min {
      cost(energies[..<$0]) + cost(energies[$0...])
        < cost(energies[..<$1]) + cost(energies[$1...])
    }!
  }

  @Test func `The onset is the cut of the greatest likelihood`() {
    var random = SplitMix64(seed: 8)
    for count in 6...100 {
      let change = Int.random(in: 3...count - 3, using: &random)
      let accelerations = (0..<count).map { Float.random(in: -1...1, using: &random) * ($0 < change ? 1 : 0.05) }
      var finder = OnsetFinder(sampleRate: .hertz(25))
      for (index, acceleration) in accelerations.enumerated() { finder.append(Self.sample(acceleration, at: index)) }
      let expected = SampleTime.seconds(Double(Self.naive(accelerations)) / 25)
      #expect(onset(by: finder, after: .seconds(-1)) == expected, "\(count) samples")
    }
  }

  /// A stream with gaps and earliest times, much longer than the buffer, compared with the samples that count:
  /// those since the last gap of more than four seconds, at most 100, after the earliest time.
  @Test func `The onset is correct after gaps, in a wrapped buffer and after any earliest time`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<60 {
      var finder = OnsetFinder(sampleRate: .hertz(25))
      var kept: [(index: Int, acceleration: Float)] = []
      var index = 0
      for _ in 0..<500 {
        let isGap = Int.random(in: 0..<80, using: &random) == 0
        let step = isGap ? Int.random(in: 2...200, using: &random) : 1
        index += step
        if step > 100 { kept = [] }
        let strength: Float = index / 60 % 2 == 0 ? 1 : 0.05
        kept.append((index, Float.random(in: -1...1, using: &random) * strength))
        kept = kept.suffix(100)
        finder.append(Self.sample(kept[kept.count - 1].acceleration, at: index))
        guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
        let earliest = index - Int.random(in: 0...120, using: &random)
        let after = kept.filter { $0.index > earliest }
        let place = after.count < 6 ? nil : Self.naive(after.map(\.acceleration))
        // A change at a gap is in the gap.
        let expected = place.map {
          after[$0].index > after[$0 - 1].index + 1 ? after[$0 - 1].index : after[$0].index
        }
        #expect(
          onset(by: finder, after: .seconds(Double(earliest) / 25)) == expected.map { .seconds(Double($0) / 25) },
          "sample \(index), after \(earliest)")
      }
    }
  }

  @Test func `No onset is before the earliest time, before a gap, or in too few samples`() {
    var finder = OnsetFinder(sampleRate: .hertz(25))
    for index in 0..<100 { finder.append(Self.sample(index < 50 ? 1 : 0.01, at: index)) }
    #expect(onset(by: finder, after: .seconds(-1)) == .seconds(2))
    #expect(onset(by: finder, after: .seconds(2.5))! > .seconds(2.5))
    #expect(onset(by: finder, after: .seconds(3.9)) == nil)
    for index in 200..<204 { finder.append(Self.sample(1, at: index)) }
    #expect(onset(by: finder, after: .seconds(-1)) == nil)
  }
}
