import Foundation
import Gait
import GaitTestSupport

extension TestModels {
  /// A model of two heads that classifies by vertical RMS: about 0.7 g running, 0.2 g walking, 0 g still.
  static let runner: ActivityModel = {
    do {
      func head(_ window: WindowShape) throws -> ActivityModel.Head {
        try ActivityModel.Head(
          window: window, features: [Feature(.vertical, .rms, .log(offset: 0.01))], scaling: nil,
          classifier: .logistic(
            LogisticRegression(
              weights: [8, -8, 0], intercepts: [8.8, -20.8, 0], featureCount: 1, labelCount: 3)),
          labels: ["running", "still", "walking"])
      }
      return try ActivityModel(heads: [head(WindowShape()), head(WindowShape(seconds: 1, hopSeconds: 0.2))])
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}

/// Samples of a person drawn as a string, one character for each second: `R` runs, `w` walks, `.` stands, `s` stands
/// and shakes the phone at 5 Hz.
func personSamples(_ drawing: String, rate: Double = 50, seed: UInt64 = 4, start: Int64 = 0) -> [MotionSample] {
  var random = SplitMix64(seed: seed)
  let seconds = Array(drawing)
  return (0..<Int(Double(seconds.count) * rate)).map { index in
    let time = Double(index) / rate
    let (strength, frequency): (Double, Double) =
      switch seconds[Int(time)] {
      case "R": (1, 2.7)
      case "w": (0.25, 1.8)
      case "s": (1, 5)
      default: (0, 1)
      }
    let bounce = Float(strength * sin(2 * .pi * frequency * time)) + Float.random(in: -0.004...0.004, using: &random)
    let swing = Float(2 * strength * sin(.pi * frequency * time)) + Float.random(in: -0.01...0.01, using: &random)
    return MotionSample(
      time: SampleTime(nanoseconds: start + Int64((time * 1e9).rounded())),
      gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(swing, 0, 0), userAcceleration: SIMD3(0, 0, bounce))
  }
}

/// `count` seconds of a drawing.
func stretch(_ character: Character, _ count: Int) -> String { String(repeating: character, count: count) }
