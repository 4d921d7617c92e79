import Gait
import GaitTestSupport
import Testing

@Suite struct RunningModelTests {
  @Test func `The model in the box needs no file and says what it was trained on`() throws {
    let model = ActivityModel.running
    #expect(model.activityHead.labels == ["running", "still", "walking"])
    #expect(model.activityHead.features == Feature.orientationFree)
    #expect(model.heads.count == 2 && model.pauseHead.window == WindowShape(seconds: 1, hopSeconds: 0.2))
    let card = try #require(model.card)
    #expect(card.training.source == "motionsense + boostrunclub")
    #expect(try #require(card.validation).accuracy > 0.985)
    #expect(try ActivityModel(json: model.json(), name: "running") == model)
  }

  @Test func `A tracker needs a rate only`() throws {
    let tracker = try RunTracker(sampleRate: .hertz(50))
    #expect(tracker.model == .running)
    #expect(throws: ModelError.self) { try RunTracker(sampleRate: .hertz(5)) }
  }
}
