import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite struct ActivityTrainerTests {
  private static let methods: [ActivityTrainer.Method] = {
    var (forest, boosted) = (ForestTrainer(), BoostedTreesTrainer())
    forest.treeCount = 20
    boosted.roundCount = 20
    return [
      .logistic(LogisticTrainer()), .decisionTree(TreeTrainer()), .randomForest(forest), .boostedTrees(boosted),
    ]
  }()

  @Test(arguments: methods)
  func `A fitted model has a card and an input contract`(_ method: ActivityTrainer.Method) throws {
    var trainer = ActivityTrainer()
    trainer.method = method
    let model = try trainer.fit(MovingRecordings.dataset)
    #expect(model.sampleRate == .canonical)
    #expect(model.activityHead.window == WindowShape())
    #expect(model.activityHead.features == Feature.orientationFree)
    #expect(model.activityHead.labels == ["running", "still", "walking"])
    let training = try #require(model.card?.training)
    #expect(training.source == "three people")
    #expect(training.recordings == 9)
    #expect(training.groups == 3)
    #expect(training.sampleRates == [50])
    #expect(training.method == method.description)
    #expect(training.windows == (try trainer.windows(of: MovingRecordings.dataset).countByLabel))
    #expect(model.card?.validation == nil)
    #expect(try model.evaluated(on: MovingRecordings.dataset).accuracy > 0.97)
  }

  @Test(.requiresOptimization, arguments: methods, [CalibrationMethod.none, .isotonic])
  func `The same data give the same file, on one thread and on all cores`(
    _ method: ActivityTrainer.Method, calibration: CalibrationMethod
  ) throws {
    var trainer = ActivityTrainer()
    trainer.method = method
    trainer.calibration = calibration
    let file = try trainer.fit(MovingRecordings.dataset).json()
    #expect(try trainer.fit(MovingRecordings.dataset).json() == file)
    let alone = try Parallel.$isSerial.withValue(true) { try trainer.fit(MovingRecordings.dataset).json() }
    #expect(alone == file)
  }

  @Test func `The score of a cross-validation goes on the card`() throws {
    let validation = try ActivityTrainer().crossValidated(on: MovingRecordings.dataset)
    let model = try ActivityTrainer().fit(MovingRecordings.dataset, validatedBy: validation)
    #expect(model.card?.validation == validation.summary)
    #expect(model.heads == (try ActivityTrainer().fit(MovingRecordings.dataset).heads))
  }

  @Test func `A model with the pauses of another one decides pauses as that one does, and activities as before`() throws
  {
    var trainer = ActivityTrainer()
    trainer.pauseWindow = WindowShape(seconds: 1.5, hopSeconds: 0.5)
    let own = try trainer.fit(MovingRecordings.dataset)
    let model = try own.with(pausesOf: .running)
    #expect(model.pauseHead == ActivityModel.running.pauseHead)
    #expect(model.pauses == ActivityModel.running.pauses)
    #expect(model.activityHead == own.activityHead)
    #expect(model.pauseHead != own.pauseHead)
    trainer.sampleRate = .hertz(40)
    let faster = try trainer.fit(MovingRecordings.dataset)
    #expect(throws: ModelError.self) { try faster.with(pausesOf: .running) }
  }

  @Test func `Settings reach the model`() throws {
    var trainer = ActivityTrainer()
    trainer.sampleRate = .hertz(20)
    trainer.window = WindowShape(seconds: 2, hopSeconds: 1)
    trainer.features = [Feature(.vertical, .rms), Feature(.total, .maximum)]
    let model = try trainer.fit(MovingRecordings.dataset)
    #expect(model.sampleRate == .hertz(20))
    #expect(model.activityHead.window == WindowShape(seconds: 2, hopSeconds: 1))
    #expect(model.activityHead.features == trainer.features)
  }
}
