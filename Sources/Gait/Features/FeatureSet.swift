extension Feature {
  /// The seven features that do not depend on how the device is worn: the default of every new model.
  ///
  /// How strongly and how evenly the body moves up and down, at what cadence, and how steady the device's tilt is.
  /// Logarithms make them fit for a linear model. Turning the device changes none of them.
  public static let orientationFree: [Feature] = [
    Feature(.vertical, .rms, .log(offset: 0.01)),
    Feature(.total, .bandLogRatio(2.2...3.5, 1.2...2.2, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .percentile(10), .log(offset: 0.01)),
    Feature(.vertical, .maximum, .signedLog(scale: 0.05)),
    Feature(.total, .autocorrelationLag(0.2...1.1)),
    Feature(.vertical, .meanCrossingRate),
    Feature(.gravityDirection, .sphericalVariance, .log(offset: 0.01)),
  ]

  /// The catalogue: the orientation-free features first, then mean, standard deviation, minimum, maximum and RMS of
  /// every lane.
  ///
  /// Percentiles, bands and lags exist for any argument; the catalogue lists those that the default set uses.
  public static let catalogue: [Feature] =
    orientationFree
    + Lane.scalars.flatMap { lane in
      [Statistic.mean, .standardDeviation, .minimum, .maximum, .rms].map { Feature(lane, $0) }
    }
}

extension Sequence<Feature> {
  /// The slowest source that still holds every frequency that the features look at, or `nil` where none looks at any.
  ///
  /// Twice the highest frequency among their bands: anything slower folds steps into places where there are none (5 Hz
  /// cannot hold a runner's 2.7 steps a second).
  package var slowestSource: SampleRate? {
    compactMap(\.statistic.highestFrequency).max().flatMap { SampleRate(exactly: 2 * $0) }
  }
}
