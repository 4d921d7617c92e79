import Foundation
import Gait
import Testing

/// The magnitude for steps in streams with and without gravity.
struct StepSamplesTests {
  private static let none = SIMD3<Float>(repeating: .nan)

  private static func magnitudes(_ samples: [(gravity: SIMD3<Float>, user: SIMD3<Float>)]) -> [Float] {
    var steps = StepSamples()
    return samples.enumerated().map { index, sample in
      let sample = steps.sample(
        MotionSample(
          time: .seconds(Double(index) / 25), gravity: sample.gravity, userAcceleration: sample.user))
      let sum = sample.gravity + sample.userAcceleration
      return (sum * sum).sum().squareRoot()
    }
  }

  @Test(arguments: [0.05, 0.3, 0.9] as [Float])
  func `A movement along a line has its own period without gravity, not half of it`(strength: Float) {
    let line = SIMD3<Float>(0.48, 0.6, 0.64)
    let beats = (0..<500).map { strength * sin(2 * Float.pi * 1.6 * Float($0) / 25) }
    let found = Self.magnitudes(beats.map { (Self.none, $0 * line) })
    let away = zip(found, beats).dropFirst(100).map { abs($0 - (1 + $1)) }.max() ?? 1
    let towards = zip(found, beats).dropFirst(100).map { abs($0 - (1 - $1)) }.max() ?? 1
    #expect(min(away, towards) < 0.01 * strength)
  }

  @Test func `The stand-in points where the largest readings are`() {
    // Foot strikes of 2 g and a flight of 0.5 g.
    let beats = (0..<500).map { index in Float(index % 10 < 2 ? 2 : -0.5) }
    for line: SIMD3<Float> in [[0, 1, 0], [0, -1, 0], [0.6, 0, -0.8]] {
      let found = Self.magnitudes(beats.map { (Self.none, $0 * line) })
      #expect(zip(found, beats).dropFirst(100).allSatisfy { abs($0 - (1 + $1)) < 1e-3 })
    }
  }

  @Test func `A stream with gravity is unchanged`() {
    #expect(Self.magnitudes([([0, -1, 0], [0, 3, 0]), ([0, -1, 0], [0, 0, 0])]) == [2, 1])
  }

  @Test func `Gravity that is lost makes a missing value, and gravity that begins does once`() {
    let lost = Self.magnitudes([([0, -1, 0], [0, 0, 0]), (Self.none, [0, 0, 0]), ([0, -1, 0], [0, 0, 0])])
    #expect(lost[0] == 1)
    #expect(lost[1].isNaN)
    #expect(lost[2] == 1)
    let begun = Self.magnitudes([
      (Self.none, Self.none), (Self.none, [0, 0, 2]), ([0, -1, 0], [0, 0, 0]), ([0, -1, 0], [0, 0, 0]),
    ])
    #expect(begun[0].isNaN)
    #expect(begun[1] == 3)
    #expect(begun[2].isNaN)
    #expect(begun[3] == 1)
  }
}
