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
  /// Whether each window of 1 s is shaken.
  private static func shaken(_ samples: [MotionSample], rate: SampleRate = .canonical) throws -> [Bool] {
    let shape = WindowShape(seconds: 1, hopSeconds: 0.2)
    var detector = try #require(ShakeDetector(window: shape, sampleRate: rate))
    var stepBand = try #require(StepBandRatio(shape: shape, sampleRate: rate))
    var resampler = Resampler(from: .hertz(50), to: rate)
    var (history, count, shaken) = (StepHistory(seconds: 1, sampleRate: rate), 0, [Bool]())
    for sample in samples {
      resampler.append(sample) { uniform in
        history.append(uniform)
        count += 1
        guard count.isMultiple(of: 5), stepBand.measure(history) != nil else { return }
        shaken.append(detector.isShaken(history, beats: stepBand.series))
      }
    }
    return shaken
  }

  @Test func `Shaking is found, steps are not shaking`() throws {
    for steps in ["R", "w"] {
      let stepping = try Self.shaken(personSamples(stretch(Character(steps), 10)))
      #expect(stepping.count > 40, "\(steps)")
      #expect(!stepping.contains(true), "\(steps)")
    }
    var random = SplitMix64(seed: 1)
    let shaking = Shaking(frequency: 2.7, strength: 1, axis: SIMD3(0, 0, 1), turning: 3)
    let shaken = try Self.shaken(shaking.samples(seconds: 10, from: 0, random: &random))
    #expect(shaken.count > 40)
    #expect(!shaken.contains(false))
  }

  @Test func `Without a gyroscope or at a low sample rate nothing is shaken`() throws {
    var random = SplitMix64(seed: 1)
    let shaking = Shaking(frequency: 2.7, strength: 1, axis: SIMD3(0, 0, 1), turning: 3)
    var samples = shaking.samples(seconds: 3, from: 0, random: &random)
    for index in samples.indices {
      for channel in Sensor.rotationRate.channels { samples[index][channel] = .nan }
    }
    let shaken = try Self.shaken(samples)
    #expect(shaken.count > 8)
    #expect(!shaken.contains(true))
    #expect(ShakeDetector(window: WindowShape(seconds: 1, hopSeconds: 0.2), sampleRate: .hertz(10)) == nil)
  }

  @Test func `A phone at rest is not shaken`() throws {
    let shaken = try Self.shaken(
      (0..<100).map {
        MotionSample(
          time: .seconds(Double($0) / 50), gravity: SIMD3(0, 0, -1), rotationRate: .zero, userAcceleration: .zero)
      })
    #expect(shaken.count > 3)
    #expect(!shaken.contains(true))
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
      try #require(resumed.count == 1, "\(shaking): \(resumed.map(\.seconds))")
      #expect(resumed[0].seconds > 28, "\(shaking): \(resumed.map(\.seconds))")
    }
  }

  @Test func `Every window of fast vertical shaking is shaken`() throws {
    var random = SplitMix64(seed: 5)
    for frequency in stride(from: 2.3, through: 3.6, by: 0.1) {
      for strength in [Float(0.3), 0.7, 1.5] {
        let shaking = Shaking(frequency: frequency, strength: strength, axis: SIMD3(0, 0, 1), turning: 3)
        let shaken = try Self.shaken(shaking.samples(seconds: 10, from: 0, random: &random))
        #expect(shaken.count > 40, "\(shaking): \(shaken)")
        #expect(!shaken.contains(false), "\(shaking): \(shaken)")
      }
    }
  }

  @Test(.requiresRealData, .requiresOptimization) func `Real steps are rarely shaken`() throws {
    func share(_ windows: [PauseWindow]) -> Double {
      #expect(windows.count > 1900)
      return Double(windows.count(where: \.isShaken)) / Double(windows.count)
    }
    #expect(try share(RealMovement.motionSense("/jog_")) <= 0.01)
    #expect(try share(RealMovement.motionSense("/wlk_")) == 0)
    #expect(try share(RealMovement.boostRunClub()) <= 0.08)
  }

  @Test func `At a rate too low for shaking no window is shaken`() throws {
    let model = try ActivityModel(
      sampleRate: .hertz(16), heads: TestModels.runner.heads, pauses: TestModels.runner.pauses)
    #expect(ShakeDetector(window: model.pauseHead.window, sampleRate: model.sampleRate) == nil)
    var windows = MotionMeter(model: model)
    let measured = personSamples(stretch("R", 10), rate: 16).compactMap { windows.pauseWindow(endingWith: $0) }
    #expect(measured.count > 30)
    #expect(measured.allSatisfy { $0.stepBandRatio != nil })
    #expect(!measured.contains { $0.isShaken })
  }
}
