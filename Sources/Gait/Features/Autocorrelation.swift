/// The lag of the highest autocorrelation peak in a window, for one lane along time or for several side by side.
struct Autocorrelation: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The lags that are searched, in samples; `nil` if the window is too short for the range.
  let lags: ClosedRange<Int>?
  let period: Float

  /// A plan for windows of `length` samples at `sampleRate` and lags of `range` seconds.
  init(length: Int, sampleRate: SampleRate, range: ClosedRange<Double>) {
    // The slack of 1e-9 makes 0.2 s at 25 Hz 5 samples in spite of rounding.
    let shortest = max(1, Int(min((range.lowerBound * sampleRate.hertz - 1e-9).rounded(.up), Double(length))))
    let longest = Int((min(range.upperBound * sampleRate.hertz, 0.6 * Double(length)) + 1e-9).rounded(.down))
    self.length = length
    self.lags = shortest <= min(longest, length - 2) ? shortest...min(longest, length - 2) : nil
    self.period = Float(1 / sampleRate.hertz)
  }

  /// 1 ÷ (N − k) for each lag k of a window of N samples, padded with eight zeros for reads of whole groups.
  static func unbiased(length: Int) -> [Float] {
    (0..<length).map { 1 / Float(length - $0) } + Array(repeating: 0, count: 8)
  }
}
