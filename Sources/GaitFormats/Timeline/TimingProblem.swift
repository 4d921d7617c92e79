import Gait

/// Why the rows of a file cannot be placed in time.
public enum TimingProblem: Error, Equatable, Sendable {
  /// Nothing in the file says when its rows were taken, and no sample rate was given.
  case noSampleRate
  /// No row has a time, though there is a column for it.
  case noTimes
  /// The given sample rate is not that of the rows' times, `found` in hertz.
  case rateDisagrees(given: SampleRate, found: Double)
  /// The rows' times make a sample rate, in hertz, that no motion sensor has.
  case impossibleRate(found: Double)
  /// Most rows share their time with others that say something else: the clock ticks more slowly than the sensor.
  case coarseTimes(rows: Int, times: Int)
  /// A clock was set back, and what follows it, moved behind what came before, would be more than 126 years from 0.
  case tooLong
  /// The times of lines that come one by one lie so unevenly that they do not say the rate: how far they are from even
  /// spacing (root of the mean square), and that spacing, in seconds.
  case unevenTimes(jitter: Double, period: Double)
}

extension TimingProblem: CustomStringConvertible {
  /// What is wrong and what to do, to follow the name of the file.
  public var description: String {
    switch self {
    case .noSampleRate:
      "does not say when its rows were taken; give its sample rate, the number of rows in a second"
    case .noTimes:
      "has a column for times, but no row has one; fill it, or remove it and give the sample rate"
    case .rateDisagrees(let given, let found):
      "was said to have \(plain(given.hertz)) rows in a second, but by its times there are \(plain(found)); "
        + "give that rate, or none"
    case .impossibleRate(let found):
      "has \(plain(found)) rows in a second by its times, which no motion recording has; "
        + "check the unit of the times"
    case .coarseTimes(let rows, let times):
      "has \(rows) rows but only \(times) different times, so the order of its rows is not known; export finer times, "
        + "or remove their column and give the sample rate"
    case .tooLong:
      "has a clock that was set back, and rows behind that which, moved behind the others, would be more than 126 years "
        + "from 0; correct the times, or remove their column and give the sample rate"
    case .unevenTimes(let jitter, let period):
      "has times that lie \(plain((jitter * 1000).rounded())) ms from even steps of "
        + "\(plain((period * 1000).rounded())) ms, too unevenly to say the rate; give the sample rate"
    }
  }
}
