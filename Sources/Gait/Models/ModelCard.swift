/// A model's training data and its validation scores on held-out people or recordings.
///
/// It does not affect predictions. A model checks the card's numbers: counts within `ModelRanges.cardCount`, scores
/// within 0 to 1, rates within `SampleRate.validHertz`.
public struct ModelCard: Hashable, Sendable, Codable {
  /// The data that the model was fitted to.
  public var training: Training
  /// The scores on held-out groups of models fitted in the same way; `nil` without validation.
  public var validation: Validation?

  /// A card from its parts.
  public init(training: Training, validation: Validation? = nil) {
    self.training = training
    self.validation = validation
  }

  /// The data that a model was fitted to.
  public struct Training: Hashable, Sendable, Codable {
    /// The training method as text, such as `logistic regression, penalty 0.001`.
    public var method: String
    /// The name of the data: the folder's name, not its path.
    public var source: String
    /// The rates of the recordings, hertz, ascending.
    public var sampleRates: [Double]
    /// The number of recordings.
    public var recordings: Int
    /// The number of groups: subjects, or recordings if the subjects are unknown.
    public var groups: Int
    /// The number of windows of each label.
    public var windows: [String: Int]
    /// The sets of recordings, each with its author and licence; `nil` if the collection does not state them. Licences
    /// such as CC BY 4.0 require it in every copy.
    public var attributions: [String]?
    /// Hashes of a few rows of every recording; `nil` if they were not computed. By them `gait evaluate` recognises
    /// training data.
    public var fingerprints: String?

    /// A description of the training data from its parts.
    public init(
      method: String, source: String, sampleRates: [Double], recordings: Int, groups: Int, windows: [String: Int],
      attributions: [String]? = nil, fingerprints: String? = nil
    ) {
      self.method = method
      self.source = source
      self.sampleRates = sampleRates
      self.recordings = recordings
      self.groups = groups
      self.windows = windows
      self.attributions = attributions
      self.fingerprints = fingerprints
    }
  }

  /// The scores on held-out groups.
  public struct Validation: Hashable, Sendable, Codable {
    /// The validation method, such as `leave one subject out`.
    public var method: String
    /// The number of windows that were classified.
    public var windows: Int
    /// The share of windows that were classified correctly.
    public var accuracy: Double
    /// The mean of the labels' recalls.
    public var balancedAccuracy: Double
    /// The mean of the labels' F1 scores.
    public var macroF1: Double
    /// The group with the lowest accuracy.
    public var worstGroup: String
    /// That group's accuracy.
    public var worstGroupAccuracy: Double

    /// The scores from their parts.
    public init(
      method: String, windows: Int, accuracy: Double, balancedAccuracy: Double, macroF1: Double, worstGroup: String,
      worstGroupAccuracy: Double
    ) {
      self.method = method
      self.windows = windows
      self.accuracy = accuracy
      self.balancedAccuracy = balancedAccuracy
      self.macroF1 = macroF1
      self.worstGroup = worstGroup
      self.worstGroupAccuracy = worstGroupAccuracy
    }
  }

  /// The first of the card's numbers that is outside its range, as a phrase; `nil` if all are valid.
  var problem: String? {
    let counts = [training.recordings, training.groups, validation?.windows ?? 0] + training.windows.values
    if !counts.allSatisfy(ModelRanges.cardCount.contains) {
      return "counts must be within 0 to \(ModelRanges.cardCount.upperBound)"
    }
    if !training.sampleRates.allSatisfy(SampleRate.validHertz.contains) {
      return "training.sampleRates must be within \(plain(SampleRate.validHertz.lowerBound)) to "
        + "\(plain(SampleRate.validHertz.upperBound)) Hz"
    }
    guard let score = validation else { return nil }
    let shares = [score.accuracy, score.balancedAccuracy, score.macroF1, score.worstGroupAccuracy]
    return shares.allSatisfy((0...1).contains) ? nil : "the scores of validation must be within 0 to 1"
  }
}
