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

  /// The default rate of a model, 25 Hz. It covers the frequencies that the features use (up to 5 Hz, with room for the
  /// filter), and nearly every logger is as fast.
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

  /// The period if it is a whole number of nanoseconds, as at 25, 50 and 100 Hz; else `nil`.
  var wholePeriod: Int64? {
    let period = periodNanoseconds
    return period.rounded() == period ? Int64(saturating: period) : nil
  }

  /// Whether the left rate is slower than the right one.
  public static func < (left: SampleRate, right: SampleRate) -> Bool {
    left.hertz < right.hertz
  }
}
