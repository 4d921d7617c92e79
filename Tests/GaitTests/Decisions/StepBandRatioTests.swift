import GaitTestSupport
import Testing

@testable import Gait

@Suite struct StepBandRatioTests {
  private static let smallest = PauseSettings().smallestStepBandRatio

  private static func shares(of samples: [MotionSample]) throws -> [Float] {
    let shape = WindowShape(seconds: 1, hopSeconds: 0.2)
    var gate = try #require(StepBandRatio(shape: shape, sampleRate: .canonical))
    var resampler = Resampler(from: .hertz(50), to: .canonical)
    var (starts, shares) = ([SampleTime](), [Float]())
    for sample in samples {
      resampler.append(sample) { uniform in
        gate.append(uniform)
        starts.append(uniform.time)
        guard starts.count >= 25, starts.count.isMultiple(of: 5) else { return }
        if let share = gate.ratio(ofWindowFrom: starts[starts.count - 25]) { shares.append(share) }
      }
    }
    return shares
  }

  @Test func `Steps have it, and shaking five times a second has less than half of it`() throws {
    for steps in ["R", "w"] {
      let shares = try Self.shares(of: personSamples(stretch(Character(steps), 10)))
      #expect(shares.count > 40 && shares.allSatisfy { $0 > 2 * Self.smallest }, "\(steps): \(shares)")
    }
    let shaken = try Self.shares(of: personSamples(stretch("s", 10)))
    #expect(shaken.count > 40 && shaken.allSatisfy { $0 < Self.smallest / 2 }, "\(shaken)")
  }

  @Test(.requiresRealData) func `Of the windows of real joggers 99.5 % have it`() throws {
    let rhythms = try RealMovement.motionSense("/jog_").compactMap(\.stepBandRatio)
    let with = rhythms.count { $0 >= Self.smallest }
    #expect(rhythms.count > 1900 && Double(with) >= 0.995 * Double(rhythms.count), "\(with) of \(rhythms.count)")
  }
}
