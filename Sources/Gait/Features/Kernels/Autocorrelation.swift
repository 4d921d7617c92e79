/// The lag and the height of the highest autocorrelation peak in a window, for one lane or for several side by side.
struct Autocorrelation: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The lags that are searched, in samples; `nil` if the window is too short for the range.
  let lags: ClosedRange<Int>?
  let period: Float

  /// A plan for windows of `length` samples at `sampleRate` and lags of `range` seconds.
  init(length: Int, sampleRate: SampleRate, range: ClosedRange<Double>) {
    // 1e-9 is added because of rounding: 0.2 s at 25 Hz must be 5 samples.
    let shortest = max(
      1, Int(saturating: min((range.lowerBound * sampleRate.hertz - 1e-9).rounded(.up), Double(length))))
    let longest = Int(
      saturating: (min(range.upperBound * sampleRate.hertz, 0.6 * Double(length)) + 1e-9).rounded(.down))
    self.length = length
    self.lags = shortest <= min(longest, length - 2) ? shortest...min(longest, length - 2) : nil
    self.period = Float(1 / sampleRate.hertz)
  }

  /// 1 ÷ (N − k) for each lag k of a window of N samples, padded with eight zeros for reads of whole groups.
  static func unbiased(length: Int) -> [Float] {
    (0..<length).map { 1 / Float(length - $0) } + Array(repeating: 0, count: 8)
  }
}

// MARK: - Several lanes side by side

extension Autocorrelation {
  /// The number of lags computed at a time. As many rows of zeros must follow a window's rows.
  static let block = 5

  /// The lags whose sums are read: those of the range and one more at each end, because a local maximum needs both
  /// neighbours. Empty if there are no lags to search.
  var summedLags: Range<Int> { lags.map { $0.lowerBound - 1..<$0.upperBound + 2 } ?? 0..<0 }

  /// The number of sums that `sumProducts` writes: one for each lag, rounded up to a multiple of `block`.
  static func sumCount(_ lags: Range<Int>) -> Int { (lags.count + block - 1) / block * block }

  /// Writes Σ xᵢ xᵢ₊ₖ over the `length` mean-removed rows of a window, for each lag k of `lags`. Several searches may
  /// share the sums.
  static func sumProducts(
    of rows: UnsafePointer<Lanes>, length: Int, lags: Range<Int>, into sums: UnsafeMutablePointer<Lanes>
  ) {
    var (lag, sums) = (lags.lowerBound, sums)
    while lag < lags.upperBound {
      (sums[0], sums[1], sums[2], sums[3], sums[4]) = products(rows, rows + lag, count: length &- lag)
      lag &+= block
      sums += block
    }
  }

  /// Σ xᵢ yᵢ₊ₖ for k = 0…4; rows of y past the end are zero.
  @inline(__always)
  private static func products(
    _ x: UnsafePointer<Lanes>, _ y: UnsafePointer<Lanes>, count: Int
  ) -> (Lanes, Lanes, Lanes, Lanes, Lanes) {
    // Take two rows at a time, with an accumulator for each, so that no sum waits for the one before.
    var (a0, a1, a2, a3, a4) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    var (b0, b1, b2, b3, b4) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    // If `count` is odd, x is read one row past the end, where y is zero.
    var (row, others) = (x, y)
    while row < x + count {
      let (here, next) = (row[0], row[1])
      a0 = a0.adding(here, times: others[0])
      a1 = a1.adding(here, times: others[1])
      b0 = b0.adding(next, times: others[1])
      a2 = a2.adding(here, times: others[2])
      b1 = b1.adding(next, times: others[2])
      a3 = a3.adding(here, times: others[3])
      b2 = b2.adding(next, times: others[3])
      a4 = a4.adding(here, times: others[4])
      b3 = b3.adding(next, times: others[4])
      b4 = b4.adding(next, times: others[5])
      row += 2
      others += 2
    }
    return (a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4)
  }

  /// The highest local maximum of each lane.
  ///
  /// - Parameters:
  ///   - sums: Σ xᵢ xᵢ₊ₖ for each lag k of `summedLags`.
  ///   - variance: the mean square of each lane.
  ///   - unbiased: 1 ÷ (N − k) for each lag k.
  /// - Returns: lags in seconds and heights as fractions of the variance; 0 without a local maximum.
  func peaks(of sums: UnsafePointer<Lanes>, variance: Lanes, unbiased: [Factor]) -> (lag: Lanes, height: Lanes) {
    guard let lags else { return (.zero, .zero) }
    let firstLag = summedLags.lowerBound
    let peak = unbiased.withUnsafeBufferPointer { Peak(sums, times: $0.baseAddress! + firstLag, count: lags.count) }
    // Rounding may leave no curvature if the peak is higher than its neighbours by the last bit only.
    let curvature = peak.before - 2 * peak.height + peak.after
    let shift = (0.5 * (peak.before - peak.after) / curvature).replacing(with: 0, where: curvature .>= 0)
    let lag = (Lanes(peak.place) + Float(firstLag) + shift) * period
    let isFound = (peak.place .> .zero) .& (variance .> .zero)
    return (
      Lanes.zero.replacing(with: lag, where: isFound),
      Lanes.zero.replacing(with: peak.height / variance, where: isFound)
    )
  }

  /// The highest local maximum of each lane among the values 1…`count`, the first on a tie, and its neighbours.
  private struct Peak {
    var height = Lanes(repeating: -.infinity)
    /// The index of the maximum; 0 without one.
    var place = LaneIntegers.zero
    var (before, after) = (Lanes.zero, Lanes.zero)

    @inline(__always)
    init(_ sums: UnsafePointer<Lanes>, times factors: UnsafePointer<Factor>, count: Int) {
      var (left, here) = (sums[0] * factors[0].lanes, sums[1] * factors[1].lanes)
      var (next, index) = (2, LaneIntegers.zero)
      while next < count &+ 2 {
        let right = sums[next] * factors[next].lanes
        let isHigher = (here .> left.greater(height)) .& (here .>= right)
        index &+= 1
        height.replace(with: here, where: isHigher)
        place.replace(with: index, where: isHigher)
        (left, here) = (here, right)
        next &+= 1
      }
      // Read the neighbours after the search: selecting them at every lag would cost more.
      for lane in 0..<Lanes.scalarCount {
        let peak = max(1, Int(clamping: place[lane]))
        before[lane] = sums[peak &- 1][lane] * factors[peak &- 1].lanes[lane]
        after[lane] = sums[peak &+ 1][lane] * factors[peak &+ 1].lanes[lane]
      }
    }
  }
}

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
    // Without curvature, as in `peaks`, the lag is not refined.
    let curvature = before - 2 * here + after
    let shift = curvature < 0 ? 0.5 * (before - after) / curvature : 0
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
  /// NaNs are written after the values. Comparisons with NaN are false, so the search ends there.
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
    return first == .infinity ? nil : Int(saturating: first)
  }
}
