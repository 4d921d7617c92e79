/// The model file, versions 1 and 2, as JSON sees it.
///
/// A document of its own, apart from `ActivityModel`, so that the file's form changes only when someone means it to.
/// Times are seconds, rates hertz; features are texts such as `vertical.rms.log[0.01]`.
struct ActivityModelFile: Codable {
  /// What every version begins with.
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
    var labels: [String]
  }

  struct ScalingEntry: Codable {
    var mean: [Float]
    var standardDeviation: [Float]
  }

  /// A temperature or curves; the entries of the other are absent.
  struct CalibrationEntry: Codable {
    struct Curve: Codable {
      var inputs: [Float]
      var outputs: [Float]
    }

    var temperature: Float?
    var curves: [Curve]?
  }

  /// One kind of several; the entries of the other kinds are absent.
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
  /// Only `false` is written: files without the entry are from before there was one.
  var acceptsEstimatedGravity: Bool?
  var pauses: PauseSettings?
  var card: ModelCard?
}

/// A path into the file and what is wrong there.
struct ModelFileProblem: Error {
  var path: String
  var reason: String
}

extension ActivityModelFile {
  init(_ model: ActivityModel) {
    format = ActivityModel.formatName
    version = ActivityModel.formatVersion
    sampleRate = model.sampleRate.hertz
    heads = model.heads.map(Head.init)
    acceptsEstimatedGravity = model.acceptsEstimatedGravity ? nil : false
    pauses = model.pauses
    card = model.card
  }

  /// The model that the file describes, everything checked.
  func model() throws(ModelFileProblem) -> ActivityModel {
    guard let rate = SampleRate(exactly: sampleRate) else {
      throw ModelFileProblem(path: "sampleRate", reason: "\(plain(sampleRate)) Hz is no sample rate")
    }
    var parts: [ActivityModel.Head] = []
    for (index, head) in heads.enumerated() { parts.append(try head.head(path: "heads[\(index)]")) }
    do {
      return try ActivityModel(
        sampleRate: rate, heads: parts, pauses: pauses, acceptsEstimatedGravity: acceptsEstimatedGravity ?? true,
        card: card)
    } catch {
      throw ModelFileProblem(path: "", reason: error.description)
    }
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
    labels = head.labels
  }

  fileprivate func head(path: String) throws(ModelFileProblem) -> ActivityModel.Head {
    guard ModelRanges.window ~= window, ModelRanges.hop ~= hop else {
      let (window, hop) = (ModelRanges.window, ModelRanges.hop)
      throw ModelFileProblem(
        path: path,
        reason: "window must be within \(plain(window.lowerBound)) to \(plain(window.upperBound)) s and hop within "
          + "\(plain(hop.lowerBound)) to \(plain(hop.upperBound)) s")
    }
    guard ModelRanges.featureCount ~= features.count else {
      throw ModelFileProblem(
        path: "\(path).features",
        reason: "\(features.count) features, but a head has 1 to \(ModelRanges.featureCount.upperBound)")
    }
    var parsed: [Feature] = []
    for (index, text) in features.enumerated() {
      do { parsed.append(try Feature(text)) } catch {
        throw ModelFileProblem(path: "\(path).features[\(index)]", reason: error.description)
      }
    }
    do {
      return ActivityModel.Head(
        window: WindowShape(seconds: window, hop: hop),
        features: parsed,
        scaling: try scaling.map { try Scaling(mean: $0.mean, standardDeviation: $0.standardDeviation) },
        classifier: try classifier.classifier(featureCount: features.count, labelCount: labels.count),
        calibration: try calibration?.calibration(), labels: labels)
    } catch let error as ModelShapeError {
      throw ModelFileProblem(path: path, reason: error.description)
    } catch let problem as ModelFileProblem {
      throw ModelFileProblem(path: "\(path).\(problem.path)", reason: problem.reason)
    } catch {
      throw ModelFileProblem(path: path, reason: "\(error)")
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

  fileprivate func calibration() throws -> Calibration {
    switch (temperature, curves) {
    case (let temperature?, nil): return .temperature(temperature)
    case (nil, let curves?):
      return .isotonic(try curves.map { try RisingCurve(inputs: $0.inputs, outputs: $0.outputs) })
    default: throw ModelFileProblem(path: "calibration", reason: "holds neither a temperature nor curves, or both")
    }
  }
}
