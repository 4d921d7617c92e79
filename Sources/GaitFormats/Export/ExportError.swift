import Gait

// Imports FoundationEssentials where it exists. With all of Foundation, searches in texts would use its functions, and
// Gait's C library would be larger by Foundation's tables of languages.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model or a run that cannot be written in a format.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The name is not a valid Swift identifier.
  case notAnIdentifier(String)
  /// The run has no GPS points, which GPX requires.
  case noLocations
  /// A value of the wearer, such as the body mass, is impossible.
  case invalidValue(RunValueError)
  /// The heart rate at `index`, in beats a minute, is not within `HeartRate.range`.
  case invalidHeartRate(Double, index: Int)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .notAnIdentifier(let name):
      "\"\(name.visible())\" is not a valid name for a Swift constant; use letters, digits and underscores, a letter "
        + "first, and no keyword."
    case .noLocations: "the run has no GPS points, which GPX requires; choose TCX or CSV, or supply a route."
    case .invalidValue(let error): error.description
    case .invalidHeartRate(let rate, let index):
      "heartRates[\(index)] is \(rate) beats a minute, but GPX and TCX have 1 to 255; leave it out."
    }
  }
}
