extension Feature {
  /// The seven features that do not depend on how the device is worn: the default of every new model.
  ///
  /// They measure the strength, regularity and cadence of the vertical movement, and the stability of the device's
  /// tilt. Logarithms make them suitable for a linear model. Rotating the device does not change them.
  public static let orientationFree: [Feature] = [
    Feature(.vertical, .rms, .log(offset: 0.01)),
    Feature(.total, .bandLogRatio(2.2...3.5, 1.2...2.2, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .percentile(10), .log(offset: 0.01)),
    Feature(.vertical, .maximum, .signedLog(scale: 0.05)),
    Feature(.total, .autocorrelationLag(0.2...1.1)),
    Feature(.vertical, .meanCrossingRate),
    Feature(.gravityDirection, .sphericalVariance, .log(offset: 0.01)),
  ]

  /// The full set: the orientation-free features, every other statistic of every lane, and the correlations between the
  /// channels of each sensor; 539 features.
  ///
  /// Percentiles, bands and lags take any argument; the set has the quartiles, the 10th and the 90th percentile, five
  /// bands from 0.3 to 10 Hz, and lags from 0.2 to 1.1 s. The raw channels depend on how the device is worn, so a model
  /// that uses them applies only to that wearing position.
  public static let full: [Feature] =
    orientationFree
    + Lane.scalars.flatMap { lane in Statistic.catalogue.map { Feature(lane, $0) } }
    .filter { !orientationFree.contains($0) }
    + Sensor.allCases.flatMap { correlations(of: Array($0.channels)) }

  private static func correlations(of channels: [Channel]) -> [Feature] {
    [(0, 1), (0, 2), (1, 2)].map { first, second in
      Feature(.channel(channels[first]), .correlation(channels[second]))
    }
  }
}

extension Statistic {
  /// The statistics of every lane in `Feature.full`.
  public static let catalogue: [Statistic] = [
    .mean, .standardDeviation, .minimum, .maximum, .range, .rms, .meanAbsoluteDeviation, .meanAbsoluteDifference,
    .meanCrossingRate, .skewness, .kurtosis, .percentile(10), .percentile(25), .percentile(50), .percentile(75),
    .percentile(90), .interquartileRange, .energy, .autocorrelationPeak(0.2...1.1), .autocorrelationLag(0.2...1.1),
    .bandRMS(0.3...1.2), .bandRMS(1.2...2.2), .bandRMS(2.2...3.5), .bandRMS(3.5...5), .bandRMS(5...10),
    .dominantFrequency, .spectralCentroid, .spectralEntropy, .spectralFlatness,
  ]
}

extension Sequence<Feature> {
  /// The lowest source rate that covers the bands of the features, or `nil` if no feature has a band.
  ///
  /// It is twice the highest frequency of the bands. At a lower rate steps alias to other frequencies: 5 Hz cannot
  /// represent a runner's 2.7 steps a second.
  package var slowestSource: SampleRate? {
    compactMap(\.statistic.highestFrequency).max().flatMap { SampleRate(exactly: 2 * $0) }
  }
}
