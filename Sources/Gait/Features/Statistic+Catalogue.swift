extension Statistic {
  /// The entries of all statistics, each once.
  package static let entries = examples.map(\.statistic.entry)

  /// A feature for each statistic, in the order of the catalogue.
  static let examples = [
    Feature(.total, .mean), Feature(.total, .standardDeviation), Feature(.vertical, .minimum),
    Feature(.vertical, .maximum), Feature(.vertical, .range), Feature(.vertical, .rms),
    Feature(.vertical, .meanAbsoluteDeviation), Feature(.vertical, .meanAbsoluteDifference),
    Feature(.vertical, .meanCrossingRate), Feature(.vertical, .skewness), Feature(.vertical, .kurtosis),
    Feature(.userAccelerationMagnitude, .percentile(10)), Feature(.horizontal, .interquartileRange),
    Feature(.jerk, .energy), Feature(.total, .autocorrelationPeak(0.2...1.1)),
    Feature(.total, .autocorrelationLag(0.2...1.1)), Feature(.total, .bandPower(1.2...2.2)),
    Feature(.total, .bandRMS(1.2...2.2)), Feature(.total, .bandLogRatio(2.2...3.5, 1.2...2.2, offset: 0.01)),
    Feature(.total, .dominantFrequency), Feature(.total, .spectralCentroid), Feature(.total, .spectralEntropy),
    Feature(.total, .spectralFlatness), Feature(.channel(.gravityX), .correlation(.gravityY)),
    Feature(.gravityDirection, .sphericalVariance),
  ]

  /// The name without its argument, such as `percentile`.
  var name: String { String(text.prefix { $0 != "[" }) }

  /// The catalogue entry of the statistic, which does not depend on its arguments.
  package var entry: CatalogueEntry {
    switch self {
    case .mean: entry("Σx ÷ N", equivalent: "np.mean(x)")
    case .standardDeviation: entry("√(Σx′² ÷ N)", edgeCases: Self.zero, equivalent: "np.std(x)")
    case .minimum: entry("the smallest x", equivalent: "np.min(x)")
    case .maximum: entry("the largest x", equivalent: "np.max(x)")
    case .range: entry("maximum − minimum", edgeCases: "equal samples: 0", equivalent: "np.ptp(x)")
    case .rms: entry("√(Σx² ÷ N)", equivalent: "np.sqrt(np.mean(x**2))")
    case .meanAbsoluteDeviation: entry("Σ|x′| ÷ N", edgeCases: Self.zero, equivalent: "np.mean(np.abs(y))")
    case .meanAbsoluteDifference:
      entry("Σ|xᵢ − xᵢ₋₁| ÷ (N − 1)", edgeCases: "equal samples: 0", equivalent: "np.mean(np.abs(np.diff(x)))")
    case .meanCrossingRate:
      entry(
        "mean crossings ÷ (N ÷ fₛ)",
        edgeCases: "a sample at the mean counts as above; " + Self.zero,
        equivalent: "np.count_nonzero(np.diff(y >= 0)) * fs / len(x)")
    case .skewness:
      entry("(Σx′³ ÷ N) ÷ standardDeviation³", edgeCases: Self.zero, equivalent: "scipy.stats.skew(x)")
    case .kurtosis:
      entry(
        "(Σx′⁴ ÷ N) ÷ variance² − 3", edgeCases: "0 for a normal distribution; " + Self.zero,
        equivalent: "scipy.stats.kurtosis(x)")
    case .percentile:
      entry(
        argument: "[p]", "the p-th percentile, linear between sorted samples, 0 ≤ p ≤ 100",
        equivalent: "np.percentile(x, p)")
    case .interquartileRange:
      entry("percentile[75] − percentile[25]", edgeCases: "equal samples: 0", equivalent: "scipy.stats.iqr(x)")
    case .energy: entry("Σx²", equivalent: "np.sum(x**2)")
    case .autocorrelationPeak:
      entry(
        argument: "[a...b]", "r[k] ÷ r[0] at the k of autocorrelationLag, before the parabola",
        edgeCases: "no maximum: 0; " + Self.zero, equivalent: "r[k] / r[0]")
    case .autocorrelationLag:
      entry(
        argument: "[a...b]",
        "the lag in a…b seconds of the highest local maximum of r[k] = Σx′ᵢx′ᵢ₊ₖ ÷ (N − k), refined by a parabola",
        edgeCases: "ties: the first; lags up to 0.6 N; no maximum: 0; " + Self.zero,
        equivalent: "(k + 0.5 * (r[k-1] - r[k+1]) / (r[k-1] - 2 * r[k] + r[k+1])) / fs")
    case .bandPower:
      entry(
        argument: "[a...b]", "ΣP[k] over a ≤ f < b", edgeCases: Self.band, equivalent: "P[(f >= a) & (f < b)].sum()")
    case .bandRMS:
      entry(
        argument: "[a...b]", "√ΣP[k] over a ≤ f < b", edgeCases: "a sine of amplitude A gives A ÷ √2; " + Self.band,
        equivalent: "np.sqrt(P[(f >= a) & (f < b)].sum())")
    case .bandLogRatio:
      entry(
        argument: "[a...b/c...d+e]", "ln((e + bandRMS[a...b]) ÷ (e + bandRMS[c...d])), e > 0", edgeCases: Self.band,
        equivalent: "np.log((e + band_rms(a, b)) / (e + band_rms(c, d)))")
    case .dominantFrequency:
      entry(
        "the frequency of the highest P[k], k ≥ 1, refined by a parabola through the logarithms",
        edgeCases: "ties: the first; the Python omits the parabola; " + Self.zero,
        equivalent: "f[1 + np.argmax(P[1:])]")
    case .spectralCentroid:
      entry("ΣfP ÷ ΣP, k ≥ 1", edgeCases: Self.zero, equivalent: "np.average(f[1:], weights=P[1:])")
    case .spectralEntropy:
      entry(
        "−Σp ln p ÷ ln(K ÷ 2) with p = P ÷ ΣP, k ≥ 1", edgeCases: "0 for one bin, 1 for equal bins; " + Self.zero,
        equivalent: "scipy.stats.entropy(P[1:]) / np.log(K / 2)")
    case .spectralFlatness:
      entry(
        "geometric mean of P ÷ mean of P, k ≥ 1",
        edgeCases: "P at least 1e-12 of its mean; " + Self.zero,
        equivalent: "scipy.stats.gmean(np.maximum(P[1:], 1e-12 * P[1:].mean())) / P[1:].mean()")
    case .correlation:
      entry(
        argument: "[channel]", "Pearson's correlation with another channel of the same sensor",
        edgeCases: "either constant: 0", equivalent: "np.corrcoef(x, other)[0, 1]")
    case .sphericalVariance:
      entry(
        "1 − |mean of ĝ|", edgeCases: "gravity only; constant direction: 0",
        equivalent: "1 - np.linalg.norm(d.mean(axis=0))")
    }
  }

  private static let zero = "constant: 0"
  private static let band = "constant or no bin in the band: 0; b above fₛ ÷ 2: error"

  private func entry(
    argument: String = "", _ formula: String, edgeCases: String = "", equivalent: String
  ) -> CatalogueEntry {
    CatalogueEntry(
      form: name + argument, example: "\(Self.examples.first { $0.statistic.name == name }!)", formula: formula,
      unit: unit(ofLane: "lane's"), edgeCases: edgeCases, equivalent: equivalent)
  }
}
