import Foundation
import Gait

/// A model in another form: source that a compiler reads, or a file for another runtime.
///
/// Swift source is the whole model. ONNX and Core ML hold the classifier of the activity head only, from a window's features
/// to probabilities: samples must become features by Gait, or by whoever follows its documentation to the letter.
public struct ModelExport: Sendable {
  /// The forms that a model can take.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Swift source with the model as a constant.
    case swift
    /// The Open Neural Network Exchange, which onnxruntime and many others run: operator set 13 and that for trees, 1.
    case onnx
    /// An `.mlmodel` of Core ML, specification version 1, for Apple's systems.
    case coreml
  }

  /// The file's contents.
  public let bytes: [UInt8]

  /// A model in another form.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - format: the form.
  ///   - name: what to call it, such as the constant in Swift source.
  ///   - notice: what to say beside it, such as the licence of the data; in a file's metadata or a comment.
  /// - Throws: `ModelExportError` where the form cannot hold the model.
  public init(_ model: ActivityModel, as format: Format, name: String, notice: String = "") throws(ModelExportError) {
    switch format {
    case .swift: bytes = Array(try SwiftSource(model, name: name, notice: notice).text.utf8)
    case .onnx: bytes = try OnnxModel(model, name: name, notice: notice).file.bytes
    case .coreml: bytes = try CoreMLModel(model, notice: notice).file.bytes
    }
  }
}

/// Windows and what a model says of them, to check another runtime against.
public struct GoldenVectors: Hashable, Sendable, Encodable {
  /// The features' names, in their order.
  public let features: [String]
  /// The labels, in the order of the probabilities.
  public let labels: [String]
  /// Features before scaling, shape `[windows × features]`.
  public let inputs: [[Float]]
  /// The probabilities of each, shape `[windows × labels]`, calibrated if the model is.
  public let probabilities: [[Float]]

  /// Windows drawn around what the model was fitted to.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - count: how many windows.
  ///   - seed: what they are drawn from.
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

  /// A value as a window may have it.
  private static func limited(_ value: Double) -> Float {
    max(ModelRanges.feature.lowerBound, min(ModelRanges.feature.upperBound, Float(value)))
  }

  /// Where each feature's values lie: by the scaling, or by what the trees compare them with.
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
    do { return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")] } catch {
      preconditionFailure("vectors hold only finite numbers, which JSON can hold: \(error)")
    }
  }
}

/// A model that a form cannot hold.
public enum ModelExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name is none that Swift allows for a constant.
  case notAnIdentifier(String)
  /// The numbers that the form needs are not finite.
  case tooLarge(ModelExport.Format)
  /// The form has no such calibration.
  case calibration(ModelExport.Format)

  /// One sentence that says what is wrong and what would cure it.
  public var description: String {
    switch self {
    case .notAnIdentifier(let name):
      "\"\(SafeText.line(name))\" is no name for a constant in Swift; use letters, digits and underscores, a letter first, "
        + "and no keyword."
    case .tooLarge(let format):
      "\(format.rawValue) export cannot hold the model, as numbers overflow when the scaling is worked into its weights; "
        + "export it as Swift source."
    case .calibration(let format):
      "\(format.rawValue) export cannot hold the model's calibration (curves nowhere but in Swift source, in Core ML no "
        + "temperature behind a forest either); train it without."
    }
  }
}

extension Classifier {
  /// The questions of its trees; `nil` where it has none.
  fileprivate var nodes: FlatTree? {
    switch self {
    case .logistic: nil
    case .decisionTree(let tree): tree.nodes
    case .randomForest(let forest): forest.nodes
    case .boostedTrees(let boosted): boosted.nodes
    }
  }
}
