import Gait

/// What a selection chooses among.
public enum SearchSpace: Hashable, Sendable {
  /// Whole trainers, such as one for each penalty, depth or window.
  case trainers([ActivityTrainer])
  /// So many features of a list, found one at a time: first the best alone, then the one that helps it most.
  case features([Feature], count: Int)
}

/// A choice among ways to train, and how a model that is chosen in this way does on whom neither it nor the choice has seen.
///
/// The choice is made by cross-validation within the training groups. A score that was chosen for being the best flatters
/// itself, so it is not the one to report: `nested` is. For it, groups are held out in turn, the choice is made anew on the
/// others, and the held-out groups are scored once.
/// Source: Varma and Simon, "Bias in error estimation when using cross-validation for model selection", BMC Bioinformatics 7, 2006.
public struct ModelSelection: Sendable {
  /// One thing that was tried, and kept if nothing did better: a trainer, or one more feature.
  public struct Step: Hashable, Sendable, Encodable {
    /// What it is.
    public let name: String
    /// The log-loss on groups that were held out within the choice, nats: what the choice is made by.
    public let logLoss: Double
    /// Of trainers, whether it was chosen; features are listed only if they were.
    public let isChosen: Bool
  }

  /// The trainer that was chosen on all groups.
  public let trainer: ActivityTrainer
  /// What was tried, or the features in the order in which they were taken.
  public let steps: [Step]
  /// What the choices on parts of the groups came out as, one for each part that was held out.
  public let choices: [String]
  /// How the held-out windows were classified by models that were chosen and fitted without their groups.
  public let nested: CrossValidation
}

/// The settings of a selection.
public struct ModelSelector: Hashable, Sendable {
  /// How many parts groups are dealt to, both for the choice and around it.
  ///
  /// Default: 5, which costs half of ten and differs little where groups are people.
  public var foldCount = 5

  /// How many windows the choice looks at, at most; beyond, they are thinned evenly. The scores around it use all.
  ///
  /// Default: 4000. Neighbouring windows overlap by three quarters, so that four in a row say little more than one.
  public var windowLimit = 4000

  /// How many features are cross-validated for each that is taken, at most: where there are more, those that promise most by
  /// a score test of what the features taken so far leave unexplained.
  ///
  /// Default: 32. The full set has 539 features: to cross-validate them all for each that is taken would be 17 times as many fits.
  public var candidateLimit = 32

  /// A selector with the defaults.
  public init() {}
}
