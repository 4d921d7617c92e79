import GaitTestSupport
import Testing

@testable import Gait

@Suite struct RunningModelTests {
  @Test func `The built-in models need no file and have model cards`() throws {
    let labels = ["running", "still", "walking"]
    // Jumping and hopping, which only `running` has a label for, are hard to tell from running.
    for (model, source, features, labels, least) in [
      (ActivityModel.running, "places", Feature.running, ["other"] + labels, 0.955),
      (.runningLinear, "places", Feature.linear, labels, 0.965),
      (.runningPocket, "motionsense + boostrunclub", Feature.orientationFree, labels, 0.965),
    ] {
      #expect(model.activityHead.labels == labels, "\(source)")
      #expect(model.activityHead.features == features, "\(source)")
      let card = try #require(model.card)
      #expect(card.training.source == source)
      #expect(try #require(card.validation).accuracy > least, "\(source)")
      #expect(try ActivityModel(json: model.json(), name: "running") == model)
    }
  }

  @Test func `The wrist's model knows that moving hands are a pause`() throws {
    let model = ActivityModel.runningWrist
    #expect(model.activityHead.labels == ["hands", "running", "still", "walking"])
    #expect(model.activity(of: "hands") == .still)
    #expect(model.pauses?.findsQuietWalks == false)
    #expect(model.pauses?.walkingResumeDwellSeconds == 2)
    #expect(model.heads.count == 2)
    #expect(model.fileVersion == 6)
    #expect(model.card?.training.source == "wrist-pauses")
    #expect(try ActivityModel(json: model.json(), name: "wrist") == model)
  }

  @Test func `The models for pockets and for all places decide pauses alike`() {
    let (running, pocket) = (ActivityModel.running, ActivityModel.runningPocket)
    #expect(running.pauseHead == pocket.pauseHead)
    #expect(running.pauses == pocket.pauses)
    #expect(running.heads.count == 2)
    #expect(running.pauseHead.window == WindowShape(seconds: 1, hopSeconds: 0.2))
  }

  @Test func `No built-in model needs more than gravity and user acceleration, or more than 10 Hz`() throws {
    for model in [ActivityModel.running, .runningLinear, .runningPocket, .runningWrist] {
      #expect(model.neededSensors.isSubset(of: [.gravity, .userAcceleration]))
      #expect(model.acceptsEstimatedGravity)
      #expect((model.slowestSource?.hertz ?? 0) <= 10)
    }
  }

  @Test func `The linear model needs user acceleration alone, in both heads`() {
    #expect(ActivityModel.runningLinear.neededSensors == [.userAcceleration])
    #expect(ActivityModel.runningLinear.heads.count == 2)
    #expect(ActivityModel.runningLinear.pauses != nil)
  }

  @Test func `Only the model in the box gives way to another where channels are missing`() {
    let linear = Set(Sensor.userAcceleration.channels)
    #expect(ActivityModel.running.fitting(linear) == .runningLinear)
    #expect(ActivityModel.running.fitting(Set(Channel.allCases)) == .running)
    for model in [ActivityModel.runningWrist, .runningPocket] {
      #expect(!model.neededChannels.isSubset(of: linear))
      #expect(model.fitting(linear) == model)
    }
  }

  @Test func `A tracker needs only a sample rate`() throws {
    let tracker = try RunTracker(sampleRate: .hertz(50))
    #expect(tracker.model == .running)
    #expect(throws: ModelError.self) { try RunTracker(sampleRate: .hertz(5)) }
  }
}
