/// The lag at which a window resembles itself most.
struct Autocorrelation: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The lags that may be the answer, in samples.
  let lags: ClosedRange<Int>?
  private let period: Float

  /// A plan for windows of `length` samples at `sampleRate` and lags of `range` seconds.
  init(length: Int, sampleRate: SampleRate, range: ClosedRange<Double>) {
    // A hair of slack, so that 0.2 s at 25 Hz is 5 samples however it is rounded.
    let shortest = max(1, Int((range.lowerBound * sampleRate.hertz - 1e-9).rounded(.up)))
    let longest = Int((min(range.upperBound * sampleRate.hertz, 0.6 * Double(length)) + 1e-9).rounded(.down))
    self.length = length
    self.lags = shortest <= min(longest, length - 2) ? shortest...min(longest, length - 2) : nil
    self.period = Float(1 / sampleRate.hertz)
  }

  /// How many zeros the series needs behind its end.
  static func padding(for length: Int) -> Int { length + SeriesKernels.padding }

  /// The lag of the highest local maximum, in seconds; 0 where there is none.
  ///
  /// - Parameter series: the mean-removed window, `length` samples followed by `padding(for: length)` zeros.
  func lag(of series: UnsafePointer<Float>) -> Float {
    guard let lags else { return 0 }
    var best: (value: Float, lag: Float)?
    var before = value(of: series, at: lags.lowerBound - 1)
    var here = value(of: series, at: lags.lowerBound)
    for lag in lags {
      let after = value(of: series, at: lag + 1)
      if here > before, here >= after, here > best?.value ?? -.infinity {
        let shift = 0.5 * (before - after) / (before - 2 * here + after)
        best = (here, Float(lag) + shift)
      }
      (before, here) = (here, after)
    }
    return (best?.lag ?? 0) * period
  }

  /// Σ xᵢ xᵢ₊ₖ ÷ (N − k).
  private func value(of series: UnsafePointer<Float>, at lag: Int) -> Float {
    SeriesKernels.dot(series, series + lag, count: length) / Float(length - lag)
  }
}
