import Foundation
import Gait
import GaitTestSupport
import Testing

/// A model's requirements on its source, and sources that do not meet them.
@Suite struct ModelContractTests {
  private func recording(rate: Double = 50, isEstimated: Bool = false) -> Recording {
    Recording(
      name: "r", sampleRate: .hertz(rate), samples: shakenSamples(count: Int(20 * rate), rate: rate),
      gravityIsEstimated: isEstimated)
  }

  private func model(acceptsEstimatedGravity: Bool) throws -> ActivityModel {
    let model = TestModels.threeLabels
    return try ActivityModel(heads: model.heads, acceptsEstimatedGravity: acceptsEstimatedGravity, card: model.card)
  }

  @Test func `A model may reject estimated gravity, in recordings and streams`() throws {
    let strict = try model(acceptsEstimatedGravity: false)
    let estimated = recording(isEstimated: true)
    #expect(throws: ModelError.estimatedGravity) { try strict.classify(estimated) }
    #expect(throws: ModelError.estimatedGravity) {
      try RunTracker(model: strict, sampleRate: .hertz(50), gravityIsEstimated: true)
    }
    #expect(try !strict.classify(recording()).isEmpty)
    #expect(try TestModels.threeLabels.classify(estimated) == TestModels.threeLabels.classify(recording()))
  }

  @Test func `The model file stores the gravity requirement; files without the entry accept estimated gravity`() throws
  {
    let lenient = try model(acceptsEstimatedGravity: true)
    let strict = try model(acceptsEstimatedGravity: false)
    for model in [lenient, strict] {
      let read = try ActivityModel(json: model.json(), name: "m.json")
      #expect(read == model)
      #expect(read.acceptsEstimatedGravity == model.acceptsEstimatedGravity)
    }
    #expect(!String(decoding: lenient.json(), as: UTF8.self).contains("acceptsEstimatedGravity"))
    #expect(String(decoding: strict.json(), as: UTF8.self).contains("\"acceptsEstimatedGravity\" : false"))
  }

  @Test func `A source too slow for the model's bands is rejected unless allowed`() throws {
    let slow = recording(rate: 5)
    let error = ModelError.sourceTooSlow(source: .hertz(5), slowest: .hertz(7))
    #expect(throws: error) { try TestModels.threeLabels.classify(slow) }
    #expect(throws: error) { try RunTracker(model: TestModels.threeLabels, sampleRate: .hertz(5)) }
    #expect(error.description.contains("5 Hz are too slow"))
    #expect(error.description.contains("up to 3.5 Hz"))
    #expect(try !TestModels.threeLabels.classify(slow, allowsSlowSource: true).isEmpty)
    #expect(throws: Never.self) { try TestModels.threeLabels.classify(recording(rate: 10)) }
  }
}
