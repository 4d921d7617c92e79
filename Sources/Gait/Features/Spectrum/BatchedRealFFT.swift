/// A real FFT of several series at once, one in each lane of a register. It gives their periodograms or, for
/// `Periodogram`, their spectra. It is planned once for a window length.
///
/// The window is weighted (Hann, periodic) and zero-padded to T samples, at least twice its length.
///
/// - The odd bins of a real series of L samples are one complex transform of L / 4: with d[n] = x[n] − x[n + L/2] and w
///   = e^(−2πi/L), output l of the transform of (d[n] − i·d[n + L/4])·wⁿ is X[4l + 1]. Bins beyond L / 2 are the mirror
///   images of the others.
/// - The even bins are the transform of the L / 2 sums x[n] + x[n + L/2]. The same step is applied to them, down to
///   eight samples.
///
/// No reordering is needed, and no bin needs a further step. Sources: Sorensen, Jones, Heideman and Burrus,
/// *Real-valued fast Fourier transform algorithms* (IEEE Transactions on Acoustics, Speech and Signal Processing 35,
/// 1987), for the recursion; Duhamel and Vetterli, *Fast Fourier transforms: a tutorial review* (Signal Processing 19,
/// 1990), §5.2, for the odd bins.
struct BatchedRealFFT: Sendable {
  /// T, the length of the transform in samples.
  let transformLength: Int
  /// The weights of each row, at most `transformLength / 2` rows.
  private let weights: [Lanes]
  /// The twiddle factors wⁿ and those of the complex transform, for each L from T down to 16.
  private let factors: [Factor]

  /// The number of bins, 0…T/2.
  var binCount: Int { transformLength / 2 + 1 }
  /// The scratch that a transform needs, in rows.
  var scratchCount: Int { transformLength * 3 / 2 }

  /// A plan for the periodograms of windows of `length` samples.
  init(length: Int) {
    let weights = Periodogram.weights(length)
    self.init(
      transformLength: Periodogram.transformLength(for: length),
      weights: weights.map { Lanes(repeating: Float($0)) })
  }

  /// A plan for transforms of `transformLength` samples, a power of two from 16 on. The first rows have `weights`; the
  /// rows after them are zero.
  init(transformLength: Int, weights: [Lanes]) {
    self.transformLength = transformLength
    self.weights = weights
    var (factors, size) = ([Factor](), transformLength)
    while size >= 16 {
      for n in 0..<size / 4 {
        let angle = -2 * Double.pi * Double(n) / Double(size)
        factors.append(Factor(cosine(angle)))
        factors.append(Factor(sine(angle)))
      }
      ComplexPasses.appendFactors(size: size / 4, to: &factors)
      size /= 2
    }
    self.factors = factors
  }

  /// The mean square of the series in every bin, or its spectrum.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window, a row for each weight, `stride` numbers apart.
  ///   - bins: receives P[k] or X[k], shape `[binCount]`.
  ///   - scratch: `scratchCount` rows.
  func transform<Bin: SpectrumBin>(
    _ series: UnsafePointer<Float>, stride: Int, into bins: UnsafeMutablePointer<Bin>,
    scratch: UnsafeMutablePointer<Lanes>
  ) {
    factors.withUnsafeBufferPointer { factors in
      var factor = factors.baseAddress!
      let quarter = transformLength / 4
      let sums = scratch
      let first = UnsafeMutableRawPointer(sums + 2 * quarter).assumingMemoryBound(to: ComplexLanes.self)
      let second = first + quarter
      applyWindow(series, stride: stride, quarter: quarter, &factor, sums: sums, odd: first)
      var size = transformLength
      while true {
        let count = size / 4
        let odd = OddBins(bins, step: transformLength / size, quarter: count)
        ComplexPasses.run(first, second, size: count, &factor, into: odd)
        size /= 2
        if size == 8 { break }
        Self.fold(sums, quarter: size / 4, &factor, odd: first)
      }
      Self.finish(sums, into: bins, step: transformLength / 8)
    }
  }

  /// Applies the window's weights and, for the odd bins, the twiddle factors. At least the second half of the input is
  /// zero, because it lies after the window.
  @inline(__always)
  private func applyWindow(
    _ series: UnsafePointer<Float>, stride: Int, quarter: Int, _ factor: inout UnsafePointer<Factor>,
    sums: UnsafeMutablePointer<Lanes>, odd: UnsafeMutablePointer<ComplexLanes>
  ) {
    weights.withUnsafeBufferPointer { weights in
      let bytes = UnsafeRawPointer(series)
      @inline(__always)
      func row(_ n: Int) -> Lanes {
        weights[n] * bytes.loadUnaligned(fromByteOffset: 4 &* stride &* n, as: Lanes.self)
      }
      @inline(__always)
      func store(_ a: Lanes, _ b: Lanes, at n: Int) {
        (sums[n], sums[n &+ quarter]) = (a, b)
        odd[n] = Self.rotated(a, b, factor + 2 &* n)
      }
      let (both, one) = (max(0, weights.count - quarter), min(weights.count, quarter))
      for n in 0..<both { store(row(n), row(n &+ quarter), at: n) }
      for n in both..<one { store(row(n), .zero, at: n) }
      for n in one..<quarter { store(.zero, .zero, at: n) }
    }
    factor += 2 * quarter
  }

  /// Adds the second half of the series to its first, and applies the twiddle factors to their difference for the odd
  /// bins.
  private static func fold(
    _ sums: UnsafeMutablePointer<Lanes>, quarter: Int, _ factor: inout UnsafePointer<Factor>,
    odd: UnsafeMutablePointer<ComplexLanes>
  ) {
    let (second, third, fourth) = (sums + quarter, sums + 2 * quarter, sums + 3 * quarter)
    for n in 0..<quarter {
      let (x0, x1) = (sums[n], second[n])
      let (x2, x3) = (third[n], fourth[n])
      (sums[n], second[n]) = (x0 + x2, x1 + x3)
      odd[n] = rotated(x0 - x2, x1 - x3, factor + 2 &* n)
    }
    factor += 2 * quarter
  }

  /// (a − ib) · w.
  @inline(__always)
  private static func rotated(_ a: Lanes, _ b: Lanes, _ w: UnsafePointer<Factor>) -> ComplexLanes {
    let (cosine, sine) = (w[0].lanes, w[1].lanes)
    return ComplexLanes((a * cosine).adding(b, times: sine), (a * sine).subtracting(b, times: cosine))
  }

  /// The bins of the last eight sums: 0, T/8 … T/2.
  @inline(__always)
  private static func finish<Bin: SpectrumBin>(
    _ x: UnsafePointer<Lanes>, into bins: UnsafeMutablePointer<Bin>, step: Int
  ) {
    let (s0, s1, s2, s3) = (x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7])
    let (d0, d1, d2, d3) = (x[0] - x[4], x[1] - x[5], x[2] - x[6], x[3] - x[7])
    let (even, odd) = (s0 + s2, s1 + s3)
    bins[0] = Bin(real: even + odd)
    bins[4 * step] = Bin(real: even - odd)
    bins[2 * step] = Bin(mirrored: ComplexLanes(s0 - s2, s1 - s3))
    let diagonal = Float(0.5).squareRoot()
    let (real, imaginary) = ((d1 - d3) * diagonal, (d1 + d3) * diagonal)
    bins[step] = Bin(mirrored: ComplexLanes(d0 + real, d2 + imaginary))
    bins[3 * step] = Bin(ComplexLanes(d0 - real, d2 - imaginary))
  }
}

/// A bin of a spectrum as it is stored: its power, or the complex number itself.
protocol SpectrumBin {
  init(_ value: ComplexLanes)
  /// A bin whose number is the complex conjugate of `value`, because it was computed as a mirror image.
  init(mirrored value: ComplexLanes)
  /// Bin 0 or T/2, which has no mirror image.
  init(real value: Lanes)
}

extension Lanes: SpectrumBin {
  @inline(__always)
  init(_ value: ComplexLanes) { self = value.power }
  @inline(__always)
  init(mirrored value: ComplexLanes) { self = value.power }
  @inline(__always)
  init(real value: Lanes) { self = 0.5 * value * value }
}

extension ComplexLanes: SpectrumBin {
  @inline(__always)
  init(_ value: ComplexLanes) { self = value }
  @inline(__always)
  init(mirrored value: ComplexLanes) { self = ComplexLanes(value.real, .zero - value.imaginary) }
  @inline(__always)
  init(real value: Lanes) { self = ComplexLanes(value, .zero) }
}

/// The positions at which a `BatchedRealFFT` stores the odd bins of one step of its recursion.
struct OddBins<Bin: SpectrumBin> {
  /// The position of the first bin of each quarter of the complex transform. The first two quarters ascend; the others
  /// are mirror images and descend.
  private let starts:
    (UnsafeMutablePointer<Bin>, UnsafeMutablePointer<Bin>, UnsafeMutablePointer<Bin>, UnsafeMutablePointer<Bin>)
  private let stride: Int

  /// Output l is bin 4l + 1 of 4 · `quarter` bins, which are `step` bins of the whole transform apart.
  @inline(__always)
  init(_ bins: UnsafeMutablePointer<Bin>, step: Int, quarter: Int) {
    starts = (bins + step, bins + (quarter + 1) * step, bins + (2 * quarter - 1) * step, bins + (quarter - 1) * step)
    stride = 4 * step
  }

  /// Stores outputs l, l + quarter/4, l + quarter/2 and l + 3·quarter/4.
  @inline(__always)
  func store(_ x0: ComplexLanes, _ x1: ComplexLanes, _ x2: ComplexLanes, _ x3: ComplexLanes, at l: Int) {
    let distance = l &* stride
    starts.0[distance] = Bin(x0)
    starts.1[distance] = Bin(x1)
    starts.2[0 &- distance] = Bin(mirrored: x2)
    starts.3[0 &- distance] = Bin(mirrored: x3)
  }
}

/// The passes of a complex FFT of several series at a time.
///
/// They are Stockham's radix-4 passes, which need no reordering. If the size is no power of four, a pass of radix 2
/// comes first. Source: Van Loan, *Computational Frameworks for the Fast Fourier Transform* (1992), §1.7.
enum ComplexPasses {
  /// Appends the twiddle factors in the order in which `run` reads them, for a power of two from 4 on.
  static func appendFactors(size: Int, to factors: inout [Factor]) {
    func append(_ multiple: Int, _ size: Int) {
      let angle = -2 * Double.pi * Double(multiple) / Double(size)
      factors.append(Factor(cosine(angle)))
      factors.append(Factor(sine(angle)))
    }
    var size = size
    if size.trailingZeroBitCount % 2 == 1 {
      for p in 0..<size / 2 { append(p, size) }
      size /= 2
    }
    while size > 4 {
      for p in 1..<size / 4 {
        for multiple in 1...3 { append(multiple * p, size) }
      }
      size /= 4
    }
  }

  /// Transforms `x`, with `y` as scratch.
  @inline(__always)
  static func run<Bin>(
    _ x: UnsafeMutablePointer<ComplexLanes>, _ y: UnsafeMutablePointer<ComplexLanes>, size: Int,
    _ factor: inout UnsafePointer<Factor>, into bins: OddBins<Bin>
  ) {
    var (source, target, remaining, interleaved) = (x, y, size, 1)
    if size.trailingZeroBitCount % 2 == 1 {
      pass2(source, target, half: size / 2, factor)
      factor += size
      swap(&source, &target)
      (remaining, interleaved) = (size / 2, 2)
    }
    while remaining > 4 {
      let quarter = remaining / 4
      pass4(source, target, quarter: quarter, interleaved: interleaved, factor)
      factor += 6 * (quarter - 1)
      swap(&source, &target)
      (remaining, interleaved) = (quarter, 4 * interleaved)
    }
    lastPass(source, quarter: interleaved, into: bins)
  }

  private static func pass2(
    _ x: UnsafePointer<ComplexLanes>, _ y: UnsafeMutablePointer<ComplexLanes>, half: Int,
    _ factors: UnsafePointer<Factor>
  ) {
    let other = x + half
    for p in 0..<half {
      let (a, b) = (x[p], other[p])
      y[2 &* p] = a + b
      y[2 &* p &+ 1] = (a - b).rotated(by: factors + 2 &* p)
    }
  }

  private static func pass4(
    _ x: UnsafePointer<ComplexLanes>, _ y: UnsafeMutablePointer<ComplexLanes>, quarter: Int, interleaved: Int,
    _ factors: UnsafePointer<Factor>
  ) {
    let reach = quarter &* interleaved
    var (from, out, w) = (x, y, factors)
    // The first factors are 1.
    for _ in 0..<interleaved {
      let b = Butterfly(from, reach: reach)
      (out[0], out[interleaved], out[2 &* interleaved], out[3 &* interleaved]) = (b.x0, b.x1, b.x2, b.x3)
      (from, out) = (from + 1, out + 1)
    }
    out += 3 &* interleaved
    for _ in 1..<quarter {
      for _ in 0..<interleaved {
        let b = Butterfly(from, reach: reach)
        out[0] = b.x0
        out[interleaved] = b.x1.rotated(by: w)
        out[2 &* interleaved] = b.x2.rotated(by: w + 2)
        out[3 &* interleaved] = b.x3.rotated(by: w + 4)
        (from, out) = (from + 1, out + 1)
      }
      (out, w) = (out + 3 &* interleaved, w + 6)
    }
  }

  private static func lastPass<Bin>(_ x: UnsafePointer<ComplexLanes>, quarter: Int, into bins: OddBins<Bin>) {
    for q in 0..<quarter {
      let b = Butterfly(x + q, reach: quarter)
      bins.store(b.x0, b.x1, b.x2, b.x3, at: q)
    }
  }

  /// The transform of four numbers that are `reach` apart.
  private struct Butterfly {
    let (x0, x1, x2, x3): (ComplexLanes, ComplexLanes, ComplexLanes, ComplexLanes)

    @inline(__always)
    init(_ x: UnsafePointer<ComplexLanes>, reach: Int) {
      let (a, b, c, d) = (x[0], x[reach], x[2 &* reach], x[3 &* reach])
      let (s, t, u, v) = (a + c, a - c, b + d, b - d)
      x0 = s + u
      x1 = ComplexLanes(t.real + v.imaginary, t.imaginary - v.real)
      x2 = s - u
      x3 = ComplexLanes(t.real - v.imaginary, t.imaginary + v.real)
    }
  }
}

/// A complex number in each lane.
struct ComplexLanes {
  var real: Lanes
  var imaginary: Lanes

  @inline(__always)
  init(_ real: Lanes, _ imaginary: Lanes) { (self.real, self.imaginary) = (real, imaginary) }

  @inline(__always)
  static func + (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.real + b.real, a.imaginary + b.imaginary)
  }

  @inline(__always)
  static func - (a: ComplexLanes, b: ComplexLanes) -> ComplexLanes {
    ComplexLanes(a.real - b.real, a.imaginary - b.imaginary)
  }

  /// The product with a twiddle factor, whose cosine and sine are `w[0]` and `w[1]`.
  @inline(__always)
  func rotated(by w: UnsafePointer<Factor>) -> ComplexLanes {
    let (cosine, sine) = (w[0].lanes, w[1].lanes)
    return ComplexLanes(
      (real * cosine).subtracting(imaginary, times: sine), (real * sine).adding(imaginary, times: cosine))
  }

  /// The square of the absolute value.
  @inline(__always)
  var power: Lanes { (real * real).adding(imaginary, times: imaginary) }
}
