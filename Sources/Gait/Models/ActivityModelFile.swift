/// The JSON document of a model file, versions 1 to 6.
///
/// It is separate from `ActivityModel`, so that changes of that type do not change the file. Times are in seconds,
/// rates in hertz; features are strings such as `vertical.rms.log[0.01]`.
struct ActivityModelFile: Codable {
  /// The entries that every version has.
  struct Preamble: Codable {
    var format: String?
    var version: Int?
  }

  struct Head: Codable {
    var window: Double
    var hop: Double
    var features: [String]
    var scaling: ScalingEntry?
    var classifier: ClassifierEntry
    var calibration: CalibrationEntry?
    var rejection: RejectionEntry?
    var labels: [String]
  }

  struct ScalingEntry: Codable {
    var mean: [Float]
    var standardDeviation: [Float]
  }

  struct RejectionEntry: Codable {
    var means: [[Float]]
    var distanceLimit: Float
    var largestDistance: Float
    var leastConfidence: Float
    var usualShare: Float
  }

  /// A calibration: a temperature or curves. The entries of the other kind are absent.
  struct CalibrationEntry: Codable {
    struct Curve: Codable {
      var inputs: [Float]
      var outputs: [Float]
    }

    var temperature: Float?
    var curves: [Curve]?
  }

  /// A classifier of one kind; the entries of other kinds are absent.
  struct ClassifierEntry: Codable {
    var kind: String
    var weights: [[Float]]?
    var intercepts: [Float]?
    var nodeFeatures: [Int32]?
    var thresholds: [Float]?
    var leftChildren: [Int32]?
    var rightChildren: [Int32]?
    var roots: [Int32]?
    var leafProbabilities: [[Float]]?
    var leafValues: [Float]?
    var baseScores: [Float]?
  }

  var format: String
  var version: Int
  var checksum: String?
  var sampleRate: Double
  var heads: [Head]
  /// Only `false` is written. Older files lack the entry.
  var acceptsEstimatedGravity: Bool?
  /// Labels and the raw values of their activities; since version 4.
  var meanings: [String: String]?
  var pauses: PauseSettings?
  var card: ModelCard?
}

extension ActivityModelFile {
  init(_ model: ActivityModel) {
    format = ActivityModel.formatName
    version = model.fileVersion
    sampleRate = model.sampleRate.hertz
    heads = model.heads.map(Head.init)
    acceptsEstimatedGravity = model.acceptsEstimatedGravity ? nil : false
    meanings = model.meanings.isEmpty ? nil : model.meanings.mapValues(\.rawValue)
    pauses = model.pauses
    card = model.card
  }

  /// The model, with every entry checked.
  func model() throws(ModelError) -> ActivityModel {
    guard let rate = SampleRate(exactly: sampleRate) else {
      throw .invalid("sampleRate", "\(plain(sampleRate)) Hz is not a sample rate")
    }
    var parts: [ActivityModel.Head] = []
    for (index, head) in heads.enumerated() { parts.append(try head.head(path: "heads[\(index)]")) }
    var meanings: [String: Activity] = [:]
    for (label, text) in (self.meanings ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let activity = Activity(rawValue: text) else {
        let names = Activity.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalid("meanings.\(label)", "\"\(text)\" is not one of \(names)")
      }
      meanings[label] = activity
    }
    return try ActivityModel(
      sampleRate: rate, heads: parts, pauses: pauses, acceptsEstimatedGravity: acceptsEstimatedGravity ?? true,
      meanings: meanings, card: card)
  }
}

extension ActivityModelFile.Head {
  fileprivate init(_ head: ActivityModel.Head) {
    window = head.window.seconds
    hop = head.window.hopSeconds
    features = head.features.map(\.description)
    scaling = head.scaling.map { .init(mean: $0.mean, standardDeviation: $0.standardDeviation) }
    classifier = .init(head.classifier)
    calibration = head.calibration.map(ActivityModelFile.CalibrationEntry.init)
    rejection = head.rejection.map {
      .init(
        means: ActivityModelFile.ClassifierEntry.rows(of: $0.means, columns: $0.featureCount),
        distanceLimit: $0.distanceLimit, largestDistance: $0.largestDistance, leastConfidence: $0.leastConfidence,
        usualShare: $0.usualShare)
    }
    labels = head.labels
  }

  fileprivate func head(path: String) throws(ModelError) -> ActivityModel.Head {
    guard ModelRanges.window ~= window, ModelRanges.hop ~= hop else { throw .invalid(path, ModelRanges.windowReason) }
    guard ModelRanges.featureCount ~= features.count else {
      throw .invalid(
        "\(path).features", "\(features.count) features, but a head has 1 to \(ModelRanges.featureCount.upperBound)")
    }
    var parsed: [Feature] = []
    for (index, text) in features.enumerated() {
      do { parsed.append(try Feature(text)) } catch {
        throw .invalid("\(path).features[\(index)]", error.description)
      }
    }
    do throws(ModelError) {
      return ActivityModel.Head(
        window: WindowShape(seconds: window, hopSeconds: hop),
        features: parsed,
        scaling: try scaling.map { (entry) throws(ModelError) in
          try Scaling(mean: entry.mean, standardDeviation: entry.standardDeviation)
        },
        classifier: try classifier.classifier(featureCount: features.count, labelCount: labels.count),
        calibration: try calibration?.calibration(),
        rejection: try rejection?.rejection(featureCount: features.count), labels: labels)
    } catch {
      throw error.under(path)
    }
  }
}

extension ActivityModelFile.CalibrationEntry {
  fileprivate init(_ calibration: Calibration) {
    switch calibration {
    case .temperature(let value): temperature = value
    case .isotonic(let rising): curves = rising.map { Curve(inputs: $0.inputs, outputs: $0.outputs) }
    }
  }

  fileprivate func calibration() throws(ModelError) -> Calibration {
    switch (temperature, curves) {
    case (let temperature?, nil): return .temperature(temperature)
    case (nil, let curves?):
      var rising: [RisingCurve] = []
      for curve in curves { rising.append(try RisingCurve(inputs: curve.inputs, outputs: curve.outputs)) }
      return .isotonic(rising)
    default: throw .invalid("calibration", "needs either a temperature or curves")
    }
  }
}

extension ActivityModelFile.RejectionEntry {
  fileprivate func rejection(featureCount: Int) throws(ModelError) -> Rejection {
    do {
      for row in means { try ModelError.check("means", row, columns: featureCount) }
      return try Rejection(
        means: means.flatMap(\.self), featureCount: featureCount, distanceLimit: distanceLimit,
        largestDistance: largestDistance, leastConfidence: leastConfidence, usualShare: usualShare)
    } catch {
      throw error.under("rejection")
    }
  }
}

extension ActivityModelFile.ClassifierEntry {
  init(_ classifier: Classifier) {
    switch classifier {
    case .logistic(let logistic):
      self.init(kind: "logistic")
      weights = Self.rows(of: logistic.weights, columns: logistic.featureCount)
      intercepts = logistic.intercepts
    case .decisionTree(let tree):
      self.init(kind: "decisionTree")
      set(tree.nodes)
      leafProbabilities = Self.rows(of: tree.leafProbabilities, columns: tree.labelCount)
    case .randomForest(let forest):
      self.init(kind: "randomForest")
      set(forest.nodes)
      roots = forest.nodes.roots
      leafProbabilities = Self.rows(of: forest.leafProbabilities, columns: forest.labelCount)
    case .boostedTrees(let trees):
      self.init(kind: "boostedTrees")
      set(trees.nodes)
      roots = trees.nodes.roots
      leafValues = trees.leafValues
      baseScores = trees.baseScores
    }
  }

  private mutating func set(_ nodes: FlatTree) {
    nodeFeatures = nodes.features
    thresholds = nodes.thresholds
    leftChildren = nodes.leftChildren
    rightChildren = nodes.rightChildren
  }

  /// The classifier, with every entry checked.
  ///
  /// - Throws: `ModelError.invalid`.
  func classifier(featureCount: Int, labelCount: Int) throws(ModelError) -> Classifier {
    switch kind {
    case "logistic":
      return .logistic(
        try LogisticRegression(
          weights: flat(entry(weights, "weights"), "weights", columns: featureCount),
          intercepts: entry(intercepts, "intercepts"), featureCount: featureCount, labelCount: labelCount))
    case "decisionTree":
      return .decisionTree(
        try DecisionTree(
          nodes: nodes(featureCount, isTree: true), leafProbabilities: leafRows(labelCount), labelCount: labelCount))
    case "randomForest":
      return .randomForest(
        try RandomForest(
          nodes: nodes(featureCount), leafProbabilities: leafRows(labelCount), labelCount: labelCount))
    case "boostedTrees":
      return .boostedTrees(
        try BoostedTrees(
          nodes: nodes(featureCount), leafValues: entry(leafValues, "leafValues"),
          baseScores: entry(baseScores, "baseScores"), labelCount: labelCount))
    default:
      throw .invalid(
        "classifier.kind",
        "\"\(kind)\" is not one of \"logistic\", \"decisionTree\", \"randomForest\", \"boostedTrees\"")
    }
  }

  private func nodes(_ featureCount: Int, isTree: Bool = false) throws(ModelError) -> FlatTree {
    try FlatTree(
      features: entry(nodeFeatures, "nodeFeatures"), thresholds: entry(thresholds, "thresholds"),
      leftChildren: entry(leftChildren, "leftChildren"), rightChildren: entry(rightChildren, "rightChildren"),
      roots: isTree ? [0] : entry(roots, "roots"), featureCount: featureCount)
  }

  private func leafRows(_ labelCount: Int) throws(ModelError) -> [Float] {
    try flat(entry(leafProbabilities, "leafProbabilities"), "leafProbabilities", columns: labelCount)
  }

  private func entry<Value>(_ value: Value?, _ name: String) throws(ModelError) -> Value {
    guard let value else { throw .invalid("classifier", "\(name) is missing") }
    return value
  }

  private func flat(_ rows: [[Float]], _ name: String, columns: Int) throws(ModelError) -> [Float] {
    for (index, row) in rows.enumerated() where row.count != columns {
      throw .invalid("classifier.\(name)[\(index)]", "has \(row.count) numbers; the model's shape needs \(columns)")
    }
    return rows.flatMap { $0 }
  }

  fileprivate static func rows(of values: [Float], columns: Int) -> [[Float]] {
    stride(from: 0, to: values.count, by: columns).map { Array(values[$0..<$0 + columns]) }
  }
}

extension ModelError {
  /// The same error, with its path inside the entry `parent` of a larger model.
  func under(_ parent: String) -> ModelError {
    guard case .invalid(let file, let path, let reason) = self else { return self }
    return .invalid(file: file, path: path.isEmpty ? parent : "\(parent).\(path)", reason: reason)
  }

  /// The same error, with the name of the file.
  func inFile(_ name: String) -> ModelError {
    guard case .invalid(nil, let path, let reason) = self else { return self }
    return .invalid(file: name, path: path.shortened, reason: reason.shortened)
  }
}
