import Gait

/// Finds the rate of samples that come one by one, by their times, and keeps them meanwhile.
///
/// The rate is that of the samples of the first 3 s, but of 16 samples at least, by the rule that files are read with
/// (`RateEstimate`): the number of steps ÷ the time that they cover, gaps left out, or the nominal rate within 1 % of
/// that. The times must lie within one period of even spacing (root of the mean square); samples that are not later than
/// one before them do not count. The first window of the model that comes with Gait ends after 2.56 s, so that its first
/// decision comes less than half a second later than with a rate that is given.
public struct LiveRate: Sendable {
  /// The samples that were taken, in the order in which they came.
  public private(set) var samples: [MotionSample] = []
  private var times: [Int64] = []
  private let name: String

  private static let span: Int64 = 3_000_000_000
  private static let fewestTimes = 16
  /// More samples than the fastest sensor (`RowTiming.possibleHertz`) gives in twice the span are not kept.
  static let mostSamples = 12_000

  /// A search that has seen nothing.
  ///
  /// - Parameter name: what to call the stream in errors.
  public init(name: String) {
    self.name = name
  }

  /// Takes the next sample; returns the rate once it is known, and `nil` before.
  ///
  /// - Throws: `RecordingError.timing` where the times do not say the rate.
  public mutating func append(_ sample: MotionSample) throws(RecordingError) -> SampleRate? {
    samples.append(sample)
    if times.last.map({ $0 < sample.time.nanoseconds }) ?? true { times.append(sample.time.nanoseconds) }
    let covered = (times.last ?? 0) - (times.first ?? 0)
    guard (covered >= Self.span && times.count >= Self.fewestTimes) || samples.count >= Self.mostSamples else {
      return nil
    }
    return try rate()
  }

  /// The rate of the samples that came, where no more will come.
  ///
  /// - Throws: `RecordingError.timing` where the times do not say the rate.
  public func rate() throws(RecordingError) -> SampleRate {
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
