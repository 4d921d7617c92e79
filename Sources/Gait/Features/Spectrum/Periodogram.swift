/// The one-sided periodogram of a window, for the bins of some bands.
///
/// The bins are computed by a precomputed transform matrix, which includes the Hann weights (periodic), zero-padding
/// and scale. For a few bins that costs less than a whole FFT.
struct Periodogram: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The bins to compute.
  let bins: Range<Int>
  /// Hertz from one bin to the next.
  let resolution: Double
  /// The transform matrix, shape `[bins / 4, rounded up × foldedLength]`.
  ///
  /// For every four bins each pair of samples has a group: four cosines and their sines.
  private let basis: [LaneGroup]
  /// Half the window's length, rounded up to a multiple of eight.
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
    let lower = min(end, Int(saturating: (band.lowerBound / resolution).rounded(.up)))
    let upper = min(end, Int(saturating: (band.upperBound / resolution).rounded(.up)))
    return lower..<max(lower, upper)
  }

  /// Cosines and sines about the middle of the window. Sums of samples that mirror each other are multiplied by the
  /// cosine, differences by the sine.
  private static func basis(bins: Range<Int>, length: Int, foldedLength: Int, transformLength: Int) -> [LaneGroup] {
    guard !bins.isEmpty else { return [] }
    let hann = hann(length)
    let power = hann.reduce(0) { $0 + $1 * $1 }
    let wave = wave(transformLength)
    var basis = [LaneGroup](repeating: .zero, count: (bins.count + 3) / 4 * foldedLength)
    basis.withUnsafeMutableBytes { bytes in
      let floats = bytes.baseAddress!.assumingMemoryBound(to: Float.self)
      wave.withUnsafeBufferPointer { wave in
        for (index, bin) in bins.enumerated() {
          let sides = bin == 0 || bin * 2 == transformLength ? 1.0 : 2.0
          let scale = (sides / (Double(transformLength) * power)).squareRoot()
          var place = floats + (index / 4 * foldedLength * LaneGroup.scalarCount + index % 4)
          // In half samples, so that an odd length has a middle too. 2T is a power of two.
          var halves = bin &* length
          for weight in hann[1...max(1, length / 2)] {
            halves &-= 2 &* bin
            let (cosine, sine) = (halves &+ transformLength / 2, halves)
            let last = 2 &* transformLength &- 1
            place[0] = Float(scale * weight * wave[cosine & last])
            place[4] = Float(scale * weight * wave[sine & last])
            place += LaneGroup.scalarCount
          }
        }
      }
    }
    return basis
  }

  /// sin(πn ÷ T) for n from 0 up to 2T, from a quarter of it: a tracker's plan takes a fifth of the instructions that it takes
  /// with a call of the C library for every entry of the matrix.
  private static func wave(_ transformLength: Int) -> [Double] {
    let quarter = transformLength / 2
    var wave = [Double](repeating: 0, count: 4 * quarter)
    for n in 0...quarter {
      let value = sine(Double.pi * Double(n) / Double(transformLength))
      (wave[n], wave[2 * quarter - n]) = (value, value)
      if n > 0 { (wave[2 * quarter + n], wave[4 * quarter - n]) = (-value, -value) }
    }
    return wave
  }

  /// The size of `powers` in Floats: the number of bins, rounded up to a multiple of four.
  var powerCount: Int { (bins.count + 3) / 4 * 4 }

  /// The scratch that a window needs, in Floats.
  var scratchCount: Int { 2 * foldedLength }

  /// The mean square of the signal in every bin of `bins`.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window.
  ///   - powers: receives P[k]·Δf, zero-padded, shape `[powerCount]`.
  ///   - scratch: `scratchCount` Floats.
  func powers(
    of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) {
    let (even, odd) = (scratch, scratch + foldedLength)
    fold(series, even, odd)
    let output = UnsafeMutableRawPointer(powers)
    basis.withUnsafeBufferPointer { basis in
      guard let groups = basis.baseAddress else { return }
      @inline(__always)
      func store(_ sums: LaneGroup, _ quad: Int) {
        let squares = sums * sums
        output.storeBytes(of: squares.lowHalf + squares.highHalf, toByteOffset: 16 &* quad, as: SIMD4<Float>.self)
      }
      @inline(__always)
      func values(_ pair: Int) -> LaneGroup {
        LaneGroup(lowHalf: SIMD4(repeating: even[pair]), highHalf: SIMD4(repeating: odd[pair]))
      }
      /// Up to four at a time, as they share the samples. `count` is a constant at every call.
      @inline(__always)
      func storeSums(of count: Int, from quad: Int) {
        let first = groups + quad &* foldedLength
        let (second, third, fourth) = (
          first + foldedLength, first + 2 &* foldedLength, first + 3 &* foldedLength
        )
        var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
        for pair in 0..<foldedLength {
          let values = values(pair)
          s0 = s0.adding(values, times: first[pair])
          if count > 1 { s1 = s1.adding(values, times: second[pair]) }
          if count > 2 { s2 = s2.adding(values, times: third[pair]) }
          if count > 3 { s3 = s3.adding(values, times: fourth[pair]) }
        }
        store(s0, quad)
        if count > 1 { store(s1, quad &+ 1) }
        if count > 2 { store(s2, quad &+ 2) }
        if count > 3 { store(s3, quad &+ 3) }
      }
      let count = powerCount / 4
      var quad = 0
      while quad &+ 4 <= count {
        storeSums(of: 4, from: quad)
        quad &+= 4
      }
      switch count &- quad {
      case 3: storeSums(of: 3, from: quad)
      case 2: storeSums(of: 2, from: quad)
      case 1: storeSums(of: 1, from: quad)
      default: break
      }
    }
  }

  /// The sums and differences of samples that mirror each other, from the second and the last sample inwards. The first
  /// sample has no mirror image, but its weight is 0.
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
    // The middle sample of an even length is its own mirror image.
    if length.isMultiple(of: 2) { even[half - 1] = series[half] }
  }
}
