import Gait

/// The alternatives of a selection.
public enum SearchSpace: Hashable, Sendable {
  /// Whole trainers, such as one for each penalty, depth or window.
  case trainers([ActivityTrainer])
  /// `count` features of a list, by greedy forward selection: first the best single feature, then the one that helps
  /// most in addition.
  case features([Feature], count: Int)
}

/// The result of a model selection, with a nested estimate of its performance.
///
/// The choice is made by cross-validation within the training groups. The best of several scores is biased, so report
/// `nested` instead. For it, groups are held out in turn, the choice is repeated on the others, and the held-out groups
/// are scored once.
/// Source: Varma and Simon, "Bias in error estimation when using cross-validation for model selection", BMC
/// Bioinformatics 7, 2006.
public struct ModelSelection: Sendable {
  /// One alternative: a trainer, or an added feature.
  public struct Step: Hashable, Sendable, Encodable {
    /// Its name.
    public let name: String
    /// The log-loss on groups held out within the choice, nats: the selection criterion.
    public let logLoss: Double
    /// Whether the trainer was chosen. Features are listed only if chosen.
    public let isChosen: Bool
  }

  /// The trainer chosen on all groups.
  public let trainer: ActivityTrainer
  /// The trainers that were compared, or the features in the order in which they were chosen.
  public let steps: [Step]
  /// The choice for each outer fold, made without its held-out groups.
  public let choices: [String]
  /// The outer cross-validation: models chosen and fitted without the held-out groups.
  public let nested: CrossValidation
}

/// The settings of a selection.
public struct ModelSelector: Hashable, Sendable {
  /// The number of folds, both within the choice and around it.
  ///
  /// Default: 5, which takes half the time of ten and differs little if groups are people.
  public var foldCount = 5

  /// The maximum number of windows for the choice; beyond it, they are thinned evenly. The outer scores use all
  /// windows.
  ///
  /// Default: 4000. Neighbouring windows overlap by three quarters, so four successive ones add little to one.
  public var windowLimit = 4000

  /// The maximum number of features that are cross-validated for each choice. If there are more, a score test picks
  /// those that best explain the residuals of the features chosen so far.
  ///
  /// Default: 32. The full set has 539 features; cross-validating all of them would take 17 times as many fits.
  public var candidateLimit = 32

  /// A selector with the defaults.
  public init() {}
}
