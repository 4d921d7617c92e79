import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The entries of models and their files at their limits, and the errors beyond them.
@Suite struct ModelEntryLimitTests {
  private static func head(
    labels: [String] = ["still", "walking"], features: [Feature] = [Feature(.vertical, .rms)],
    window: WindowShape = WindowShape(), scaling: Scaling? = nil, calibration: Calibration? = nil,
    rejection: Rejection? = nil, fitted: Int? = nil
  ) throws -> ActivityModel.Head {
    let (outputs, count) = (labels.count == 2 ? 1 : labels.count, fitted ?? features.count)
    return ActivityModel.Head(
      window: window, features: features, scaling: scaling,
      classifier: .logistic(
        try LogisticRegression(
          weights: Array(repeating: 1, count: outputs * count), intercepts: Array(repeating: 0, count: outputs),
          featureCount: count, labelCount: max(2, labels.count))),
      calibration: calibration, rejection: rejection, labels: labels)
  }

  private static func error(_ make: () throws -> ActivityModel) -> String? {
    do {
      _ = try make()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `A model's parts must match, and the error names the part`() throws {
    let two = [Feature(.vertical, .rms), Feature(.total, .rms)]
    let scaling = try Scaling(mean: [0, 0], standardDeviation: [1, 1])
    let rejection = try Rejection(
      means: [0, 0], featureCount: 2, distanceLimit: 1, largestDistance: 1, leastConfidence: 0, usualShare: 0)
    let curve = try RisingCurve(inputs: [0], outputs: [0])
    let window = "the window must be within 0.01 to 600 s and the hop within 0.001 to 600 s"
    for (says, make) in [
      ("heads: a model has one or two heads, not 0", { try ActivityModel(heads: []) }),
      (
        "heads: a model has one or two heads, not 3",
        { try ActivityModel(heads: Array(repeating: Self.head(), count: 3)) }
      ),
      (
        "sampleRate: 0.5 Hz is not within 1 to 1000 Hz",
        { try ActivityModel(sampleRate: .hertz(0.5), heads: [Self.head()]) }
      ),
      (
        "heads[1].window: \(window)",
        { try ActivityModel(heads: [Self.head(), Self.head(window: WindowShape(seconds: 0.001))]) }
      ),
      (
        "heads[0].labels: a head may have at most 32 labels, not 33",
        { try ActivityModel(heads: [Self.head(labels: (0..<33).map { "\($0)" })]) }
      ),
      ("heads[0].labels: an entry is repeated", { try ActivityModel(heads: [Self.head(labels: ["a", "a"])]) }),
      ("heads[0].labels: a label is empty", { try ActivityModel(heads: [Self.head(labels: ["a", ""])]) }),
      (
        "heads[0].labels: has 1 labels, but the classifier was fitted to 2",
        {
          try ActivityModel(heads: [
            ActivityModel.Head(
              window: WindowShape(), features: [Feature(.vertical, .rms)], scaling: nil,
              classifier: Self.head().classifier,
              labels: ["a"])
          ])
        }
      ),
      (
        "heads[0].features: has 1 features, but the classifier was fitted to 3",
        { try ActivityModel(heads: [Self.head(fitted: 3)]) }
      ),
      (
        "heads[0].features: an entry is repeated",
        { try ActivityModel(heads: [Self.head(features: [Feature(.vertical, .rms), Feature(.vertical, .rms)])]) }
      ),
      (
        "heads[0].calibration: the temperature is 0.0009, which is not within 0.001 to 1000.0",
        { try ActivityModel(heads: [Self.head(calibration: .temperature(0.0009))]) }
      ),
      (
        "heads[0].calibration: has 1 curves, but the classifier was fitted to 2",
        { try ActivityModel(heads: [Self.head(calibration: .isotonic([curve]))]) }
      ),
      (
        "heads[0].rejection: needs a scaling",
        { try ActivityModel(heads: [Self.head(features: two, rejection: rejection)]) }
      ),
      (
        "heads[0].rejection.means: has 2 features, but the classifier was fitted to 1",
        {
          try ActivityModel(heads: [
            Self.head(scaling: Scaling(mean: [0], standardDeviation: [1]), rejection: rejection)
          ])
        }
      ),
      (
        "heads[0].scaling: has 2 means, but the classifier was fitted to 1",
        { try ActivityModel(heads: [Self.head(scaling: scaling)]) }
      ),
      (
        "meanings.sit: no head has this label",
        { try ActivityModel(heads: [Self.head()], meanings: ["sit": .still, "still": .still]) }
      ),
    ] as [(String, () throws -> ActivityModel)] {
      let found = Self.error(make)
      #expect(found == says)
    }
    for make in [
      { try ActivityModel(sampleRate: .hertz(1000), heads: [Self.head(window: WindowShape(seconds: 1))]) },
      { try ActivityModel(heads: [Self.head(labels: (0..<32).map { "\($0)" })]) },
      {
        try ActivityModel(heads: [
          Self.head(calibration: .temperature(0.001)), Self.head(calibration: .temperature(1000)),
        ])
      },
      { try ActivityModel(heads: [Self.head(features: two, scaling: scaling, rejection: rejection)]) },
      { try ActivityModel(heads: [Self.head(), Self.head(labels: ["sit", "run"])], meanings: ["sit": .still]) },
    ] as [() throws -> ActivityModel] {
      let found = Self.error(make)
      #expect(found == nil)
    }
  }

  @Test func `Every part of a model counts for equality, and other settings keep all other parts`() throws {
    let card = ModelCard(
      training: .init(method: "a", source: "b", sampleRates: [50], recordings: 1, groups: 1, windows: ["still": 1]))
    let heads = [try Self.head(), try Self.head(labels: ["sit", "run"])]
    var settings = PauseSettings()
    settings.graceSeconds = 7
    let model = try ActivityModel(
      sampleRate: .hertz(30), heads: heads, pauses: settings, acceptsEstimatedGravity: false,
      meanings: ["sit": .other], card: card)
    let others = [
      try ActivityModel(
        sampleRate: .hertz(31), heads: heads, pauses: settings, acceptsEstimatedGravity: false,
        meanings: ["sit": .other], card: card),
      try ActivityModel(
        sampleRate: .hertz(30), heads: [heads[1], heads[0]], pauses: settings, acceptsEstimatedGravity: false,
        meanings: ["sit": .other], card: card),
      try ActivityModel(
        sampleRate: .hertz(30), heads: heads, acceptsEstimatedGravity: false, meanings: ["sit": .other], card: card),
      try ActivityModel(
        sampleRate: .hertz(30), heads: heads, pauses: settings, meanings: ["sit": .other], card: card),
      try ActivityModel(
        sampleRate: .hertz(30), heads: heads, pauses: settings, acceptsEstimatedGravity: false, card: card),
      try ActivityModel(
        sampleRate: .hertz(30), heads: heads, pauses: settings, acceptsEstimatedGravity: false,
        meanings: ["sit": .other]),
    ]
    #expect(others.allSatisfy { $0 != model })
    #expect(try model.with(pauses: settings) == model)
    #expect(try model.with(pauses: nil) == others[2])
    #expect(try ActivityModel(json: model.json(), name: "m") == model)
    #expect(model.activityHead == heads[0])
    #expect(model.pauseHead == heads[1])
    #expect(model.activity(of: "sit") == .other)
    #expect(model.activity(of: "run") == .running)
    #expect(try ActivityModel(heads: [heads[0]]).acceptsEstimatedGravity)
    #expect(model.neededSensors == [.gravity, .userAcceleration])
    #expect(Set(others + [model]).count == 7)
    #expect(model.hashValue != others[0].hashValue)
  }

  @Test func `The version of a file is the first that knows its entries`() throws {
    func version(_ change: (inout PauseSettings) -> Void, meanings: [String: Activity] = [:]) throws -> Int {
      var settings = PauseSettings()
      change(&settings)
      return try ActivityModel(heads: [Self.head()], pauses: settings, meanings: meanings).fileVersion
    }
    #expect(try version { _ in } == 2)
    #expect(try version({ _ in }, meanings: ["still": .still]) == 4)
    #expect(try version { $0.walkingResumeDwellSeconds = 1 } == 5)
    #expect(try version { $0.findsQuietWalks = false } == 6)
    #expect(ActivityModel.formatVersion == 6)
    #expect(TestModels.threeLabels.fileVersion == 2)
    #expect(ActivityModel.largestLabelCount == 32)
  }

  @Test func `The built-in model that fits a recording has its channels`() {
    let all = Set(Channel.allCases)
    let linear = Set(Sensor.userAcceleration.channels)
    #expect(ActivityModel.fitting(all).name == "running")
    #expect(ActivityModel.fitting([]).name == "running")
    #expect(ActivityModel.fitting(linear).name == "running-linear")
    #expect(ActivityModel.running.fitting(linear) == .runningLinear)
    #expect(ActivityModel.running.fitting(all) == .running)
    #expect(ActivityModel.runningWrist.fitting(linear) == .runningWrist)
    #expect(ActivityModel.builtInNames.allSatisfy { ActivityModel.builtIn($0) != nil })
    #expect(ActivityModel.builtIn("walking") == nil)
    #expect(ActivityModel.builtIn("running-pocket") == .runningPocket)
  }

  // MARK: - Files

  private static func read(_ find: String, _ replacement: String, in model: ActivityModel) throws -> String? {
    let text = String(decoding: model.json(), as: UTF8.self)
    let range = try #require(text.range(of: find, options: .regularExpression), "no \(find) in \(text)")
    let changed = text.replacingCharacters(in: range, with: replacement)
    return error { try ActivityModel(unsealed: Data(changed.utf8), name: "m") }
  }

  @Test func `Errors in files name the entry and the cure`() throws {
    let (end, logistic) = ("; restore the file, or train the model again.", TestModels.threeLabels)
    let calibrated = try ActivityModel(heads: [Self.head(calibration: .temperature(2))], meanings: ["still": .still])
    for (find, replacement, model, says) in [
      (
        "\"still\" : \"still\"", "\"still\" : \"rest\"", calibrated,
        "meanings.still: \"rest\" is not one of running, walking, still, other"
      ),
      ("\"temperature\" : 2", "", calibrated, "heads[0].calibration: needs either a temperature or curves"),
      (
        "\"temperature\" : 2", "\"temperature\" : 2, \"curves\" : []", calibrated,
        "heads[0].calibration: needs either a temperature or curves"
      ),
      (
        "\"temperature\" : 2", "\"curves\" : [{\"inputs\":[0.5],\"outputs\":[0.5,1]}]", calibrated,
        "heads[0]: outputs has 2 numbers; the model's shape needs 1"
      ),
      (
        "\"window\" : 2.56", "\"window\" : 601", logistic,
        "heads[0]: the window must be within 0.01 to 600 s and the hop within 0.001 to 600 s"
      ),
      ("\"sampleRate\" : 25", "\"sampleRate\" : 0.01", logistic, "sampleRate: 0.01 Hz is not a sample rate"),
      (
        "\"features\" : \\[[^\\]]*\\]", "\"features\" : []", calibrated,
        "heads[0].features: 0 features, but a head has 1 to 4096"
      ),
      (
        "\"weights\" : \\[\\s*\\[", "\"weights\" : [[1],[", calibrated,
        "heads[0]: weights has 2 numbers; the model's shape needs 1"
      ),
      (
        "\"weights\" : \\[\\s*\\[", "\"weights\" : [[1, ", calibrated,
        "heads[0].classifier.weights[0]: has 2 numbers; the model's shape needs 1"
      ),
      ("\"intercepts\"", "\"others\"", calibrated, "heads[0].classifier: intercepts is missing"),
      ("\"leafValues\"", "\"others\"", TestModels.boosted, "heads[0].classifier: leafValues is missing"),
      ("\"roots\"", "\"others\"", TestModels.forest, "heads[0].classifier: roots is missing"),
      ("\"thresholds\"", "\"others\"", TestModels.tree, "heads[0].classifier: thresholds is missing"),
    ] as [(String, String, ActivityModel, String)] {
      #expect(try Self.read(find, replacement, in: model) == "m: \(says)\(end)", "\(find) → \(replacement)")
    }
    #expect(try Self.read("\"checksum\" : \"[^\"]*\",", "", in: logistic) == nil)
    #expect(try Self.read("\"version\" : 2", "\"version\" : 1", in: logistic) == nil)
  }

  @Test func `A file without its checksum or version, or with a broken number, is refused`() throws {
    let text = String(decoding: TestModels.tree.json(), as: UTF8.self)
    func error(_ find: String, _ replacement: String) throws -> String? {
      let changed = text.replacing(try Regex(find), with: replacement)
      try #require(changed != text)
      return Self.error { try ActivityModel(json: Data(changed.utf8), name: "m") }
    }
    let end = "; restore the file, or train the model again."
    #expect(try error("\"checksum\" : \"[^\"]*\",", "") == "m: checksum: the entry is missing\(end)")
    #expect(try error(",\\s*\"version\" : 2", "") == "m: version: the entry is missing\(end)")
    #expect(
      try error("\"version\" : 2", "\"version\" : 2.5")?.contains("not a whole number where one is needed") == true)
    #expect(try error("\"format\" : \"[^\"]*\",", "")?.contains("its \"format\" is not") == true)
    #expect(try error("^\\{", "x")?.contains("(not JSON: the first character is not {)") == true)
    #expect(ActivityModel.running.checksum == ActivityModelFile(.running).computedChecksum())
  }

  @Test func `A model is named by a built-in name or by the path of its file`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("running")
    try TestModels.tree.write(to: url)
    #expect(try ActivityModel(named: "running") == .running)
    #expect(try ActivityModel(named: url.path) == TestModels.tree)
    let error = #expect(throws: ModelError.self) { try ActivityModel(named: "/dev/null") }
    #expect(error == .cannotRead(file: "/dev/null", reason: "it is not a regular file"))
  }

  @Test func `A card's numbers have limits`() {
    let training = ModelCard.Training(
      method: "", source: "", sampleRates: [0.1, 100_000], recordings: 1_000_000_000_000, groups: 0, windows: ["a": 0])
    let validation = ModelCard.Validation(
      method: "", windows: 1_000_000_000_000, accuracy: 0, balancedAccuracy: 1, macroF1: 0, worstGroup: "",
      worstGroupAccuracy: 1)
    func problem(_ change: (inout ModelCard) -> Void = { _ in }) -> String? {
      var card = ModelCard(training: training, validation: validation)
      change(&card)
      return card.problem
    }
    let (counts, scores) = (
      "counts must be within 0 to 1000000000000", "the scores of validation must be within 0 to 1"
    )
    let rates = "training.sampleRates must be within 0.1 to 100000 Hz"
    #expect(problem() == nil)
    #expect(problem { $0.validation = nil } == nil)
    #expect(problem { $0.training.recordings += 1 } == counts)
    #expect(problem { $0.training.groups = -1 } == counts)
    #expect(problem { $0.validation?.windows = -1 } == counts)
    #expect(problem { $0.training.windows["b"] = -1 } == counts)
    #expect(problem { $0.training.sampleRates = [0.09] } == rates)
    #expect(problem { $0.training.sampleRates.append(100_001) } == rates)
    #expect(problem { $0.validation?.accuracy = -0.1 } == scores)
    #expect(problem { $0.validation?.macroF1 = 1.1 } == scores)
    #expect(problem { $0.validation?.balancedAccuracy = 1.1 } == scores)
    #expect(problem { $0.validation?.worstGroupAccuracy = .nan } == scores)
  }

  @Test func `Pause settings have these defaults, and are read as they were written`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(PauseSettings()), as: UTF8.self)
    #expect(
      text == #"{"evidenceWeight":0.5,"grace":5,"location":{"dwell":3,"largestAccuracy":20,"mayPause":false,"#
        + #""movingAbove":1,"runningAbove":2.2,"stillBelow":0.4},"meanStay":30,"mergeGap":3,"pauseAbove":0.97,"#
        + #""pauseDwell":0,"resumeBelow":0.02,"resumeDwell":0.2,"shortestSegment":1,"smallestRhythm":0.3}"#)
    var settings = PauseSettings()
    (settings.expectedDurationSeconds, settings.likelihoodExponent, settings.pauseAbove) = (1, 0.25, 0.75)
    (settings.resumeBelow, settings.pauseDwellSeconds, settings.resumeDwellSeconds) = (0.125, 2, 3)
    (settings.walkingResumeDwellSeconds, settings.findsQuietWalks, settings.shortestSegmentSeconds) = (4, false, 5)
    (settings.mergeGapSeconds, settings.graceSeconds, settings.smallestStepBandRatio) = (6, 7, 0.5)
    (settings.locationMayPause, settings.largestLocationAccuracy, settings.stillSpeed) = (true, 8, 9)
    (settings.movingSpeed, settings.runningSpeed, settings.locationDwellSeconds) = (10, 11, 12)
    let read = try JSONDecoder().decode(PauseSettings.self, from: encoder.encode(settings))
    #expect(read == settings)
    #expect(read != PauseSettings())
    #expect(try JSONDecoder().decode(PauseSettings.self, from: Data(text.utf8)) == PauseSettings())
    settings.walkingResumeDwellSeconds = 86_401
    #expect(settings.problem == "times must be within 0 to 86,400 s")
    settings = PauseSettings()
    (settings.resumeBelow, settings.pauseAbove) = (0.5, 0.5)
    #expect(settings.problem == nil)
    settings.resumeBelow = 0.51
    #expect(settings.problem == "resumeBelow and pauseAbove must be within 0 to 1, in this order")
  }
}
