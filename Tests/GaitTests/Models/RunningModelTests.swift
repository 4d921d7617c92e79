import Gait
import GaitTestSupport
import Testing

@Suite struct RunningModelTests {
  @Test func `The built-in model needs no file and has a model card`() throws {
    let model = ActivityModel.running
    #expect(model.activityHead.labels == ["running", "still", "walking"])
    #expect(model.activityHead.features == Feature.orientationFree)
    #expect(model.heads.count == 2 && model.pauseHead.window == WindowShape(seconds: 1, hopSeconds: 0.2))
    let card = try #require(model.card)
    #expect(card.training.source == "motionsense + boostrunclub")
    #expect(try #require(card.validation).accuracy > 0.985)
    #expect(try ActivityModel(json: model.json(), name: "running") == model)
  }

  @Test func `A tracker needs only a sample rate`() throws {
    let tracker = try RunTracker(sampleRate: .hertz(50))
    #expect(tracker.model == .running)
    #expect(throws: ModelError.self) { try RunTracker(sampleRate: .hertz(5)) }
  }
}
