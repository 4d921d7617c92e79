/// What is computed from a lane over one window of *N* samples *x*₀ … *x*ₙ₋₁.
///
/// A window that holds a missing value has no features: it is skipped. A constant lane has spread, band RMS, crossing
/// rate and lag 0.
public enum Statistic: Hashable, Sendable {
  /// Σx / N, in the lane's unit. Agrees with `numpy.mean`.
  case mean
  /// √(Σ(x − mean)² / N), in the lane's unit. Agrees with `numpy.std` (population).
  case standardDeviation
  /// The smallest value, in the lane's unit.
  case minimum
  /// The largest value, in the lane's unit.
  case maximum
  /// √(Σx² / N), in the lane's unit.
  case rms
  /// The value below which the given percentage (0…100) of the samples lies, interpolated linearly between neighbours,
  /// in the lane's unit. Agrees with `numpy.percentile`.
  case percentile(Double)
  /// How often the lane passes its mean, crossings per second: the number of neighbours on different sides (a sample at
  /// the mean counts as above) ÷ the window's length.
  case meanCrossingRate
  /// The RMS of the part of the lane within a band of frequencies (hertz, lower ≤ *f* < upper), in the lane's unit.
  ///
  /// √Σ P[k]·Δf over the bins of the band, P the one-sided periodogram of the mean-removed, Hann-weighted (periodic)
  /// window, padded with zeros to max(64, the next power of two ≥ 2N). Agrees with
  /// `scipy.signal.periodogram(x - mean, fs, 'hann', nfft, detrend=False)`. A sine inside the band gives amplitude ÷ √2.
  case bandRMS(ClosedRange<Double>)
  /// ln((offset + bandRMS of the first band) ÷ (offset + bandRMS of the second)), no unit; the offset is in the lane's.
  case bandLogRatio(ClosedRange<Double>, ClosedRange<Double>, offset: Double)
  /// The lag in seconds, within the range, at which the lane resembles itself most.
  ///
  /// The highest local maximum of the unbiased autocorrelation r[k] = Σ x'ᵢ x'ᵢ₊ₖ ÷ (N − k) of the mean-removed window
  /// (r[k] > r[k−1], r[k] ≥ r[k+1]), the first one on a tie, placed by the parabola through its neighbours. The range
  /// ends at 0.6 N at the latest. No maximum: 0.
  case autocorrelationLag(ClosedRange<Double>)
  /// 1 − |mean of the unit vectors|: 0 when the direction never changes, 1 when it is anywhere. Only for
  /// `Lane.gravityDirection`; Mardia & Jupp, *Directional Statistics* (2000), §9.2.
  case sphericalVariance

  /// Whether the statistic has a meaning for the lane.
  public func applies(to lane: Lane) -> Bool {
    (self == .sphericalVariance) == (lane == .gravityDirection)
  }

  /// The highest frequency that the statistic looks at, hertz, or `nil` where it looks at none.
  var highestFrequency: Double? {
    switch self {
    case .bandRMS(let band): band.upperBound
    case .bandLogRatio(let upper, let lower, _): max(upper.upperBound, lower.upperBound)
    default: nil
    }
  }

  /// The unit of the statistic of a lane in `unit`.
  func unit(ofLane unit: String) -> String {
    switch self {
    case .meanCrossingRate: "1/s"
    case .autocorrelationLag: "s"
    case .bandLogRatio, .sphericalVariance: "1"
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
