import Foundation
import Gait
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// What training, validation, composed runs and the tuning of pauses give, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct TrainingAnswersTests {
  private static let methods: [(name: String, method: ActivityTrainer.Method)] = {
    var forest = ForestTrainer()
    (forest.treeCount, forest.maximumDepth, forest.featuresPerSplit) = (5, 6, .fraction(0.4))
    var boosted = BoostedTreesTrainer()
    (boosted.roundCount, boosted.maximumLeafCount, boosted.featureShare) = (6, 7, 0.5)
    var tree = TreeTrainer()
    (tree.maximumDepth, tree.minimumLeafSize) = (4, 3)
    return [
      ("logistic", .logistic(LogisticTrainer())), ("tree", .decisionTree(tree)), ("forest", .randomForest(forest)),
      ("boosted", .boostedTrees(boosted)),
    ]
  }()

  /// People, one of them with few recordings, one copied under another name.
  private static let dataset: LabeledDataset = {
    var recordings = (1...4).flatMap { subject in
      SimulatedActivity.allCases.dropLast(subject == 4 ? 1 : 0).map { activity in
        MovingRecordings.labeled(activity, subject: subject, seconds: 9 + Double(subject))
      }
    }
    let copied = recordings[0]
    recordings.append(
      LabeledRecording(
        recording: copied.recording[50..<copied.recording.count], label: copied.label, path: "copy/\(copied.path)",
        fields: ["subject": "5"]))
    return LabeledDataset(recordings)
  }()

  @Test
  func `Models of every kind learn and are validated as recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for (number, entry) in Self.methods.enumerated() {
      var trainer = ActivityTrainer()
      trainer.method = entry.method
      trainer.features = Array(trainer.features.prefix(24))
      trainer.calibration = number % 2 == 0 ? .temperature : .isotonic
      trainer.labelWeights = number < 2 ? .balanced : .named(["running": 2])
      trainer.rejectsUnknown = number == 0
      trainer.augmentation.speeds = ["running": 0.8...1.1]
      trainer.augmentation.share = number % 2 == 0 ? 0.5 : 0
      let measuring: Set<CrossValidation.Measurement> = number == 1 ? Set(CrossValidation.Measurement.allCases) : []
      let scheme: Folds.Scheme? = number == 2 ? .groups(folds: 2) : nil
      let validation = try trainer.crossValidated(on: Self.dataset, scheme: scheme, measuring: measuring)
      let model = try trainer.fit(Self.dataset, validatedBy: validation)
      var figures = RecordedAnswers.Figures()
      // Coefficients of logistic regression differ in their last digits between builds of the linear algebra.
      if number > 0 { figures.add("bytes", model.json().count) }
      try figures.add("report", json: validation.report)
      figures.add(
        "folds",
        validation.folds.folds.map { "\($0.name) \($0.test.count) \($0.training.count)" }.joined(separator: " "))
      figures.add("method", validation.method)
      figures.add("importances", validation.importances.map { "\($0)" }.joined(separator: ", "))
      figures.add("curve", validation.learningCurve.map { "\($0)" }.joined(separator: ", "))
      if let turned = validation.turned { try figures.add("turned", json: turned) }
      let classified = try model.classify(Self.dataset.recordings[1].recording)
      for (index, window) in classified.enumerated() {
        let probabilities = (0..<model.activityHead.labels.count).map { "\(window.probabilities[$0])" }
        figures.add("window \(index)", window.label + " " + probabilities.joined(separator: " "))
      }
      cases.append((entry.name, figures))
    }
    try RecordedAnswers("training_answers.tsv", tolerance: 1e-3).expect(cases)
  }

  @Test
  func `Composed runs, their pauses and the tuning of pauses are as recorded`() throws {
    var composer = RunComposer()
    (composer.hours, composer.fadeSeconds, composer.moving) = (0.2, 1, [.running, .walking])
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for seed in 1...2 {
      let runs = try composer.runs(from: Self.dataset, seed: UInt64(seed))
      let trial = try PauseTrial(.running, on: runs, policy: .whenStill)
      var figures = RecordedAnswers.Figures()
      figures.add("runs", runs.map { "\($0.recording.count)" }.joined(separator: " "))
      try figures.add("report", json: trial.report())
      for entry in trial.tradeOff(at: [0.6, 0.9]) { try figures.add("at \(entry.pauseAbove)", json: entry.report) }
      var tuner = PauseTuner()
      (tuner.pauseThresholds, tuner.resumeThresholds) = ([0.7, 0.99], [0.05, 0.4])
      (tuner.likelihoodExponents, tuner.resumeDwells) = ([0.2, 0.4], [0.2])
      for (index, candidate) in tuner.candidates(on: trial).enumerated() {
        figures.add(
          "candidate \(index)", "\(candidate.cost) \(candidate.settings.pauseAbove) \(candidate.settings.resumeBelow)")
        try figures.add("candidate \(index) report", json: candidate.report)
      }
      cases.append(("seed \(seed)", figures))
    }
    try RecordedAnswers("pause_answers.tsv").expect(cases)
  }

  @Test
  func `Copies and comparisons are found as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let duplicates = Self.dataset.duplicates
    figures.add("copies", "\(duplicates.copies)")
    try figures.add("overlaps", json: duplicates.overlaps)
    let models = try Self.methods.suffix(2).map { entry in
      var trainer = ActivityTrainer()
      trainer.method = entry.method
      trainer.features = Array(trainer.features.prefix(6))
      return (name: entry.name, windows: try trainer.crossValidated(on: Self.dataset).windows)
    }
    let comparison = try ModelComparison(models, draws: 300)
    try figures.add("entries", json: comparison.entries, wholly: true)
    try figures.add("differences", json: comparison.differences)
    figures.add("text", comparison.description.replacing("\n", with: " "))
    try RecordedAnswers("comparison_answers.tsv").expect([("two models", figures)])
  }
}
