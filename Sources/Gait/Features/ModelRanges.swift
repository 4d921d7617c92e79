/// The ranges of a model's numbers, checked when a model is made and when its file is read.
///
/// They are far wider than any fitted model needs. They keep the probabilities of every window with finite features
/// finite, and they bound a model's memory. The article *The model file* lists them.
package enum ModelRanges {
  /// The rate that features are computed at, hertz.
  package static let sampleRate = 1.0...1000.0
  /// A window's length, seconds.
  package static let window = 0.01...600.0
  /// From the start of one window to the start of the next, seconds.
  package static let hop = 0.001...600.0
  /// The samples of a window.
  package static let samplesPerWindow = 2...4096
  /// The features of a head.
  package static let featureCount = 1...4096
  /// The nodes of a head's trees, leaves included.
  package static let nodeCount = 1...16_777_216
  /// A feature's value. A window with a larger value is skipped, as if a sample were missing.
  package static let feature: ClosedRange<Float> = -1e30...1e30
  /// A feature's standard deviation.
  package static let standardDeviation: ClosedRange<Float> = 1e-30...1e30
  /// A weight or intercept of a logistic regression, a leaf value or base score of boosted trees.
  package static let weight: ClosedRange<Float> = -1e12...1e12
  /// A scaled feature in a logistic regression: larger values are clamped, so that sums cannot overflow.
  static let scaledFeature: ClosedRange<Float> = -1e18...1e18
  /// A calibration's temperature.
  package static let temperature: ClosedRange<Float> = 0.001...1000
  /// The counts of a card.
  package static let cardCount = 0...1_000_000_000_000
  /// The size of a model file, bytes.
  package static let fileSize = 0...1_073_741_824

  /// Whether a window and its hop are within their ranges.
  static func contains(_ shape: WindowShape) -> Bool { window ~= shape.seconds && hop ~= shape.hopSeconds }

  /// What to say where they are not.
  package static let windowReason =
    "the window must be within \(plain(window.lowerBound)) to \(plain(window.upperBound)) s and the hop within "
    + "\(plain(hop.lowerBound)) to \(plain(hop.upperBound)) s"
}
