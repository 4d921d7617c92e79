/// The catalogue entry of a statistic, a lane or a transform: its textual form and definition.
///
/// `gait features --list` prints the entries, and a test keeps the article *The features* equal to them. Formulas use
/// these names: *x* the lane's *N* samples at *f*ₛ hertz, *x*′ the same minus their mean x̄, *u* the user acceleration,
/// *g* gravity, ĝ = *g* ÷ |*g*|, ω the rotation rate.
///
///     Statistic.percentile(10).entry.form        // "percentile[p]"
///     Statistic.percentile(10).entry.equivalent  // "np.percentile(x, p)"
package struct CatalogueEntry: Hashable, Sendable, Encodable {
  /// The textual form, with letters for numbers, such as `bandRMS[a...b]`.
  package let form: String
  /// The textual form of a feature that uses it, such as `total.bandRMS[1.2...2.2]`.
  package let example: String
  /// The definition.
  package let formula: String
  /// The unit of the result; `lane's` or `statistic's` if it is unchanged.
  package let unit: String
  /// Results that the formula does not define, and restrictions; empty if there are none.
  package let edgeCases: String
  /// An equivalent NumPy or SciPy expression, to be used after `preamble`.
  package let equivalent: String

  /// Python that the expressions build on. `x` is a lane's samples at `fs` hertz; `u`, `g` and `w` are the samples of
  /// user acceleration, gravity and rotation rate, shape `[N, 3]`.
  package static let preamble = [
    "import numpy as np, scipy",
    "",
    "d = g / np.linalg.norm(g, axis=1, keepdims=True)",
    "y = x - x.mean()",
    "K = max(64, 1 << (2 * len(x) - 1).bit_length())",
    "f, P = scipy.signal.periodogram(y, fs, \"hann\", K, detrend=False)",
    "P = P * fs / K",
    "band_rms = lambda a, b: np.sqrt(P[(f >= a) & (f < b)].sum())",
    "r = np.correlate(y, y, \"full\")[len(y) - 1:] / np.arange(len(y), 0, -1)",
    "lags = np.arange(np.ceil(a * fs), np.floor(min(b * fs, 0.6 * len(x), len(x) - 2)) + 1, dtype=int)",
    "k = max((k for k in lags if r[k - 1] < r[k] >= r[k + 1]), key=lambda k: r[k])",
  ]
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
          "as recorded", edgeCases: "unwrapped within the window, from a first angle in −π…π",
          equivalent: "np.unwrap(x)")
        : entry("as recorded", equivalent: "x")
    case .userAccelerationMagnitude: entry("|u|", equivalent: "np.linalg.norm(u, axis=1)")
    case .rotationRateMagnitude: entry("|ω|", equivalent: "np.linalg.norm(w, axis=1)")
    case .vertical:
      entry(
        "−u · ĝ", edgeCases: "+1 in free fall, negative during ground contact; missing if g is 0",
        equivalent: "-(u * d).sum(axis=1)")
    case .horizontal:
      entry(
        "|u − (u · ĝ) ĝ|", edgeCases: "missing if g is 0",
        equivalent: "np.linalg.norm(u - (u * d).sum(axis=1, keepdims=True) * d, axis=1)")
    case .total: entry("|g + u|", equivalent: "np.linalg.norm(g + u, axis=1)")
    case .jerk:
      entry(
        "|uᵢ − uᵢ₋₁| · fₛ", edgeCases: "0 for the first sample of a stream and after a gap",
        equivalent: "np.linalg.norm(np.diff(u, axis=0, prepend=u[:1]), axis=1) * fs")
    case .gravityDirection:
      entry(
        "ĝ, three components", edgeCases: "only sphericalVariance applies; missing if g is 0", equivalent: "d",
        statistic: .sphericalVariance)
    }
  }

  private func entry(
    _ formula: String, edgeCases: String = "", equivalent: String, statistic: Statistic = .rms
  ) -> CatalogueEntry {
    CatalogueEntry(
      form: description, example: "\(Feature(self, statistic))", formula: formula, unit: unit, edgeCases: edgeCases,
      equivalent: equivalent)
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
        edgeCases: "error if the statistic can be negative", equivalent: "np.log(c + x)")
    case .signedLog:
      CatalogueEntry(
        form: "signedLog[s]", example: "vertical.maximum.signedLog[0.05]",
        formula: "sgn(x) · ln(1 + |x| ÷ s), s > 0", unit: "ln(statistic's)", edgeCases: "0 stays 0",
        equivalent: "np.sign(x) * np.log1p(np.abs(x) / s)")
    }
  }
}

/// A named list of features.
package enum FeatureSet: String, CaseIterable, Hashable, Sendable {
  /// `Feature.orientationFree`, the default.
  case orientationFree
  /// `Feature.full`.
  case full

  /// The features, in the order of a model's inputs and a table's columns.
  package var features: [Feature] {
    switch self {
    case .orientationFree: Feature.orientationFree
    case .full: Feature.full
    }
  }

  /// A short description of the set.
  package var summary: String {
    switch self {
    case .orientationFree: "the default; independent of how the device is worn"
    case .full: "the default features, every other statistic of every lane, and the correlations of each sensor's axes"
    }
  }
}
