import Gait
import GaitTraining

extension Workload {
  /// The whole pipeline with the bundled model: classification of a ten-minute recording at once, the same sample by
  /// sample, then tracking of a run with pauses.
  static let pipeline: [Workload] =
    [25.0, 50, 100].map { hertz in
      Workload("classify/\(Int(hertz))Hz", isInPipeline: hertz == 50) {
        let recording = Material.run(seconds: 600, sampleRate: .hertz(hertz))
        return { try ActivityModel.running.classify(recording).reduce(0) { $0 + $1.probabilities[0] } }
      }
    }
    + [
      Workload("classifyLive/50Hz", isInPipeline: true) {
        let recording = Material.run(seconds: 600, sampleRate: .hertz(50))
        let samples = (0..<recording.count).map { recording[$0] }
        let fresh = try WindowClassifier(model: .running, sampleRate: .hertz(50))
        return {
          var classifier = fresh
          var sum: Float = 0
          for sample in samples { classifier.append(sample) { sum += $0.probabilities[0] } }
          return sum
        }
      }
    ]
    + [1, 10, 60].map { minutes in
      Workload("track/\(minutes)min", isInPipeline: minutes == 10) {
        let samples = Material.runWithPauses(minutes: minutes, sampleRate: .hertz(50))
        let fresh = try RunTracker(sampleRate: .hertz(50))
        return {
          var tracker = fresh
          var events = 0
          for sample in samples { events += tracker.append(sample).count }
          return Float(events + tracker.finish().slices.count)
        }
      }
    }

  /// The work done once before the first sample, which no other workload counts.
  static let planning: [Workload] = [
    Workload("plan/classifier", isInPipeline: true) {
      let model = ActivityModel.running
      return { Float(try WindowClassifier(model: model, sampleRate: .hertz(50)).delay) }
    },
    Workload("plan/tracker", isInPipeline: true) {
      let model = ActivityModel.running
      return { Float(try RunTracker(model: model, sampleRate: .hertz(50)).droppedSampleCount) }
    },
    plan("orientationFree", Feature.orientationFree, window: 64),
    plan("full", Feature.full, window: 128),
    plan("full", Feature.full, window: 1024),
  ]

  /// Planning of a feature set, without samples.
  private static func plan(_ name: String, _ features: [Feature], window: Int) -> Workload {
    Workload("plan/\(name)/\(window)") {
      let rate = SampleRate.canonical
      let none = Material.run(seconds: 1, sampleRate: rate)[0..<1]
      let shape = WindowShape(seconds: Double(window) / rate.hertz, hopSeconds: Double(window) / 2 / rate.hertz)
      return { Float(try none.features(features, shape: shape, sampleRate: rate).values.rowCount) }
    }
  }
}
