import Foundation

@testable import Gait
@testable import GaitFormats
@testable import GaitTraining

/// Model files whose checksum is right, so that everything behind it is reached.
enum FuzzedModel {
  private static let recording = Recording(
    name: "synthetic", sampleRate: .hertz(25),
    samples: (0..<400).map { index in
      let phase = Float(index) * 0.35
      return MotionSample(
        time: .seconds(Double(index) / 25), attitude: Attitude(roll: 0.1, pitch: 0.2, yaw: 0.3),
        gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(phase.truncatingRemainder(dividingBy: 1), 0.1, -0.2),
        userAcceleration: SIMD3(phase.truncatingRemainder(dividingBy: 2) - 1, 0.3, -0.1))
    })

  /// Loads the model, classifies, writes it and exports it. A probability that is not a number is a failure.
  static func load(_ bytes: [UInt8]) {
    _ = try? ActivityModel(json: Data(bytes), name: "input.json")
    guard let mended = withCorrectChecksum(bytes) else { return }
    guard let model = try? ActivityModel(json: mended, name: "input.json") else { return }
    check(model)
    let again = try? ActivityModel(json: model.json(), name: "written.json")
    precondition(again.map { $0.json() == model.json() } ?? false, "a model does not read back what it wrote")
    _ = ModelExport.Format.allCases.map { format in try? ModelExport(model, as: format, name: "model") }
    let golden = GoldenVectors(of: model, count: 4)
    precondition(
      golden.inputs.joined().allSatisfy(\.isFinite) && golden.probabilities.joined().allSatisfy(\.isFinite),
      "a golden vector is not finite")
  }

  private static func check(_ model: ActivityModel) {
    guard let windows = try? model.classify(recording) else { return }
    for window in windows {
      for label in window.probabilities.labels {
        let probability = window.probabilities[label]
        precondition((0...1).contains(probability), "the probability of \(label) is \(probability)")
      }
    }
  }

  private static func withCorrectChecksum(_ bytes: [UInt8]) -> Data? {
    guard var file = try? JSONDecoder().decode(ActivityModelFile.self, from: Data(bytes)) else { return nil }
    file.checksum = file.computedChecksum()
    return try? JSONEncoder().encode(file)
  }
}
