/// A trained activity classifier with a full description of its input.
///
/// A model has its sample rate, the window and hop, the ordered features, their scaling and the labels. A stream at
/// another rate is resampled to the model's rate. A stream below `slowestSource` is rejected.
///
///     let model = try ActivityModel(contentsOf: modelURL)
///     for window in try model.classify(recording) {
///       print(window.start.seconds, window.label, window.probabilities[window.label])
///     }
///
/// Deliberately missing: an unfitted model. Trainers make models; a model only predicts.
public struct ActivityModel: Hashable, Sendable {
  /// The rate that features are computed at. Streams at other rates are resampled to it.
  public let sampleRate: SampleRate
  /// The heads: the first classifies the activity; the second, if present, has shorter windows and decides pauses.
  public let heads: [Head]
  /// Whether the model accepts gravity that `GravityEstimator` estimated from a bare accelerometer.
  ///
  /// The default is `true`: on held-out people, about as many labels are correct with estimated gravity as with Core
  /// Motion's.
  public let acceptsEstimatedGravity: Bool
  /// The activities of labels whose names do not state them, such as `["resting": .still, "climbing": .other]`; see
  /// `activity(of:)`.
  ///
  /// If a label of the pause head is stated to be `.other`, and the policy does not pause during `.other`, a paused run
  /// resumes without the rhythm of steps, too.
  public let meanings: [String: Activity]
  /// The settings of auto-pause; `nil` for the defaults.
  public let pauses: PauseSettings?
  /// The training data and the validation scores; `nil` if unknown.
  public package(set) var card: ModelCard?
  private let planned: PlannedWindows

  /// The largest number of labels in a head. `LabelProbabilities` stores that many inline, without allocating.
  public static let largestLabelCount = 32

  /// One classification: from a window's features to label probabilities.
  public struct Head: Hashable, Sendable {
    /// The window and its hop.
    public let window: WindowShape
    /// The features, in the order that the classifier expects.
    public let features: [Feature]
    /// The standardisation of the features; `nil` for classifiers that need none, such as trees.
    public let scaling: Scaling?
    /// The fitted classifier.
    public package(set) var classifier: Classifier
    /// The calibration of the classifier's probabilities; `nil` for none.
    package private(set) var calibration: Calibration?
    /// The rejection of windows that are unlike all training data; `nil` for none.
    package var rejection: Rejection?
    /// The labels, in the order of the classifier's probabilities.
    public let labels: [String]

    /// A head from its parts; `ActivityModel.init` checks that they match.
    public init(
      window: WindowShape, features: [Feature], scaling: Scaling?, classifier: Classifier, labels: [String]
    ) {
      self.init(
        window: window, features: features, scaling: scaling, classifier: classifier, calibration: nil, labels: labels)
    }

    package init(
      window: WindowShape, features: [Feature], scaling: Scaling?, classifier: Classifier, calibration: Calibration?,
      rejection: Rejection? = nil, labels: [String]
    ) {
      self.window = window
      self.features = features
      self.scaling = scaling
      self.classifier = classifier
      self.calibration = calibration
      self.rejection = rejection
      self.labels = labels
    }

    /// The label probabilities of rows of features. A logistic regression with three or more labels uses BLAS, if the
    /// package trait `BLAS` is on.
    ///
    /// - Parameter matrix: unscaled features, shape `[windows × features]`.
    /// - Returns: shape `[windows × labels]`; within 1e-6 of the probabilities that a stream gets for the same windows.
    /// - Precondition: `matrix` has as many columns as the head has features.
    public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
      let probabilities = classifier.probabilities(of: scaling?.apply(to: matrix) ?? matrix)
      return calibration?.apply(to: probabilities) ?? probabilities
    }

    /// The same head with another calibration.
    package func calibrated(by calibration: Calibration?) -> Head {
      var head = self
      head.calibration = calibration
      return head
    }
  }

  /// A model from its parts.
  ///
  /// - Throws: `ModelError` if the parts do not match, or a number is outside its range (`ModelRanges`).
  public init(
    sampleRate: SampleRate = .canonical, heads: [Head], pauses: PauseSettings? = nil,
    acceptsEstimatedGravity: Bool = true, meanings: [String: Activity] = [:], card: ModelCard? = nil
  ) throws(ModelError) {
    guard ModelRanges.sampleRate ~= sampleRate.hertz else {
      throw .invalid(
        "sampleRate",
        "\(plain(sampleRate.hertz)) Hz is not within \(plain(ModelRanges.sampleRate.lowerBound)) to "
          + "\(plain(ModelRanges.sampleRate.upperBound)) Hz")
    }
    guard 1...2 ~= heads.count else { throw .invalid("heads", "a model has one or two heads, not \(heads.count)") }
    var windows: [FeatureWindows] = []
    for (index, head) in heads.enumerated() {
      windows.append(try head.checked(at: sampleRate, path: "heads[\(index)]"))
    }
    let unused = meanings.keys.filter { label in !heads.contains { $0.labels.contains(label) } }.sorted()
    if let label = unused.first { throw .invalid("meanings.\(label)", "no head has this label") }
    planned = PlannedWindows(windows, features: heads.flatMap(\.features))
    self.sampleRate = sampleRate
    if let problem = pauses?.problem { throw .invalid("pauses", problem) }
    if let problem = card?.problem { throw .invalid("card", problem) }
    self.heads = heads
    self.acceptsEstimatedGravity = acceptsEstimatedGravity
    self.meanings = meanings
    self.pauses = pauses
    self.card = card
  }

  /// The activity that a label means. `meanings` decides; for a label that is not in it, the name does
  /// (`Activity.init(label:)`).
  public func activity(of label: String) -> Activity { meanings[label] ?? Activity(label: label) }

  /// The built-in models for every place on the body, in the order in which `fitting` considers them.
  private static let defaultNames = ["running", "running-linear"]

  /// The built-in model for a recording whose place on the body is unknown: the first of `defaultNames` that needs no
  /// channel outside `channels`. If there is none, `running`.
  package static func fitting(_ channels: Set<Channel>) -> (name: String, model: ActivityModel) {
    for name in defaultNames {
      guard let model = builtIn(name), model.neededChannels.isSubset(of: channels) else { continue }
      return (name, model)
    }
    return (defaultNames[0], .running)
  }

  /// This model. If it is `running` and `channels` lack a channel that it needs, the built-in model of
  /// `ActivityModel.fitting(_:)` instead.
  package func fitting(_ channels: Set<Channel>) -> ActivityModel {
    guard !neededChannels.isSubset(of: channels), checksum == Self.running.checksum else { return self }
    return Self.fitting(channels).model
  }

  /// The names of the models that come with Gait.
  package static let builtInNames = ModelError.builtInModels

  /// The model of `builtInNames` with that name; `nil` if there is none.
  package static func builtIn(_ name: String) -> ActivityModel? {
    switch name {
    case "running": .running
    case "running-linear": .runningLinear
    case "running-pocket": .runningPocket
    case "running-wrist": .runningWrist
    default: nil
    }
  }

  /// The head that classifies the activity.
  public var activityHead: Head { heads[0] }

  /// The head that decides pauses: the second one, which has shorter windows. A model with one head uses it for both.
  public var pauseHead: Head { heads[heads.count - 1] }

  /// The activity head's windows, before the first sample.
  var activityWindows: FeatureWindows { planned.windows[0] }

  /// The pause head's windows, before the first sample.
  var pauseWindows: FeatureWindows { planned.windows[heads.count - 1] }

  /// The model with other auto-pause settings.
  ///
  /// - Throws: `ModelError` if a setting is outside its range.
  public func with(pauses: PauseSettings?) throws(ModelError) -> ActivityModel {
    try ActivityModel(
      sampleRate: sampleRate, heads: heads, pauses: pauses, acceptsEstimatedGravity: acceptsEstimatedGravity,
      meanings: meanings, card: card)
  }

  /// Whether the model labels windows "other" that are unlike all its training data.
  ///
  /// It does only if it was trained with rejection (`ActivityTrainer.rejectsUnknown`).
  public var rejectsUnknown: Bool { activityHead.rejection != nil }

  /// The share of rejected windows that 98 % of held-out recordings do not exceed, 0…1; `nil` without rejection. If a
  /// recording has a larger share, it is unlike the training data and its labels may be wrong.
  public var usualRejectedShare: Float? { activityHead.rejection?.usualShare }

  /// The channels that the features use. Windows in which one of them is missing are not classified.
  public var neededChannels: Set<Channel> { planned.neededChannels }

  /// The sensors of `neededChannels`.
  var neededSensors: Set<Sensor> { planned.neededSensors }

  /// The lowest sample rate of a source: twice the highest frequency that the features use; `nil` if they use no
  /// frequency bands.
  public var slowestSource: SampleRate? { planned.slowestSource }

  /// Checks that a recording has the channels, the rate and the gravity that the model needs.
  ///
  /// - Throws: `ModelError`, which names the first problem.
  package func check(_ recording: Recording) throws(ModelError) {
    try requireChannels(of: recording)
    try checkStream(at: recording.sampleRate, gravityIsEstimated: recording.gravityIsEstimated)
  }

  /// Checks that a stream is fast enough for the model's features and has gravity that the model accepts.
  func checkStream(
    at sampleRate: SampleRate, gravityIsEstimated: Bool, allowsSlowSource: Bool = false
  ) throws(ModelError) {
    if let slowest = slowestSource, sampleRate < slowest, !allowsSlowSource {
      throw .sourceTooSlow(source: sampleRate, slowest: slowest)
    }
    guard acceptsEstimatedGravity || !gravityIsEstimated else { throw .estimatedGravity }
  }

  /// Checks that a recording has the channels that the model needs.
  func requireChannels(of recording: Recording) throws(ModelError) {
    let missing = neededChannels.subtracting(recording.channels)
    guard missing.isEmpty else { throw .missingChannels(Channel.allCases.filter(missing.contains)) }
  }

  /// Whether both models have the same contents of a model file, the card included.
  public static func == (first: ActivityModel, second: ActivityModel) -> Bool {
    first.sampleRate == second.sampleRate && first.heads == second.heads
      && first.acceptsEstimatedGravity == second.acceptsEstimatedGravity && first.meanings == second.meanings
      && first.pauses == second.pauses && first.card == second.card
  }

  /// Hashes the parts in which models differ most.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sampleRate)
    hasher.combine(heads)
  }
}

extension ActivityModel.Head {
  /// Checks that the parts of the head match, and returns its windows.
  fileprivate func checked(at sampleRate: SampleRate, path: String) throws(ModelError) -> FeatureWindows {
    func require(_ condition: Bool, _ part: String, _ reason: @autoclosure () -> String) throws(ModelError) {
      guard condition else { throw .invalid("\(path).\(part)", reason()) }
    }
    func requireCount(_ found: Int, _ expected: Int, of unit: String, in part: String) throws(ModelError) {
      try require(found == expected, part, "has \(found) \(unit), but the classifier was fitted to \(expected)")
    }
    try require(ModelRanges.contains(window), "window", ModelRanges.windowReason)
    try require(
      labels.count <= ActivityModel.largestLabelCount, "labels",
      "a head may have at most \(ActivityModel.largestLabelCount) labels, not \(labels.count)")
    try require(Set(labels).count == labels.count, "labels", "an entry is repeated")
    try require(!labels.contains(""), "labels", "a label is empty")
    try requireCount(labels.count, classifier.labelCount, of: "labels", in: "labels")
    try requireCount(features.count, classifier.featureCount, of: "features", in: "features")
    try require(Set(features).count == features.count, "features", "an entry is repeated")
    switch calibration {
    case nil: break
    case .temperature(let value):
      let valid = ModelRanges.temperature
      try require(
        valid ~= value, "calibration",
        "the temperature is \(value), which is not within \(valid.lowerBound) to \(valid.upperBound)")
    case .isotonic(let curves):
      try requireCount(curves.count, labels.count, of: "curves", in: "calibration")
    }
    if let rejection {
      try require(scaling != nil, "rejection", "needs a scaling")
      try requireCount(rejection.featureCount, features.count, of: "features", in: "rejection.means")
    }
    if let scaling { try requireCount(scaling.featureCount, features.count, of: "means", in: "scaling") }
    do {
      return try FeatureWindows(features: features, shape: window, sampleRate: sampleRate)
    } catch {
      throw .invalid("\(path).features", error.description)
    }
  }
}

/// Values derived from a model's features, computed once when the model is made.
struct PlannedWindows: Sendable {
  /// The windows of each head, before the first sample; each use takes a copy.
  let windows: [FeatureWindows]
  /// The channels that the features need.
  let neededChannels: Set<Channel>
  /// The sensors of these channels.
  let neededSensors: Set<Sensor>
  /// The lowest sample rate of a source for the features' frequencies; `nil` if they use no frequency bands.
  let slowestSource: SampleRate?

  init(_ windows: [FeatureWindows], features: [Feature]) {
    self.windows = windows
    let channels = Set(features.flatMap(\.lane.neededChannels))
    neededChannels = channels
    neededSensors = Set(Sensor.allCases.filter { !channels.isDisjoint(with: $0.channels) })
    slowestSource = features.slowestSource
  }
}
