/// The catalogue entry of a statistic, a lane or a transform: its textual form and definition.
///
/// `gait features --list` prints the entries; a test compares the article *The features* with them. Formulas use these
/// names: *x* the lane's *N* samples at *f*ₛ hertz, *x*′ the same minus their mean x̄, *u* the user acceleration, *g*
/// gravity, ĝ = *g* ÷ |*g*|, ω the rotation rate.
///
///     Statistic.percentile(10).entry.form  // "percentile[p]"
package struct CatalogueEntry: Hashable, Sendable, Encodable {
  /// The textual form, with letters for numbers, such as `bandRMS[a...b]`.
  package let form: String
  /// The textual form of a feature that uses it, such as `total.bandRMS[1.2...2.2]`.
  package let example: String
  /// The definition.
  package let formula: String
  /// The unit of the result. It contains `lane's` or `statistic's` where the result's unit follows from that of the
  /// lane or of the statistic.
  package let unit: String
  /// Results for lanes that the formula does not define, such as constant ones, and restrictions on the arguments;
  /// empty if there are none.
  package let edgeCases: String
}

extension Lane {
  /// The entries of all lanes: channels first, then the lanes that do not depend on the device's orientation.
  package static let entries = all.map(\.entry)

  /// The catalogue entry of the lane.
  package var entry: CatalogueEntry {
    switch self {
    case .channel(let channel):
      channel.sensor == .attitude
        ? entry(
          "as recorded", edgeCases: "unwrapped within the window, from a first angle in −π…π")
        : entry("as recorded")
    case .userAccelerationMagnitude: entry("|u|")
    case .rotationRateMagnitude: entry("|ω|")
    case .vertical:
      entry(
        "−u · ĝ", edgeCases: "+1 in free fall, negative during ground contact; missing if g is 0")
    case .horizontal:
      entry(
        "|u − (u · ĝ) ĝ|", edgeCases: "missing if g is 0")
    case .total: entry("|g + u|")
    case .jerk:
      entry(
        "|uᵢ − uᵢ₋₁| · fₛ", edgeCases: "0 for the first sample of a stream and after a gap")
    case .gravityDirection:
      entry(
        "ĝ, three components", edgeCases: "only sphericalVariance applies; missing if g is 0",
        statistic: .sphericalVariance)
    }
  }

  private func entry(
    _ formula: String, edgeCases: String = "", statistic: Statistic = .rms
  ) -> CatalogueEntry {
    CatalogueEntry(
      form: description, example: "\(Feature(self, statistic))", formula: formula, unit: unit, edgeCases: edgeCases)
  }
}

extension Transform {
  /// The entries of all transforms but the identity, which has no textual form.
  package static let entries = [Transform.log(offset: 0.01), .signedLog(scale: 0.05)].compactMap(\.entry)

  /// The catalogue entry of the transform; `nil` for the identity.
  package var entry: CatalogueEntry? {
    switch self {
    case .identity: nil
    case .log:
      CatalogueEntry(
        form: "log[c]", example: "vertical.rms.log[0.01]", formula: "ln(c + x), c > 0", unit: "ln(statistic's)",
        edgeCases: "error if the statistic can be negative")
    case .signedLog:
      CatalogueEntry(
        form: "signedLog[s]", example: "vertical.maximum.signedLog[0.05]",
        formula: "sgn(x) · ln(1 + |x| ÷ s), s > 0", unit: "ln(statistic's)", edgeCases: "0 stays 0")
    }
  }
}

/// A named list of features.
package enum FeatureSet: String, CaseIterable, Hashable, Sendable {
  /// `Feature.orientationFree`, the default.
  case orientationFree
  /// `Feature.running`.
  case running
  /// `Feature.linear`.
  case linear
  /// `Feature.full`.
  case full

  /// The features, in the order of a model's inputs and a table's columns.
  package var features: [Feature] {
    switch self {
    case .orientationFree: Feature.orientationFree
    case .running: Feature.running
    case .linear: Feature.linear
    case .full: Feature.full
    }
  }

  /// A short description of the set.
  package var summary: String {
    switch self {
    case .orientationFree: "the default; independent of how the device is worn"
    case .running: "those of the model running; independent of how the device is worn, without attitude and gyroscope"
    case .linear: "those of the model running-linear: user acceleration alone, without gravity, attitude and gyroscope"
    case .full: "the default features, every other statistic of every lane, and the correlations of each sensor's axes"
    }
  }
}

extension Statistic {
  /// The entries of all statistics, each once.
  package static let entries = examples.map(\.statistic.entry)

  /// An example feature for each statistic, in the order in which `gait features --list` prints the statistics.
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

  /// The textual form without its argument, such as `percentile`.
  var name: String { String(text.prefix { $0 != "[" }) }

  /// The catalogue entry of the statistic, which does not depend on its arguments.
  package var entry: CatalogueEntry {
    switch self {
    case .mean: entry("Σx ÷ N")
    case .standardDeviation: entry("√(Σx′² ÷ N)", edgeCases: Self.zero)
    case .minimum: entry("the smallest x")
    case .maximum: entry("the largest x")
    case .range: entry("maximum − minimum", edgeCases: "equal samples: 0")
    case .rms: entry("√(Σx² ÷ N)")
    case .meanAbsoluteDeviation: entry("Σ|x′| ÷ N", edgeCases: Self.zero)
    case .meanAbsoluteDifference:
      entry("Σ|xᵢ − xᵢ₋₁| ÷ (N − 1)", edgeCases: "equal samples: 0")
    case .meanCrossingRate:
      entry(
        "mean crossings ÷ (N ÷ fₛ)",
        edgeCases: "a sample at the mean counts as above; " + Self.zero)
    case .skewness:
      entry("(Σx′³ ÷ N) ÷ standardDeviation³", edgeCases: Self.zero)
    case .kurtosis:
      entry(
        "(Σx′⁴ ÷ N) ÷ variance² − 3", edgeCases: "0 for a normal distribution; " + Self.zero)
    case .percentile:
      entry(
        argument: "[p]", "the p-th percentile, linear between sorted samples, 0 ≤ p ≤ 100")
    case .interquartileRange:
      entry("percentile[75] − percentile[25]", edgeCases: "equal samples: 0")
    case .energy: entry("Σx²")
    case .autocorrelationPeak:
      entry(
        argument: "[a...b]", "r[k] ÷ r[0] at the k of autocorrelationLag, before the parabola",
        edgeCases: "no maximum: 0; " + Self.zero)
    case .autocorrelationLag:
      entry(
        argument: "[a...b]",
        "the lag in a…b seconds of the highest local maximum of r[k] = Σx′ᵢx′ᵢ₊ₖ ÷ (N − k), refined by a parabola",
        edgeCases: "ties: the first; lags up to 0.6 N; no maximum: 0; " + Self.zero)
    case .bandPower:
      entry(
        argument: "[a...b]", "ΣP[k] over a ≤ f < b", edgeCases: Self.band)
    case .bandRMS:
      entry(
        argument: "[a...b]", "√ΣP[k] over a ≤ f < b", edgeCases: "a sine of amplitude A gives A ÷ √2; " + Self.band)
    case .bandLogRatio:
      entry(
        argument: "[a...b/c...d+e]", "ln((e + bandRMS[a...b]) ÷ (e + bandRMS[c...d])), e > 0", edgeCases: Self.band)
    case .dominantFrequency:
      entry(
        "the frequency of the highest P[k], k ≥ 1, refined by a parabola through the logarithms",
        edgeCases: "ties: the first; " + Self.zero)
    case .spectralCentroid:
      entry("ΣfP ÷ ΣP, k ≥ 1", edgeCases: Self.zero)
    case .spectralEntropy:
      entry(
        "−Σp ln p ÷ ln(K ÷ 2) with p = P ÷ ΣP, k ≥ 1", edgeCases: "0 for one bin, 1 for equal bins; " + Self.zero)
    case .spectralFlatness:
      entry(
        "geometric mean of P ÷ mean of P, k ≥ 1",
        edgeCases: "P at least 1e-12 of its mean; " + Self.zero)
    case .correlation:
      entry(
        argument: "[channel]", "Pearson's correlation with another channel of the same sensor",
        edgeCases: "either constant: 0")
    case .sphericalVariance:
      entry(
        "1 − |mean of ĝ|", edgeCases: "gravity only; constant direction: 0")
    }
  }

  private static let zero = "constant: 0"
  private static let band = "constant or no bin in the band: 0; b above fₛ ÷ 2: error"

  private func entry(
    argument: String = "", _ formula: String, edgeCases: String = ""
  ) -> CatalogueEntry {
    CatalogueEntry(
      form: name + argument, example: "\(Self.examples.first { $0.statistic.name == name }!)", formula: formula,
      unit: unit(ofLane: "lane's"), edgeCases: edgeCases)
  }
}
