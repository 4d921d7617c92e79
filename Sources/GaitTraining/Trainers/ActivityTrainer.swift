import Foundation
import Gait

/// Trains activity models on labelled recordings, and evaluates them by cross-validation.
///
///     var trainer = ActivityTrainer()
///     let report = try trainer.crossValidated(on: dataset).report
///     let model = try trainer.fit(dataset)
///     try model.write(to: modelURL)
///
/// Training uses the same feature pipeline as a live stream.
public struct ActivityTrainer: Hashable, Sendable {
  /// The sample rate at which features are computed.
  public var sampleRate = SampleRate.canonical
  /// The window length and hop.
  public var window = WindowShape()
  /// The classifier's input; by default features that do not depend on how the device is worn.
  public var features = Feature.orientationFree
  /// Whether the model accepts estimated gravity; `ActivityModel.acceptsEstimatedGravity` documents the loss of
  /// accuracy.
  public var acceptsEstimatedGravity = true
  /// The activities of labels whose names do not state them (`ActivityModel.meanings`).
  public var meanings: [String: Activity] = [:]
  /// Whether to accept recordings whose sample rate is below twice the highest frequency of the features. By default
  /// they are an error, because their steps alias to lower frequencies.
  public var allowsSlowSource = false
  /// The windows of the pause head, a second classifier that detects pauses; `nil` for a model without it. A stop is
  /// detected sooner in windows of 1 s than in those of 2.56 s. `gait-lab judge pauses` prints the delays.
  public var pauseWindow: WindowShape? = WindowShape(seconds: 1, hopSeconds: 0.2)
  /// The kind of classifier and the settings of its fit.
  public var method = Method.logistic(LogisticTrainer())
  /// The calibration of the probabilities, fitted to windows of held-out groups.
  public var calibration = CalibrationMethod.none
  /// Whether the model rejects windows that are unlike all training data (`ActivityModel.rejectsUnknown`). It needs
  /// logistic regression. The bounds are fitted to windows of held-out groups, so that about 2 % of the windows of new
  /// people are rejected.
  public var rejectsUnknown = false
  /// The weight of each label's windows in the fit of the activity head.
  public var labelWeights = LabelWeights.equal
  /// The augmentation of the training recordings.
  public var augmentation = Augmentation()

  /// The weight of each label's windows in a fit.
  public enum LabelWeights: Hashable, Sendable {
    /// Every window has weight 1.
    case equal
    /// Every label has the same total weight.
    case balanced
    /// The weight of each named label's windows, zero or greater; 1 for the others.
    case named([String: Double])
  }

  /// A kind of classifier with the settings of its fit.
  public enum Method: Hashable, Sendable {
    /// Logistic regression on standardised features. It is the default, because it generalises best between datasets
    /// and has the best calibrated probabilities.
    case logistic(LogisticTrainer)
    /// One decision tree: easy to interpret, but less accurate by a few percentage points.
    case decisionTree(TreeTrainer)
    /// The average of many trees, each on a random sample of windows and features: more accurate than one tree, and
    /// seldom wrong with high confidence.
    case randomForest(ForestTrainer)
    /// Many small trees, each fitted to the residuals of the previous ones: the most accurate for many labels and
    /// features.
    case boostedTrees(BoostedTreesTrainer)
  }

  /// A trainer with the defaults.
  public init() {}

  /// The minimum number of windows of each label.
  ///
  /// With fewer, the standard deviation of a feature is too uncertain. Its 95 % interval reaches to 32 times the
  /// estimate for 2 windows, 6.3 times for 3 and 3.7 times for 4 (χ² of 1, 2 and 3 degrees of freedom).
  public static let fewestWindows = 4

  /// A label with fewer windows gets a warning. With 30 windows and no error among them, the error rate may still be 10
  /// % (the rule of three: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983).
  public static let enoughWindows = 30

  /// A label with fewer units (people) gets a warning. With two people, cross-validation trains on one.
  public static let enoughUnits = 3

  /// The features of every window of a dataset, with its label and recording.
  ///
  /// - Throws: `TrainingError` if a recording lacks a channel or is too slow, the features do not fit the windows, or a
  ///   label has no whole window.
  public func windows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    try LabeledWindows(
      of: dataset, features: features, shape: window, sampleRate: sampleRate, allowsSlowSource: allowsSlowSource)
  }

  /// The windows of a dataset and of its augmented copies.
  package func trainingWindows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    try Self.check(augmentation.speeds.keys, among: dataset.labels)
    try Self.check(augmentation.knocks.keys, among: dataset.labels)
    return try LabeledWindows(
      of: dataset, features: features, shape: window, sampleRate: sampleRate, allowsSlowSource: allowsSlowSource,
      augmentation: augmentation)
  }

  /// Fits a head, without calibration, to the windows at `rows`. If it rejects windows, its bounds do not reject any
  /// yet.
  package func head(fitting windows: LabeledWindows, rows: [Int]) throws(TrainingError) -> ActivityModel.Head {
    guard windows.labels.count <= ActivityModel.largestLabelCount else {
      throw .model(
        .invalid(
          "heads[0].labels",
          "a head may have at most \(ActivityModel.largestLabelCount) labels, not \(windows.labels.count)"))
    }
    let (matrix, labels) = (windows.matrix.rows(at: rows), rows.map { windows.labelIndices[$0] })
    let method = try weighted(for: windows.labels)
    do {
      let (classifier, scaling) = try method.fit(matrix, labels: labels, labelCount: windows.labels.count)
      let rejection = try rejectsUnknown ? unboundedRejection(matrix, scaling, labels) : nil
      return ActivityModel.Head(
        window: window, features: features, scaling: scaling, classifier: classifier, calibration: nil,
        rejection: rejection, labels: windows.labels)
    } catch {
      throw .fitting(error)
    }
  }

  private func weighted(for labels: [String]) throws(TrainingError) -> Method {
    switch labelWeights {
    case .equal: return method
    case .balanced: return method.weighing(.balanced)
    case .named(let weights):
      try Self.check(weights.keys, among: labels)
      return method.weighing(.indexed(labels.map { weights[$0] ?? 1 }))
    }
  }

  /// Checks that a setting names only labels of the data.
  static func check(_ names: some Sequence<String>, among labels: [String]) throws(TrainingError) {
    if let unknown = names.sorted().first(where: { !labels.contains($0) }) {
      throw .unknownLabel(unknown, found: labels)
    }
  }

  /// The method, the weights and the augmentation in words.
  var methodDescription: String {
    var parts = [method.description]
    switch labelWeights {
    case .equal: break
    case .balanced: parts.append("balanced weights")
    case .named(let weights):
      parts += weights.sorted { $0.key < $1.key }.map { "weight of \($0.key) \(plain($0.value))" }
    }
    parts += augmentation.speeds.sorted { $0.key < $1.key }.map { label, speeds in
      "copies of \(label) at \(plain(speeds.lowerBound))…\(plain(speeds.upperBound)) of its speed, a share of "
        + plain(augmentation.share)
    }
    parts += augmentation.knocks.sorted { $0.key < $1.key }.map { label, share in
      "copies of \(label) with knocks, a share of \(plain(share))"
    }
    if let rate = augmentation.copyRate { parts.append("copies at \(plain(rate.hertz)) Hz") }
    return parts.joined(separator: ", ")
  }

  /// A rejection that rejects no window; its bounds are fitted later.
  private func unboundedRejection(
    _ matrix: FeatureMatrix, _ scaling: Scaling?, _ labels: [Int]
  ) throws(FittingError) -> Rejection {
    guard let scaling else { throw .rejectionNeedsScaling }
    return Rejection(meansOf: scaling.apply(to: matrix), labels: labels)
  }
}

extension LabeledDataset {
  package func folds(_ scheme: Folds.Scheme) throws(TrainingError) -> Folds {
    do { return try Folds(of: self, scheme: scheme) } catch { throw .folds(error) }
  }
}

extension ActivityModel {
  /// The model with the pause head and the auto-pause settings of another model. It decides pauses exactly as the other
  /// model does.
  ///
  /// - Throws: `ModelError` if the other model has another sample rate.
  public func with(pausesOf other: ActivityModel) throws(ModelError) -> ActivityModel {
    guard sampleRate == other.sampleRate else {
      throw .invalid(
        "sampleRate",
        "\(plain(sampleRate.hertz)) Hz is not that of the model with the pause head, \(plain(other.sampleRate.hertz)) "
          + "Hz"
      )
    }
    var meanings = meanings
    for label in other.pauseHead.labels { meanings[label] = other.meanings[label] }
    return try ActivityModel(
      sampleRate: sampleRate, heads: [activityHead, other.pauseHead], pauses: other.pauses,
      acceptsEstimatedGravity: acceptsEstimatedGravity && other.acceptsEstimatedGravity, meanings: meanings, card: card)
  }
}

/// An error in computing features of training data, or in fitting a model to them.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// A recording lacks channels that the features need.
  case missingChannels(recording: String, channels: [Channel])
  /// The sample rate of a recording is below `slowest`, twice the highest frequency of the features.
  case tooSlow(recording: String, source: SampleRate, slowest: SampleRate)
  /// No recording is long enough for a window.
  case noWindows(seconds: Double)
  /// A label has no whole window.
  case noWindowsOfLabel(String, seconds: Double)
  /// A label has fewer windows than `ActivityTrainer.fewestWindows`.
  case tooFewWindows(String, count: Int, seconds: Double)
  /// The features do not fit the windows.
  case features(ModelError)
  /// The classifier could not be fitted.
  case fitting(FittingError)
  /// The dataset cannot be split by group.
  case folds(FoldsError)
  /// The parts do not form a valid model.
  case model(ModelError)
  /// A weight, a speed or knocks are given for a label that the data does not have.
  case unknownLabel(String, found: [String])
  /// A model cannot be adapted to the recordings.
  case cannotAdapt(String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, where, and the cure.
  public var description: String {
    switch self {
    case .missingChannels(let recording, let channels):
      "\(recording): \(ModelError.missingChannels(channels).reasonForFeatures)"
    case .tooSlow(let recording, let source, let slowest):
      "\(recording): \(ModelError.sourceTooSlow(source: source, slowest: slowest).reasonForFeatures)"
    case .noWindows(let seconds):
      "no recording has a whole window of \(plain(seconds)) s without missing values; use longer recordings or a "
        + "shorter window."
    case .noWindowsOfLabel(let label, let seconds):
      "no recording labelled \"\(label)\" has a whole window of \(plain(seconds)) s without missing values; use longer "
        + "recordings or a shorter window."
    case .tooFewWindows(let label, let count, let seconds):
      "label \"\(label)\" has only \(count.counted("window")) of \(plain(seconds)) s, but every label "
        + "needs \(ActivityTrainer.fewestWindows); add recordings of it or longer ones, or map it to another label."
    case .features(let error): error.description
    case .fitting(let error): error.description
    case .folds(let error): error.description
    case .model(let error): error.description + "."
    case .unknownLabel(let label, let found):
      "a weight, a speed or knocks are given for \"\(label)\", but no recording has this label; "
        + "the labels are \(found.listed())."
    case .cannotAdapt(let reason): reason + "."
    }
  }
}

extension ActivityTrainer.Method: CustomStringConvertible {
  /// Logistic regression with this penalty.
  package static func logistic(penalty: Double) -> Self {
    var trainer = LogisticTrainer()
    trainer.penalty = penalty
    return .logistic(trainer)
  }
  /// The method and its settings in words.
  public var description: String {
    switch self {
    case .logistic(let trainer): "logistic regression, penalty \(plain(trainer.penalty))"
    case .decisionTree(let trainer):
      "decision tree, depth at most \(trainer.maximumDepth), leaves of \(trainer.minimumLeafSize) windows or more"
    case .randomForest(let trainer):
      "random forest, \(trainer.treeCount) trees, depth at most \(trainer.maximumDepth), leaves of "
        + "\(trainer.minimumLeafSize) windows or more, seed \(trainer.seed)"
    case .boostedTrees(let trainer):
      "boosted trees, \(trainer.roundCount) rounds, shrinkage \(plain(trainer.shrinkage)), "
        + "at most \(trainer.maximumLeafCount) leaves, depth at most \(trainer.maximumDepth), seed \(trainer.seed)"
    }
  }

  /// The method with weights of the labels.
  func weighing(_ weights: FitWeights) -> Self {
    switch self {
    case .logistic(var trainer):
      trainer.labelWeights = weights
      return .logistic(trainer)
    case .decisionTree(var trainer):
      trainer.labelWeights = weights
      return .decisionTree(trainer)
    case .randomForest(var trainer):
      trainer.labelWeights = weights
      return .randomForest(trainer)
    case .boostedTrees(var trainer):
      trainer.labelWeights = weights
      return .boostedTrees(trainer)
    }
  }

  /// Fits the classifier, and the scaling of its input if it needs one.
  ///
  /// - Parameters:
  ///   - matrix: unscaled features, shape `[windows × features]`.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> (classifier: Classifier, scaling: Scaling?) {
    switch self {
    case .logistic:
      let scaling = Scaling(standardizing: matrix)
      return (try classifier(scaling.apply(to: matrix), labels: labels, labelCount: labelCount), scaling)
    case .decisionTree, .randomForest, .boostedTrees:
      return (try classifier(matrix, labels: labels, labelCount: labelCount), nil)
    }
  }

  /// Fits the classifier to features that are already scaled.
  package func classifier(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> Classifier {
    switch self {
    case .logistic(let trainer): .logistic(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .decisionTree(let trainer): .decisionTree(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .randomForest(let trainer): .randomForest(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .boostedTrees(let trainer): .boostedTrees(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    }
  }
}
