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
      "\"\(name.visible())\" is not a valid name for a Swift constant; use letters, digits and underscores, a letter "
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
