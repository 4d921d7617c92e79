import Foundation
import Gait

/// A model or a run that cannot be written in a format.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The name is not a valid Swift identifier.
  case notAnIdentifier(String)
  /// Numbers overflow in this format.
  case tooLarge(ModelExport.Format)
  /// The format does not support the model's calibration.
  case calibration(ModelExport.Format)
  /// The run has no GPS points, which GPX requires.
  case noLocations
  /// A value of the wearer cannot be.
  case invalidValue(RunValueError)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

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
    case .noLocations: "the run has no GPS points, which GPX requires; choose TCX or CSV, or supply a route."
    case .invalidValue(let error): error.description
    }
  }
}
