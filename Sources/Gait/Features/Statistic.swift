/// What is computed from a lane over one window of *N* samples *x*₀ … *x*ₙ₋₁.
///
/// A window that holds a missing value has no features: it is skipped. *x'* is the window with its mean removed; a
/// constant lane, one whose variance is at most 1.6e-13 · (1 + mean²), has 0 for everything that looks at *x'*. The
/// spectrum P[k] is that of the mean-removed, Hann-weighted (periodic) window, padded with zeros to
/// *T* = max(64, the next power of two ≥ 2N) samples: the one-sided periodogram times its bin width, as
/// `scipy.signal.periodogram(x - mean, fs, 'hann', T, detrend=False)` gives it. Its bins lie rate ÷ T apart.
///
/// `entry` says of each what `gait features --list` prints.
public enum Statistic: Hashable, Sendable {
  /// Σx / N, in the lane's unit. Agrees with `numpy.mean`.
  case mean
  /// √(Σ(x − mean)² / N), in the lane's unit. Agrees with `numpy.std` (population).
  case standardDeviation
  /// The smallest value, in the lane's unit.
  case minimum
  /// The largest value, in the lane's unit.
  case maximum
  /// maximum − minimum, in the lane's unit. Agrees with `numpy.ptp`.
  case range
  /// √(Σx² / N), in the lane's unit.
  case rms
  /// Σ|x'| / N, in the lane's unit.
  case meanAbsoluteDeviation
  /// Σ|xᵢ − xᵢ₋₁| / (N − 1), in the lane's unit. Agrees with `numpy.abs(numpy.diff(x)).mean()`.
  case meanAbsoluteDifference
  /// The third moment about the mean ÷ standardDeviation³, no unit. Agrees with `scipy.stats.skew`.
  case skewness
  /// The fourth moment about the mean ÷ variance² − 3, no unit: 0 for a normal distribution. Agrees with
  /// `scipy.stats.kurtosis`.
  case kurtosis
  /// The 75th percentile − the 25th, in the lane's unit. Agrees with `scipy.stats.iqr`.
  case interquartileRange
  /// Σx², in the lane's unit squared.
  case energy
  /// The value below which the given percentage (0…100) of the samples lies, interpolated linearly between neighbours,
  /// in the lane's unit. Agrees with `numpy.percentile`.
  case percentile(Double)
  /// How often the lane passes its mean, crossings per second: the number of neighbours on different sides (a sample at
  /// the mean counts as above) ÷ the window's length.
  case meanCrossingRate
  /// The mean square of the part of the lane within a band of frequencies (hertz, lower ≤ *f* < upper), in the lane's unit
  /// squared: ΣP[k] over the bins of the band.
  case bandPower(ClosedRange<Double>)
  /// √bandPower, in the lane's unit. A sine inside the band gives amplitude ÷ √2.
  case bandRMS(ClosedRange<Double>)
  /// ln((offset + bandRMS of the first band) ÷ (offset + bandRMS of the second)), no unit; the offset is in the lane's.
  case bandLogRatio(ClosedRange<Double>, ClosedRange<Double>, offset: Double)
  /// The lag in seconds, within the range, at which the lane resembles itself most.
  ///
  /// The highest local maximum of the unbiased autocorrelation r[k] = Σ x'ᵢ x'ᵢ₊ₖ ÷ (N − k) of the mean-removed window
  /// (r[k] > r[k−1], r[k] ≥ r[k+1]), the first one on a tie, placed by the parabola through its neighbours. The range
  /// ends at 0.6 N at the latest. No maximum: 0.
  case autocorrelationLag(ClosedRange<Double>)
  /// The autocorrelation at the lag that `autocorrelationLag` picks, before the parabola, as a fraction of the variance:
  /// r[k] / r[0], no unit. Near 1 for a steady rhythm. No maximum: 0.
  case autocorrelationPeak(ClosedRange<Double>)
  /// The frequency of the highest P[k], k ≥ 1 (the first on a tie), placed by the parabola through its logarithm and its
  /// neighbours', hertz.
  case dominantFrequency
  /// ΣfP / ΣP over k ≥ 1, hertz.
  case spectralCentroid
  /// −Σp ln p / ln(T/2) with p = P / ΣP over k ≥ 1, no unit: 0 for one tone, 1 for white noise.
  case spectralEntropy
  /// The geometric mean of P over its arithmetic mean over k ≥ 1, no unit, 0…1; P counts as 1e-12 of the mean at least.
  case spectralFlatness
  /// Pearson's correlation with another channel of the same sensor, no unit. Agrees with `numpy.corrcoef`.
  case correlation(Channel)
  /// 1 − |mean of the unit vectors|: 0 when the direction never changes, 1 when it is anywhere. Only for
  /// `Lane.gravityDirection`; Mardia & Jupp, *Directional Statistics* (2000), §9.2.
  case sphericalVariance

  /// Whether the statistic has a meaning for the lane.
  public func applies(to lane: Lane) -> Bool {
    switch (self, lane) {
    case (.sphericalVariance, .gravityDirection): true
    case (.sphericalVariance, _), (_, .gravityDirection): false
    case (.correlation(let other), .channel(let channel)): other.sensor == channel.sensor && other != channel
    case (.correlation, _): false
    default: true
    }
  }

  /// Whether the statistic of the lane cannot be negative, so that a logarithm of it makes sense.
  func isNeverNegative(of lane: Lane) -> Bool {
    switch self {
    case .mean, .minimum, .maximum, .percentile: lane.isNeverNegative
    case .skewness, .kurtosis, .autocorrelationPeak, .bandLogRatio, .correlation: false
    default: true
    }
  }

  /// The bands that the statistic looks at, hertz.
  var bands: [ClosedRange<Double>] {
    switch self {
    case .bandPower(let band), .bandRMS(let band): [band]
    case .bandLogRatio(let first, let second, _): [first, second]
    default: []
    }
  }

  /// The highest frequency that the statistic looks at, hertz, or `nil` where it looks at no band.
  var highestFrequency: Double? { bands.map(\.upperBound).max() }

  /// The unit of the statistic of a lane in `unit`.
  func unit(ofLane unit: String) -> String {
    switch self {
    case .meanCrossingRate: "1/s"
    case .autocorrelationLag: "s"
    case .dominantFrequency, .spectralCentroid: "Hz"
    case .energy, .bandPower: unit.contains("/") ? "(\(unit))²" : "\(unit)²"
    case .bandLogRatio, .sphericalVariance, .skewness, .kurtosis, .autocorrelationPeak, .spectralEntropy,
      .spectralFlatness, .correlation:
      "1"
    default: unit
    }
  }
}

/// What is done to a statistic before a model sees it.
public enum Transform: Hashable, Sendable {
  /// Nothing.
  case identity
  /// ln(offset + x), for values that cannot be negative. The offset is in the statistic's unit.
  case log(offset: Double)
  /// sgn(x) · ln(1 + |x| ÷ scale). The scale is in the statistic's unit.
  case signedLog(scale: Double)
}
