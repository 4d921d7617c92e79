/// Measures the stride frequency by the autocorrelation of the rotation rate: a second estimate beside `StepSpectrum`.
///
/// Legs and arms turn a phone or a watch one way and back in every stride. The autocorrelation of the rotation vector,
/// Σ ωᵢ·ωᵢ₊ₖ ÷ (N − k), has peaks at the lags of one, two, … strides. The peak of one stride is the highest within 30 %
/// of the expected lag. Those of more strides, up to 0.6 N, refine it: an error of the lag is divided by their number.
struct StrideMeter: Sendable {
  private static let span = 0.3
  private static let longestShare = 0.6

  private let length: Int
  private let sampleRate: SampleRate
  /// The three axes without their means.
  private var series: [[Float]]
  /// The autocorrelation at successive lags.
  private var values: [Float]

  /// A meter for windows of `length` samples.
  init(length: Int, sampleRate: SampleRate) {
    self.length = length
    self.sampleRate = sampleRate
    series = Array(repeating: Array(repeating: 0, count: length + SeriesKernels.padding), count: 3)
    values = Array(repeating: 0, count: length + 8)
  }

  /// The stride frequency, hertz; `nil` without a gyroscope or without a peak.
  ///
  /// - Parameters:
  ///   - lanes: the axes, `lane` values apart.
  ///   - start: the index of the window in each.
  ///   - expected: the frequency near which it is searched, hertz.
  mutating func frequency(in lanes: [Float], from start: Int, lane: Int, near expected: Double) -> Double? {
    var power: Float = 0
    for axis in 0..<3 { power += lanes.removeMean(from: axis * lane + start, count: length, into: &series[axis]) }
    guard power > 0, power.isFinite, var period = firstPeriod(near: sampleRate.hertz / expected) else { return nil }
    var strides = 2.0
    while strides * period + 3 < Self.longestShare * Double(length) {
      let lag = Int(saturating: (strides * period).rounded())
      correlate(lag - 2...lag + 2)
      if let peak = highestPeak(count: 5) { period = (Double(lag - 2) + peak) / strides }
      strides += 1
    }
    return sampleRate.hertz / period
  }

  /// The lag of one stride, in samples.
  private mutating func firstPeriod(near expected: Double) -> Double? {
    let first = max(1, Int(saturating: (1 - Self.span) * expected) - 1)
    let last = min(length - 8, Int(saturating: (1 + Self.span) * expected) + 2)
    guard first + 2 <= last else { return nil }
    correlate(first...last)
    return highestPeak(count: last - first + 1).map { Double(first) + $0 }
  }

  /// Writes the autocorrelation at `lags` into `values`.
  private mutating func correlate(_ lags: ClosedRange<Int>) {
    for start in stride(from: 0, to: lags.count, by: 4) {
      let lag = lags.lowerBound + start
      var sums = SIMD4<Float>.zero
      for axis in series {
        guard start + 1 < lags.count else {
          sums.x += SeriesKernels.product(axis, lag: lag, count: length)
          continue
        }
        var products = SIMD4<Float>.zero
        withUnsafeMutableBytes(of: &products) { bytes in
          guard let output = bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
          SeriesKernels.fourProducts(axis, lag: lag, count: length, into: output)
        }
        sums += products
      }
      for index in 0..<4 { values[start + index] = sums[index] / Float(length - lag - index) }
    }
  }

  /// The place of the highest positive local maximum among the first `count` values: the top of the parabola through it
  /// and its neighbours.
  private func highestPeak(count: Int) -> Double? {
    var best: (height: Float, place: Double)?
    for index in 1..<count - 1 {
      let (before, here, after) = (values[index - 1], values[index], values[index + 1])
      guard here > (best?.height ?? 0), here >= before, here >= after, before + after < 2 * here else { continue }
      best = (here, Double(index) + 0.5 * Double((before - after) / (before - 2 * here + after)))
    }
    return best?.place
  }
}
