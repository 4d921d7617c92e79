import Gait
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitTraining

@Suite(.requiresOptimization) struct ModelAdapterTests {
  /// A model of others, and the recordings of a person who walks as they run.
  private static func people() throws -> (base: ActivityModel, own: LabeledDataset) {
    let base = try ActivityTrainer().fit(MovingRecordings.dataset)
    let own = [("walking", 4), ("walking", 5), ("still", 4), ("still", 5)].map { label, subject in
      let activity: SimulatedActivity = label == "walking" ? .running : .still
      return LabeledRecording(
        recording: MovingRecordings.labeled(activity, subject: subject, seconds: 30).recording, label: label,
        path: "\(label)/\(subject)", fields: ["subject": "me"])
    }
    return (base, LabeledDataset(own, name: "own"))
  }

  private static func logistic(_ model: ActivityModel) throws -> LogisticRegression {
    guard case .logistic(let logistic) = model.activityHead.classifier else { throw FittingError.noRows }
    return logistic
  }

  @Test func `Adapted coefficients minimise the log-loss plus the distance to the prior`() throws {
    let matrix = FeatureMatrix(columnCount: 2, values: [1, 0, 0.5, 1, -1, 0.5, -0.5, -1, 0, 0.25, 1, 1])
    let labels = [0, 1, 2, 2, 1, 0]
    let base = try LogisticRegression(
      weights: [1, 0, 0, 1, -1, -1], intercepts: [0.5, 0, -0.5], featureCount: 2, labelCount: 3)
    let fitted = try LogisticTrainer().adapt(base, to: matrix, labels: labels, strength: 2)
    func objective(_ weights: [Float], _ intercepts: [Float]) throws -> Double {
      let model = try LogisticRegression(weights: weights, intercepts: intercepts, featureCount: 2, labelCount: 3)
      let probabilities = model.probabilities(of: matrix)
      var loss = 0.0
      for (row, label) in labels.enumerated() { loss -= logarithm(Double(probabilities.values[row * 3 + label])) }
      let (after, before) = (weights + intercepts, base.weights + base.intercepts)
      let moves: [Double] = after.indices.map { Double(after[$0]) - Double(before[$0]) }
      return loss + moves.reduce(0) { $0 + $1 * $1 }
    }
    let best = try objective(fitted.weights, fitted.intercepts)
    #expect(try best < objective(base.weights, base.intercepts))
    for index in 0..<9 {
      for step: Float in [-0.02, 0.02] {
        var (weights, intercepts) = (fitted.weights, fitted.intercepts)
        if index < 6 { weights[index] += step } else { intercepts[index - 6] += step }
        #expect(try objective(weights, intercepts) > best, "coefficient \(index) by \(step)")
      }
    }
  }

  @Test func `A strong prior keeps the model, a weak one follows the recordings`() throws {
    let (base, own) = try Self.people()
    var adapter = ModelAdapter()
    adapter.strength = 1e9
    let kept = try Self.logistic(try adapter.adapted(base, to: own))
    for (before, after) in zip(try Self.logistic(base).weights, kept.weights) { #expect(abs(before - after) < 1e-4) }
    adapter.strength = 1
    let adapted = try adapter.adapted(base, to: own)
    #expect(try adapted.evaluated(on: own).accuracy > 0.95)
    #expect(try base.evaluated(on: own).accuracy < 0.7)
  }

  @Test func `A label without recordings keeps its weights, and all else of the model stays`() throws {
    let (base, own) = try Self.people()
    let adapted = try ModelAdapter().adapted(base, to: own)
    let (before, after) = (try Self.logistic(base), try Self.logistic(adapted))
    let running = try #require(base.activityHead.labels.firstIndex(of: "running"))
    let row = running * before.featureCount..<(running + 1) * before.featureCount
    #expect(before.weights[row] == after.weights[row])
    #expect(before.intercepts[running] == after.intercepts[running])
    #expect(before != after)
    #expect(adapted.pauseHead == base.pauseHead)
    #expect(adapted.pauses == base.pauses)
    #expect(adapted.activityHead.scaling == base.activityHead.scaling)
    #expect(adapted.activityHead.features == base.activityHead.features)
    #expect(adapted.card?.training.recordings == 4)
    #expect(try ModelAdapter().adapted(base, to: own) == adapted)
  }

  @Test func `Gain is measured on recordings that the model was not adapted to, and harm on other people`() throws {
    let (base, own) = try Self.people()
    var adapter = ModelAdapter()
    adapter.strength = 1
    let others = LabeledDataset([MovingRecordings.labeled(.running, subject: 8, seconds: 20)], name: "others")
    let adaptation = try adapter.validated(base, on: own, others: others)
    #expect(!adaptation.isValidatedByTime)
    let gain = adaptation.gain.entries.map(\.report.accuracy)
    #expect(gain[1] > gain[0] + 0.2, "\(gain)")
    let harm = try #require(adaptation.harm).entries.map(\.report.accuracy)
    #expect(harm[1] < harm[0], "running became walking for everyone: \(harm)")
    let single = LabeledDataset(own.recordings.filter { $0.path.hasSuffix("4") }, name: "single")
    #expect(try adapter.validated(base, on: single).isValidatedByTime)
  }

  /// Ten windows of one recording, some of them predicted correctly.
  private static func windows(right: Int) -> ScoredWindows {
    ScoredWindows(
      labels: ["a", "b"], truths: Array(repeating: 0, count: 10),
      probabilities: FeatureMatrix(columnCount: 2, values: (0..<10).flatMap { $0 < right ? [0.9, 0.1] : [0.1, 0.9] }),
      windowGroups: Array(repeating: "me", count: 10))
  }

  @Test func `A model that is worse on own recordings after adapting has a warning with both figures`() throws {
    func warnings(before: Int, after: Int, byTime: Bool) throws -> [String] {
      let gain = try ModelComparison([
        ("before", Self.windows(right: before)), ("adapted", Self.windows(right: after)),
      ])
      return Adaptation(model: .running, isValidatedByTime: byTime, gain: gain, harm: nil).warnings
    }
    #expect(try warnings(before: 8, after: 8, byTime: false).isEmpty)
    #expect(try warnings(before: 8, after: 9, byTime: false).isEmpty)
    #expect(
      try warnings(before: 9, after: 8, byTime: false) == [
        "the adapted model is less accurate on other recordings, 80.00 % instead of 90.00 %; keep the model that you "
          + "started from, or adapt it to more minutes"
      ])
    #expect(try warnings(before: 9, after: 8, byTime: true)[0].contains("on the other half of each recording, 80.00 %"))
  }

  @Test func `Trees and unknown labels are refused`() throws {
    let (base, own) = try Self.people()
    var trainer = ActivityTrainer()
    trainer.method = .decisionTree(TreeTrainer())
    let tree = try trainer.fit(MovingRecordings.dataset)
    let error = try #require(throws: TrainingError.self) { try ModelAdapter().adapted(tree, to: own) }
    #expect(error.description.contains("only a logistic regression"))
    var foreign = own.recordings
    for index in foreign.indices where foreign[index].label == "still" { foreign[index].label = "sit" }
    let unknown = try #require(throws: TrainingError.self) {
      try ModelAdapter().adapted(base, to: LabeledDataset(foreign))
    }
    #expect(unknown.description.contains("\"sit\""))
  }

  @Test func `Own recordings are split from those of other people`() throws {
    let dataset = MovingRecordings.dataset
    let (own, others) = try dataset.split(by: [RecordingFilter("subject=2")])
    #expect(own.groups == ["2"])
    #expect(others?.groups == ["1", "3"])
    #expect(try dataset.split(by: []).others == nil)
  }

  @Test(arguments: [
    (["subject=9"], "no recording passes subject=9; the recordings have subject=1, subject=2, subject=3"),
    (["subject=2,9"], "no recording passes subject=9; the recordings have subject=1, subject=2, subject=3"),
    (["person=2"], "no recording passes person=2; the recordings have "),
    (["subject=2", "label=jumping"], "no recording passes label=jumping; the recordings have "),
  ])
  func `A person who does not exist is refused by name`(filters: [String], sentence: String) throws {
    let error = try #require(throws: TrainingError.self) {
      try MovingRecordings.dataset.split(by: filters.map { try RecordingFilter($0) })
    }
    #expect(error.description.contains(sentence))
  }
}
