import Gait

/// The sample rate of a file, its source, and how evenly the rows are spaced.
public struct RowTiming: Hashable, Sendable {
  /// The source of the sample rate.
  public enum Source: String, Hashable, Sendable {
    /// The caller.
    case given
    /// The file's format, which has a fixed rate.
    case format
    /// The timestamps of the rows.
    case times
  }

  /// A part of a recording with a rate of its own.
  public struct Part: Hashable, Sendable {
    /// The time of the part's first row. The part ends where the next one starts.
    public var start: SampleTime
    /// Rows per second.
    public var hertz: Double
  }

  /// The sample rate of the recording. If the rate changes, it is that of the slowest part, so that the steps of no
  /// part count as gaps.
  public let sampleRate: SampleRate
  /// The source of `sampleRate`.
  public let source: Source
  /// The parts of the recording if its rate changes; empty if it does not.
  public let parts: [Part]
  /// The rate measured from the timestamps, without gaps, in hertz; `nil` without timestamps. If the rate changes, this
  /// and `jitter` are of the slowest parts only.
  public let measuredHertz: Double?
  /// The root mean square deviation of the steps between rows from their mean, without gaps, in seconds; `nil` without
  /// timestamps.
  public let jitter: Double?

  /// The rates that timestamps may have, in hertz: from the slowest loggers to the fastest sensors.
  public static let possibleHertz = 2.0...2000.0

  /// - Parameters:
  ///   - times: the rows' times, strictly rising, or empty.
  ///   - given: the rate that the caller states; `nil` if none.
  ///   - stated: nanoseconds from row to row, if the format defines them.
  /// - Throws: `TimingProblem.rateDisagrees` if `given` contradicts the times, `.impossibleRate` if the times give a
  ///   rate outside `possibleHertz`, `.noSampleRate` if nothing gives a rate.
  init(of times: [Int64], given: SampleRate?, stated: Int64?) throws(TimingProblem) {
    let whole = RateEstimate(times: times)
    let changes = whole.map { RateChanges(of: times, period: $0.period).parts } ?? []
    let rated = changes.map { (rows: $0.rows, hertz: RateEstimate(times: Array(times[$0.rows]))!.hertz) }
    parts = rated.map { Part(start: SampleTime(nanoseconds: times[$0.rows.lowerBound]), hertz: $0.hertz) }
    let slowest = rated.map(\.hertz).min()
    let estimate =
      slowest.map { hertz in
        RateEstimate(stepsOf: rated.filter { $0.hertz == hertz }.map { times[$0.rows] })!
      } ?? whole
    measuredHertz = estimate.map { 1e9 / $0.period }
    jitter = estimate.map { $0.jitter / 1e9 }
    if let given, let estimate,
      !estimate.agrees(with: given), !rated.contains(where: { (given.hertz / $0.hertz - 1).magnitude <= 0.2 })
    {
      throw .rateDisagrees(given: given, found: estimate.hertz)
    }
    if let slowest {
      guard let rate = Self.resampled(slowest) else { throw .impossibleRate(found: slowest) }
      (sampleRate, source) = (rate, .times)
    } else {
      (sampleRate, source) = try Self.rate(given: given, stated: stated, hertz: estimate?.hertz)
    }
  }

  /// The rate of rows with a constant rate and its source; `hertz` is the rate by their timestamps.
  static func rate(given: SampleRate?, stated: Int64?, hertz: Double?) throws(TimingProblem) -> (SampleRate, Source) {
    if let given { return (given, .given) }
    if let stated {
      // A period in whole nanoseconds is inexact: that of 30 Hz gives 30.0000003 Hz.
      let (hertz, whole) = (1e9 / Double(stated), (1e9 / Double(stated)).rounded())
      return (.hertz(abs(hertz - whole) < whole * 1e-7 ? whole : hertz), .format)
    }
    guard let hertz else { throw .noSampleRate }
    guard possibleHertz.contains(hertz), let rate = SampleRate(exactly: hertz) else {
      throw .impossibleRate(found: hertz)
    }
    return (rate, .times)
  }

  /// The rate, changed by less than any clock's error so that it differs from every model's rate. If the rates were
  /// equal, the rows would not be resampled, but rows whose rate changes must be resampled by their times. `nil` if the
  /// rate is outside `possibleHertz`.
  private static func resampled(_ hertz: Double) -> SampleRate? {
    guard possibleHertz.contains(hertz) else { return nil }
    return SampleRate(exactly: hertz * (1 + 2e-9))
  }
}
