/// The one-sided periodogram of a window of one lane, for the bins of some bands. It uses a matrix, or an FFT if that
/// costs less.
///
/// The cost of the matrix grows as bins × samples. For the few bins of the default features the matrix costs less; for
/// the many bins of the cadence and for long windows the FFT does.
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

  /// The factor of a bin's spectrum in addition to `weights`: √½ for bins 0 and T/2, which have no mirror image, and 1
  /// for the others.
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

  /// Writes the part of the signal's mean square that is in each bin of `bins`.
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

/// The periodogram of one lane by an FFT of several lanes.
///
/// The samples n = P·m + r of one lane are P series side by side, one for each phase r, in a register of P lanes. With
/// their transforms Xᵣ of M = T / P samples, X[k] = Σᵣ e^(−2πi·r·k/T) Xᵣ[k mod M]. One transform of several lanes
/// (`BatchedRealFFT`) therefore gives the spectrum of one lane. The sum is computed only for the bins of the bands.
///
/// Source: the decimation in time of Cooley and Tukey, *An algorithm for the machine calculation of complex Fourier
/// series* (Mathematics of Computation 19, 1965).
struct PhaseFFT: Sendable {
  /// P, the number of phases; the other lanes of a register are zero.
  private let phases: Int
  private let fourier: BatchedRealFFT
  /// For each bin, padded to a multiple of four: the bin of the phases' spectra, and the cosines and sines of its sum.
  private let rotations: [(bin: Int, cosine: Lanes, sine: Lanes)]

  /// A plan for `bins` of windows of `length` samples.
  init(length: Int, bins: Range<Int>) {
    let transformLength = Periodogram.transformLength(for: length)
    let phases = min(Lanes.scalarCount, transformLength / 16)
    let weights = Periodogram.weights(length)
    let rows = stride(from: 0, to: length, by: phases).map { first in
      var row = Lanes.zero
      for phase in 0..<min(phases, length - first) { row[phase] = Float(weights[first + phase]) }
      return row
    }
    self.phases = phases
    fourier = BatchedRealFFT(transformLength: transformLength / phases, weights: rows)
    let wave = SpectrumMatrix.wave(transformLength / 2)
    rotations =
      bins.map { Self.rotation($0, wave, transformLength: transformLength, phases: phases) }
      + Array(repeating: (0, .zero, .zero), count: (4 - bins.count % 4) % 4)
  }

  /// The cosines and sines of the sum for a bin. In the first half of the phases' bins it is the sum of the phases'
  /// spectra in the same bin. In the second half it is the complex conjugate of the sum in the mirror image.
  private static func rotation(
    _ bin: Int, _ wave: [Double], transformLength: Int, phases: Int
  ) -> (bin: Int, cosine: Lanes, sine: Lanes) {
    let size = transformLength / phases
    let folded = bin % size
    let isMirrored = folded > size / 2
    let scale = Periodogram.scale(of: bin, transformLength: transformLength)
    var (cosines, sines) = (Lanes.zero, Lanes.zero)
    for phase in 0..<phases {
      // sin(2πn ÷ T) of whole samples: T is a power of two.
      let (place, last) = (phase * bin, transformLength - 1)
      let sine = wave[place & last]
      cosines[phase] = Float(scale * wave[(place + transformLength / 4) & last])
      sines[phase] = Float(scale * (isMirrored ? sine : -sine))
    }
    return (isMirrored ? size - folded : folded, cosines, sines)
  }

  /// The scratch that a window needs, in registers.
  var scratchCount: Int { fourier.scratchCount + 2 * fourier.binCount }

  /// About how many instructions a window with this number of samples and bins takes.
  static func cost(length: Int, binCount: Int) -> Int {
    52 * Periodogram.transformLength(for: length) / Lanes.scalarCount + 16 * binCount
  }

  /// The powers of a window; see `Periodogram.powers`.
  func powers(
    of series: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Lanes>
  ) {
    let spectrum = UnsafeMutableRawPointer(scratch + fourier.scratchCount).assumingMemoryBound(to: ComplexLanes.self)
    fourier.transform(series, stride: phases, into: spectrum, scratch: scratch)
    let output = UnsafeMutableRawPointer(powers)
    rotations.withUnsafeBufferPointer { rotations in
      /// The summands of a bin, a phase in each lane.
      @inline(__always)
      func summands(_ index: Int) -> ComplexLanes {
        let (x, cosine, sine) = (spectrum[rotations[index].bin], rotations[index].cosine, rotations[index].sine)
        return ComplexLanes(
          (x.real * cosine).subtracting(x.imaginary, times: sine), (x.real * sine).adding(x.imaginary, times: cosine))
      }
      for first in stride(from: 0, to: rotations.count, by: 4) {
        let (a, b, c, d) = (summands(first), summands(first &+ 1), summands(first &+ 2), summands(first &+ 3))
        let real = Lanes.totals(a.real, b.real, c.real, d.real)
        let imaginary = Lanes.totals(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
        output.storeBytes(of: real * real + imaginary * imaginary, toByteOffset: 4 &* first, as: SIMD4<Float>.self)
      }
    }
  }
}
