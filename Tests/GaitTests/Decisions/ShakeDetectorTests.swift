import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// A phone shaken by hand: frequency in hertz, strength in g, axis, and rotation rate in rad/s.
private struct Shaking: CustomStringConvertible {
  var frequency: Double
  var strength: Float
  var axis: SIMD3<Float>
  var turning: Float

  /// Up and down, back and forth, and diagonal.
  static let axes: [SIMD3<Float>] = [SIMD3(0, 0, 1), SIMD3(1, 0, 0), SIMD3(0.6, 0, 0.8)]

  static let all: [Shaking] = [2.1, 2.4, 2.7, 3, 3.3, 3.6, 4.2, 5].flatMap { frequency in
    [Float(0.3), 0.7, 1.5].flatMap { strength in
      axes.flatMap { axis in
        [Float(0.7), 3].map { Shaking(frequency: frequency, strength: strength, axis: axis, turning: $0) }
      }
    }
  }

  /// Shaking at 50 Hz, with varying frequency and strength.
  func samples(seconds: Double, from start: Double, random: inout SplitMix64) -> [MotionSample] {
    var (phase, pace, force) = (0.0, 1.0, Float(1))
    return (0..<Int(seconds * 50)).map { index in
      pace += 0.1 * (1 - pace) + Double.random(in: -0.02...0.02, using: &random)
      force += 0.05 * (1 - force) + Float.random(in: -0.05...0.05, using: &random)
      phase += 2 * .pi * frequency * pace / 50
      let grip = force * Float(min(1, Double(index) / 15))
      let push = grip * strength * Float(sin(phase) + 0.25 * sin(2 * phase + 1))
      let noise = SIMD3<Float>.random(in: -0.02...0.02, using: &random)
      return MotionSample(
        time: .seconds(start + Double(index) / 50), gravity: SIMD3(0, 0, -1),
        rotationRate: grip * turning * Float(sin(phase + 0.7)) * SIMD3(0.8, 0.6, 0) + noise,
        userAcceleration: push * axis + noise)
    }
  }

  var description: String { "\(frequency) Hz, \(strength) g along \(axis), \(turning) rad/s" }
}

@Suite struct ShakeDetectorTests {
  private static func repetitions(of samples: [MotionSample], rate: SampleRate = .canonical) throws -> [Float] {
    var meter = try #require(ShakeDetector(window: WindowShape(seconds: 1, hopSeconds: 0.2), sampleRate: rate))
    var resampler = Resampler(from: .hertz(50), to: rate)
    var (history, count, repetitions) = (StepHistory(seconds: 1, sampleRate: rate), 0, [Float]())
    for sample in samples {
      resampler.append(sample) { uniform in
        history.append(uniform)
        count += 1
        if count.isMultiple(of: 5), let one = meter.repetition(history) { repetitions.append(one) }
      }
    }
    return repetitions
  }

  @Test func `Steps have low repetition, shaking has high repetition`() throws {
    let running = try Self.repetitions(of: personSamples(stretch("R", 10)))
    #expect(running.count > 40 && running.allSatisfy { $0 < 0 })
    let walking = try Self.repetitions(of: personSamples(stretch("w", 10)))
    #expect(walking.allSatisfy { $0 < ShakeDetector.largestOfSteps })
    var random = SplitMix64(seed: 1)
    let shaking = Shaking(frequency: 2.7, strength: 1, axis: SIMD3(0, 0, 1), turning: 3)
    let shaken = try Self.repetitions(of: shaking.samples(seconds: 10, from: 0, random: &random))
    #expect(shaken.count > 40 && shaken.allSatisfy { $0 > ShakeDetector.largestOfSteps })
  }

  @Test func `Without a gyroscope or at a low sample rate there is no repetition`() throws {
    var samples = personSamples(stretch("R", 3))
    for index in samples.indices {
      for channel in Sensor.rotationRate.channels { samples[index][channel] = .nan }
    }
    #expect(try Self.repetitions(of: samples).isEmpty)
    #expect(ShakeDetector(window: WindowShape(seconds: 1, hopSeconds: 0.2), sampleRate: .hertz(10)) == nil)
  }

  @Test func `A phone at rest has a repetition of 0`() throws {
    var meter = try #require(ShakeDetector(window: WindowShape(seconds: 1, hopSeconds: 0.2), sampleRate: .canonical))
    var history = StepHistory(seconds: 1, sampleRate: .canonical)
    for index in 0..<25 {
      history.append(
        MotionSample(
          time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), rotationRate: .zero, userAcceleration: .zero))
    }
    #expect(meter.repetition(history) == 0)
  }

  @Test(.requiresOptimization)
  func `A phone shaken by a standing person at a running cadence or faster does not resume the run`()
    throws
  {
    var random = SplitMix64(seed: 7)
    let before = personSamples(stretch("R", 12) + stretch(".", 8))
    let after = personSamples(stretch("R", 12) + stretch(".", 8) + stretch(" ", 8) + stretch("R", 8))
    for shaking in Shaking.all {
      var tracker = try RunTracker(sampleRate: .hertz(50))
      var resumed: [SampleTime] = []
      for sample in before + shaking.samples(seconds: 8, from: 20, random: &random) + after[1400...] {
        for event in tracker.append(sample) { if case .resumed(let event) = event { resumed.append(event.decidedAt) } }
      }
      #expect(resumed.count == 1 && resumed[0].seconds > 28, "\(shaking): \(resumed.map(\.seconds))")
    }
  }

  @Test func `Every window of fast vertical shaking has high repetition`() throws {
    var random = SplitMix64(seed: 5)
    for frequency in stride(from: 2.3, through: 3.6, by: 0.1) {
      for strength in [Float(0.3), 0.7, 1.5] {
        let shaking = Shaking(frequency: frequency, strength: strength, axis: SIMD3(0, 0, 1), turning: 3)
        let shaken = try Self.repetitions(of: shaking.samples(seconds: 10, from: 0, random: &random))
        #expect(shaken.count > 40 && shaken.allSatisfy { $0 > ShakeDetector.largestOfSteps }, "\(shaking): \(shaken)")
      }
    }
  }

  @Test(.requiresRealData, .requiresOptimization) func `Real steps rarely have high repetition`() throws {
    func share(_ windows: [PauseWindow]) -> Double {
      let repetitions = windows.compactMap(\.repetition)
      #expect(repetitions.count == windows.count && windows.count > 1900)
      return Double(repetitions.count { $0 > ShakeDetector.largestOfSteps }) / Double(windows.count)
    }
    #expect(try share(RealMovement.motionSense("/jog_")) <= 0.01)
    #expect(try share(RealMovement.motionSense("/wlk_")) == 0)
    #expect(try share(RealMovement.boostRunClub()) <= 0.08)
  }
}
