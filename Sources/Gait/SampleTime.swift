/// A moment in a stream of samples, in whole nanoseconds from an origin that the source chooses.
///
/// The origin may be the start of the recording, the device's boot or 1970: only differences matter to Gait. Whole
/// nanoseconds make sums exact, so that shifting every sample of a stream by a constant shifts every result by just
/// that constant.
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
