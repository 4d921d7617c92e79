/// The lag at which a window resembles itself most, for one lane along time or for several side by side.
struct Autocorrelation: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The lags that may be the answer, in samples.
  let lags: ClosedRange<Int>?
  let period: Float

  /// A plan for windows of `length` samples at `sampleRate` and lags of `range` seconds.
  init(length: Int, sampleRate: SampleRate, range: ClosedRange<Double>) {
    // A hair of slack, so that 0.2 s at 25 Hz is 5 samples however it is rounded.
    let shortest = max(1, Int(min((range.lowerBound * sampleRate.hertz - 1e-9).rounded(.up), Double(length))))
    let longest = Int((min(range.upperBound * sampleRate.hertz, 0.6 * Double(length)) + 1e-9).rounded(.down))
    self.length = length
    self.lags = shortest <= min(longest, length - 2) ? shortest...min(longest, length - 2) : nil
    self.period = Float(1 / sampleRate.hertz)
  }

  /// 1 ÷ (N − k) for each lag k of a window of N samples, and zeros behind them, so that eight may always be read.
  static func unbiased(length: Int) -> [Float] {
    (0..<length).map { 1 / Float(length - $0) } + Array(repeating: 0, count: 8)
  }
}
