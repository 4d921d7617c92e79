import Gait

/// Estimates the sample rate of a live stream from its timestamps, and buffers the samples until it is known.
///
/// The estimate uses the first 3 s and at least 16 samples, by the same rule as for files (`RateEstimate`): the number
/// of steps ÷ the time that they cover, without gaps, or the nominal rate within 1 % of that. The root-mean-square
/// deviation of the times from even spacing must be within one period. Samples that are not later than an earlier one
/// do not count. The first window of the bundled model ends after 2.56 s, so estimating the rate delays the first
/// decision by less than half a second.
package struct LiveRate: Sendable {
  /// The samples so far, in order of arrival.
  package private(set) var samples: [MotionSample] = []
  private var times: [Int64] = []
  private let name: String

  private static let span: Int64 = 3_000_000_000
  private static let fewestTimes = 16
  /// The most samples to buffer: what the fastest sensor (`RowTiming.possibleHertz`) gives in twice the span.
  static let mostSamples = 12_000

  /// Creates an estimator without samples.
  ///
  /// - Parameter name: the stream's name in errors.
  package init(name: String) {
    self.name = name
  }

  /// Adds the next sample.
  ///
  /// - Returns: the sample rate once it is known, and `nil` before.
  /// - Throws: `RecordingError.timing` if the rate cannot be estimated from the times.
  package mutating func append(_ sample: MotionSample) throws(RecordingError) -> SampleRate? {
    samples.append(sample)
    if times.last.map({ $0 < sample.time.nanoseconds }) ?? true { times.append(sample.time.nanoseconds) }
    let covered = (times.last ?? 0) - (times.first ?? 0)
    guard (covered >= Self.span && times.count >= Self.fewestTimes) || samples.count >= Self.mostSamples else {
      return nil
    }
    return try rate()
  }

  /// The sample rate of the samples so far, for a stream that has ended.
  ///
  /// - Throws: `RecordingError.noRows` without samples; `RecordingError.timing` if the rate cannot be estimated from
  ///   the times.
  package func rate() throws(RecordingError) -> SampleRate {
    guard !samples.isEmpty else { throw .noRows(file: name) }
    do throws(TimingProblem) {
      guard samples.count > 1 else { throw .noSampleRate }
      guard times.count > 1, 2 * times.count >= samples.count else {
        throw .coarseTimes(rows: samples.count, times: times.count)
      }
      let timing = try RowTiming(of: times, given: nil, stated: nil)
      let period = 1 / timing.sampleRate.hertz
      if let jitter = timing.jitter, jitter > period { throw .unevenTimes(jitter: jitter, period: period) }
      return timing.sampleRate
    } catch {
      throw .timing(error, file: name)
    }
  }
}
