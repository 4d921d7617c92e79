import Foundation
import Gait

/// A model in another format: Swift source, or a file for another runtime.
///
/// Swift source contains the whole model. ONNX and Core ML contain only the classifier of the activity head, from a
/// window's features to probabilities: features must be computed by Gait, or exactly as its documentation specifies. They
/// do not contain the rejection of a model with `ActivityModel.rejectsUnknown`.
public struct ModelExport: Sendable {
  /// The export formats.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Swift source with the model as a constant.
    case swift
    /// The Open Neural Network Exchange, for onnxruntime and others: operator set 13, and set 1 of `ai.onnx.ml` for
    /// trees.
    case onnx
    /// An `.mlmodel` of Core ML, specification version 1, for Apple's systems.
    case coreml
  }

  /// The file's contents.
  public let bytes: [UInt8]

  /// Exports a model.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - format: the format.
  ///   - name: the model's name, such as that of the constant in Swift source.
  ///   - notice: a notice for the file's metadata or a comment, such as the licence of the data.
  /// - Throws: `ModelExportError` if the format cannot represent the model.
  public init(_ model: ActivityModel, as format: Format, name: String, notice: String = "") throws(ModelExportError) {
    switch format {
    case .swift: bytes = Array(try SwiftSource(model, name: name, notice: notice).text.utf8)
    case .onnx: bytes = try OnnxModel(model, name: name, notice: notice).file.bytes
    case .coreml: bytes = try CoreMLModel(model, notice: notice).file.bytes
    }
  }
}

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
    let json = Result { try encoder.encode(self) }.certain("vectors hold only finite numbers, which JSON can hold")
    return Array(json) + [UInt8(ascii: "\n")]
  }
}

/// An error in exporting a model.
public enum ModelExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name is not a valid Swift identifier.
  case notAnIdentifier(String)
  /// Numbers overflow in this format.
  case tooLarge(ModelExport.Format)
  /// The format does not support the model's calibration.
  case calibration(ModelExport.Format)

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .notAnIdentifier(let name):
      "\"\(SafeText.line(name))\" is not a valid name for a Swift constant; use letters, digits and underscores, a letter "
        + "first, and no keyword."
    case .tooLarge(let format):
      "the model cannot be exported as \(format.rawValue), because numbers overflow when the scaling is folded into its "
        + "weights; export it as Swift source."
    case .calibration(.coreml):
      "coreml export supports neither isotonic calibration nor a temperature of a forest; export the model as Swift "
        + "source, or train it without calibration."
    case .calibration(let format):
      "\(format.rawValue) export does not support isotonic calibration; export the model as Swift source, or train it "
        + "without calibration."
    }
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
