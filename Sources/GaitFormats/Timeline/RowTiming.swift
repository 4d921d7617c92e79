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

  /// The rate at which the source meant to sample.
  public let sampleRate: SampleRate
  /// Who says so.
  public let source: Source
  /// Rows in a second by the rows' times, gaps left out, hertz; `nil` where there are no times.
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
    let estimate = RateEstimate(times: times)
    measuredHertz = estimate.map { 1e9 / $0.period }
    jitter = estimate.map { $0.jitter / 1e9 }
    if let given {
      if let estimate, !estimate.agrees(with: given) { throw .rateDisagrees(given: given, found: estimate.hertz) }
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
}
