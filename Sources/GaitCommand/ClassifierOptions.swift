import ArgumentParser
import GaitTraining

/// The options for the classifier and its settings.
struct ClassifierOptions: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case logistic
    case tree
    case forest
    case boosted
  }

  @Option(help: "The kind of classifier.")
  var model = Kind.logistic

  @Option(
    parsing: .unconditional,
    help: "Logistic regression: the L2 penalty, the weight of ½‖w‖² relative to the mean log-loss.")
  var penalty = LogisticTrainer().penalty

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Forest: the number of trees (default: \(ForestTrainer().treeCount)). Boosted: the number of rounds (default: "
        + "\(BoostedTreesTrainer().roundCount)).", valueName: "count"))
  var trees: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Trees: the maximum depth (default: \(TreeTrainer().maximumDepth), forest "
        + "\(ForestTrainer().maximumDepth), boosted \(BoostedTreesTrainer().maximumDepth)).", valueName: "count"))
  var maximumDepth: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Tree, forest: the minimum number of windows in a leaf (default: \(TreeTrainer().minimumLeafSize), forest "
        + "\(ForestTrainer().minimumLeafSize)).", valueName: "count"))
  var minimumLeafSize: Int?

  @Flag(help: "Tree: prunes it by cross-validation over five folds of whole groups.")
  var prune = false

  @Option(parsing: .unconditional, help: "Boosted: the maximum number of leaves of a tree.")
  var leaves = BoostedTreesTrainer().maximumLeafCount

  @Option(
    parsing: .unconditional, help: "Boosted: the fraction of the features that each tree may use, above 0, at most 1.")
  var featureShare = BoostedTreesTrainer().featureShare

  @Option(parsing: .unconditional, help: "Boosted: the learning rate, above 0, at most 1.")
  var shrinkage = BoostedTreesTrainer().shrinkage

  func validate() throws {
    guard penalty >= 0, penalty.isFinite else { throw ValidationError("--penalty must be 0 or more.") }
    guard trees.map({ (1...10_000).contains($0) }) ?? true else {
      throw ValidationError("--trees must be within 1…10000.")
    }
    guard maximumDepth.map({ (1...60).contains($0) }) ?? true else {
      throw ValidationError("--maximum-depth must be within 1…60.")
    }
    guard minimumLeafSize.map({ (1...1_000_000).contains($0) }) ?? true else {
      throw ValidationError("--minimum-leaf-size must be within 1…1000000.")
    }
    guard (2...1024).contains(leaves) else { throw ValidationError("--leaves must be within 2…1024.") }
    guard featureShare > 0, featureShare <= 1 else {
      throw ValidationError("--feature-share must be above 0 and at most 1.")
    }
    guard shrinkage > 0, shrinkage <= 1 else { throw ValidationError("--shrinkage must be above 0 and at most 1.") }
  }

  /// The selected classifier with its settings.
  var method: ActivityTrainer.Method {
    switch model {
    case .logistic:
      var trainer = LogisticTrainer()
      trainer.penalty = penalty
      return .logistic(trainer)
    case .tree:
      var trainer = TreeTrainer()
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      trainer.minimumLeafSize = minimumLeafSize ?? trainer.minimumLeafSize
      trainer.minimumSplitSize = 2 * trainer.minimumLeafSize
      trainer.pruning = prune ? .crossValidated(folds: 5) : .none
      return .decisionTree(trainer)
    case .forest:
      var trainer = ForestTrainer()
      trainer.treeCount = trees ?? trainer.treeCount
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      trainer.minimumLeafSize = minimumLeafSize ?? trainer.minimumLeafSize
      return .randomForest(trainer)
    case .boosted:
      var trainer = BoostedTreesTrainer()
      trainer.roundCount = trees ?? trainer.roundCount
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      trainer.maximumLeafCount = leaves
      trainer.shrinkage = shrinkage
      trainer.featureShare = featureShare
      return .boostedTrees(trainer)
    }
  }
}
