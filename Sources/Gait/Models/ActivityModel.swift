/// A trained classifier of activity, with everything that it takes for granted about its input.
///
/// The model carries its contract: the rate it sees samples at, the window and hop, the ordered features, their scaling
/// and the labels. Nothing about a stream is guessed: another rate is resampled to the model's, or refused.
///
///     let model = try ActivityModel(contentsOf: modelURL)
///     for window in try model.classify(recording) {
///       print(window.start.seconds, window.label, window.probabilities[window.label])
///     }
///
/// Deliberately missing: an unfitted model. Trainers make models; a model only predicts.
public struct ActivityModel: Hashable, Sendable {
  /// The rate that features are computed at, whatever the source's rate.
  public let sampleRate: SampleRate
  /// The decisions that the model makes about the same stream: what the wearer does, and perhaps, sooner and less surely,
  /// whether they move.
  public let heads: [Head]
  /// Whether the model may be used on gravity that a `GravityEstimator` made from a bare accelerometer.
  ///
  /// The default is `true`, from measurement: models fitted to six subjects of MotionSense with Core Motion's gravity
  /// scored the same on six others whose gravity was estimated. Macro-F1 of run/not, halves swapped in turn: 98.6 and
  /// 98.4 % measured, 98.9 and 98.4 % estimated, 98.6 and 98.4 % with a gyroscope's help. The other way round does not hold:
  /// a model fitted to estimated gravity may know little of measured gravity (98.8 and 59.6 %). `Scripts/judge-gravity`
  /// prints this.
  public let acceptsEstimatedGravity: Bool
  /// How its beliefs become pauses; `nil` for the defaults.
  public let pauses: PauseSettings?
  /// What the model was trained on and how it scored, where that is known.
  public let card: ModelCard?
  private let planned: PlannedStreams

  /// The largest number of labels in a head, so that a window's probabilities fit in a vector register's worth of memory
  /// and need no allocation.
  public static let largestLabelCount = 32

  /// One decision: from a window's features to probabilities of labels.
  public struct Head: Hashable, Sendable {
    /// The window and its hop.
    public let window: WindowShape
    /// The features, in the order that the classifier expects.
    public let features: [Feature]
    /// How features are standardised before the classifier sees them; `nil` for classifiers that do not care.
    public let scaling: Scaling?
    /// The fitted classifier.
    public let classifier: Classifier
    /// What makes the classifier's probabilities mean what they say; `nil` where they are taken as they come.
    package let calibration: Calibration?
    /// The labels, in the order of the classifier's probabilities.
    public let labels: [String]

    /// A head from its parts; `ActivityModel` checks that they match.
    public init(
      window: WindowShape, features: [Feature], scaling: Scaling?, classifier: Classifier, labels: [String]
    ) {
      self.init(
        window: window, features: features, scaling: scaling, classifier: classifier, calibration: nil, labels: labels)
    }

    package init(
      window: WindowShape, features: [Feature], scaling: Scaling?, classifier: Classifier, calibration: Calibration?,
      labels: [String]
    ) {
      self.window = window
      self.features = features
      self.scaling = scaling
      self.classifier = classifier
      self.calibration = calibration
      self.labels = labels
    }

    /// The probabilities of each label for rows of features, through BLAS where the classifier is linear.
    ///
    /// - Parameter matrix: unscaled features, shape `[windows × features]`.
    /// - Returns: shape `[windows × labels]`; equal within 1e-6 to what the road gives for each window alone.
    /// - Precondition: `matrix` has as many columns as the head has features.
    public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
      let probabilities = classifier.probabilities(of: scaling?.apply(to: matrix) ?? matrix)
      return calibration?.apply(to: probabilities) ?? probabilities
    }

    /// The same head with a calibration, in place of any that it has.
    package func calibrated(by calibration: Calibration?) -> Head {
      Head(
        window: window, features: features, scaling: scaling, classifier: classifier, calibration: calibration,
        labels: labels)
    }
  }

  /// A model from its parts.
  ///
  /// - Throws: `ModelError` where the parts do not fit together, or a number is outside its range (`ModelRanges`).
  public init(
    sampleRate: SampleRate = .canonical, heads: [Head], pauses: PauseSettings? = nil,
    acceptsEstimatedGravity: Bool = true,
    card: ModelCard? = nil
  ) throws(ModelError) {
    guard ModelRanges.sampleRate ~= sampleRate.hertz else {
      throw .invalid(
        "sampleRate",
        "\(plain(sampleRate.hertz)) Hz is not within \(plain(ModelRanges.sampleRate.lowerBound)) to "
          + "\(plain(ModelRanges.sampleRate.upperBound)) Hz")
    }
    guard 1...2 ~= heads.count else { throw .invalid("heads", "a model has one or two heads, not \(heads.count)") }
    var streams: [FeatureStream] = []
    for (index, head) in heads.enumerated() {
      streams.append(try head.checked(at: sampleRate, path: "heads[\(index)]"))
    }
    planned = PlannedStreams(streams, features: heads.flatMap(\.features))
    self.sampleRate = sampleRate
    if let problem = pauses?.problem { throw .invalid("pauses", problem) }
    if let problem = card?.problem { throw .invalid("card", problem) }
    self.heads = heads
    self.acceptsEstimatedGravity = acceptsEstimatedGravity
    self.pauses = pauses
    self.card = card
  }

  /// The head that tells activities apart.
  public var activityHead: Head { heads[0] }

  /// The head that decides about pauses: the quicker second one, or else the only one.
  public var pauseHead: Head { heads[heads.count - 1] }

  /// The stream of the activity head's windows, before its first sample.
  package var activityStream: FeatureStream { planned.streams[0] }

  /// The stream of the pause head's windows, before its first sample.
  var pauseStream: FeatureStream { planned.streams[heads.count - 1] }

  /// The model with other settings for pauses.
  ///
  /// - Throws: `ModelError` where the settings make no sense.
  public func with(pauses: PauseSettings?) throws(ModelError) -> ActivityModel {
    try ActivityModel(
      sampleRate: sampleRate, heads: heads, pauses: pauses, acceptsEstimatedGravity: acceptsEstimatedGravity, card: card
    )
  }

  /// The channels that must be there for the model to decide anything.
  public var neededChannels: Set<Channel> { planned.neededChannels }

  /// The sensors that these belong to.
  var neededSensors: Set<Sensor> { planned.neededSensors }

  /// The slowest source that still holds every frequency the model looks at, twice the upper end of its highest band; `nil`
  /// where its features have no bands.
  public var slowestSource: SampleRate? { planned.slowestSource }

  /// Classifies every window of a recording.
  ///
  /// The same as feeding the samples to a `WindowClassifier` one by one, to the last bit. Empty where the recording holds no
  /// whole window without missing values.
  ///
  /// - Parameters:
  ///   - recording: the samples.
  ///   - allowsSlowSource: whether a recording slower than `slowestSource` is taken nevertheless.
  /// - Throws: `ModelError` where the recording is too slow for the model, lacks a channel it needs, or has an estimated
  ///   gravity that the model does not accept.
  /// - Complexity: O(samples).
  public func classify(
    _ recording: Recording, allowsSlowSource: Bool = false
  ) throws(ModelError) -> [ClassifiedWindow] {
    try requireChannels(of: recording)
    try checkStream(
      at: recording.sampleRate, gravityIsEstimated: recording.gravityIsEstimated, allowsSlowSource: allowsSlowSource)
    let resampler = Resampler(from: recording.sampleRate, to: sampleRate, sensors: neededSensors)
    let scorer = WindowScorer(head: activityHead, sampleRate: sampleRate)
    var windows: [ClassifiedWindow] = []
    // By the samples, as a gap may be of any length; by no more windows than there are samples.
    let samples = Double(recording.count) * min(1, sampleRate.hertz / recording.sampleRate.hertz)
    windows.reserveCapacity(1 + Int(samples) / activityHead.window.hopCount(at: sampleRate))
    recording.forEachWindow(of: activityStream, through: resampler) { start, features in
      windows.append(scorer.classify(features, start: start))
    }
    return windows
  }

  /// Checks that a recording has the channels, the rate and the gravity that the model needs.
  ///
  /// - Throws: `ModelError`, which says what it lacks.
  package func check(_ recording: Recording) throws(ModelError) {
    try requireChannels(of: recording)
    try checkStream(at: recording.sampleRate, gravityIsEstimated: recording.gravityIsEstimated)
  }

  /// Checks that a stream at `sampleRate` can hold the motion that the model looks at, and has a gravity that it accepts.
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
}

extension ActivityModel.Head {
  /// The stream of the head's windows, if the parts fit together.
  fileprivate func checked(at sampleRate: SampleRate, path: String) throws(ModelError) -> FeatureStream {
    func require(_ condition: Bool, _ part: String, _ reason: @autoclosure () -> String) throws(ModelError) {
      guard condition else { throw .invalid("\(path).\(part)", reason()) }
    }
    func requireCount(_ found: Int, _ expected: Int, of things: String, in part: String) throws(ModelError) {
      try require(found == expected, part, "has \(found) \(things), but the classifier was fitted to \(expected)")
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
      try require(
        ModelRanges.temperature ~= value, "calibration", ModelFault.temperatureOutOfRange(value).description)
    case .isotonic(let curves):
      try requireCount(curves.count, labels.count, of: "curves", in: "calibration")
    }
    if let scaling { try requireCount(scaling.featureCount, features.count, of: "means", in: "scaling") }
    do {
      return try FeatureStream(features: features, shape: window, sampleRate: sampleRate)
    } catch {
      throw .invalid("\(path).features", error.description)
    }
  }
}
