import Gait

/// Why the rows of a file cannot be placed in time.
public enum TimingProblem: Error, Equatable, Sendable {
  /// The file has no timestamps that give a sample rate, and the caller gave none.
  case noSampleRate
  /// The file has a time column, and all its cells are empty.
  case noTimes
  /// The given sample rate contradicts that of the timestamps, `found` in hertz.
  case rateDisagrees(given: SampleRate, found: Double)
  /// The timestamps give a sample rate, in hertz, that no motion sensor has.
  case impossibleRate(found: Double)
  /// Most rows share their time with a different row: the clock ticks more slowly than the sensor.
  case coarseTimes(rows: Int, times: Int)
  /// The clock was set back, and the rows after that, moved behind those before, would be more than 126 years from 0.
  case tooLong
  /// The timestamps of a live stream are too uneven to measure the sample rate: their root mean square deviation from
  /// even spacing, and that spacing, in seconds.
  case unevenTimes(jitter: Double, period: Double)
}

extension TimingProblem: CustomStringConvertible {
  /// The problem and its cure, to follow the name of the file.
  public var description: String {
    switch self {
    case .noSampleRate:
      "has no timestamps that give a sample rate; state the sample rate"
    case .noTimes:
      "has a time column without times; fill it, or remove it and state the sample rate"
    case .rateDisagrees(let given, let found):
      "has a stated sample rate of \(plain(given.hertz)) Hz, but its timestamps give \(plain(found)) Hz; "
        + "state that rate, or none"
    case .impossibleRate(let found):
      "has timestamps that give a sample rate of \(plain(found)) Hz, which no motion sensor has; "
        + "check the unit of the timestamps"
    case .coarseTimes(let rows, let times):
      "has \(rows) rows but only \(times) different timestamps, so the order of its rows is not known; "
        + "export finer timestamps, or remove their column and state the sample rate"
    case .tooLong:
      "has a clock that was set back so far that its later rows, moved behind the others, would be more than 126 years "
        + "from 0; correct the timestamps, or remove their column and state the sample rate"
    case .unevenTimes(let jitter, let period):
      "has timestamps that deviate \(plain((jitter * 1000).rounded())) ms from even steps of "
        + "\(plain((period * 1000).rounded())) ms, too much to measure the sample rate; state the sample rate"
    }
  }
}
