/// The periodogram of one lane by an FFT of several lanes.
///
/// The samples n = P·m + r of one lane are P series side by side, one for each phase r, in a register of P lanes. With their
/// transforms Xᵣ of M = T / P samples, X[k] = Σᵣ e^(−2πi·r·k/T) Xᵣ[k mod M]. One transform of several lanes
/// (`BatchedRealFFT`) therefore gives the spectrum of one lane, and the sum is computed for the bins of the bands alone.
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
    rotations =
      bins.map { Self.rotation($0, transformLength: transformLength, phases: phases) }
      + Array(repeating: (0, .zero, .zero), count: (4 - bins.count % 4) % 4)
  }

  /// The sum for a bin: that of the phases' spectra in it or, of a bin beyond their half, the complex conjugate of the sum in its
  /// mirror image.
  private static func rotation(_ bin: Int, transformLength: Int, phases: Int) -> (bin: Int, cosine: Lanes, sine: Lanes)
  {
    let size = transformLength / phases
    let folded = bin % size
    let isMirrored = folded > size / 2
    let scale = Periodogram.scale(of: bin, transformLength: transformLength)
    var (cosines, sines) = (Lanes.zero, Lanes.zero)
    for phase in 0..<phases {
      let angle = -2 * Double.pi * Double(phase * bin % transformLength) / Double(transformLength)
      cosines[phase] = Float(scale * cosine(angle))
      sines[phase] = Float(scale * (isMirrored ? -sine(angle) : sine(angle)))
    }
    return (isMirrored ? size - folded : folded, cosines, sines)
  }

  /// The scratch that a window needs, in registers.
  var scratchCount: Int { fourier.scratchCount + 2 * fourier.binCount }

  /// The instructions for a window of so many samples and bins, about.
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
