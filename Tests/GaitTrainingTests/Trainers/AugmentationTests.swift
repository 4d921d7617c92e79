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

  @Test func `Nothing is added by default`() {
    #expect(Augmentation().isEmpty && Augmentation().copies(of: run, number: 0).isEmpty)
  }

  @Test func `Slower rates, other speeds, clipping and rotation add a copy each`() throws {
    let all = augmentation {
      $0.sampleRates = [.hertz(10), .hertz(25), .hertz(50), .hertz(100)]
      $0.timeScaling = 0.1
      $0.clipping = 2
      $0.turnsWearing = true
    }
    let copies = all.copies(of: run, number: 3)
    #expect(copies.map(\.sampleRate.hertz) == [10, 25, 50, 50, 50])
    #expect(copies[2].count == run.count)
    let stretch = copies[2].duration / run.duration
    #expect((0.9...1.1).contains(stretch) && abs(stretch - 1) > 0.001)
    let steps = try #require(run.stepFrequency())
    #expect(abs(try #require(copies[2].stepFrequency()) * stretch / steps - 1) < 0.03)
    let loudest = (0..<run.count).map { index in
      let total = copies[3][index].gravity + copies[3][index].userAcceleration
      return max(total.max(), -total.min())
    }.max()!
    #expect(loudest <= 2.00001 && loudest > 1.99)
    #expect(all.copies(of: run, number: 3).map(\.rows) == copies.map(\.rows))
    #expect(all.copies(of: run, number: 4)[4].rows != copies[4].rows)
  }

  @Test func `Rotation keeps gravity and attitude consistent and the default features unchanged`() throws {
    let turned = augmentation { $0.turnsWearing = true }.copies(of: run, number: 1)[0]
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
    trainer.augmentation = augmentation { $0.timeScaling = 0.1 }
    let dataset = MovingRecordings.dataset
    let windows = try trainer.trainingWindows(of: dataset)
    #expect(windows.originalCount == (try trainer.windows(of: dataset)).count)
    #expect(windows.count > windows.originalCount * 3 / 2)
    let validation = try trainer.crossValidated(on: dataset)
    #expect(validation.report.windows == windows.originalCount)
    #expect(validation.windows != (try ActivityTrainer().crossValidated(on: dataset)).windows)
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
    #expect(importances[0].lossIncrease > 0.3 && abs(importances[1].lossIncrease) < 0.05)
    #expect(importances == FeatureImportance.permuting(matrix, truths: truths, head: head))
    let mean = FeatureImportance.mean([importances, [], importances])
    #expect(mean.map(\.windows) == [800, 800])
    #expect(abs(mean[0].lossIncrease - importances[0].lossIncrease) < 1e-12)
  }
}
