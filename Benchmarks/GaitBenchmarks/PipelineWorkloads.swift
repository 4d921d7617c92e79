import Foundation
import Gait
import GaitFormats
import GaitRuns
import GaitTraining

extension Workload {
  /// Reading of CSV files of increasing length.
  static let reading = [10, 60, 600].map { seconds in
    Workload("read/\(seconds)s", isInPipeline: seconds == 60) {
      let rate = SampleRate.hertz(50)
      let file = FileManager.default.temporaryDirectory.appending(path: "gait-workload-\(seconds)s.csv")
      try Material.run(seconds: Double(seconds), sampleRate: rate).write(to: file)
      return { Float(try Recording(contentsOf: file, sampleRate: rate).count) }
    }
  }
}

extension Workload {
  /// Resampling of one minute of samples to the models' 25 Hz.
  static let resampling = [10.0, 50, 100].map { hertz in
    Workload("resample/\(Int(saturating: hertz))Hz", isInPipeline: hertz != 10) {
      let recording = Material.run(seconds: 60, sampleRate: .hertz(hertz))
      return { Float(recording.resampled(to: .canonical).count) }
    }
  }

  /// Features of ten minutes at 25 Hz: the two sets over window lengths, then one feature family after another.
  static let features =
    [64, 128].map { featureWork("orientationFree", Feature.orientationFree, window: $0, isInPipeline: $0 == 64) }
    + [32, 64, 100, 128, 256, 512, 1024].map { featureWork("full", Feature.full, window: $0, isInPipeline: $0 == 128) }
    + families.map { featureWork($0.name, $0.features, window: 128) }
    + [32, 64, 256, 512, 1024].map { featureWork("spectrum", spectrum, window: $0) }
    + [1, 4, 8, 18].map { count in
      featureWork("rms-of-\(count)-lanes", Lane.scalars.prefix(count).map { Feature($0, .rms) }, window: 128)
    }

  private static let families: [(name: String, features: [Feature])] = [
    ("moments", every([.mean, .standardDeviation, .skewness, .kurtosis])),
    ("order", every([.percentile(10), .percentile(25), .percentile(50), .percentile(75), .percentile(90)])),
    ("crossings", every([.meanCrossingRate, .meanAbsoluteDifference])),
    ("spectrum", spectrum),
    ("entropy", every([.spectralEntropy, .spectralFlatness])),
    ("autocorrelation", every([.autocorrelationLag(0.2...1.1)])),
  ]

  private static let spectrum = every([.bandRMS(1.2...2.2), .dominantFrequency, .spectralCentroid])

  private static func every(_ statistics: [Statistic]) -> [Feature] {
    Lane.scalars.flatMap { lane in statistics.map { Feature(lane, $0) } }
  }

  private static func featureWork(
    _ name: String, _ features: [Feature], window: Int, isInPipeline: Bool = false
  ) -> Workload {
    Workload("features/\(name)/\(window)", isInPipeline: isInPipeline) {
      let rate = SampleRate.canonical
      let recording = Material.run(seconds: 600, sampleRate: rate)
      let hop = name == "orientationFree" ? window / 4 : window / 2
      let shape = WindowShape(seconds: Double(window) / rate.hertz, hopSeconds: Double(hop) / rate.hertz)
      return { try recording.features(features, shape: shape, sampleRate: rate).values.values.reduce(0, +) }
    }
  }
}

extension Workload {
  /// The whole pipeline with the bundled model: classification of a ten-minute recording at once, the same sample by
  /// sample, then tracking of a run with pauses.
  static let pipeline: [Workload] =
    [25.0, 50, 100].map { hertz in
      Workload("classify/\(Int(saturating: hertz))Hz", isInPipeline: hertz == 50) {
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
    + [
      Workload("trackWithGPS/10min", isInPipeline: true) {
        let inputs = Material.runWithPoints(minutes: 10, sampleRate: .hertz(50))
        let fresh = try RunTracker(sampleRate: .hertz(50))
        return {
          var tracker = fresh
          var events = 0
          for input in inputs { events += tracker.append(input).count }
          return Float(events + tracker.finish().slices.count)
        }
      }
    ]

  /// A tracker restored from the journal of ten minutes at 50 Hz.
  static let restoring = Workload("restore/10min", isInPipeline: true) {
    let file = FileManager.default.temporaryDirectory.appending(path: "gait-workload-\(UUID().uuidString).journal")
    let fresh = try RunTracker(sampleRate: .hertz(50))
    var journal = try RunJournal(at: file, for: fresh) { _ in }
    for sample in Material.runWithPauses(minutes: 10, sampleRate: .hertz(50)) { try journal.append(.motion(sample)) }
    // Closed, as a second writer is refused.
    _ = consume journal
    return {
      var tracker = fresh
      let journal = try RunJournal(at: file, for: fresh, startedAt: .distantPast) { tracker.append($0) }
      return Float(journal.count + tracker.finish().slices.count)
    }
  }

  /// Ten minutes of motion at 50 Hz with twelve channels as bytes, a batch each second, written and read.
  static let batches = [
    Workload("batches/write", isInPipeline: true) {
      let seconds = twelveChannels
      return { seconds.reduce(0) { $0 + Float(RunInputBatch($1).bytes.count) } }
    },
    Workload("batches/read", isInPipeline: true) {
      let batches = twelveChannels.map { RunInputBatch($0).bytes }
      return { try batches.reduce(0) { $0 + Float(try RunInputBatch(bytes: $1).inputs.count) } }
    },
  ]

  private static var twelveChannels: [[RunInput]] {
    let recording = Material.run(seconds: 600, sampleRate: .hertz(50))
    return (0..<600).map { second in
      (50 * second..<50 * (second + 1)).map { index in
        var sample = recording[index]
        for channel in Channel.allCases where sample[channel].isNaN { sample[channel] = 1 }
        return .motion(sample)
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
