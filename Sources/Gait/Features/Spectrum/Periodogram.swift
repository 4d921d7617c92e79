/// The one-sided periodogram of a window of one lane, for the bins of some bands. It uses a matrix, or an FFT if that
/// costs less.
///
/// The cost of the matrix grows as bins × samples. The FFT therefore costs less for the many bins of a run's cadence
/// and for long windows of features, the matrix for the few bins of the default features.
struct Periodogram: Sendable {
  private enum Method: Sendable {
    case matrix(SpectrumMatrix)
    case fourier(PhaseFFT)
  }

  /// The number of samples in a window.
  let length: Int
  /// The bins to compute.
  let bins: Range<Int>
  /// Hertz from one bin to the next.
  let resolution: Double
  /// How the bins are computed; `nil` if there are none.
  private let method: Method?

  /// A plan for windows of `length` samples at `sampleRate`, for the bins of all `bands`.
  init(length: Int, sampleRate: SampleRate, bands: [ClosedRange<Double>]) {
    let transformLength = Self.transformLength(for: length)
    let resolution = sampleRate.hertz / Double(transformLength)
    let ranges = bands.map { Self.bins(of: $0, resolution: resolution, transformLength: transformLength) }
    let lower = ranges.map(\.lowerBound).min() ?? 0
    let bins = lower..<max(lower, ranges.map(\.upperBound).max() ?? 0)
    self.length = length
    self.bins = bins
    self.resolution = resolution
    guard !bins.isEmpty else {
      method = nil
      return
    }
    method =
      SpectrumMatrix.cost(length: length, binCount: bins.count) <= PhaseFFT.cost(length: length, binCount: bins.count)
      ? .matrix(SpectrumMatrix(length: length, bins: bins)) : .fourier(PhaseFFT(length: length, bins: bins))
  }

  /// max(64, the next power of two ≥ 2 · `length`).
  static func transformLength(for length: Int) -> Int {
    var transformLength = 64
    while transformLength < 2 * length { transformLength *= 2 }
    return transformLength
  }

  /// The periodic Hann window of `length` samples. It is scaled so that the one-sided squares of the spectrum are the
  /// mean square of the signal in every bin.
  static func weights(_ length: Int) -> [Double] {
    let hann = (0..<length).map { 0.5 - 0.5 * cosine(2 * .pi * Double($0) / Double(length)) }
    let power = hann.reduce(0) { $0 + $1 * $1 }
    let scale = (2 / (Double(transformLength(for: length)) * power)).squareRoot()
    return hann.map { $0 * scale }
  }

  /// The factor of a bin's spectrum in addition to `weights`. It differs for bins 0 and T/2, which have no mirror
  /// image.
  static func scale(of bin: Int, transformLength: Int) -> Double {
    bin == 0 || bin * 2 == transformLength ? 0.5.squareRoot() : 1
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

  /// The size of `powers` in Floats: the number of bins, rounded up to a multiple of four.
  var powerCount: Int { (bins.count + 3) / 4 * 4 }

  /// The scratch that a window needs, in registers.
  var scratchCount: Int {
    switch method {
    case .matrix(let matrix): (matrix.scratchCount + Lanes.scalarCount - 1) / Lanes.scalarCount
    case .fourier(let fourier): fourier.scratchCount
    case nil: 0
    }
  }

  /// Writes the mean square of the signal in every bin of `bins`.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window. If its length is no multiple of a register's lanes, zeros follow.
  ///   - powers: receives P[k]·Δf, zero-padded, shape `[powerCount]`.
  ///   - scratch: `scratchCount` registers, zero before the first window.
  func powers(
    of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Lanes>
  ) {
    switch method {
    case .matrix(let matrix):
      let floats = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Float.self)
      matrix.powers(of: series, into: powers, scratch: floats)
    case .fourier(let fourier): fourier.powers(of: series, into: powers, scratch: scratch)
    case nil: break
    }
  }
}
