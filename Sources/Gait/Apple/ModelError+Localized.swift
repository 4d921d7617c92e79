// Imports no more of Foundation than needed. With all of Foundation, searches in texts would use its functions, and the
// C library would contain its data.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Apps show `localizedDescription`. Without these extensions it would show only the number of the case.

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
