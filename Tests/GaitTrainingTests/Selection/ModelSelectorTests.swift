import Gait
import GaitTestSupport
import Synchronization
import Testing

@testable import GaitLab
@testable import GaitTraining

@Suite struct ModelSelectorTests {
  /// Six people with all activities.
  private static let dataset = LabeledDataset(
    (1...6).flatMap { subject in SimulatedActivity.allCases.map { MovingRecordings.labeled($0, subject: subject) } })

  private var selector: ModelSelector {
    var selector = ModelSelector()
    selector.foldCount = 3
    return selector
  }

  @Test func `The best features are found one at a time`() throws {
    let candidates = Feature.orientationFree + [Feature(.channel(.gravityX), .mean)]
    let done = Mutex(0)
    let selection = try selector.select(from: .features(candidates, count: 2), on: Self.dataset) {
      done.withLock { $0 += 1 }
    }
    #expect(done.withLock { $0 } == 4)
    #expect(selection.trainer.features.count == 2)
    #expect(selection.choices.count == 3)
    #expect(selection.steps.map(\.name) == selection.trainer.features.map(\.description))
    // The reference: the first feature is the best single one.
    let losses = try candidates.map { feature in
      var trainer = ActivityTrainer()
      trainer.features = [feature]
      let validation = try trainer.crossValidated(on: Self.dataset, scheme: .groups(folds: 3))
      return ProbabilityReport(validation.windows).logLoss
    }
    let best = losses.indices.min { losses[$0] < losses[$1] }!
    #expect(selection.trainer.features[0] == candidates[best])
    #expect(abs(selection.steps[0].logLoss - losses[best]) < 1e-9)
  }

  @Test(.requiresOptimization) func `The reported score is of groups held out from the choice`() throws {
    let trainers = [1e-5, 1e-2, 10].map { penalty in
      var (trainer, logistic) = (ActivityTrainer(), LogisticTrainer())
      logistic.penalty = penalty
      trainer.method = .logistic(logistic)
      return trainer
    }
    let selection = try selector.select(from: .trainers(trainers), on: Self.dataset)
    #expect(selection.steps.count == 3)
    #expect(selection.steps.count { $0.isChosen } == 1)
    #expect(selection.steps.first { $0.isChosen }?.logLoss == selection.steps.map(\.logLoss).min())
    #expect(trainers.contains(selection.trainer))
    // The reference for the first fold: choose on the others, fit, and score.
    let fold = try Folds(of: Self.dataset, scheme: .groups(folds: 3)).folds[0]
    let others = LabeledDataset(fold.training.map { Self.dataset.recordings[$0] })
    let inner = try trainers.map {
      ProbabilityReport(try $0.crossValidated(on: others, scheme: .groups(folds: 3)).windows).logLoss
    }
    let chosen = trainers[inner.indices.min { inner[$0] < inner[$1] }!]
    #expect(selection.choices[0] == chosen.settings)
    let model = try chosen.fit(others)
    let held = LabeledDataset(fold.test.map { Self.dataset.recordings[$0] })
    let expected = try model.scored(on: held).report()
    for group in expected.groups { #expect(selection.nested.report.groups.contains(group)) }
    #expect(selection.nested.report.windows == (try trainers[0].windows(of: Self.dataset)).count)
  }

  @Test(.requiresOptimization, arguments: [CalibrationMethod.temperature, .isotonic])
  func `A selection among calibrated models has the score of calibrated models`(
    method: CalibrationMethod
  ) throws {
    var trainer = ActivityTrainer()
    trainer.calibration = method
    let nested = try selector.select(from: .trainers([trainer]), on: Self.dataset).nested
    // The reference: fit and calibrate on the others, and score.
    let parts = try Folds(of: Self.dataset, scheme: .groups(folds: 3)).folds.map { fold in
      let model = try trainer.fit(LabeledDataset(fold.training.map { Self.dataset.recordings[$0] }))
      return try model.scored(on: LabeledDataset(fold.test.map { Self.dataset.recordings[$0] }))
    }
    let expected = ScoredWindows(joining: parts)
    #expect(nested.report == (try expected.report()))
    #expect(nested.summary.accuracy == (try expected.report()).accuracy)
    let logLoss = ProbabilityReport(nested.windows).logLoss
    #expect(abs(logLoss - ProbabilityReport(expected).logLoss) < 1e-4)
    #expect(abs(logLoss - ProbabilityReport(nested.uncalibrated).logLoss) > 1e-4)
  }

  @Test func `Trainers may have different windows`() throws {
    let trainers = [1.28, 2.56].map { seconds in
      var trainer = ActivityTrainer()
      trainer.window = WindowShape(seconds: seconds, hopSeconds: seconds / 4)
      return trainer
    }
    let selection = try selector.select(from: .trainers(trainers), on: Self.dataset)
    #expect(selection.steps.map(\.name).contains { $0.contains("windows of 1.28 s") })
    let model = try selection.trainer.fit(Self.dataset, scoredAs: selection.nested)
    #expect(model.card?.validation?.method == "nested cross-validation over 3 folds of whole subjects")
  }

  @Test func `Thinned, restricted and narrowed windows stay consistent`() throws {
    let windows = try ActivityTrainer().windows(of: Self.dataset)
    let thinned = windows.thinned(to: 50)
    #expect((25...50).contains(thinned.count))
    #expect(thinned.originalCount == thinned.count)
    let restricted = windows.restricted(to: [2, 5])
    #expect(Set(restricted.recordingIndices) == [0, 1])
    #expect(restricted.count == windows.recordingIndices.count { $0 == 2 || $0 == 5 })
    let narrow = restricted.columns([6, 0])
    let first = windows.recordingIndices.firstIndex(of: 2)!
    #expect(Array(narrow.matrix[0]) == [windows.matrix[first][first * 7 + 6], windows.matrix[first][first * 7]])
  }
}
