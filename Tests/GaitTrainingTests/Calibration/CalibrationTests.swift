import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct CalibrationTests {
  /// Overconfident predictions of three labels, in four groups.
  private static let windows: ScoredWindows = {
    var generator = SeededGenerator(seed: 3)
    var (truths, values): ([Int], [Float]) = ([], [])
    for index in 0..<600 {
      let logits = (0..<3).map { 3 * generator.normal(mean: $0 == index % 3 ? 0.7 : 0) }
      let powers = logits.map { exponential($0) }
      truths.append(index % 3)
      values += powers.map { Float($0 / powers.reduce(0, +)) }
    }
    return ScoredWindows(
      labels: ["a", "b", "c"], truths: truths, probabilities: FeatureMatrix(columnCount: 3, values: values),
      windowGroups: (0..<600).map { "\($0 / 150)" })
  }()

  private static var folds: [ScoredWindows] {
    (0..<4).map { fold in windows.windows(at: (0..<600).filter { windows.groupIndices[$0] == fold }) }
  }

  @Test(arguments: [CalibrationMethod.temperature, .isotonic])
  func `Calibration improves overconfident probabilities, also for held-out groups`(
    method: CalibrationMethod
  ) throws {
    let before = ProbabilityReport(Self.windows)
    let after = ProbabilityReport(method.crossFitted(Self.folds))
    #expect(after.logLoss < before.logLoss)
    #expect(after.brier < before.brier)
    #expect(after.expectedCalibrationError < before.expectedCalibrationError / 2)
    #expect(CalibrationMethod.none.crossFitted(Self.folds) == ScoredWindows(joining: Self.folds))
  }

  @Test(arguments: [CalibrationMethod.temperature, .isotonic])
  func `Calibrated probabilities are probabilities`(method: CalibrationMethod) throws {
    let calibration = try #require(method.fit(Self.windows))
    let corners: [Float] = [1, 0, 0, 0, 0.5, 0.5, 1 / 3, 1 / 3, 1 / 3, 1e-30, 1, 0]
    let calibrated = calibration.apply(to: FeatureMatrix(columnCount: 3, values: corners))
    for row in 0..<4 {
      #expect(calibrated[row].allSatisfy { (0...1).contains($0) })
      #expect(abs(calibrated[row].reduce(0, +) - 1) < 1e-6)
    }
    let nothing = calibration.apply(to: FeatureMatrix(columnCount: 3, values: [.nan, .nan, .nan]))
    #expect(nothing.values.allSatisfy { $0.isNaN })
  }

  @Test func `A curve fitted to perfectly separated labels outputs neither 0 nor 1`() throws {
    // 50 windows of each label, all with a probability of 0.9 or more.
    let values = (0..<100).flatMap { index in
      let certain = 0.9 + 0.001 * Float(index)
      return index % 2 == 0 ? [certain, 1 - certain] : [1 - certain, certain]
    }
    let separate = ScoredWindows(
      labels: ["a", "b"], truths: (0..<100).map { $0 % 2 },
      probabilities: FeatureMatrix(columnCount: 2, values: values), windowGroups: (0..<100).map { "\($0 / 25)" })
    let calibration = try #require(CalibrationMethod.isotonic.fit(separate))
    guard case .isotonic(let curves) = calibration else { return }
    for curve in curves {
      #expect(curve.outputs.allSatisfy { $0 > 0 && $0 < 1 })
      // The fit adds one window of the label to the 50 without it, and the reverse.
      #expect(curve.value(at: 0) == Float(1) / 51)
      #expect(curve.value(at: 1) == Float(50) / 51)
    }
    // The log-loss of a confidently wrong window is bounded.
    let wrong = ScoredWindows(
      labels: ["a", "b"], truths: [0], probabilities: FeatureMatrix(columnCount: 2, values: [0, 1]),
      windowGroups: ["x"])
    let report = ProbabilityReport(wrong.calibrated(by: calibration))
    #expect(abs(report.logLoss - logarithm(51.0)) < 1e-4)
    #expect(report.impossibleWindows == 0)
  }

  @Test func `A temperature changes no label and divides a logistic regression's logits`() throws {
    let calibrated = Self.windows.calibrated(by: .temperature(2.5))
    for index in 0..<600 { #expect(calibrated.prediction(at: index) == Self.windows.prediction(at: index)) }
    var generator = SplitMix64(seed: 1)
    let weights = (0..<12).map { _ in Float.random(in: -2...2, using: &generator) }
    let model = { (scale: Float) throws in
      try LogisticRegression(
        weights: weights.map { $0 / scale }, intercepts: [0.3, -0.1, 0.2].map { $0 / scale }, featureCount: 4,
        labelCount: 3)
    }
    let matrix = FeatureMatrix(
      columnCount: 4, values: (0..<80).map { _ in Float.random(in: -2...2, using: &generator) })
    let direct = try model(2.5).probabilities(of: matrix)
    let later = Calibration.temperature(2.5).apply(to: try model(1).probabilities(of: matrix))
    for (one, two) in zip(direct.values, later.values) { #expect(abs(one - two) < 1e-6) }
  }

  @Test func `A rising curve is linear between its points and constant beyond`() throws {
    let curve = try RisingCurve(inputs: [0.2, 0.4, 0.8], outputs: [0.1, 0.1, 0.9])
    for (input, height) in [(0, 0.1), (0.2, 0.1), (0.3, 0.1), (0.4, 0.1), (0.6, 0.5), (0.8, 0.9), (1, 0.9)] {
      #expect(abs(curve.value(at: Float(input)) - Float(height)) < 1e-6)
    }
    #expect(try RisingCurve(inputs: [0.5], outputs: [0.3]).value(at: 0.9) == 0.3)
    for (inputs, outputs) in [
      ([], []), ([0.1], []), ([0.1, 0.1], [0, 1]), ([0.1, 0.2], [1, 0]), ([0, 1.1], [0, 1]), ([0, .nan], [0, 1]),
    ] as [([Float], [Float])] {
      #expect(throws: ModelError.self) { try RisingCurve(inputs: inputs, outputs: outputs) }
    }
  }

  @Test(arguments: [CalibrationMethod.temperature, .isotonic])
  func `A calibrated model gives the same probabilities in the pipeline, as a matrix, and from its file`(
    method: CalibrationMethod
  ) throws {
    var trainer = ActivityTrainer()
    trainer.calibration = method
    let dataset = MovingRecordings.dataset
    let validation = try trainer.crossValidated(on: dataset)
    let model = try trainer.fit(dataset, validatedBy: validation)
    let unvalidated = try trainer.fit(dataset)
    #expect(model.heads == unvalidated.heads)
    #expect(model.activityHead.calibration == method.fit(validation.uncalibrated))
    #expect(try ActivityModel(json: model.json(), name: "model") == model)
    let scored = try model.scored(on: dataset)
    let matrix = model.activityHead.probabilities(of: try trainer.windows(of: dataset).matrix)
    for (one, two) in zip(scored.probabilities.values, matrix.values) { #expect(abs(one - two) < 1e-5) }
    let plain = model.activityHead.calibrated(by: nil)
    #expect(plain.probabilities(of: try trainer.windows(of: dataset).matrix) != matrix)
  }

  @Test func `A calibration that does not match the model is an error`() throws {
    let model = try ActivityTrainer().fit(MovingRecordings.dataset)
    let curve = try RisingCurve(inputs: [0.5], outputs: [0.5])
    for wrong in [Calibration.temperature(0), .temperature(.infinity), .isotonic([curve, curve])] {
      #expect(throws: ModelError.self) {
        try ActivityModel(sampleRate: model.sampleRate, heads: [model.activityHead.calibrated(by: wrong)])
      }
    }
  }
}
