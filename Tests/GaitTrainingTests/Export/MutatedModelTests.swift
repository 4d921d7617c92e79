import Foundation
import GaitTestSupport
import Testing

@testable import Gait
@testable import GaitFormats
@testable import GaitLab
@testable import GaitTraining

/// Mutated model files with a valid checksum: reading, classifying, tracking and exporting.
@Suite struct MutatedModelTests {
  /// The number of mutations of each of ten files; 50,000 in all in release builds.
  private static let mutantsPerFile: Int = {
    #if DEBUG
      200
    #else
      5000
    #endif
  }()

  /// Files of every kind of classifier and calibration, of one head and of two, and of version 1.
  private static let files: [String] = {
    do {
      let rise = try RisingCurve(inputs: [0, 0.5, 1], outputs: [0, 0.25, 1])
      var version1 = MutableJSON(text(try model(.logistic(logistic(labels: 2)), labels: 2)))
      version1.set("version", to: .word("1"))
      let forest = try RandomForest(
        nodes: trees(), leafProbabilities: [0.1, 0.9, 0.75, 0.25, 0.2, 0.8, 1, 0], labelCount: 2)
      let boosted = try BoostedTrees(
        nodes: trees(), leafValues: [-1, 0.5, -0.25, 0.125], baseScores: [0.1], labelCount: 2)
      let tree = try DecisionTree(
        nodes: FlatTree(
          features: [0, -1, -1], thresholds: [0.4, 0, 0], leftChildren: [1, -1, -1], rightChildren: [2, -1, -1],
          featureCount: 3),
        leafProbabilities: [0.1, 0.9, 0.75, 0.25], labelCount: 2)
      let scaling = try Scaling(mean: [0.1, 7, 0], standardDeviation: [1, 2, 0.5])
      return [
        text(try model(.logistic(logistic(labels: 3)), labels: 3, scaling: scaling, heads: 2)),
        text(try model(.logistic(logistic(labels: 3)), labels: 3, scaling: scaling, calibration: .temperature(1.5))),
        text(try model(.logistic(logistic(labels: 2)), labels: 2, calibration: .isotonic([rise, rise]), heads: 2)),
        text(try model(.decisionTree(tree), labels: 2, heads: 2)),
        text(try model(.decisionTree(tree), labels: 2, calibration: .temperature(2))),
        text(try model(.randomForest(forest), labels: 2)),
        text(try model(.randomForest(forest), labels: 2, calibration: .isotonic([rise, rise]))),
        text(try model(.boostedTrees(boosted), labels: 2, heads: 2)),
        text(try model(.boostedTrees(boosted), labels: 2, calibration: .temperature(0.5))),
        version1.json,
      ]
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private static func text(_ model: ActivityModel) -> String { String(decoding: model.json(), as: UTF8.self) }

  private static func logistic(labels: Int) throws -> LogisticRegression {
    let outputs = labels == 2 ? 1 : labels
    return try LogisticRegression(
      weights: (0..<3 * outputs).map { Float($0) - 3 }, intercepts: (0..<outputs).map { Float($0) / 2 },
      featureCount: 3,
      labelCount: labels)
  }

  private static func trees() throws -> FlatTree {
    try FlatTree(
      features: [0, -1, -1, 1, -1, -1], thresholds: [0.4, 0, 0, 0.3, 0, 0], leftChildren: [1, -1, -1, 4, -1, -1],
      rightChildren: [2, -1, -1, 5, -1, -1], roots: [0, 3], featureCount: 3)
  }

  private static func model(
    _ classifier: Classifier, labels: Int, scaling: Scaling? = nil, calibration: Calibration? = nil, heads: Int = 1
  ) throws -> ActivityModel {
    let parts = [WindowShape(), WindowShape(seconds: 1, hopSeconds: 0.2)].prefix(heads).map { window in
      ActivityModel.Head(
        window: window,
        features: [
          Feature(.vertical, .rms, .log(offset: 0.01)), Feature(.vertical, .meanCrossingRate),
          Feature(.total, .bandRMS(1.2...2.2)),
        ],
        scaling: scaling, classifier: classifier, calibration: calibration,
        labels: Array(["running", "still", "walking"].prefix(labels)))
    }
    let card = ModelCard(
      training: .init(
        method: "by hand", source: "none", sampleRates: [50], recordings: 2, groups: 1, windows: ["running": 3],
        fingerprints: "0123456789abcdef"),
      validation: .init(
        method: "none", windows: 3, accuracy: 0.5, balancedAccuracy: 0.5, macroF1: 0.5, worstGroup: "a",
        worstGroupAccuracy: 0))
    return try ActivityModel(heads: Array(parts), pauses: heads == 2 ? PauseSettings() : nil, card: card)
  }

  /// Eight seconds of motion, with absurdly large values in the last three.
  private static let samples: [MotionSample] = (0..<200).map { index in
    let size: Float = index < 125 ? 1 : [1, 1e6, 1e15, 1e30, 3e38][index % 5]
    return MotionSample(
      time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(Float(index % 3), 0, 0),
      userAcceleration: SIMD3(0, 0.1, Float(index % 7) / 7 * size))
  }

  @Test(.requiresOptimization, arguments: files.indices)
  func `No file with a valid checksum traps, gives an invalid probability, or is called not JSON`(file: Int) throws {
    let original = MutableJSON(Self.files[file])
    var random = SplitMix64(seed: UInt64(file) + 1)
    var loadedCount = 0
    for number in 0..<Self.mutantsPerFile {
      var json = original
      for _ in 0..<Int.random(in: 1...2, using: &random) { json = json.mutated(&random) }
      if let file = try? JSONDecoder().decode(ActivityModelFile.self, from: Data(json.json.utf8)) {
        let checksum = file.computedChecksum()
        json.set("checksum", to: .text(checksum))
      }
      guard let model = Self.read(json.json, number) else { continue }
      loadedCount += 1
      try #require(Self.problem(of: model) == nil, "mutant \(number): \(json.json.prefix(3000))")
    }
    #expect(loadedCount > Self.mutantsPerFile / 10, "only \(loadedCount) were read")
  }

  /// The model of a file; `nil` if reading fails with a valid one-line error.
  private static func read(_ json: String, _ number: Int) -> ActivityModel? {
    do throws(ModelError) {
      return try ActivityModel(json: Data(json.utf8), name: "model.json")
    } catch {
      switch error {
      case .notJSON, .truncated, .cannotRead: Issue.record("mutant \(number): \(error)")
      default:
        let text = error.description
        #expect(!text.utf8.contains { $0 < 0x20 }, "mutant \(number)")
        #expect(!text.contains("match its checksum"), "mutant \(number)")
      }
      return nil
    }
  }

  /// An inconsistency in a model's output, or `nil`.
  private static func problem(of model: ActivityModel) -> String? {
    let recording = Recording(name: "any", sampleRate: .hertz(25), samples: samples)
    for window in (try? model.classify(recording, allowsSlowSource: true)) ?? [] {
      let probabilities = window.probabilities.labels.indices.map { window.probabilities[$0] }
      guard probabilities.allSatisfy({ 0...1 ~= $0 }), abs(probabilities.reduce(0, +) - 1) < 1e-3 else {
        return "window at \(window.start.seconds) s: \(probabilities)"
      }
    }
    if var tracker = try? RunTracker(model: model, sampleRate: .hertz(25), allowsSlowSource: true) {
      for sample in samples { _ = tracker.append(sample) }
      guard tracker.stoppingProbability >= 0, tracker.finish().movingSeconds.isFinite else {
        return "probability or run"
      }
    }
    guard let export = try? ModelExport(model, as: .swift, name: "mutant", notice: "a\r\nb") else { return "no source" }
    return isSafe(String(decoding: export.bytes, as: UTF8.self)) ? nil : "source"
  }

  /// Whether every line of a source is a comment, the declaration, or a line of the literal.
  private static func isSafe(_ source: String) -> Bool {
    source.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      let line = String(decoding: line, as: UTF8.self)
      return line.hasPrefix("//") || line.hasPrefix("  ///") || line.hasPrefix("      ")
        || ["import Gait", "extension ActivityModel {", "}"].contains(line)
        || line == "  public static let mutant = ActivityModel(" || line.hasPrefix("    embedded: #")
    } && !source.unicodeScalars.contains { $0 == "\r" || $0 == "\u{2028}" || $0 == "\u{85}" }
  }
}
