import Testing

@testable import Gait

/// The magnitude for steps in streams with and without gravity.
struct StepSamplesTests {
  private static let none = SIMD3<Float>(repeating: .nan)

  private static func magnitudes(_ samples: [(gravity: SIMD3<Float>, user: SIMD3<Float>)]) -> [Float] {
    var steps = StepSamples()
    return samples.map { gravity, user in
      let sample = steps.sample(MotionSample(time: .seconds(0), gravity: gravity, userAcceleration: user))
      let sum = sample.gravity + sample.userAcceleration
      return (sum * sum).sum().squareRoot()
    }
  }

  @Test func `A stream without gravity has the magnitude of the linear acceleration`() {
    #expect(Self.magnitudes([(Self.none, [3, 4, 0]), (Self.none, [0, 0, 2])]) == [5, 2])
    #expect(Self.magnitudes([([0, -1, 0], [0, 3, 0])]) == [2])
  }

  @Test func `Gravity that is lost makes a missing value, and gravity that begins does once`() {
    let lost = Self.magnitudes([([0, -1, 0], [0, 0, 0]), (Self.none, [0, 0, 0]), ([0, -1, 0], [0, 0, 0])])
    #expect(lost[0] == 1 && lost[1].isNaN && lost[2] == 1)
    let begun = Self.magnitudes([
      (Self.none, Self.none), (Self.none, [0, 2, 0]), ([0, -1, 0], [0, 0, 0]), ([0, -1, 0], [0, 0, 0]),
    ])
    #expect(begun[0].isNaN && begun[1] == 2 && begun[2].isNaN && begun[3] == 1)
  }
}
