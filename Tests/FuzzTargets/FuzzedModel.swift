import Foundation
import GaitFormats

@testable import Gait

/// Fuzz target for model files. Checksums are corrected, so that the code after the checksum test is reached.
enum FuzzedModel {
  private static let recording = Recording(
    name: "synthetic", sampleRate: .hertz(25),
    samples: (0..<400).map { index in
      let phase = Float(index) * 0.35
      return MotionSample(
        time: .seconds(Double(index) / 25), attitude: SIMD3(0.1, 0.2, 0.3),
        gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(phase.truncatingRemainder(dividingBy: 1), 0.1, -0.2),
        userAcceleration: SIMD3(phase.truncatingRemainder(dividingBy: 2) - 1, 0.3, -0.1))
    })

  /// Loads the model, classifies a recording, writes the model and exports it. Fails if a probability is not in
  /// `0...1`.
  ///
  /// Input that does not begin with `{` is a list of edits to a valid model file.
  static func load(_ bytes: [UInt8]) {
    let bytes = bytes.first == UInt8(ascii: "{") ? bytes : edited(bytes)
    _ = try? ActivityModel(json: Data(bytes), name: "input.json")
    guard let corrected = withCorrectChecksum(bytes) else { return }
    guard let model = try? ActivityModel(json: corrected, name: "input.json") else { return }
    check(model)
    let again = try? ActivityModel(json: model.json(), name: "written.json")
    precondition(again.map { $0.json() == model.json() } ?? false, "the round trip changed the model")
    _ = try? ModelExport(model, as: .swift, name: "model")
  }

  /// A valid model file, without its model card.
  private static let valid: [UInt8] = {
    var file = ActivityModelFile(.running)
    file.card = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try! encoder.encode(file))
  }()

  /// The replacement texts of edits.
  private static let values = [
    "1e38", "-1e38", "3e38", "1e-18", "0", "-1", "1", "2", "0.5", "1e400", "9223372036854775808", "null", "true",
    "\"\"", "[]",
    "{}", "\"\\n\"", ",", "[1,2]", "\"running\"",
  ].map { Array($0.utf8) }

  /// The valid file after edits. Four bytes encode an edit: offset (two bytes), length, and index of the replacement.
  private static func edited(_ edits: [UInt8]) -> [UInt8] {
    var file = valid
    for start in stride(from: 0, to: min(edits.count, 64) - 3, by: 4) {
      let place = (Int(edits[start]) << 8 | Int(edits[start + 1])) % file.count
      let end = min(file.count, place + Int(edits[start + 2]) % 24)
      file.replaceSubrange(place..<end, with: values[Int(edits[start + 3]) % values.count])
    }
    return file
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
