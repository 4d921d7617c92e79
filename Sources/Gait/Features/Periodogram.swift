/// The one-sided periodogram of a window, for the bins that some features ask for.
///
/// The bins are computed by a transform matrix that is made once: Hann weights (periodic), zero-padding and scale are
/// already in it. A handful of bins costs less that way than a whole FFT.
struct Periodogram: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The wanted bins.
  let bins: Range<Int>
  /// Hertz from one bin to the next.
  let resolution: Double
  /// For every four bins and every eight pairs of samples a group of each bin's cosines, then the same of sines, shape
  /// `[bins / 4, rounded up × 2 × foldedLength / 8 × 4]`.
  private let basis: [LaneGroup]
  /// Half the window's length, rounded up to whole groups of eight.
  private let foldedLength: Int

  /// A plan for windows of `length` samples at `sampleRate`, for the bins of all `bands`.
  init(length: Int, sampleRate: SampleRate, bands: [ClosedRange<Double>]) {
    let transformLength = Self.transformLength(for: length)
    let resolution = sampleRate.hertz / Double(transformLength)
    let ranges = bands.map { Self.bins(of: $0, resolution: resolution, transformLength: transformLength) }
    let lower = ranges.map(\.lowerBound).min() ?? 0
    let bins = lower..<max(lower, ranges.map(\.upperBound).max() ?? 0)
    let foldedLength = (length / 2 + 7) / 8 * 8
    self.length = length
    self.bins = bins
    self.resolution = resolution
    self.foldedLength = foldedLength
    self.basis = Self.basis(bins: bins, length: length, foldedLength: foldedLength, transformLength: transformLength)
  }

  /// max(64, the next power of two ≥ 2 · `length`).
  static func transformLength(for length: Int) -> Int {
    var transformLength = 64
    while transformLength < 2 * length { transformLength *= 2 }
    return transformLength
  }

  /// The periodic Hann window of `length` samples.
  static func hann(_ length: Int) -> [Double] {
    (0..<length).map { 0.5 - 0.5 * cosine(2 * .pi * Double($0) / Double(length)) }
  }

  /// The bins with lower ≤ f < upper.
  func bins(of band: ClosedRange<Double>) -> Range<Int> {
    Self.bins(of: band, resolution: resolution, transformLength: Self.transformLength(for: length))
  }

  static func bins(
    of band: ClosedRange<Double>, resolution: Double, transformLength: Int
  ) -> Range<Int> {
    let end = transformLength / 2 + 1
    let lower = min(end, Int((band.lowerBound / resolution).rounded(.up)))
    let upper = min(end, Int((band.upperBound / resolution).rounded(.up)))
    return lower..<max(lower, upper)
  }

  /// Cosines and sines about the middle of the window, where a time is as far from the start as its mirror image from the
  /// end: the sum of two such samples meets the cosine, their difference the sine.
  private static func basis(bins: Range<Int>, length: Int, foldedLength: Int, transformLength: Int) -> [LaneGroup] {
    let hann = hann(length)
    let power = hann.reduce(0) { $0 + $1 * $1 }
    var basis = [LaneGroup](repeating: .zero, count: (bins.count + 3) / 4 * foldedLength)
    for (index, bin) in bins.enumerated() {
      let sides = bin == 0 || bin * 2 == transformLength ? 1.0 : 2.0
      let scale = (sides / (Double(transformLength) * power)).squareRoot()
      let cosines = index / 4 * foldedLength + index % 4
      for sample in 1...max(1, length / 2) {
        // In half samples, so that an odd length has a middle too; the remainder keeps the argument small and exact.
        let halves = bin * (length - 2 * sample) % (2 * transformLength)
        let angle = Double.pi * Double(halves) / Double(transformLength)
        let (group, place) = (cosines + (sample - 1) / 8 * 4, (sample - 1) % 8)
        basis[group][place] = Float(scale * hann[sample] * cosine(angle))
        basis[group + foldedLength / 2][place] = Float(scale * hann[sample] * sine(angle))
      }
    }
    return basis
  }

  /// How many Floats `powers` must have room for: the bins, rounded up to whole fours.
  var powerCount: Int { (bins.count + 3) / 4 * 4 }

  /// How many Floats of scratch a window needs.
  var scratchCount: Int { 2 * foldedLength }

  /// The mean square of the signal in every wanted bin.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window.
  ///   - powers: receives P[k]·Δf, shape `[powerCount]`; what is behind the bins is 0.
  ///   - scratch: `scratchCount` Floats.
  func powers(
    of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) {
    let (even, odd) = (scratch, scratch + foldedLength)
    fold(series, even, odd)
    let output = UnsafeMutableRawPointer(powers)
    basis.withUnsafeBufferPointer { basis in
      guard var groups = basis.baseAddress else { return }
      var bin = 0
      while bin < bins.count {
        let real = Self.products(even, groups, count: foldedLength)
        let imaginary = Self.products(odd, groups + foldedLength / 2, count: foldedLength)
        output.storeBytes(of: real * real + imaginary * imaginary, toByteOffset: 4 &* bin, as: SIMD4<Float>.self)
        groups += foldedLength
        bin &+= 4
      }
    }
  }

  /// The sums of products of `values` with four bins' rows of the basis.
  @inline(__always)
  private static func products(
    _ values: UnsafePointer<Float>, _ basis: UnsafePointer<LaneGroup>, count: Int
  ) -> SIMD4<Float> {
    var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    var (groups, index) = (basis, 0)
    while index < count {
      let values = SeriesKernels.group(values, at: index)
      s0 += values * groups[0]
      s1 += values * groups[1]
      s2 += values * groups[2]
      s3 += values * groups[3]
      groups += 4
      index &+= 8
    }
    return SIMD4.totals(
      s0.lowHalf + s0.highHalf, s1.lowHalf + s1.highHalf, s2.lowHalf + s2.highHalf, s3.lowHalf + s3.highHalf)
  }

  /// The sums and differences of samples that lie as far from the start as from the end, from the second sample and the
  /// last one inwards: the first sample has no such partner, and no weight either.
  @inline(__always)
  private func fold(
    _ series: UnsafePointer<Float>, _ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>
  ) {
    let half = length / 2
    var pair = 0
    while pair + 8 <= half {
      let early = SeriesKernels.group(series, at: pair + 1)
      let late = SeriesKernels.group(series, at: length - 8 - pair).reversed
      UnsafeMutableRawPointer(even + pair).storeBytes(of: early + late, as: LaneGroup.self)
      UnsafeMutableRawPointer(odd + pair).storeBytes(of: early - late, as: LaneGroup.self)
      pair &+= 8
    }
    while pair < half {
      even[pair] = series[pair + 1] + series[length - 1 - pair]
      odd[pair] = series[pair + 1] - series[length - 1 - pair]
      pair &+= 1
    }
    // The middle of an even length is its own partner.
    if length.isMultiple(of: 2) { even[half - 1] = series[half] }
  }
}
