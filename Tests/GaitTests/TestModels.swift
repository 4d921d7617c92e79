import Foundation
import Gait
import GaitTestSupport

/// Models and streams for several tests.
enum TestModels {
  /// A model of three labels over the default features, with random weights of a plausible size.
  static let threeLabels = model(labels: ["running", "still", "walking"], features: Feature.orientationFree)

  static func model(labels: [String], features: [Feature], window: WindowShape = WindowShape()) -> ActivityModel {
    var random = SplitMix64(seed: 11)
    let outputs = labels.count == 2 ? 1 : labels.count
    func draw(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
      (0..<count).map { _ in Float.random(in: range, using: &random) }
    }
    do {
      return try ActivityModel(
        heads: [
          ActivityModel.Head(
            window: window, features: features,
            scaling: Scaling(mean: draw(features.count, -1...1), standardDeviation: draw(features.count, 0.5...2)),
            classifier: .logistic(
              LogisticRegression(
                weights: draw(outputs * features.count, -1.5...1.5), intercepts: draw(outputs, -1...1),
                featureCount: features.count, labelCount: labels.count)),
            labels: labels)
        ],
        card: ModelCard(
          training: .init(
            method: "random weights", source: "none", sampleRates: [50], recordings: 0, groups: 0,
            windows: ["running": 0])))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A tree of one split: running if the vertical RMS is high.
  static let tree = oneFeature {
    .decisionTree(
      try DecisionTree(
        nodes: FlatTree(
          features: [0, -1, -1], thresholds: [0.4, 0, 0], leftChildren: [1, -1, -1],
          rightChildren: [2, -1, -1], featureCount: 1),
        leafProbabilities: [0.1, 0.9, 0.75, 0.25], labelCount: 2))
  }

  /// A forest of two such trees.
  static let forest = oneFeature {
    .randomForest(
      try RandomForest(
        nodes: twoSplits(), leafProbabilities: [0.1, 0.9, 0.75, 0.25, 0.2, 0.8, 1, 0], labelCount: 2))
  }

  /// Two such boosted trees.
  static let boosted = oneFeature {
    .boostedTrees(
      try BoostedTrees(nodes: twoSplits(), leafValues: [-1, 0.5, -0.25, 0.125], baseScores: [0.1], labelCount: 2))
  }

  private static func twoSplits() throws(ModelError) -> FlatTree {
    try FlatTree(
      features: [0, -1, -1, 0, -1, -1], thresholds: [0.4, 0, 0, 0.3, 0, 0], leftChildren: [1, -1, -1, 4, -1, -1],
      rightChildren: [2, -1, -1, 5, -1, -1], roots: [0, 3], featureCount: 1)
  }

  private static func oneFeature(_ classifier: () throws -> Classifier) -> ActivityModel {
    do {
      return try ActivityModel(
        heads: [
          ActivityModel.Head(
            window: WindowShape(), features: [Feature(.vertical, .rms)], scaling: nil, classifier: classifier(),
            labels: ["running", "still"])
        ])
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// A stream that shakes, rotates and rests. It does not model a person, but every lane varies.
func shakenSamples(
  count: Int, rate: Double = 50, seed: UInt64 = 5, start: Int64 = 0
) -> [MotionSample] {
  var random = SplitMix64(seed: seed)
  func noise(_ size: Float) -> Float { Float.random(in: -size...size, using: &random) }
  return (0..<count).map { index in
    let time = Double(index) / rate
    let strength = Float(time.truncatingRemainder(dividingBy: 20) < 12 ? 1 : 0.01)
    let bounce = Float(sin(2 * .pi * 2.7 * time)) * strength
    let tilt = Float(0.3 * sin(2 * .pi * 1.35 * time)) * strength
    return MotionSample(
      time: SampleTime(nanoseconds: start + Int64((time * 1e9).rounded())),
      attitude: SIMD3(tilt, noise(0.1), Float(remainder(0.5 * time, 2 * .pi))),
      gravity: SIMD3(sin(tilt), 0, -cos(tilt)),
      rotationRate: SIMD3(noise(1), tilt * 8, noise(1)),
      userAcceleration: SIMD3(noise(0.05), 0.4 * tilt + noise(0.02), bounce + noise(0.05)))
  }
}
