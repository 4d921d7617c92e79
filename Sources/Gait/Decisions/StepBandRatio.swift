/// The share of the total acceleration's variation that lies in the band of steps, window by window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone shaken by a standing person moves at higher frequencies than steps. It must not resume a run.
struct StepBandRatio: Sendable {
  private static let band = 1.2...3.6

  private let periodogram: Periodogram
  /// The latest measured window of |g + u| without its mean, followed by zeros.
  private(set) var series: [Float]
  private var powers: [Float]
  private var scratch: [Lanes]

  /// The ratio of windows of `shape`; `nil` if the band exceeds half of `sampleRate`.
  init?(shape: WindowShape, sampleRate: SampleRate) {
    guard Self.band.upperBound <= sampleRate.hertz / 2 else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    periodogram = Periodogram(length: length, sampleRate: sampleRate, bands: [Self.band])
    series = Array(repeating: 0, count: length + SeriesKernels.padding)
    powers = Array(repeating: 0, count: periodogram.powerCount)
    scratch = Array(repeating: .zero, count: periodogram.scratchCount)
  }

  /// The ratio and the standard deviation, in g, of the latest window; `nil` if a value is missing in it, or beyond
  /// `ModelRanges.feature`.
  mutating func measure(_ history: StepHistory) -> (ratio: Float, deviation: Float)? {
    let length = periodogram.length
    guard history.completeCount >= length else { return nil }
    var findings = Findings<Float>()
    history.withLane(.total, last: length) { lane in
      let mean = SeriesKernels.meanFromFirst(lane, count: length)
      findings.variance = SeriesKernels.removeMean(lane, count: length, meanFromFirst: mean, into: &series)
      findings.mean = lane[0] + mean
    }
    guard findings.variance.isFinite else { return nil }
    // A constant lane's deviations are rounding errors.
    guard findings.variance > findings.leastVariance else { return (0, 0) }
    periodogram.powers(of: series, into: &powers, scratch: &scratch)
    var band: Float = 0
    for bin in 0..<periodogram.bins.count { band += powers[bin] }
    band.formSquareRoot()
    let deviation = findings.variance.squareRoot()
    return ModelRanges.feature ~= band ? (band / deviation, deviation) : nil
  }
}
