import Foundation
import Gait
import GaitTestSupport
import Testing

/// Gentle movement of a stream without gravity.
struct GentleWalkTests {
  /// The run of 60 s of movement whose axes deviate by `axes` g in all directions, with steps at `hertz`.
  private func run(
    _ axes: SIMD3<Float>, hertz: Double, noise: Float = 0.01, seed: UInt64
  ) throws -> RunTimeline {
    var random = SplitMix64(seed: seed)
    let phases = SIMD3<Double>.random(in: 0...6.28, using: &random)
    let turn = Rotation(seed: seed)
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for row in 0..<3000 {
      let time = Double(row) / 50
      let waves = SIMD3<Double>(
        sin(2 * .pi * hertz * time + phases.x), sin(.pi * hertz * time + phases.y),
        sin(2 * .pi * hertz * time + phases.z))
      let user = Float(2).squareRoot() * axes * SIMD3<Float>(waves) + noise * .random(in: -1...1, using: &random)
      let sample = MotionSample(time: .seconds(time), gravity: SIMD3(repeating: .nan), userAcceleration: user)
      tracker.append(turn.apply(to: sample))
    }
    return tracker.finish()
  }

  @Test(arguments: [SIMD3<Float>(0.044, 0.028, 0.038), [0.05, 0.02, 0.02], [0.03, 0.03, 0.03]], [1.6, 1.8, 2.0])
  func `Gentle steps in all directions are walking, not a pause`(axes: SIMD3<Float>, hertz: Double) throws {
    for seed in 0..<3 as Range<UInt64> {
      let run = try run(axes, hertz: hertz, seed: seed)
      #expect(run.movingSeconds > 0.9 * run.elapsedSeconds, "\(axes) \(seed): \(run.movingSeconds) s")
      // The stride of 2 steps a second, 1 s, may be a slow step.
      let least = hertz < 2 ? 0.85 : 0.45
      #expect((least...1.15).contains(Double(run.steps) / (60 * hertz)), "\(axes) \(seed): \(run.steps) steps")
    }
  }

  @Test func `Noise and sway are a rest`() throws {
    for (axes, hertz) in [(SIMD3<Float>.zero, 1.8), (SIMD3<Float>(0.01, 0.01, 0.01), 1.8), ([0.03, 0.03, 0.03], 0.3)] {
      let run = try run(axes, hertz: hertz, noise: 0.02, seed: 4)
      #expect(run.movingSeconds < 10, "\(axes): \(run.movingSeconds) s, \(run.steps) steps")
      #expect(run.steps == 0, "\(axes): \(run.movingSeconds) s, \(run.steps) steps")
    }
  }
}
