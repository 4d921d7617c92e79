import ArgumentParser
import Foundation
import Gait
import GaitTraining

extension CalibrationMethod: OptionWord {}

/// The options for fitting a model.
struct TrainerOptions: ParsableArguments {
  @OptionGroup var classifier: ClassifierOptions

  @Option(help: ArgumentHelp("The calibration of the probabilities, fitted on held-out groups.", valueName: "method"))
  var calibration = ActivityTrainer().calibration

  @OptionGroup var features: FeatureOptions

  @OptionGroup var augmentation: AugmentationOptions

  @OptionGroup var slow: SlowSourceOptions

  @Option(
    help: ArgumentHelp(
      "The activity of labels whose names do not say it, such as resting=still or climbing=moving: running, walking, "
        + "still, or moving for any other movement. Other unknown names count as other movement, with a warning. May "
        + "be repeated.", valueName: "label=activity"))
  var meaning: [String] = []

  @Flag(help: "Makes a model that refuses recordings whose gravity is estimated from total acceleration.")
  var refuseEstimatedGravity = false

  @Flag(
    help: ArgumentHelp(
      "Makes a model that labels windows \"other\" that are unlike all training data. The bounds reject about 2 % of "
        + "the windows of held-out groups. Needs --model logistic."))
  var reject = false

  func validate() throws {
    try require(!reject || classifier.model == .logistic, "--reject needs --model logistic; omit one of them.")
  }

  /// The trainer with these options.
  func trainer() throws -> ActivityTrainer {
    var trainer = ActivityTrainer()
    trainer.window = features.windows.shape
    trainer.features = try features.features()
    trainer.calibration = calibration
    trainer.labelWeights = try augmentation.labelWeights()
    trainer.augmentation = try augmentation.augmentation()
    trainer.method = classifier.method
    trainer.allowsSlowSource = slow.allowSlowSource
    trainer.rejectsUnknown = reject
    trainer.meanings = try ActivityTrainer.meanings(meaning)
    trainer.acceptsEstimatedGravity = !refuseEstimatedGravity
    return trainer
  }
}

/// The options for the weights of labels and for altered copies of the training recordings.
struct AugmentationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The weight of each label's windows: equal, balanced (the same total for every label), or weights of labels such "
        + "as running=3,still=0.5 (1 for the others).", valueName: "weights"))
  var weights = "equal"

  @Option(
    help: ArgumentHelp(
      "Adds a copy of each recording of a label at a random speed in this range, within 0.5 to 2, such as "
        + "running=0.85…0.95 for 5 to 15 % slower. May be repeated.", valueName: "label=low…high"))
  var stretch: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The share of the windows of these copies that are used, above 0, at most 1.", valueName: "share"))
  var stretchShare = Augmentation().share

  @Option(
    help: ArgumentHelp(
      "Adds a copy with knocks, impacts and stumbles at random moments, of each recording of these labels, and uses "
        + "this share of its windows, above 0, at most 1, such as walking,still=0.1. May be repeated.",
      valueName: "labels=share"))
  var knock: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Adds a copy of each recording at this sample rate, if its own is higher, for features that depend on the rate: "
        + "those of user acceleration alone.", valueName: "hertz"),
    transform: SampleRate.parse)
  var copiesAt: SampleRate?

  /// The weights of the labels.
  func labelWeights() throws -> ActivityTrainer.LabelWeights {
    switch weights {
    case "equal": return .equal
    case "balanced": return .balanced
    default:
      return .named(
        try Self.named(weights.split(separator: ",").map(String.init), option: "--weights", form: "running=3") {
          Double($0).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        })
    }
  }

  /// The augmentation.
  func augmentation() throws -> Augmentation {
    var augmentation = Augmentation()
    augmentation.speeds = try Self.named(stretch, option: "--stretch", form: "running=0.85…0.95", value: Self.speeds)
    augmentation.share = stretchShare
    augmentation.knocks = try Self.named(knock, option: "--knock", form: "walking,still=0.1") {
      Double($0).flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    }
    augmentation.copyRate = copiesAt
    return augmentation
  }

  func validate() throws {
    try require(stretchShare > 0 && stretchShare <= 1, "--stretch-share must be above 0 and at most 1.")
    _ = try labelWeights()
    _ = try augmentation()
  }

  /// The range of speeds in a text such as `0.85…0.95` or `0.85...0.95`; `nil` for any other text, and for a speed
  /// outside of `Augmentation.allowedSpeeds`.
  private static func speeds(_ text: String) -> ClosedRange<Double>? {
    let ends = text.replacingOccurrences(of: "...", with: "…").split(separator: "…").map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low <= high else { return nil }
    let allowed = Augmentation.allowedSpeeds
    return allowed.contains(low) && allowed.contains(high) ? low...high : nil
  }

  /// The values of texts such as `running=3` or `walking,still=0.1`, by label.
  private static func named<Value>(
    _ texts: [String], option: String, form: String, value: (String) -> Value?
  ) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for text in texts {
      let sides = text.split(separator: "=", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let labels = sides[0].split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard sides.count == 2, !labels.contains(""), let number = value(sides[1]) else {
        throw ValidationError("\(option) \"\(text)\" is not of the form \(form); correct it.")
      }
      for label in labels {
        guard values.updateValue(number, forKey: label) == nil else {
          throw ValidationError("\(option) names \"\(label)\" twice; name each label once.")
        }
      }
    }
    return values
  }
}

/// The options for what cross-validation holds out.
struct ValidationOptions: ParsableArguments {
  /// The unit that is in either the training or the held-out data.
  enum Split: String, OptionWord {
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
    try require("--folds", folds, within: 2...10_000)
    try require(folds == nil || holdOut.isEmpty, "give either --folds or --hold-out.")
    try require(splitBy != .time || holdOut.isEmpty, "--hold-out holds out whole recordings; omit --split-by time.")
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
  enum Kind: String, OptionWord {
    case logistic
    case tree
    case forest
    case boosted
  }

  @Option(help: "The kind of classifier.")
  var model = Kind.logistic

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Logistic regression: the L2 penalty, the weight of ½‖w‖² relative to the mean log-loss.", valueName: "number"))
  var penalty = LogisticTrainer().penalty

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Forest: the number of trees, 1 to 10000 (default: \(ForestTrainer().treeCount)). Boosted: the number of rounds "
        + "(default: \(BoostedTreesTrainer().roundCount)).", valueName: "count"))
  var trees: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Trees: the maximum depth, 1 to 60 (default: \(TreeTrainer().maximumDepth), forest "
        + "\(ForestTrainer().maximumDepth), boosted \(BoostedTreesTrainer().maximumDepth)).", valueName: "count"))
  var maximumDepth: Int?

  func validate() throws {
    try require(penalty >= 0 && penalty.isFinite, "--penalty must be 0 or more.")
    try require("--trees", trees, within: 1...10_000)
    try require("--maximum-depth", maximumDepth, within: 1...60)
  }

  /// The selected classifier with its settings.
  var method: ActivityTrainer.Method {
    switch model {
    case .logistic: return .logistic(penalty: penalty)
    case .tree:
      var trainer = TreeTrainer()
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      return .decisionTree(trainer)
    case .forest:
      var trainer = ForestTrainer()
      trainer.treeCount = trees ?? trainer.treeCount
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      return .randomForest(trainer)
    case .boosted:
      var trainer = BoostedTreesTrainer()
      trainer.roundCount = trees ?? trainer.roundCount
      trainer.maximumDepth = maximumDepth ?? trainer.maximumDepth
      return .boostedTrees(trainer)
    }
  }
}
