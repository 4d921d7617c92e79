import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// The built-in models on simulated people at rates and with sensors other than those of their training data.
@Suite(.requiresOptimization) struct BuiltInModelTests {
  /// The sensors of a source.
  enum Source: String, CaseIterable {
    case fused, fusedWithoutGyroscope, raw, rawWithoutGyroscope

    /// The recording as this source has it; raw sources measure the whole acceleration, whose gravity is estimated.
    func recording(_ fused: Recording) -> Recording {
      let hasGyroscope = self == .fused || self == .raw
      let missing = SIMD3<Float>(repeating: .nan)
      var estimator = GravityEstimator(sampleRate: fused.sampleRate)
      let samples = (0..<fused.count).map { index -> MotionSample in
        let sample = fused[index]
        let rotation = hasGyroscope ? sample.rotationRate : missing
        return self == .fused || self == .fusedWithoutGyroscope
          ? MotionSample(
            time: sample.time, gravity: sample.gravity, rotationRate: rotation,
            userAcceleration: sample.userAcceleration)
          : estimator.sample(
            time: sample.time, totalAcceleration: sample.gravity + sample.userAcceleration, rotationRate: rotation)
      }
      return Recording(
        name: rawValue, sampleRate: fused.sampleRate, samples: samples,
        gravityIsEstimated: self == .raw || self == .rawWithoutGyroscope)
    }
  }

  @Test(arguments: [10.0, 50, 200], Source.allCases)
  func `Running and stillness are recognised at every rate and with every sensor`(rate: Double, source: Source) throws {
    let simulator = Simulator(seed: 3, sampleRate: .hertz(rate))
    for (name, model) in [
      ("running", ActivityModel.running), ("running-linear", .runningLinear), ("running-pocket", .runningPocket),
      ("running-wrist", .runningWrist),
    ] {
      for activity in [SimulatedActivity.running, .still] {
        let recording = source.recording(simulator.recording(of: 1, activity: activity, seconds: 20))
        // Estimated gravity settles during the first seconds. The least share is 0.82: running-pocket, raw, at 10 Hz.
        let labels = try model.classify(recording).filter { $0.start.seconds >= 3 }.map(\.label)
        let share = Double(labels.count { $0 == activity.rawValue }) / Double(max(1, labels.count))
        #expect(
          labels.count > 20,
          "\(name), \(source.rawValue) at \(rate) Hz: \(activity.rawValue) in \(share) of \(labels.count) windows")
        #expect(
          share > 0.8,
          "\(name), \(source.rawValue) at \(rate) Hz: \(activity.rawValue) in \(share) of \(labels.count) windows")
        let pauses = try model.track(recording).pauses.count
        #expect(
          pauses == (activity == .still ? 1 : 0), "\(name), \(source.rawValue) at \(rate) Hz, \(activity): \(pauses)")
      }
    }
  }
}
