/// A statistic of a lane over one window of *N* samples *x*₀ … *x*ₙ₋₁.
///
/// A window with a missing value is skipped. *x'* is the window minus its mean. A lane is constant if its variance is
/// at most 1.6e-13 · (1 + mean²); every statistic of *x'* is then 0.
///
/// P[k] is the one-sided periodogram times its bin width. The window is mean-removed, Hann-weighted (periodic), and
/// zero-padded to *T* = max(64, the next power of two ≥ 2N) samples. P[k] agrees with `scipy.signal.periodogram(x -
/// mean, fs, 'hann', T, detrend=False)` times fs ÷ T. The bins are rate ÷ T apart.
///
/// `entry` is the statistic's line in the output of `gait features --list`.
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
  /// The third central moment ÷ standardDeviation³, no unit. Agrees with `scipy.stats.skew`.
  case skewness
  /// The fourth central moment ÷ variance² − 3, no unit; 0 for a normal distribution. Agrees with
  /// `scipy.stats.kurtosis`.
  case kurtosis
  /// The 75th percentile − the 25th, in the lane's unit. Agrees with `scipy.stats.iqr`.
  case interquartileRange
  /// Σx², in the lane's unit squared.
  case energy
  /// The percentile for a percentage in 0…100, interpolated linearly between sorted samples, in the lane's unit. Agrees
  /// with `numpy.percentile`.
  case percentile(Double)
  /// Mean crossings per second: the number of crossings ÷ the window's length. A sample at the mean counts as above it.
  case meanCrossingRate
  /// ΣP[k] over the bins of a band (hertz, lower ≤ *f* < upper): the lane's mean square within the band, in the lane's
  /// unit squared.
  case bandPower(ClosedRange<Double>)
  /// √bandPower of a band (hertz), in the lane's unit. A sine within the band gives its amplitude ÷ √2.
  case bandRMS(ClosedRange<Double>)
  /// ln((offset + bandRMS of the first band) ÷ (offset + bandRMS of the second)), no unit; the offset is in the lane's.
  case bandLogRatio(ClosedRange<Double>, ClosedRange<Double>, offset: Double)
  /// The lag of the highest autocorrelation peak within a range of lags, seconds.
  ///
  /// It is the highest local maximum of the unbiased autocorrelation r[k] = Σ x'ᵢ x'ᵢ₊ₖ ÷ (N − k) of the mean-removed
  /// window, that is, r[k] > r[k−1] and r[k] ≥ r[k+1]. The first one wins a tie. It is refined by the parabola through
  /// it and its neighbours. Lags go up to 0.6 N. Without a maximum it is 0.
  case autocorrelationLag(ClosedRange<Double>)
  /// The height of the peak of `autocorrelationLag`, before the parabola: r[k] / r[0], no unit. It is near 1 for a
  /// steady rhythm, and 0 without a maximum.
  case autocorrelationPeak(ClosedRange<Double>)
  /// The frequency of the highest P[k], k ≥ 1 (the first on a tie), refined by the parabola through the logarithms of
  /// it and its neighbours, hertz.
  case dominantFrequency
  /// ΣfP / ΣP over k ≥ 1, hertz.
  case spectralCentroid
  /// −Σp ln p / ln(T/2) with p = P / ΣP over k ≥ 1, no unit: 0 for one tone, 1 for white noise.
  case spectralEntropy
  /// The geometric mean of P over its arithmetic mean over k ≥ 1, no unit, 0…1; P is at least 1e-12 of the mean.
  case spectralFlatness
  /// Pearson's correlation with another channel of the same sensor, no unit. Agrees with `numpy.corrcoef`.
  case correlation(Channel)
  /// 1 − |mean of the unit vectors|: 0 for a constant direction, 1 for uniformly distributed ones. Only for
  /// `Lane.gravityDirection`; Mardia & Jupp, *Directional Statistics* (2000), §9.2.
  case sphericalVariance

  /// Whether the statistic is defined for the lane.
  public func applies(to lane: Lane) -> Bool {
    switch (self, lane) {
    case (.sphericalVariance, .gravityDirection): true
    case (.sphericalVariance, _), (_, .gravityDirection): false
    case (.correlation(let other), .channel(let channel)): other.sensor == channel.sensor && other != channel
    case (.correlation, _): false
    default: true
    }
  }

  /// Whether the statistic of the lane cannot be negative, so that `Transform.log` applies.
  func isNeverNegative(of lane: Lane) -> Bool {
    switch self {
    case .mean, .minimum, .maximum, .percentile: lane.isNeverNegative
    case .skewness, .kurtosis, .autocorrelationPeak, .bandLogRatio, .correlation: false
    default: true
    }
  }

  /// The frequency bands among the statistic's arguments, hertz; empty if it has none.
  var bands: [ClosedRange<Double>] {
    switch self {
    case .bandPower(let band), .bandRMS(let band): [band]
    case .bandLogRatio(let first, let second, _): [first, second]
    default: []
    }
  }

  /// The highest frequency of the statistic's bands, hertz; `nil` if the statistic has no band.
  var highestFrequency: Double? {
    switch self {
    case .bandPower(let band), .bandRMS(let band): band.upperBound
    case .bandLogRatio(let first, let second, _): max(first.upperBound, second.upperBound)
    default: nil
    }
  }

  /// The unit of the statistic for a lane in `unit`.
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

/// A function applied to a statistic before it enters a model.
public enum Transform: Hashable, Sendable {
  /// No change.
  case identity
  /// ln(offset + x), for values that cannot be negative. The offset is in the statistic's unit.
  case log(offset: Double)
  /// sgn(x) · ln(1 + |x| ÷ scale). The scale is in the statistic's unit.
  case signedLog(scale: Double)
}
