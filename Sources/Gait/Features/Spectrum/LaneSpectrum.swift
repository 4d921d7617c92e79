/// Band powers and spectral shape of several lanes.
struct LaneSpectrum: Sendable {
  /// Hertz from one bin to the next.
  let resolution: Float
  /// T / 2, the last bin: 32 at least, and a power of two.
  let lastBin: Int

  /// The spectral shape of each lane; 0 for a lane without power.
  struct Shape: Sendable {
    var dominantFrequency = Lanes.zero
    var centroid = Lanes.zero
    var entropy = Lanes.zero
    var flatness = Lanes.zero
  }

  /// The number of bins searched at a time.
  private static let chunk = 8

  /// Σ P[k] over `bins`.
  func power(_ powers: UnsafePointer<Lanes>, in bins: Range<Int>) -> Lanes {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var bin = bins.lowerBound
    while bin &+ 1 < bins.upperBound {
      even += powers[bin]
      odd += powers[bin &+ 1]
      bin &+= 2
    }
    if bin < bins.upperBound { even += powers[bin] }
    return even + odd
  }

  /// The shape of the spectra over the bins 1…T/2.
  func shape(of powers: UnsafePointer<Lanes>) -> Shape {
    let sums = Sums(powers, lastBin: lastBin)
    let hasPower = sums.total .> Lanes(repeating: .leastNormalMagnitude * 1e8)
    let total = sums.total.replacing(with: Lanes(repeating: 1), where: .!hasPower)
    let (entropy, flatness) = spread(powers, total: total)
    var shape = Shape()
    shape.centroid.replace(with: resolution * sums.moment / total, where: hasPower)
    shape.entropy.replace(with: entropy, where: hasPower)
    shape.flatness.replace(with: flatness, where: hasPower)
    shape.dominantFrequency.replace(with: resolution * peakBins(sums, powers), where: hasPower)
    return shape
  }

  /// The sums of one pass over the bins.
  private struct Sums {
    /// ΣP and ΣkP.
    var total = Lanes.zero
    var moment = Lanes.zero
    /// The highest power, and the first bin of the first chunk that contains it.
    var highest = Lanes(repeating: -1)
    var chunk = LaneIntegers(repeating: 1)

    /// Sums from the last chunk down to the first, so that the first one wins a tie. Within a chunk, the loop runs from
    /// the last bin down. At each bin it adds the running sum to the moment, which weights each power by its index.
    init(_ powers: UnsafePointer<Lanes>, lastBin: Int) {
      var start = lastBin - LaneSpectrum.chunk
      while start >= 0 {
        var (sum, moment, highest) = (Lanes.zero, Lanes.zero, Lanes(repeating: -1))
        for bin in stride(from: LaneSpectrum.chunk, to: 0, by: -1) {
          let power = powers[start + bin]
          sum += power
          moment += sum
          highest = highest.greater(power)
        }
        total += sum
        self.moment += moment.adding(sum, times: Lanes(repeating: Float(start)))
        chunk.replace(
          with: LaneIntegers(repeating: Int32(truncatingIfNeeded: start &+ 1)), where: highest .>= self.highest)
        self.highest = self.highest.greater(highest)
        start -= LaneSpectrum.chunk
      }
    }
  }

  /// Entropy and flatness, with one logarithm for each bin.
  private func spread(_ powers: UnsafePointer<Lanes>, total: Lanes) -> (Lanes, Lanes) {
    let count = Float(lastBin)
    var spread = Spread(perTotal: 1 / total, least: Lanes(repeating: 1e-12 / count))
    withUnsafeMutablePointer(to: &spread) { Self.sumLogarithms(powers, count: lastBin, into: $0) }
    let mean = spread.logarithms * (1 / count)
    return (spread.information * (-1 / logarithm(count)), mean.exponentials * count)
  }

  private struct Spread {
    let perTotal: Lanes
    /// The least share of a bin, so that its logarithm is finite.
    let least: Lanes
    /// Σ p ln p and Σ ln p, p a bin's share.
    var information = Lanes.zero
    var logarithms = Lanes.zero
  }

  /// Sums over the bins 1…`count`. Arguments and results are passed in memory, because the compiler would split vectors
  /// of eight lanes in registers.
  @inline(never)
  private static func sumLogarithms(
    _ powers: UnsafePointer<Lanes>, count: Int, into spread: UnsafeMutablePointer<Spread>
  ) {
    let (perTotal, least) = (spread.pointee.perTotal, spread.pointee.least)
    var (information, logarithms) = (Lanes.zero, Lanes.zero)
    var bin = 0
    while bin < count {
      bin &+= 1
      let share = least.greater(powers[bin] * perTotal)
      let logarithm = share.logarithms
      information = information.adding(share, times: logarithm)
      logarithms += logarithm
    }
    (spread.pointee.information, spread.pointee.logarithms) = (information, logarithms)
  }

  /// The bin of the highest power in each lane, refined by a parabola through the logarithms of it and its neighbours.
  private func peakBins(_ sums: Sums, _ powers: UnsafePointer<Lanes>) -> Lanes {
    let values = UnsafeRawPointer(powers).assumingMemoryBound(to: Float.self)
    var (peak, left, right) = (Lanes.zero, Lanes.zero, Lanes.zero)
    for lane in 0..<Lanes.scalarCount {
      let place = values + lane
      let bin = Self.firstBin(of: sums.highest[lane], place, from: Int(clamping: sums.chunk[lane]))
      peak[lane] = Float(bin)
      guard bin > 1, bin < lastBin else { continue }
      left[lane] = place[(bin - 1) * Lanes.scalarCount]
      right[lane] = place[(bin + 1) * Lanes.scalarCount]
    }
    let (before, here, after) = (left.logarithms, sums.highest.logarithms, right.logarithms)
    let curvature = before - 2 * here + after
    let moved = peak + 0.5 * (before - after) / curvature
    return peak.replacing(with: moved, where: (left .> .zero) .& (right .> .zero) .& (curvature .< .zero))
  }

  /// The first bin of a chunk with `power`, in one lane. All bins are compared at once, because a branch would be
  /// unpredictable.
  @inline(__always)
  private static func firstBin(of power: Float, _ lane: UnsafePointer<Float>, from first: Int) -> Int {
    let place = lane + first * Lanes.scalarCount
    @inline(__always)
    func value(_ bin: Int) -> Float { place[bin &* Lanes.scalarCount] }
    let chunk = LaneGroup(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7))
    let places = LaneGroup(repeating: 7).replacing(
      with: LaneGroup(0, 1, 2, 3, 4, 5, 6, 7), where: chunk .== LaneGroup(repeating: power))
    return first + Int(saturating: places.least)
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
