import Gait

/// Fits models of activity to labelled recordings, and judges how well models fitted that way do on others.
///
///     var trainer = ActivityTrainer()
///     let report = try trainer.crossValidated(on: dataset).report
///     let model = try trainer.fit(dataset)
///     try model.write(to: modelURL)
///
/// Features are computed on the same road that serves a live stream, so what was trained is what runs.
public struct ActivityTrainer: Hashable, Sendable {
  /// The rate that features are computed at.
  public var sampleRate = SampleRate.canonical
  /// The windows and how far apart they begin.
  public var window = WindowShape()
  /// What the classifier sees; by default features that do not depend on how the device is worn.
  public var features = Feature.orientationFree
  /// Whether the model may be used on estimated gravity; `ActivityModel.acceptsEstimatedGravity` says what that costs.
  public var acceptsEstimatedGravity = true
  /// Whether recordings are taken that are too slow for the highest band of the features. Their steps fold into
  /// frequencies where there are none, so by default they are refused.
  public var allowsSlowSource = false
  /// The windows of the second, quicker head, which decides about pauses: 2.56 s are too long to notice a stop in time.
  /// On composed runs of MotionSense, 1 s every 0.2 s notices half of all stops, and half of all starts, within 1.3 s
  /// (`Scripts/judge-pauses`). `nil` for a model of one head.
  public var pauseWindow: WindowShape? = WindowShape(seconds: 1, hopSeconds: 0.2)
  /// How the classifier is fitted.
  public var method = Method.logistic(LogisticTrainer())
  /// How the probabilities are calibrated, on windows of groups that were held out.
  public var calibration = CalibrationMethod.none
  /// What is added to the training recordings.
  public var augmentation = Augmentation()

  /// A kind of classifier with the settings of its fit.
  public enum Method: Hashable, Sendable {
    /// Logistic regression on standardised features: the default, because it travels best between data sets and gives
    /// the best calibrated probabilities.
    case logistic(LogisticTrainer)
    /// One decision tree: it can be read like a table of questions, at a price of a few points of accuracy.
    case decisionTree(TreeTrainer)
    /// Many trees on other windows and features each, averaged: stronger than one tree, and seldom wrong with confidence.
    case randomForest(ForestTrainer)
    /// Many small trees, each mending what is left: the strongest for many labels and features.
    case boostedTrees(BoostedTreesTrainer)
  }

  /// A trainer with the defaults.
  public init() {}

  /// Fits a model to all of a dataset.
  ///
  /// - Parameters:
  ///   - dataset: the labelled recordings.
  ///   - validation: a cross-validation of this trainer on this dataset, whose score goes on the model's card, and whose
  ///     held-out windows calibrate the model. A trainer that calibrates runs one itself where none is given.
  /// - Throws: `TrainingError` where the data cannot be learned from.
  public func fit(
    _ dataset: LabeledDataset, validatedBy validation: CrossValidation? = nil
  ) throws(TrainingError) -> ActivityModel {
    try fit(dataset, calibratedBy: validation, scoredAs: validation)
  }

  /// Fits a model to all of a dataset, with a score on its card that another procedure found, such as a selection.
  ///
  /// - Parameters and errors: as above; a trainer that calibrates runs a cross-validation for it.
  public func fit(
    _ dataset: LabeledDataset, scoredAs validation: CrossValidation
  ) throws(TrainingError) -> ActivityModel {
    try fit(dataset, calibratedBy: nil, scoredAs: validation)
  }

  private func fit(
    _ dataset: LabeledDataset, calibratedBy heldOut: CrossValidation?, scoredAs validation: CrossValidation?
  ) throws(TrainingError) -> ActivityModel {
    let windows = try trainingWindows(of: dataset)
    try Self.checkCount(of: windows, seconds: window.seconds)
    var heads = [try head(fitting: windows, rows: Array(0..<windows.count))]
    if calibration != .none {
      let heldOut = if let heldOut { heldOut } else { try crossValidated(windows, of: dataset) }
      heads[0] = heads[0].calibrated(by: calibration.fit(heldOut.uncalibrated))
    }
    if let quick = try pauseHead(fitting: dataset) { heads.append(quick) }
    let rates = Set(dataset.recordings.flatMap(\.recording.sampleRates)).sorted()
    let card = ModelCard(
      training: ModelCard.Training(
        method: method.description, source: dataset.name, sampleRates: rates,
        recordings: dataset.recordings.count, groups: dataset.units.count, windows: windows.countByLabel,
        fingerprints: dataset.fingerprints),
      validation: validation?.summary)
    do throws(ModelError) {
      return try ActivityModel(
        sampleRate: sampleRate, heads: heads, acceptsEstimatedGravity: acceptsEstimatedGravity, card: card)
    } catch {
      throw .model(error)
    }
  }

  /// The fewest windows of a label that a model is fitted to.
  ///
  /// A label's spread along a feature is not known from fewer: the 95 % interval of a standard deviation reaches to 32 times
  /// the estimate for 2 windows, 6.3 times for 3 and 3.7 times for 4 (χ² of 1, 2 and 3 degrees of freedom).
  public static let fewestWindows = 4

  /// Below this number of windows of a label there is a warning: with 30 windows and no error among them, the error rate
  /// may still be 10 % (the rule of three: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983).
  public static let enoughWindows = 30

  /// Below this number of units (people) with a label there is a warning: of two, cross-validation learns from one alone.
  public static let enoughUnits = 3

  private static func checkCount(of windows: LabeledWindows, seconds: Double) throws(TrainingError) {
    let counts = windows.labelIndices.prefix(windows.originalCount).reduce(into: [Int: Int]()) {
      $0[$1, default: 0] += 1
    }
    for (index, label) in windows.labels.enumerated() where counts[index, default: 0] < fewestWindows {
      throw .tooFewWindows(label, count: counts[index, default: 0], seconds: seconds)
    }
  }

  /// The features of every window of a dataset, with its label and recording.
  ///
  /// - Throws: `TrainingError` where a recording lacks a channel or is too slow, the windows cannot have the features, or a
  ///   label has no whole window.
  public func windows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    try LabeledWindows(
      of: dataset, features: features, shape: window, sampleRate: sampleRate, allowsSlowSource: allowsSlowSource)
  }

  /// The windows of a dataset and of what the augmentation adds to it.
  func trainingWindows(of dataset: LabeledDataset) throws(TrainingError) -> LabeledWindows {
    try LabeledWindows(
      of: dataset, features: features, shape: window, sampleRate: sampleRate, allowsSlowSource: allowsSlowSource,
      augmentation: augmentation)
  }

  /// Fits a head to some of the windows.
  func head(fitting windows: LabeledWindows, rows: [Int]) throws(TrainingError) -> ActivityModel.Head {
    guard windows.labels.count <= ActivityModel.largestLabelCount else {
      throw .model(
        .invalid(
          "heads[0].labels",
          "a head may have at most \(ActivityModel.largestLabelCount) labels, not \(windows.labels.count)"))
    }
    do {
      let (classifier, scaling) = try method.fit(
        windows.matrix.rows(at: rows), labels: rows.map { windows.labelIndices[$0] }, labelCount: windows.labels.count,
        groups: rows.map { windows.groupIndices[$0] })
      return ActivityModel.Head(
        window: window, features: features, scaling: scaling, classifier: classifier, labels: windows.labels)
    } catch {
      throw .fitting(error)
    }
  }

  /// The head that decides about pauses, or `nil` where nobody stands still or nobody moves in the dataset.
  private func pauseHead(fitting dataset: LabeledDataset) throws(TrainingError) -> ActivityModel.Head? {
    let activities = Set(dataset.labels.map(Activity.init(label:)))
    guard let pauseWindow, activities.contains(.still), activities.count > 1 else { return nil }
    var trainer = self
    trainer.window = pauseWindow
    let windows = try trainer.windows(of: dataset)
    return try trainer.head(fitting: windows, rows: Array(0..<windows.count))
  }
}

/// Data that features cannot be computed from, or a model cannot be learned from.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A recording lacks channels that the features need.
  case missingChannels(recording: String, channels: [Channel])
  /// A recording is too slow for the features.
  case tooSlow(recording: String, source: SampleRate, slowest: SampleRate)
  /// No recording is long enough for a window.
  case noWindows(seconds: Double)
  /// A label without a single whole window.
  case noWindowsOfLabel(String, seconds: Double)
  /// A label with fewer windows than `ActivityTrainer.fewestWindows`.
  case tooFewWindows(String, count: Int, seconds: Double)
  /// Features that the windows cannot have.
  case features(ModelError)
  /// The classifier could not be fitted.
  case fitting(FittingError)
  /// The dataset cannot be split by group.
  case folds(FoldsError)
  /// The parts do not make a model.
  case model(ModelError)

  /// One sentence that says what is wrong and what would cure it.
  public var description: String {
    switch self {
    case .missingChannels(let recording, let channels):
      "\(recording): the features need \(channels.map(\.rawValue).joined(separator: ", ")), which the recording does "
        + "not have; leave it out, or choose features without them."
    case .tooSlow(let recording, let source, let slowest):
      "\(recording): \(plain(source.hertz)) Hz is too slow for features that look at motion up to "
        + "\(plain(slowest.hertz / 2)) Hz; record at \(plain(slowest.hertz)) Hz or more."
    case .noWindows(let seconds):
      "No recording holds a whole window of \(plain(seconds)) s without missing values; use longer recordings or a "
        + "shorter window."
    case .noWindowsOfLabel(let label, let seconds):
      "No recording labelled \"\(label)\" holds a whole window of \(plain(seconds)) s without missing values; use longer "
        + "recordings or a shorter window."
    case .tooFewWindows(let label, let count, let seconds):
      "Label \"\(label)\" has \(count) \(count == 1 ? "window" : "windows") of \(plain(seconds)) s, and a model needs "
        + "\(ActivityTrainer.fewestWindows) of each label; add recordings of it, longer ones, or map it to another label."
    case .features(let error): error.description
    case .fitting(let error): error.description
    case .folds(let error): error.description
    case .model(let error): error.description + "."
    }
  }
}
