/// One number that describes a window: a statistic of a lane, with an optional transform.
///
/// A feature has one textual form, such as `vertical.rms.log[0.01]`. Model files and table headers use it, and it
/// parses back to the same feature.
///
///     let feature = try Feature("total.bandRMS[1.2...2.2]")
///     feature.lane       // .total
///     feature.statistic  // .bandRMS(1.2...2.2)
public struct Feature: Hashable, Sendable {
  /// The series of numbers that the feature is computed from.
  public let lane: Lane
  /// The statistic of the series.
  public let statistic: Statistic
  /// The transform of the statistic.
  public let transform: Transform

  /// A feature from its parts.
  ///
  /// - Precondition: the statistic applies to the lane, and the arguments of the statistic and the transform are within
  ///   their bounds. (`Feature.init(_:)`, which parses a text, throws an error instead.)
  public init(_ lane: Lane, _ statistic: Statistic, _ transform: Transform = .identity) {
    if let problem = Self.problem(lane, statistic, transform) {
      preconditionFailure("no such feature: \(problem)")
    }
    self.lane = lane
    self.statistic = statistic
    self.transform = transform
  }

  init(lane: Lane, statistic: Statistic, transform: Transform, text: String) throws(ModelError) {
    if let problem = Self.problem(lane, statistic, transform) {
      throw .notAFeature(text, problem)
    }
    self.lane = lane
    self.statistic = statistic
    self.transform = transform
  }

  /// The unit of the feature's values, such as `g` or `ln(g)`; `1` if they have none.
  public var unit: String {
    let unit = statistic.unit(ofLane: lane.unit)
    switch transform {
    case .identity: return unit
    case .log, .signedLog: return unit == "1" ? "1" : "ln(\(unit))"
    }
  }

  /// Why the combination is invalid, or `nil` if it is valid.
  private static func problem(_ lane: Lane, _ statistic: Statistic, _ transform: Transform) -> String? {
    guard statistic.applies(to: lane) else {
      return lane == .gravityDirection
        ? "only sphericalVariance applies to gravity as a whole; name an axis, such as gravity.x"
        : "\(statistic.text) does not apply to \(lane)"
    }
    if let problem = problem(statistic) { return problem }
    switch transform {
    case .identity: return nil
    case .log(let offset):
      guard statistic.isNeverNegative(of: lane) else {
        return "\(statistic.text) of \(lane) can be negative, so log does not apply; use signedLog"
      }
      return offset > 0 && offset.isFinite ? nil : "the offset of a log must be finite and positive"
    case .signedLog(let scale):
      return scale > 0 && scale.isFinite ? nil : "the scale of a signedLog must be finite and positive"
    }
  }

  private static func problem(_ statistic: Statistic) -> String? {
    func inOrder(_ range: ClosedRange<Double>, from bound: Double) -> Bool {
      range.lowerBound >= bound && range.upperBound > range.lowerBound && range.upperBound.isFinite
    }
    switch statistic {
    case .percentile(let percent):
      return (0...100).contains(percent) ? nil : "a percentile must be within 0…100"
    case .bandRMS(let band), .bandPower(let band):
      return inOrder(band, from: 0) ? nil : "a band must have 0 ≤ lower < upper, in hertz"
    case .bandLogRatio(let first, let second, let offset):
      guard inOrder(first, from: 0), inOrder(second, from: 0) else {
        return "a band must have 0 ≤ lower < upper, in hertz"
      }
      return offset > 0 && offset.isFinite ? nil : "the offset of a bandLogRatio must be finite and positive"
    case .autocorrelationLag(let range), .autocorrelationPeak(let range):
      return range.lowerBound > 0 && inOrder(range, from: 0)
        ? nil : "a range of lags must have 0 < lower < upper, in seconds"
    case .mean, .standardDeviation, .minimum, .maximum, .range, .rms, .meanAbsoluteDeviation, .meanAbsoluteDifference,
      .skewness, .kurtosis, .interquartileRange, .energy, .meanCrossingRate, .dominantFrequency, .spectralCentroid,
      .spectralEntropy, .spectralFlatness, .correlation, .sphericalVariance:
      return nil
    }
  }

  /// Seven features that do not depend on how the device is turned. A trainer uses them unless it is given others.
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

  /// The features of `ActivityModel.running`, which do not depend on how the device is worn.
  ///
  /// They measure the strength, rhythm and impacts of the vertical, total and user acceleration. A running step lasts
  /// 0.32 to 0.40 s, a walking step 0.43 to 0.65 s. The bands and lags show which of the two it is, whatever its
  /// strength. The features need gravity, but neither attitude nor a gyroscope.
  public static let running: [Feature] = [
    Feature(.vertical, .rms, .log(offset: 0.01)),
    Feature(.total, .bandLogRatio(2.2...3.5, 1.2...2.2, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .percentile(10), .log(offset: 0.01)),
    Feature(.total, .autocorrelationLag(0.2...1.1)),
    Feature(.vertical, .meanCrossingRate),
    Feature(.vertical, .bandLogRatio(3.3...4.5, 2.3...3.3, offset: 0.01)),
    Feature(.vertical, .bandLogRatio(2.3...3.3, 1.5...2.2, offset: 0.01)),
    Feature(.vertical, .autocorrelationPeak(0.6...0.82)),
    Feature(.vertical, .autocorrelationPeak(0.82...1.2)),
    Feature(.vertical, .interquartileRange, .log(offset: 0.01)),
    Feature(.jerk, .autocorrelationPeak(0.3...0.45)),
    Feature(.total, .rms, .log(offset: 0.01)),
    Feature(.userAccelerationMagnitude, .bandLogRatio(3.3...4.5, 2.3...3.3, offset: 0.01)),
    Feature(.vertical, .bandRMS(2.6...3.3), .log(offset: 0.01)),
    Feature(.vertical, .autocorrelationPeak(0.2...1.1)),
    Feature(.total, .spectralFlatness),
    Feature(.userAccelerationMagnitude, .spectralEntropy),
    Feature(.userAccelerationMagnitude, .meanCrossingRate),
  ]

  /// The features of `ActivityModel.runningLinear`, computed from the magnitude and the jerk of user acceleration
  /// alone.
  ///
  /// They need no gravity, attitude or gyroscope, and do not depend on how the device is worn.
  public static let linear: [Feature] = [
    Feature(.userAccelerationMagnitude, .rms, .log(offset: 0.01)),
    Feature(.userAccelerationMagnitude, .bandLogRatio(2.2...3.5, 1.2...2.2, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .bandLogRatio(3.3...4.5, 2.3...3.3, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .bandLogRatio(2.3...3.3, 1.5...2.2, offset: 0.01)),
    Feature(.userAccelerationMagnitude, .autocorrelationPeak(0.6...0.82)),
    Feature(.userAccelerationMagnitude, .autocorrelationPeak(0.3...0.45)),
    Feature(.userAccelerationMagnitude, .skewness),
    Feature(.userAccelerationMagnitude, .kurtosis),
    Feature(.jerk, .percentile(50), .log(offset: 0.01)),
    Feature(.jerk, .skewness),
    Feature(.jerk, .autocorrelationPeak(0.3...0.45)),
    Feature(.userAccelerationMagnitude, .autocorrelationPeak(0.82...1.2)),
    Feature(.jerk, .bandLogRatio(2.3...3.3, 1.5...2.2, offset: 0.01)),
    Feature(.jerk, .autocorrelationPeak(0.6...0.82)),
    Feature(.jerk, .kurtosis),
    Feature(.jerk, .autocorrelationPeak(0.82...1.2)),
  ]

  /// The full set, 539 features: `orientationFree`; each statistic of `Statistic.catalogue` for each lane of
  /// `Lane.scalars`, unless `orientationFree` has it; and the correlations between the channels of each sensor.
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
  /// The lowest sample rate of a recording that contains the frequencies of the features' bands: twice the highest
  /// frequency of all bands. `nil` if no feature has a band.
  ///
  /// At a lower rate steps alias to other frequencies: 5 Hz cannot represent a runner's 2.7 steps a second.
  package var slowestSource: SampleRate? {
    compactMap(\.statistic.highestFrequency).max().flatMap { SampleRate(exactly: 2 * $0) }
  }
}
