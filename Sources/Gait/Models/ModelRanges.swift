/// The ranges of the numbers that a model may hold: checked where a model is made and where its file is read.
///
/// They are far wider than any fitted model needs. With them every window whose features are finite has finite
/// probabilities, and the memory that a model takes is bounded. The article *The model file* lists them.
public enum ModelRanges {
  /// The rate that features are computed at, hertz.
  public static let sampleRate = 1.0...1000.0
  /// A window's length, seconds.
  public static let window = 0.01...600.0
  /// From the start of one window to the start of the next, seconds.
  public static let hop = 0.001...600.0
  /// The samples of a window.
  public static let samplesPerWindow = 2...4096
  /// The features of a head.
  public static let featureCount = 1...4096
  /// The nodes of a head's trees, leaves included.
  public static let nodeCount = 1...16_777_216
  /// The size of a feature's value. A window that has a value beyond is passed over, as if a sample were missing.
  public static let feature: ClosedRange<Float> = -1e30...1e30
  /// A feature's standard deviation.
  public static let standardDeviation: ClosedRange<Float> = 1e-30...1e30
  /// A weight or intercept of a logistic regression, a leaf value or base score of boosted trees.
  public static let weight: ClosedRange<Float> = -1e12...1e12
  /// The size of a scaled feature that a logistic regression counts with where its sums would else overflow.
  static let scaledFeature: ClosedRange<Float> = -1e18...1e18
  /// A calibration's temperature.
  public static let temperature: ClosedRange<Float> = 0.001...1000
  /// The counts of a card.
  public static let cardCount = 0...1_000_000_000_000
  /// The size of a model file, bytes.
  public static let fileSize = 0...1_073_741_824
}
