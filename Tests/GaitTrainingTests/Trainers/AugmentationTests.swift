import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

@Suite struct AugmentationTests {
  private let run = MovingRecordings.labeled(.running, subject: 1).recording

  private func augmentation(_ change: (inout Augmentation) -> Void) -> Augmentation {
    var augmentation = Augmentation()
    change(&augmentation)
    return augmentation
  }

  @Test func `Nothing is added by default, nor for a label without a speed`() {
    #expect(Augmentation().copy(of: run, label: "running", number: 0) == nil)
    let slow = augmentation { $0.speeds = ["running": 0.8...0.9] }
    #expect(slow.copy(of: run, label: "walking", number: 0) == nil)
  }

  @Test(arguments: [0.8...0.8, 1.2...1.2, 0.85...0.95])
  func `A copy has fewer or more steps a minute, and the same strength`(speeds: ClosedRange<Double>) throws {
    let augmentation = augmentation { $0.speeds = ["running": speeds] }
    let copy = try #require(augmentation.copy(of: run, label: "running", number: 3))
    #expect(copy.count == run.count)
    let speed = run.duration / copy.duration
    #expect(speed > speeds.lowerBound - 1e-3)
    #expect(speed < speeds.upperBound + 1e-3)
    let steps = try #require(run.stepFrequency())
    #expect(abs(try #require(copy.stepFrequency()) / (steps * speed) - 1) < 0.03)
    #expect(copy[.userAccelerationX] == run[.userAccelerationX])
    #expect(augmentation.copy(of: run, label: "running", number: 3)?.rows == copy.rows)
  }

  @Test func `A recording at the model's own rate is slowed too`() throws {
    let even = Recording(
      name: "25 Hz", sampleRate: .canonical, samples: run.samples(everyOther: run.sampleRate.hertz / 25))
    let slow = augmentation { $0.speeds = ["running": 0.8...0.8] }
    let copy = try #require(slow.copy(of: even, label: "running", number: 0))
    let lag = [Feature(.total, .autocorrelationLag(0.2...1.1))]
    func median(_ recording: Recording) throws -> Float {
      let values = try recording.features(lag, shape: WindowShape(), sampleRate: .canonical).values.values.sorted()
      return values[values.count / 2]
    }
    #expect(abs(try median(copy) / median(even) - 1.25) < 0.05)
  }

  @Test func `A share of the windows of copies is used, evenly spaced`() {
    #expect(Augmentation.windows(of: 12, share: 0.25) == [3, 7, 11])
    #expect(Augmentation.windows(of: 3, share: 1) == [0, 1, 2])
    #expect(Augmentation.windows(of: 1000, share: 0.15).count == 150)
  }

  @Test func `Rotation keeps gravity and attitude consistent and the default features unchanged`() throws {
    let turned = run.turned(number: 1)
    for index in stride(from: 0, to: run.count, by: 37) {
      let (gravity, attitude) = (turned[index].gravity, turned[index].attitude)
      let expected =
        Rotation.about(z: Double(attitude.z)) * .about(x: Double(attitude.y))
        * .about(y: Double(attitude.x))
      let difference = SIMD3<Double>(gravity) - expected.gravity
      #expect((difference * difference).sum() < 1e-4)
    }
    let shape = WindowShape()
    let before = try run.features(Feature.orientationFree, shape: shape, sampleRate: .canonical).values
    let after = try turned.features(Feature.orientationFree, shape: shape, sampleRate: .canonical).values
    #expect(before.rowCount > 10)
    for (one, two) in zip(before.values, after.values) { #expect(abs(one - two) < 2e-3) }
  }

  @Test func `Altered copies are trained on and never tested on`() throws {
    var trainer = ActivityTrainer()
    trainer.augmentation = augmentation { $0.speeds = ["running": 0.85...0.95] }
    let dataset = MovingRecordings.dataset
    let windows = try trainer.trainingWindows(of: dataset)
    #expect(windows.originalCount == (try trainer.windows(of: dataset)).count)
    let running = try trainer.windows(of: dataset).countByLabel["running"] ?? 0
    #expect(windows.count > windows.originalCount + running)
    let validation = try trainer.crossValidated(on: dataset)
    #expect(validation.report.windows == windows.originalCount)
    #expect(validation.windows != (try ActivityTrainer().crossValidated(on: dataset)).windows)
  }

  @Test func `A copy at a lower rate is trained on for labels and pauses, if the recording is faster`() throws {
    let slow = augmentation { $0.copyRate = .hertz(10) }
    let copy = try #require(slow.slowCopy(of: run))
    #expect(copy.sampleRate == .hertz(10))
    #expect(abs(copy.duration - run.duration) < 1, "\(copy.duration) of \(run.duration) s")
    #expect(augmentation { $0.copyRate = run.sampleRate }.slowCopy(of: run) == nil)
    let dataset = MovingRecordings.dataset
    var trainer = ActivityTrainer()
    trainer.features = Feature.linear
    let plain = try trainer.fit(dataset)
    trainer.augmentation = slow
    let windows = try trainer.trainingWindows(of: dataset)
    let share = Double(windows.count) / Double(windows.originalCount)
    #expect(share > 1.5)
    #expect(share <= 2)
    let model = try trainer.fit(dataset)
    #expect(model.activityHead != plain.activityHead)
    #expect(model.pauseHead != plain.pauseHead)
    #expect(model.card?.training.method.hasSuffix("copies at 10 Hz") == true)
    trainer.features = [Feature(.total, .bandPower(2...6))]
    #expect(
      throws: TrainingError.tooSlow(recording: "copies of the recordings", source: .hertz(10), slowest: .hertz(12))
    ) { try trainer.fit(dataset) }
  }

  @Test func `A copy with knocks has impacts and quick steps, and is otherwise the recording`() throws {
    let walk = MovingRecordings.labeled(.walking, subject: 1).recording
    #expect(Augmentation().knockedCopy(of: walk, label: "walking", number: 0) == nil)
    let knocks = augmentation { $0.knocks = ["walking": 1] }
    #expect(knocks.knockedCopy(of: walk, label: "still", number: 0) == nil)
    let copy = try #require(knocks.knockedCopy(of: walk, label: "walking", number: 3))
    #expect(copy.count == walk.count)
    #expect(copy.channels == walk.channels)
    #expect(copy.rows == knocks.knockedCopy(of: walk, label: "walking", number: 3)?.rows)
    #expect(copy.rows != knocks.knockedCopy(of: walk, label: "walking", number: 4)?.rows)
    let seeded = augmentation { ($0.knocks, $0.seed) = (["walking": 1], 1) }
    #expect(copy.rows != seeded.knockedCopy(of: walk, label: "walking", number: 3)?.rows)
    // Half of the knocks have quick steps, of 0.6 to 2 s, which become shorter.
    #expect(copy.duration < walk.duration, "\(copy.duration) s")
    #expect(copy.duration > 0.8 * walk.duration, "\(copy.duration) s")
    let changes = (0..<walk.count).map { index in
      let change = copy[index].userAcceleration - walk[index].userAcceleration
      return (change * change).sum().squareRoot()
    }
    let share = Double(changes.count { $0 == 0 }) / Double(walk.count)
    #expect(share > 0.5, "\(share)")
    #expect(share < 0.95, "\(share)")
    #expect((changes.max() ?? 0) > 1, "\(changes.max() ?? 0) g")
    #expect(copy[.gravityX] == walk[.gravityX])
  }

  @Test func `An impact is as strong as stated, dies away, and steps are quicker until the knock ends`() {
    var generator = SeededGenerator(seed: 7)
    var withSteps = 0
    for _ in 0..<400 {
      let knock = Knock(&generator)
      func strength(at time: Double) -> Double {
        let acceleration = SIMD3<Double>(knock.acceleration(at: time))
        return (acceleration * acceleration).sum().squareRoot()
      }
      #expect(strength(at: 0) > 0.499)
      #expect(strength(at: 0) < 4.001)
      #expect(strength(at: -0.001) == 0)
      #expect(strength(at: 0.4) == 0)
      #expect(knock.speed(at: -0.001) == 1)
      for time in [0.05, 0.1, 0.2] { #expect(strength(at: time) <= strength(at: 0) * exp(-3 * time / 0.4) + 1e-4) }
      #expect(knock.end >= 0.1)
      #expect(knock.end <= 2)
      #expect(knock.speed(at: knock.end) == 1)
      let speed = knock.speed(at: 0)
      #expect(speed == 1 || speed >= 1.2 && speed <= 1.8)
      if speed > 1 { withSteps += 1 }
    }
    #expect(withSteps > 150, "\(withSteps) of 400")
    #expect(withSteps < 250, "\(withSteps) of 400")
  }

  @Test func `A share of the windows with knocks trains the head for labels, not the one for pauses`() throws {
    let dataset = MovingRecordings.dataset
    var trainer = ActivityTrainer()
    let plain = try trainer.fit(dataset)
    let originals = try trainer.windows(of: dataset).countByLabel
    trainer.augmentation = augmentation { $0.knocks = ["walking": 0.5, "still": 0.25] }
    let windows = try trainer.trainingWindows(of: dataset)
    let (walking, still) = (Double(originals["walking"] ?? 0), Double(originals["still"] ?? 0))
    let added = Double(windows.count - windows.originalCount)
    #expect(added > 0.9 * (0.4 * walking + 0.25 * still))
    #expect(added <= 0.5 * walking + 0.25 * still)
    #expect(windows.countByLabel["running"] == originals["running"])
    let model = try trainer.fit(dataset)
    #expect(model.activityHead != plain.activityHead)
    #expect(model.pauseHead == plain.pauseHead)
    #expect(
      model.card?.training.method.hasSuffix(
        "copies of still with knocks, a share of 0.25, copies of walking with knocks, a share of 0.5")
        == true)
    trainer.augmentation.knocks = ["jogging": 0.5]
    #expect(throws: TrainingError.unknownLabel("jogging", found: dataset.labels)) { try trainer.fit(dataset) }
  }

  @Test func `A dataset with knocks differs in the labels that are named`() throws {
    let dataset = MovingRecordings.dataset
    let knocked = try dataset.knocked(labels: ["walking"], seed: 1)
    #expect(knocked.recordings.map(\.path) == dataset.recordings.map(\.path))
    for (one, other) in zip(dataset.recordings, knocked.recordings) {
      #expect((one.recording.rows == other.recording.rows) == (one.label != "walking"))
    }
    #expect(throws: TrainingError.unknownLabel("jogging", found: dataset.labels)) {
      try dataset.knocked(labels: ["jogging"], seed: 1)
    }
  }

  @Test(arguments: [
    ActivityTrainer.Method.logistic(LogisticTrainer()), .decisionTree(TreeTrainer()), .randomForest(ForestTrainer()),
    .boostedTrees(BoostedTreesTrainer()),
  ])
  func `A heavier label is found more often, and a misspelt one is an error`(_ method: ActivityTrainer.Method) throws {
    let dataset = MovingRecordings.dataset
    func running(_ weights: ActivityTrainer.LabelWeights) throws -> Int {
      var trainer = ActivityTrainer()
      trainer.method = method
      trainer.features = [Feature(.total, .spectralFlatness)]
      trainer.labelWeights = weights
      let windows = try trainer.crossValidated(on: dataset).windows
      return (0..<windows.count).count { windows.labels[windows.prediction(at: $0)] == "running" }
    }
    let equal = try running(.equal)
    #expect(try running(.named(["running": 20])) > equal)
    #expect(try running(.named(["running": 0.05])) < equal)
    #expect(try running(.named([:])) == equal)
    #expect(throws: TrainingError.unknownLabel("runing", found: dataset.labels)) { try running(.named(["runing": 2])) }
    var trainer = ActivityTrainer()
    trainer.augmentation.speeds = ["jogging": 0.9...0.9]
    #expect(throws: TrainingError.unknownLabel("jogging", found: dataset.labels)) { try trainer.fit(dataset) }
  }

  @Test func `A predictive feature is important, and noise is not`() throws {
    var generator = SplitMix64(seed: 2)
    let truths = (0..<400).map { $0 % 2 }
    let values = truths.flatMap { truth in
      [Float(truth) + Float.random(in: -0.8...0.8, using: &generator), Float.random(in: -1...1, using: &generator)]
    }
    let matrix = FeatureMatrix(columnCount: 2, values: values)
    let logistic = try LogisticTrainer().fit(matrix, labels: truths, labelCount: 2)
    let head = ActivityModel.Head(
      window: WindowShape(), features: Array(Feature.orientationFree.prefix(2)), scaling: nil,
      classifier: .logistic(logistic), labels: ["a", "b"])
    let importances = FeatureImportance.permuting(matrix, truths: truths, head: head)
    #expect(importances[0].lossIncrease > 0.3)
    #expect(abs(importances[1].lossIncrease) < 0.05)
    #expect(importances == FeatureImportance.permuting(matrix, truths: truths, head: head))
    let mean = FeatureImportance.mean([importances, [], importances])
    #expect(mean.map(\.windows) == [800, 800])
    #expect(abs(mean[0].lossIncrease - importances[0].lossIncrease) < 1e-12)
  }
}

extension Recording {
  /// Every `step`th sample.
  fileprivate func samples(everyOther step: Double) -> [MotionSample] {
    stride(from: 0, to: count, by: Int(saturating: step)).map { self[$0] }
  }
}
