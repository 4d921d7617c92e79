import ArgumentParser
import Foundation
import Gait
import GaitTraining

extension CalibrationMethod: ExpressibleByArgument {}

/// The options for fitting a model.
struct TrainerOptions: ParsableArguments {
  @OptionGroup var classifier: ClassifierOptions

  @Option(help: "The calibration of the probabilities, fitted on held-out groups.")
  var calibration = ActivityTrainer().calibration

  @OptionGroup var features: FeatureOptions

  @OptionGroup var augmentation: AugmentationOptions

  @OptionGroup var slow: SlowSourceOptions

  @Option(
    help: ArgumentHelp(
      "The activity of labels whose names do not say it, such as resting=still or climbing=moving: running, walking, "
        + "still, or moving for any other movement. May be repeated.", valueName: "label=activity"))
  var meaning: [String] = []

  @Flag(help: "Makes a model that refuses recordings whose gravity is estimated from total acceleration.")
  var refuseEstimatedGravity = false

  @Flag(
    help: ArgumentHelp(
      "Makes a model that labels windows \"other\" that are unlike all training data. The bounds reject about 2 % of the "
        + "windows of held-out groups."))
  var reject = false

  func validate() throws {
    guard !reject || classifier.model == .logistic else {
      throw ValidationError("--reject needs --model logistic; omit one of them.")
    }
  }

  /// The trainer with these options.
  func trainer() throws -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.window = features.windows.shape
    trainer.features = try features.features()
    trainer.calibration = calibration
    trainer.augmentation = augmentation.augmentation
    trainer.method = classifier.method
    trainer.allowsSlowSource = slow.allowSlowSource
    trainer.rejectsUnknown = reject
    trainer.meanings = try ActivityTrainer.meanings(meaning)
    trainer.acceptsEstimatedGravity = !refuseEstimatedGravity
    return trainer
  }
}

/// The options for augmenting the training recordings.
struct AugmentationOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Adds a copy of each recording at this lower sample rate. May be repeated.", valueName: "hertz"))
  var augmentRate: [SampleRate] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Adds a copy of each recording that is faster or slower by up to this fraction.", valueName: "share"))
  var augmentSpeed = Augmentation().timeScaling

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Adds a copy of each recording that is clipped at this acceleration.", valueName: "g"))
  var augmentClipping: Double?

  @Flag(help: "Adds a copy of each recording in a random orientation.")
  var augmentRotation = false

  @Option(parsing: .unconditional, help: "The seed of the random speeds and orientations.")
  var seed: UInt64 = 0

  /// The augmentation.
  var augmentation: Augmentation {
    var augmentation = Augmentation()
    augmentation.sampleRates = augmentRate
    augmentation.timeScaling = augmentSpeed
    augmentation.clipping = augmentClipping
    augmentation.turnsWearing = augmentRotation
    augmentation.seed = seed
    return augmentation
  }

  func validate() throws {
    try ValidationError.check("--augment-speed", augmentSpeed, within: 0...0.5)
    try ValidationError.check("--augment-clipping", augmentClipping, within: 0.5...100, "g")
  }
}

/// The options for what cross-validation holds out.
struct ValidationOptions: ParsableArguments {
  /// The unit that is in either the training or the held-out data.
  enum Split: String, ExpressibleByArgument, CaseIterable {
    case subject
    case recording
    case time
  }

  @Option(
    help: ArgumentHelp(
      "The unit that is held out: subject (recording if the layout has no {subject}), recording, or time: blocks of "
        + "each recording, as a last resort.", valueName: "what"))
  var splitBy = Split.subject

  @Option(
    parsing: .unconditional,
    help: "The number of folds of groups, or of blocks of each recording with --split-by time.")
  var folds: Int?

  @Option(
    help: ArgumentHelp(
      "Holds out matching recordings once, such as subject=7,8, instead of cross-validating. May be repeated.",
      valueName: "field=values"))
  var holdOut: [String] = []

  func validate() throws {
    try ValidationError.check("--folds", folds, within: 2...10_000)
    guard folds == nil || holdOut.isEmpty else { throw ValidationError("give either --folds or --hold-out.") }
    guard splitBy != .time || holdOut.isEmpty else {
      throw ValidationError("--hold-out holds out whole recordings; omit --split-by time.")
    }
  }

  /// The dataset in the groups that are held out.
  func grouped(_ dataset: LabeledDataset, window: WindowShape) -> LabeledDataset {
    switch splitBy {
    case .subject: dataset
    case .recording: dataset.groupedByRecording
    case .time: dataset.cut(intoBlocks: folds ?? Self.blockCount, apart: window.seconds)
    }
  }

  /// The scheme of the options; `nil` for the default.
  func scheme() throws -> Folds.Scheme? {
    if !holdOut.isEmpty { return .holdOut(try holdOut.map { try RecordingFilter($0) }) }
    return splitBy == .time ? nil : folds.map { .groups(folds: $0) }
  }

  private static let blockCount = 5
}

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
    try ValidationError.check("--trees", trees, within: 1...10_000)
    try ValidationError.check("--maximum-depth", maximumDepth, within: 1...60)
    try ValidationError.check("--minimum-leaf-size", minimumLeafSize, within: 1...1_000_000)
    try ValidationError.check("--leaves", leaves, within: 2...1024)
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
