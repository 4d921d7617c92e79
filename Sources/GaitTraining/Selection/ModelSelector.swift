import Gait

/// The settings of a selection.
public struct ModelSelector: Hashable, Sendable {
  /// The number of folds of the inner cross-validation, which makes the choice, and of the outer one, which scores it.
  ///
  /// Default: 5, which takes half the time of ten. The scores differ little if groups are people.
  public var foldCount = 5

  /// The maximum number of windows for the choice. If there are more, they are thinned evenly. The outer scores use all
  /// windows.
  ///
  /// Default: 4000. Neighbouring windows overlap by three quarters, so four successive windows have little more
  /// information than one.
  public var windowLimit = 4000

  /// The maximum number of features that are cross-validated for each choice. If there are more, a score test picks
  /// those that best explain the residuals of the features chosen so far.
  ///
  /// Default: 32. The full set has 539 features; cross-validating all of them would take 17 times as many fits.
  public var candidateLimit = 32

  /// A selector with the defaults.
  public init() {}
}

/// The alternatives of a selection.
public enum SearchSpace: Hashable, Sendable {
  /// Whole trainers, such as one for each penalty, depth or window.
  case trainers([ActivityTrainer])
  /// `count` features of a list, by greedy forward selection: first the single feature with the lowest log-loss, then
  /// each time the feature that lowers the log-loss most.
  case features([Feature], count: Int)
}

/// The result of a model selection, with a nested estimate of its performance.
///
/// The choice is made by cross-validation within the training groups. The best of several scores is too high by chance,
/// so report `nested` instead. For `nested`, groups are held out in turn, the choice is repeated on the other groups,
/// and the held-out groups are scored once. Source: Varma and Simon, "Bias in error estimation when using
/// cross-validation for model selection", BMC Bioinformatics 7, 2006.
public struct ModelSelection: Sendable {
  /// One alternative: a trainer, or an added feature.
  package struct Step: Hashable, Sendable, Encodable {
    package let name: String
    /// The log-loss on groups that were held out within the choice, nats. The alternative with the lowest is chosen.
    package let logLoss: Double
    /// The accuracy on the groups that were held out within the choice.
    package let accuracy: Double
    /// Whether the trainer was chosen. Of features, only chosen ones are listed.
    package let isChosen: Bool
  }

  /// The trainer chosen on all groups.
  public let trainer: ActivityTrainer
  /// The trainers that were compared, or the features in the order in which they were chosen.
  package let steps: [Step]
  /// The choice for each outer fold. It was made without the fold's held-out groups.
  public let choices: [String]
  /// The trainer chosen for each outer fold.
  package let foldTrainers: [ActivityTrainer]
  /// The outer cross-validation: models chosen and fitted without the held-out groups.
  public let nested: CrossValidation
}

extension ModelSelector {
  /// Selects a trainer or features, and estimates the performance of the selection by nested cross-validation.
  ///
  /// - Parameters:
  ///   - space: the alternatives; not empty.
  ///   - base: the trainer for which features are selected; unused in a selection among trainers.
  ///   - dataset: the labelled recordings.
  ///   - choiceDone: called after each choice, once for each fold and once for the whole dataset, from any thread.
  /// - Throws: `TrainingError` if the dataset cannot be split or trained on.
  public func select(
    from space: SearchSpace, with base: ActivityTrainer = ActivityTrainer(), on dataset: LabeledDataset,
    choiceDone: @Sendable () -> Void = {}
  ) throws(TrainingError) -> ModelSelection {
    let pool = try SelectionPool(space, base: base, of: dataset)
    let folds = try dataset.folds(.groups(folds: foldCount))
    var parts: [(windows: ScoredWindows, uncalibrated: ScoredWindows)] = []
    var choices: [Choice] = []
    for fold in folds.folds {
      let choice = try choose(from: pool.restricted(to: fold.training))
      parts.append(try pool.scored(by: choice.trainer, trainedOn: fold.training, testedOn: fold.test))
      choices.append(choice)
      choiceDone()
    }
    let chosen = try choose(from: pool)
    choiceDone()
    parts.removeAll { $0.windows.count == 0 }
    guard !parts.isEmpty else { throw .noWindows(seconds: chosen.trainer.window.seconds) }
    let windows = ScoredWindows(joining: parts.map(\.windows))
    do {
      let nested = CrossValidation(
        method: "nested cross-validation over \(folds.folds.count) folds of whole \(dataset.grouping.noun)s",
        folds: folds, windows: windows, uncalibrated: ScoredWindows(joining: parts.map(\.uncalibrated)),
        report: try windows.report(), importances: [], turned: nil, dataset: dataset)
      return ModelSelection(
        trainer: chosen.trainer, steps: chosen.steps, choices: choices.map(\.name),
        foldTrainers: choices.map(\.trainer), nested: nested)
    } catch {
      throw .noWindows(seconds: chosen.trainer.window.seconds)
    }
  }

  /// The chosen trainer, the steps that led to it, and its short name.
  private struct Choice {
    var trainer: ActivityTrainer
    var steps: [ModelSelection.Step]
    var name: String
  }

  private func choose(from pool: SelectionPool) throws(TrainingError) -> Choice {
    switch pool.space {
    case .trainers(let trainers): try choose(among: trainers, pool)
    case .features(let features, let count): try choose(count, of: features, pool)
    }
  }

  private func choose(among trainers: [ActivityTrainer], _ pool: SelectionPool) throws(TrainingError) -> Choice {
    let rows = pool.dataset
    let scores = try trainers.mappedConcurrently { (trainer) throws(TrainingError) in
      try self.scores(of: trainer, on: pool.windows(for: trainer), of: rows)
    }
    let best = scores.indices.reduce(0) { scores[$1].logLoss < scores[$0].logLoss ? $1 : $0 }
    let steps = trainers.indices.map {
      ModelSelection.Step(
        name: trainers[$0].settings, logLoss: scores[$0].logLoss, accuracy: scores[$0].accuracy, isChosen: $0 == best)
    }
    return Choice(trainer: trainers[best], steps: steps, name: trainers[best].settings)
  }

  private func choose(
    _ count: Int, of features: [Feature], _ pool: SelectionPool
  ) throws(TrainingError) -> Choice {
    var trainer = pool.base
    let windows = pool.windows(for: trainer).thinned(to: windowLimit)
    let screen: FeatureScreen
    do { screen = try FeatureScreen(windows) } catch { throw .fitting(error) }
    var (taken, steps): ([Int], [ModelSelection.Step]) = ([], [])
    while taken.count < min(count, features.count) {
      let before = taken
      let known = taken.isEmpty ? screen.shares : try probabilities(by: before, of: features, windows, pool)
      let rest = features.indices.filter { !before.contains($0) }
      let candidates = screen.promising(Array(rest), count: candidateLimit, beyond: known)
      let scores = try candidates.mappedConcurrently { (candidate) throws(TrainingError) in
        var trial = pool.base
        trial.features = (before + [candidate]).map { features[$0] }
        return try self.scores(of: trial, on: windows.columns(before + [candidate]), of: pool.dataset)
      }
      let best = scores.indices.reduce(0) { scores[$1].logLoss < scores[$0].logLoss ? $1 : $0 }
      taken.append(candidates[best])
      steps.append(
        .init(
          name: features[candidates[best]].description, logLoss: scores[best].logLoss,
          accuracy: scores[best].accuracy, isChosen: true))
    }
    trainer.features = taken.map { features[$0] }
    return Choice(trainer: trainer, steps: steps, name: steps.map(\.name).joined(separator: ", "))
  }

  /// The probabilities of a model with some features on the windows that it is fitted to.
  private func probabilities(
    by taken: [Int], of features: [Feature], _ windows: LabeledWindows, _ pool: SelectionPool
  ) throws(TrainingError) -> FeatureMatrix {
    var trainer = pool.base
    trainer.features = taken.map { features[$0] }
    let narrow = windows.columns(taken)
    return try trainer.head(fitting: narrow, rows: Array(0..<narrow.count)).probabilities(of: narrow.matrix)
  }

  /// The log-loss and the accuracy of a trainer's models on held-out groups, without calibration.
  private func scores(
    of trainer: ActivityTrainer, on windows: LabeledWindows, of dataset: LabeledDataset
  ) throws(TrainingError) -> (logLoss: Double, accuracy: Double) {
    let thinned = windows.thinned(to: windowLimit)
    let validation = try trainer.uncalibrated.crossValidated(
      thinned, of: dataset, scheme: .groups(folds: foldCount))
    return (ProbabilityReport(validation.windows).logLoss, validation.report.accuracy)
  }
}

extension ActivityTrainer {
  /// The same trainer without calibration: the selection compares classifiers.
  var uncalibrated: ActivityTrainer {
    var trainer = self
    trainer.calibration = .none
    return trainer
  }

  /// The trainer's settings in words.
  package var settings: String {
    "\(method), windows of \(window.seconds.short) s, \(features.count) features"
  }
}
