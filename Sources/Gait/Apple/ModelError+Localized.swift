// All of Foundation would make its search in texts that of the whole module, and its data a part of the C library.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
