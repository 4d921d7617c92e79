import Gait

/// How many rows a file has in a second, and who says so.
public struct RowTiming: Hashable, Sendable {
  /// Who says how many rows there are in a second.
  public enum Source: String, Hashable, Sendable {
    /// Whoever reads the file.
    case given
    /// The file's format, whatever file it is.
    case format
    /// The times of the rows.
    case times
  }

  /// A part of a recording with a rate of its own.
  public struct Part: Hashable, Sendable {
    /// The time of its first row; it ends where the next one starts.
    public var start: SampleTime
    /// Rows in a second.
    public var hertz: Double
  }

  /// The rate at which the source meant to sample; where the rate changes, the slowest, so that no part of the recording
  /// is taken for gaps.
  public let sampleRate: SampleRate
  /// Who says so.
  public let source: Source
  /// The parts of the recording, where its rate changes; empty where it does not.
  public let parts: [Part]
  /// Rows in a second by the rows' times, gaps left out, hertz; `nil` where there are no times. Where the rate changes,
  /// this and `jitter` are those of the slowest parts.
  public let measuredHertz: Double?
  /// How far the steps from row to row are from the mean one, gaps left out: root of the mean square, seconds. `nil` where
  /// there are no times.
  public let jitter: Double?

  /// The rates that times may speak for, in hertz: the slowest loggers and the fastest sensors.
  public static let possibleHertz = 2.0...2000.0

  /// - Parameters:
  ///   - times: the rows' times, strictly rising, or empty.
  ///   - given: the rate that whoever reads the file states.
  ///   - stated: nanoseconds from row to row that the format states.
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
    } else if let given {
      (sampleRate, source) = (given, .given)
    } else if let stated {
      (sampleRate, source) = (.hertz(1e9 / Double(stated)), .format)
    } else if let estimate {
      guard Self.possibleHertz.contains(estimate.hertz), let rate = SampleRate(exactly: estimate.hertz) else {
        throw .impossibleRate(found: estimate.hertz)
      }
      (sampleRate, source) = (rate, .times)
    } else {
      throw .noSampleRate
    }
  }

  /// A rate that is no model's, by less than any clock is off, so that rows of other rates are resampled by their times:
  /// at a model's own rate rows pass as they are.
  private static func resampled(_ hertz: Double) -> SampleRate? {
    guard possibleHertz.contains(hertz) else { return nil }
    return SampleRate(exactly: hertz * (1 + 2e-9))
  }
}
