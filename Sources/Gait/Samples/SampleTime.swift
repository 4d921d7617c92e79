/// A time in a stream of samples, in whole nanoseconds from an origin that the source chooses.
///
/// The origin may be the start of the recording, the device's boot or 1970; Gait uses only differences. Sums of whole
/// nanoseconds are exact, so shifting every sample of a stream by a constant shifts every result by the same constant.
///
/// Valid times are within `range`, 126 years before and after the origin. The difference of any two then fits 64 bits.
/// Readers of files reject times outside it; streams drop them. Each entry point documents which.
public struct SampleTime: Hashable, Comparable, Sendable {
  /// Nanoseconds from the origin.
  public var nanoseconds: Int64

  /// The time `nanoseconds` after the origin.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time `seconds` after the origin, rounded to the nearest nanosecond.
  ///
  /// - Precondition: `seconds` is finite and within 292 years of the origin.
  public init(seconds: Double) {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else {
      preconditionFailure("a time must be finite and within 292 years of its origin, not \(seconds) s")
    }
    self.nanoseconds = nanoseconds
  }

  /// The time `seconds` after the origin, rounded to the nearest nanosecond.
  ///
  /// - Precondition: `seconds` is finite and within 292 years of the origin.
  public static func seconds(_ seconds: Double) -> SampleTime {
    SampleTime(seconds: seconds)
  }

  /// Seconds from the origin.
  public var seconds: Double {
    Double(nanoseconds) / 1e9
  }

  /// Whether the left time is before the right one.
  public static func < (left: SampleTime, right: SampleTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The valid times: at most 4 × 10⁹ s, 126 years, from the origin. If the origin is 1970, they are from 1843 to 2096.
  ///
  /// The difference of any two fits 64 bits, and another 38 years can be added to it.
  public static let range = SampleTime(nanoseconds: -farthest)...SampleTime(nanoseconds: farthest)

  /// Whether the time is within `range`.
  public var isValid: Bool { nanoseconds.magnitude <= UInt64(Self.farthest) }

  package static let origin = SampleTime(nanoseconds: 0)

  /// The largest distance of a valid time from the origin, nanoseconds.
  package static let farthest: Int64 = 4_000_000_000_000_000_000

  /// Seconds from another time to this one; negative if the other is later. Defined for any two times, valid or not.
  public func seconds(since earlier: SampleTime) -> Double {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? seconds - earlier.seconds : Double(difference) / 1e9
  }

  /// The time `seconds` later, rounded to the nearest nanosecond and clamped to `range`.
  public func advanced(bySeconds seconds: Double) -> SampleTime {
    let end = seconds < 0 ? Self.range.lowerBound : Self.range.upperBound
    guard let step = Int64(exactly: (seconds * 1e9).rounded()) else { return end }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    return overflow ? end : SampleTime(nanoseconds: max(-Self.farthest, min(Self.farthest, sum)))
  }
}

extension SampleTime: Codable {
  /// Reads the number of nanoseconds.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the time is outside `range`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    nanoseconds = try container.decode(Int64.self)
    guard isValid else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(nanoseconds) ns is more than 126 years from the origin")
    }
  }

  /// Writes the number of nanoseconds, which is exact, unlike seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

/// The number of samples per second of a source or a model.
public struct SampleRate: Hashable, Comparable, Sendable {
  /// Samples per second.
  public let hertz: Double

  /// A rate of `hertz` samples per second.
  ///
  /// - Precondition: `hertz` is within `SampleRate.validHertz`.
  public static func hertz(_ hertz: Double) -> SampleRate {
    guard let rate = SampleRate(exactly: hertz) else {
      preconditionFailure("a sample rate must be within \(validHertz) Hz, not \(hertz)")
    }
    return rate
  }

  /// A rate of `hertz` samples per second, or `nil` outside `SampleRate.validHertz`.
  public init?(exactly hertz: Double) {
    guard Self.validHertz.contains(hertz) else { return nil }
    self.hertz = hertz
  }

  /// The rates that Gait accepts, hertz: from one sample in ten seconds to faster than any motion sensor.
  public static let validHertz = 0.1...100_000.0

  /// The default rate of a model, 25 Hz. The features use frequencies up to 5 Hz, which 25 Hz covers with room for the
  /// filter. Nearly every logger is at least as fast.
  public static let canonical = SampleRate.hertz(25)

  /// The time from one sample to the next, in nanoseconds (not rounded).
  public var periodNanoseconds: Double { 1e9 / hertz }

  /// The time of sample `index` of a uniform stream, in whole nanoseconds after its first sample.
  public func nanoseconds(ofSample index: Int) -> Int64 {
    let nanoseconds = Double(index) * 1e9 / hertz
    // Rounds to nearest without a call into the C library.
    let whole = Int64(saturating: nanoseconds)
    let rest = nanoseconds - Double(whole)
    return whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0)
  }

  /// The period if it is a whole number of nanoseconds, as at 25, 50 and 100 Hz; `nil` at other rates.
  var wholePeriod: Int64? {
    let period = periodNanoseconds
    return period.rounded() == period ? Int64(saturating: period) : nil
  }

  /// Whether the left rate is slower than the right one.
  public static func < (left: SampleRate, right: SampleRate) -> Bool {
    left.hertz < right.hertz
  }
}
