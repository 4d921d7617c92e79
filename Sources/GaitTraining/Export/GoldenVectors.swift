import Foundation
import Gait

/// Windows with a model's probabilities, for checking another runtime.
public struct GoldenVectors: Hashable, Sendable, Encodable {
  /// The features' names, in their order.
  public let features: [String]
  /// The labels, in the order of the probabilities.
  public let labels: [String]
  /// Features before scaling, shape `[windows × features]`.
  public let inputs: [[Float]]
  /// The probabilities, shape `[windows × labels]`, calibrated if the model is.
  public let probabilities: [[Float]]

  /// Random windows around the data that the model was fitted to.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - count: the number of windows.
  ///   - seed: the seed of the random windows.
  public init(of model: ActivityModel, count: Int = 64, seed: UInt64 = 1) {
    let head = model.activityHead
    var generator = SeededGenerator(seed: seed)
    let centers = Self.centers(of: head)
    let values = (0..<count).flatMap { _ in
      centers.map { Self.limited(generator.normal(mean: Double($0.mean), deviation: 1.5 * Double($0.deviation))) }
    }
    let matrix = FeatureMatrix(columnCount: head.features.count, values: values)
    let scores = head.probabilities(of: matrix)
    features = head.features.map(\.description)
    labels = head.labels
    inputs = (0..<count).map { Array(matrix[$0]) }
    probabilities = (0..<count).map { Array(scores[$0]) }
  }

  /// The value limited to the valid range of features.
  private static func limited(_ value: Double) -> Float {
    max(ModelRanges.feature.lowerBound, min(ModelRanges.feature.upperBound, Float(value)))
  }

  /// The centre and spread of each feature: from the scaling, or from the trees' thresholds.
  private static func centers(of head: ActivityModel.Head) -> [(mean: Float, deviation: Float)] {
    if let scaling = head.scaling { return Array(zip(scaling.mean, scaling.standardDeviation)).map { ($0.0, $0.1) } }
    guard let nodes = head.classifier.nodes else { return head.features.map { _ in (0, 1) } }
    return head.features.indices.map { feature in
      let compared = nodes.features.indices.filter { nodes.features[$0] == Int32(feature) }.map { nodes.thresholds[$0] }
      guard let low = compared.min(), let high = compared.max() else { return (0, 1) }
      let half = high / 2 - low / 2
      return (low / 2 + high / 2, min(max(half, 0.1 * max(low.magnitude, 1e-3)), ModelRanges.feature.upperBound))
    }
  }

  /// The vectors as JSON with sorted keys.
  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = Result { try encoder.encode(self) }.get(orTrap: "vectors hold only finite numbers, which JSON can hold")
    return Array(json) + [UInt8(ascii: "\n")]
  }
}

extension Classifier {
  /// The nodes of its trees; `nil` if it has none.
  fileprivate var nodes: FlatTree? {
    switch self {
    case .logistic: nil
    case .decisionTree(let tree): tree.nodes
    case .randomForest(let forest): forest.nodes
    case .boostedTrees(let boosted): boosted.nodes
    }
  }
}
