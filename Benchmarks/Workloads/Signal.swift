import Gait

extension Workload {
  /// Resampling of one minute of samples to the models' 25 Hz.
  static let resampling = [10.0, 50, 100].map { hertz in
    Workload("resample/\(Int(hertz))Hz", isInPipeline: hertz != 10) {
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
