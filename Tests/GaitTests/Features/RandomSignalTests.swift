import GaitTestSupport
import Testing

@testable import Gait

/// No signal makes a kernel trap or give a number that is not one.
@Suite struct RandomSignalTests {
  /// Magnitudes from less than a sensor resolves to more than any measures, g.
  private static let scales: [Float] = [1e-30, 1e-20, 1e-10, 1e-3, 0.1, 1, 16, 1e3, 1e10, 1e20, 1e30]
  /// The number of signals in all; a release build tests the number that the documentation states.
  private static let count = Optimization.isOn ? 100_000 : 1_000

  /// Calls `body` with random samples of every shape and scale, 25 a second.
  private static func forEachSignal(
    seconds: Double, share: Int = 1, seed: UInt64, _ body: (_ name: String, _ samples: [MotionSample]) throws -> Void
  ) rethrows {
    var random = SplitMix64(seed: seed)
    let length = Int(seconds * 25)
    for index in 0..<count / share {
      let kind = RandomSignal.allCases[index % RandomSignal.allCases.count]
      let scale = scales[index / RandomSignal.allCases.count % scales.count]
      func axis(_ scale: Float) -> [Float] { kind.samples(length, scale: scale, using: &random) }
      let (x, z, turn) = (axis(scale * Float.random(in: 0...1, using: &random)), axis(scale), axis(scale))
      let samples = (0..<length).map {
        MotionSample(
          time: SampleTime(nanoseconds: Int64($0) * 40_000_000), attitude: SIMD3(turn[$0], x[$0], 0),
          gravity: SIMD3(0, 0, -1),
          rotationRate: SIMD3(turn[$0], 0, turn[$0]), userAcceleration: SIMD3(x[$0], 0, z[$0]))
      }
      try body("signal \(index): \(kind) of \(scale)", samples)
    }
  }

  @Test func `A cadence is 0 or within 30 to 240 steps a minute`() throws {
    let fresh = try #require(CadenceStream(sampleRate: .hertz(25)))
    Self.forEachSignal(seconds: 7.68, seed: 1) { name, samples in
      var meter = fresh
      for point in samples.compactMap({ meter.append($0) }) {
        let rates = [point.stepsPerMinute, point.gyroscopeCadence ?? 0]
        #expect(rates.allSatisfy { $0 == 0 || 30...240 ~= $0 }, "\(name): \(point)")
        #expect(0...1 ~= point.confidence, "\(name): \(point)")
      }
    }
  }

  @Test func `Every feature is finite`() throws {
    let features = Feature.full + Feature.orientationFree
    let fresh = try FeatureStream(
      features: features, shape: WindowShape(seconds: 2.56, hopSeconds: 1.28), sampleRate: .hertz(25))
    Self.forEachSignal(seconds: 2.56, share: 4, seed: 2) { name, samples in
      var stream = fresh
      for sample in samples where stream.append(sample) {
        stream.withWindow { _, values in
          for (feature, value) in zip(features, values) {
            #expect(value.isFinite, "\(name): \(feature) is \(value)")
          }
        }
      }
    }
  }

  @Test func `A tracker survives every signal`() throws {
    try Self.forEachSignal(seconds: 12, share: 20, seed: 3) { name, samples in
      var tracker = try RunTracker(sampleRate: .hertz(25))
      for sample in samples { tracker.append(sample) }
      let run = tracker.finish()
      #expect(run.movingSeconds.isFinite, "\(name)")
      #expect(run.movingSeconds >= 0, "\(name)")
      #expect(run.steps >= 0, "\(name)")
    }
  }
}
