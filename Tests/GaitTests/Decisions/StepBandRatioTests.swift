import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct StepBandRatioTests {
  private static let smallest = PauseSettings().smallestStepBandRatio

  private static func ratios(of samples: [MotionSample]) throws -> [Float] {
    let shape = WindowShape(seconds: 1, hopSeconds: 0.2)
    var meter = try #require(StepBandRatio(shape: shape, sampleRate: .canonical))
    var resampler = Resampler(from: .hertz(50), to: .canonical)
    var (history, count, ratios) = (StepHistory(seconds: 1, sampleRate: .canonical), 0, [Float]())
    for sample in samples {
      resampler.append(sample) { uniform in
        history.append(uniform)
        count += 1
        guard count.isMultiple(of: 5) else { return }
        if let ratio = meter.measure(history)?.ratio { ratios.append(ratio) }
      }
    }
    return ratios
  }

  @Test func `Steps exceed the smallest ratio, and shaking five times a second stays below half of it`() throws {
    for steps in ["R", "w"] {
      let ratios = try Self.ratios(of: personSamples(stretch(Character(steps), 10)))
      #expect(ratios.count > 40, "\(steps): \(ratios)")
      #expect(ratios.allSatisfy { $0 > 2 * Self.smallest }, "\(steps): \(ratios)")
    }
    let shaken = try Self.ratios(of: personSamples(stretch("s", 10)))
    #expect(shaken.count > 40, "\(shaken)")
    #expect(shaken.allSatisfy { $0 < Self.smallest / 2 }, "\(shaken)")
  }

  @Test(arguments: [(Float(3e-7), false), (1e-4, true)])
  func `Acceleration that varies by less than a sensor resolves has no steps`(amplitude: Float, hasSteps: Bool) {
    var (windows, ratios) = (MotionMeter(model: TestModels.runner), [Float]())
    for index in 0..<250 {
      let time = Double(index) / 25
      let sample = MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1),
        userAcceleration: SIMD3(0, 0, amplitude * Float(sin(2 * .pi * 2 * time))))
      if let ratio = windows.pauseWindow(endingWith: sample)?.stepBandRatio { ratios.append(ratio) }
    }
    #expect(ratios.count > 40, "\(ratios)")
    #expect(ratios.allSatisfy { hasSteps ? $0 > 0.8 : $0 == 0 }, "\(ratios)")
  }

  @Test(.requiresRealData) func `99.5 % of real jogging windows reach the smallest ratio`() throws {
    let ratios = try RealMovement.motionSense("/jog_").compactMap(\.stepBandRatio)
    let reaching = ratios.count { $0 >= Self.smallest }
    #expect(ratios.count > 1900, "\(reaching) of \(ratios.count)")
    #expect(Double(reaching) >= 0.995 * Double(ratios.count), "\(reaching) of \(ratios.count)")
  }
}
