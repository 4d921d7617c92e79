import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct RejectionTests {
  /// A rejection around random means.
  private static func rejection(
    labels: Int = 3, features: Int = 7, limit: Float = 30, distance: Float = 4, confidence: Float = 0.6
  ) throws(ModelError) -> Rejection {
    try Rejection(
      means: ModelSamples.floats(labels * features, in: -1...1, seed: 3), featureCount: features,
      distanceLimit: limit, largestDistance: distance, leastConfidence: confidence, usualShare: 0.25)
  }

  /// The model of three labels, with a rejection.
  private static func model(_ rejection: Rejection) throws -> ActivityModel {
    var head = TestModels.threeLabels.activityHead
    head.rejection = rejection
    return try ActivityModel(heads: [head], card: TestModels.threeLabels.card)
  }

  @Test func `The distance is that to the nearest mean, at most the limit`() throws {
    for features in 1...20 {
      let rejection = try Self.rejection(features: features, limit: 5)
      let matrix = ModelSamples.matrix(rows: 30, columns: features, in: -4...4, seed: UInt64(features))
      for row in 0..<matrix.rowCount {
        let window = Array(matrix[row])
        let expected = (0..<3).map { label in
          (0..<features).reduce(0.0) {
            $0 + pow(Double(window[$1]) - Double(rejection.means[label * features + $1]), 2)
          }.squareRoot()
        }.min()!
        let error = Double(rejection.distance(of: window)) - min(expected, 5)
        #expect(abs(error) < 1e-5, "\(features) features, row \(row)")
      }
      #expect(rejection.distance(of: [Float](repeating: .greatestFiniteMagnitude, count: features)) == 5)
      #expect(rejection.distance(of: [Float](repeating: -.infinity, count: features)) == 5)
    }
  }

  @Test func `A model may have more means than labels, up to 1,000`() throws {
    let model = try Self.model(Self.rejection(labels: 24))
    #expect(try ActivityModel(json: model.json(), name: "m") == model)
    #expect(throws: ModelError.self) { try Self.rejection(labels: 1001) }
    #expect(throws: ModelError.self) { try Self.rejection(labels: 0) }
  }

  @Test func `A stream rejects the same windows as a batch, and a gap restarts the averages`() throws {
    let samples = shakenSamples(count: 2000)
    let pieces = Array(samples[..<900]) + samples[1200...]
    let recording = Recording(name: "whole", sampleRate: .hertz(50), samples: pieces)
    let distances = try Self.model(Self.rejection(limit: 1000)).classify(recording).map(\.evidence.distance).sorted()
    let middle = distances[distances.count / 2]
    let model = try Self.model(Self.rejection(limit: 1000, distance: middle, confidence: 0))
    let whole = try model.classify(recording)
    var classifier = try WindowClassifier(model: model, sampleRate: .hertz(50))
    #expect(pieces.flatMap { classifier.append($0) } == whole)
    #expect(Set(whole.map(\.isRejected)) == [true, false], "the bounds must reject some windows and keep others")
    #expect(whole.allSatisfy { ($0.label == "other") == $0.isRejected })

    let bounds = try #require(model.activityHead.rejection?.bounds)
    var mean: RejectionEvidence?
    for (index, window) in whole.enumerated() {
      let isNew = index == 0 || window.start.nanoseconds - whole[index - 1].start.nanoseconds > 960_000_000
      if isNew { mean = window.evidence } else { mean?.average(window.evidence) }
      #expect(window.isRejected == mean?.exceeds(bounds), "window \(index)")
    }
    #expect(whole.indices.dropFirst().contains { whole[$0].start.seconds - whole[$0 - 1].start.seconds > 1 })
  }

  @Test func `Rejection changes no probability, and a model without it rejects nothing`() throws {
    let recording = Recording(name: "r", sampleRate: .hertz(50), samples: shakenSamples(count: 1500))
    let plain = try TestModels.threeLabels.classify(recording)
    let rejecting = try Self.model(Self.rejection(distance: 0)).classify(recording)
    #expect(plain.map(\.probabilities) == rejecting.map(\.probabilities))
    #expect(rejecting.allSatisfy { $0.isRejected })
    #expect(!plain.contains { $0.isRejected })
    #expect(!TestModels.threeLabels.rejectsUnknown)
    #expect(TestModels.threeLabels.usualRejectedShare == nil)
  }

  @Test func `A run of rejected movement is a slice of other movement`() throws {
    let recording = Recording(
      name: "r", sampleRate: .hertz(50), samples: shakenSamples(count: 2000).filter { $0.time.seconds < 11 })
    let run = try Self.model(Self.rejection(distance: 0)).track(recording)
    #expect(run.activities.map(\.activity) == [.other])
    #expect(run.slices.contains { $0.state == .moving })
  }

  @Test func `The file has version 3 with rejection and 2 without, and reads back equal`() throws {
    let model = try Self.model(Self.rejection())
    let text = String(decoding: model.json(), as: UTF8.self)
    #expect(text.contains("\"version\" : 3"))
    #expect(text.contains("\"rejection\""))
    #expect(try ActivityModel(json: model.json(), name: "m") == model)
    let old = String(decoding: TestModels.threeLabels.json(), as: UTF8.self)
    #expect(old.contains("\"version\" : 2"))
    #expect(!old.contains("\"rejection\""))
  }

  @Test(
    arguments: [
      ("distanceLimit", "0"), ("distanceLimit", "1e31"), ("largestDistance", "-1"), ("largestDistance", "31"),
      ("leastConfidence", "1.5"), ("usualShare", "-0.1"), ("means", "[]"), ("means", "[[1,2],[1,2],[1,2]]"),
      ("means", "[[1e13,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]]"),
    ])
  func `An impossible rejection in a file is refused and named`(_ entry: String, value: String) throws {
    let model = try Self.model(Self.rejection())
    var file = try #require(JSONSerialization.jsonObject(with: model.json()) as? [String: Any])
    var heads = try #require(file["heads"] as? [[String: Any]])
    var rejection = try #require(heads[0]["rejection"] as? [String: Any])
    rejection[entry] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    heads[0]["rejection"] = rejection
    file["heads"] = heads
    let data = try JSONSerialization.data(withJSONObject: file)
    let error = try #require(throws: ModelError.self) { try ActivityModel(json: data, name: "m.json") }
    #expect(error.description.contains("heads[0].rejection"), "\(error)")
    #expect(error.description.contains(entry), "\(error)")
  }

  @Test func `A rejection needs a scaling`() throws {
    var head = TestModels.tree.activityHead
    head.rejection = try Self.rejection(labels: 2, features: 1)
    let error = try #require(throws: ModelError.self) { try ActivityModel(heads: [head]) }
    #expect(error.description.contains("heads[0].rejection"))
  }

  @Test func `Rejected windows raise the probability of other movement`() {
    let probabilities = LabelProbabilities(labels: ["running", "walking"]) { ($0[0], $0[1]) = (0.95, 0.05) }
    var smoother = Smoother(activities: [.running, .walking], settings: PauseSettings(), rejects: true)
    for index in 0..<20 { smoother.update(probabilities, at: .seconds(0.64 * Double(index))) }
    #expect(smoother.mostProbable.activity == .running)
    for index in 20..<40 { smoother.update(probabilities, at: .seconds(0.64 * Double(index)), isRejected: true) }
    #expect(smoother.mostProbable.activity == .other)
    #expect(smoother.mostProbable.probability > 0.9)
  }
}
