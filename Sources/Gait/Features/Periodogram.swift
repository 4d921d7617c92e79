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
  /// For each bin a row of cosines and a row of sines, shape `[2 · bins × paddedLength]`.
  private let basis: [Float]
  private let paddedLength: Int

  /// A plan for windows of `length` samples at `sampleRate`, for the bins of all `bands`.
  init(length: Int, sampleRate: SampleRate, bands: [ClosedRange<Double>]) {
    let transformLength = Self.transformLength(for: length)
    let resolution = sampleRate.hertz / Double(transformLength)
    let ranges = bands.map { Self.bins(of: $0, resolution: resolution, transformLength: transformLength) }
    let lower = ranges.map(\.lowerBound).min() ?? 0
    let bins = lower..<max(lower, ranges.map(\.upperBound).max() ?? 0)
    let paddedLength = (length + SeriesKernels.padding - 1) / SeriesKernels.padding * SeriesKernels.padding
    self.length = length
    self.bins = bins
    self.resolution = resolution
    self.paddedLength = paddedLength
    self.basis = Self.basis(bins: bins, length: length, paddedLength: paddedLength, transformLength: transformLength)
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

  private static func basis(
    bins: Range<Int>, length: Int, paddedLength: Int, transformLength: Int
  ) -> [Float] {
    let hann = hann(length)
    let power = hann.reduce(0) { $0 + $1 * $1 }
    var basis = [Float](repeating: 0, count: 2 * bins.count * paddedLength)
    for (index, bin) in bins.enumerated() {
      let sides = bin == 0 || bin * 2 == transformLength ? 1.0 : 2.0
      let scale = (sides / (Double(transformLength) * power)).squareRoot()
      for sample in 0..<length {
        // The remainder keeps the argument small, where the cosine is exact.
        let angle = 2 * .pi * Double(bin * sample % transformLength) / Double(transformLength)
        basis[2 * index * paddedLength + sample] = Float(scale * hann[sample] * cosine(angle))
        basis[(2 * index + 1) * paddedLength + sample] = Float(scale * hann[sample] * sine(angle))
      }
    }
    return basis
  }

  /// The mean square of the signal in every wanted bin.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window, `length` samples and zeros up to a whole number of vectors.
  ///   - powers: receives P[k]·Δf, shape `[bins.count]`.
  func powers(of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>) {
    basis.withUnsafeBufferPointer { basis in
      guard let base = basis.baseAddress else { return }
      for index in 0..<bins.count {
        let row = base + 2 * index * paddedLength
        let real = SeriesKernels.dot(series, row, count: length)
        let imaginary = SeriesKernels.dot(series, row + paddedLength, count: length)
        powers[index] = real * real + imaginary * imaginary
      }
    }
  }
}
