import Foundation

// Apps show `localizedDescription`, which is without these only the number of the case.

extension ModelError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension RunValueError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension SensorError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}
