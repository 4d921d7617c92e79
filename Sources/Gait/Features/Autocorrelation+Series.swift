extension Autocorrelation {
  /// The scratch that one lane needs, in Floats.
  var seriesScratchCount: Int { (lags?.count ?? 0) + 2 + 16 }

  /// The highest local maximum of one lane.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window, followed by `SeriesKernels.padding` zeros.
  ///   - variance: its mean square.
  ///   - unbiased: see `unbiased(length:)`.
  ///   - scratch: `seriesScratchCount` Floats.
  /// - Returns: its lag in seconds and its height as a fraction of the variance; 0 without a local maximum.
  func peak(
    of series: UnsafePointer<Float>, variance: Float, unbiased: [Float], scratch: UnsafeMutablePointer<Float>
  ) -> (lag: Float, height: Float) {
    guard let lags else { return (0, 0) }
    let first = lags.lowerBound - 1
    let count = lags.count + 2
    products(series, from: first, count: count, into: scratch)
    unbiased.withUnsafeBufferPointer { Self.scale(scratch, count: count, by: $0.baseAddress! + first) }
    guard let index = Self.highestPeak(scratch, count: lags.count) else { return (0, 0) }
    let (before, here, after) = (scratch[index - 1], scratch[index], scratch[index + 1])
    let shift = 0.5 * (before - after) / (before - 2 * here + after)
    return ((Float(first + index) + shift) * period, here / variance)
  }

  /// Multiplies each value by its factor, eight at a time.
  @inline(__always)
  private static func scale(_ values: UnsafeMutablePointer<Float>, count: Int, by factors: UnsafePointer<Float>) {
    var index = 0
    while index < count {
      let products = SeriesKernels.group(values, at: index) * SeriesKernels.group(factors, at: index)
      UnsafeMutableRawPointer(values + index).storeBytes(of: products, as: LaneGroup.self)
      index &+= 8
    }
  }

  /// Σ xᵢ xᵢ₊ₖ for `count` lags k from `first` on, and for up to three more.
  @inline(__always)
  private func products(
    _ series: UnsafePointer<Float>, from first: Int, count: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index &+ SeriesKernels.manyLags <= count {
      SeriesKernels.manyProducts(series, lag: first &+ index, count: length, into: sums + index)
      index &+= SeriesKernels.manyLags
    }
    while index &+ 1 < count {
      SeriesKernels.fourProducts(series, lag: first &+ index, count: length, into: sums + index)
      index &+= 4
    }
    if index < count { sums[index] = SeriesKernels.product(series, lag: first &+ index, count: length) }
  }

  /// The index of the highest local maximum among the values 1…`count`, the first on a tie.
  ///
  /// NaNs are written after the values, as comparisons with NaN are false and end the search.
  @inline(__always)
  private static func highestPeak(_ values: UnsafeMutablePointer<Float>, count: Int) -> Int? {
    UnsafeMutableRawPointer(values + count + 2).storeBytes(of: LaneGroup(repeating: .nan), as: LaneGroup.self)
    let none = LaneGroup(repeating: .infinity)
    var (best, place) = (-none, none)
    var index = LaneGroup(1, 2, 3, 4, 5, 6, 7, 8)
    for start in stride(from: 0, to: count, by: 8) {
      let here = SeriesKernels.group(values, at: start + 1)
      let rises = (-none).replacing(with: here, where: here .> SeriesKernels.group(values, at: start))
      let peak = (-none).replacing(with: rises, where: here .>= SeriesKernels.group(values, at: start + 2))
      place.replace(with: index, where: peak .> best)
      best = best.greater(peak)
      index += 8
    }
    let first = none.replacing(with: place, where: best .== LaneGroup(repeating: best.greatest)).least
    return first == .infinity ? nil : Int(first)
  }
}
