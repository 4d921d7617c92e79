/// A moment in a stream of samples, in whole nanoseconds from an origin that the source chooses.
///
/// The origin may be the start of the recording, the device's boot or 1970: only differences matter to Gait. Whole
/// nanoseconds make sums exact, so that shifting every sample of a stream by a constant shifts every result by just
/// that constant. Two times of one stream may lie 292 years apart at most.
public struct SampleTime: Hashable, Comparable, Sendable {
  /// Nanoseconds from the origin.
  public var nanoseconds: Int64

  /// The moment `nanoseconds` after the origin.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment `seconds` after the origin, rounded to the nearest nanosecond.
  ///
  /// - Precondition: `seconds` is finite and below 292 years.
  public init(seconds: Double) {
    self.nanoseconds = Int64((seconds * 1e9).rounded())
  }

  /// The moment `seconds` after the origin, rounded to the nearest nanosecond.
  public static func seconds(_ seconds: Double) -> SampleTime {
    SampleTime(seconds: seconds)
  }

  /// Seconds from the origin.
  public var seconds: Double {
    Double(nanoseconds) / 1e9
  }

  /// Whether the left moment is before the right one.
  public static func < (left: SampleTime, right: SampleTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension SampleTime {
  /// How far from the origin a time that was read may lie, nanoseconds: 146 years, so that two of them are never too far
  /// apart for their difference to be counted.
  package static let farthest = Int64.max / 2
}

extension SampleTime: Codable {
  /// Reads the number of nanoseconds.
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the number of nanoseconds, which is exact where seconds are not.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

extension SampleTime {
  /// Seconds from an earlier moment to this one; negative where it is a later one.
  package func seconds(since earlier: SampleTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// The moment `seconds` later, rounded to the nearest nanosecond.
  package func advanced(bySeconds seconds: Double) -> SampleTime {
    SampleTime(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }
}
