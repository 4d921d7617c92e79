/// The periodogram of eight real series at a time, planned once for a window length.
///
/// The window is weighted (Hann, periodic), padded with zeros to T = max(64, the next power of two ≥ 2N), and transformed as
/// a complex series of half the length, its even samples real and its odd ones imaginary: Stockham's radix-4 passes, which
/// need no reordering, with a radix-2 pass at the end where T / 2 is no power of four. The padding is never touched: the
/// first pass knows that the second half is zero. Sources: Van Loan, *Computational Frameworks for the Fast Fourier
/// Transform* (1992), §1.7 and §4.3; Press et al., *Numerical Recipes*, §12.3, for the split of the real transform.
///
/// Eight lanes side by side are also two fours, one after the other, which differ from more interleaved transforms in nothing:
/// with sixteen registers of four Floats a butterfly fits in fours, with registers of eight it fits in eights.
struct LaneFourier: Sendable {
  #if GAIT_X86_64_V3
    typealias Vector = SIMD8<Float>
  #else
    typealias Vector = SIMD4<Float>
  #endif

  /// How many vectors make eight lanes.
  private static let vectors = 8 / Vector.scalarCount

  /// T, the length of the transform in samples.
  let transformLength: Int
  private let length: Int
  private let weights: [Float]
  private let twiddles: [Twiddle]
  private let splits: [(cosine: Float, sine: Float)]

  /// The three factors of a radix-4 butterfly: wᵖ, w²ᵖ, w³ᵖ.
  private struct Twiddle: Sendable {
    var (r1, i1, r2, i2, r3, i3): (Float, Float, Float, Float, Float, Float)
  }

  /// A butterfly's factors, one in every place of a vector.
  private struct Factors {
    let (r1, i1, r2, i2, r3, i3): (Vector, Vector, Vector, Vector, Vector, Vector)

    @inline(__always)
    init(_ w: Twiddle) {
      (r1, i1) = (Vector(repeating: w.r1), Vector(repeating: w.i1))
      (r2, i2) = (Vector(repeating: w.r2), Vector(repeating: w.i2))
      (r3, i3) = (Vector(repeating: w.r3), Vector(repeating: w.i3))
    }
  }

  /// The number of bins, 0…T/2.
  var binCount: Int { transformLength / 2 + 1 }
  /// How many groups of scratch a transform needs.
  var scratchCount: Int { 2 * transformLength }

  /// A plan for windows of `length` samples.
  init(length: Int) {
    let transformLength = Periodogram.transformLength(for: length)
    let hann = Periodogram.hann(length)
    let power = hann.reduce(0) { $0 + $1 * $1 }
    // The split below leaves out a factor ½, and the doubling of the two sides goes in here.
    let scale = 0.5 * (2 / (Double(transformLength) * power)).squareRoot()
    self.length = length
    self.transformLength = transformLength
    weights = hann.map { Float($0 * scale) }
    var twiddles: [Twiddle] = []
    var size = transformLength / 2
    while size >= 4 {
      for p in 0..<size / 4 {
        let angles = (1...3).map { -2 * Double.pi * Double($0 * p) / Double(size) }
        twiddles.append(
          Twiddle(
            r1: Float(cosine(angles[0])), i1: Float(sine(angles[0])), r2: Float(cosine(angles[1])),
            i2: Float(sine(angles[1])), r3: Float(cosine(angles[2])), i3: Float(sine(angles[2]))))
      }
      size /= 4
    }
    self.twiddles = twiddles
    splits = (0...transformLength / 4).map {
      let angle = -2 * Double.pi * Double($0) / Double(transformLength)
      return (Float(cosine(angle)), Float(sine(angle)))
    }
  }

  /// The mean square of the series in every bin.
  ///
  /// - Parameters:
  ///   - series: the mean-removed window, shape `[length]`.
  ///   - powers: receives P[k], shape `[binCount]`.
  ///   - scratch: `scratchCount` groups.
  func powers(
    of series: UnsafePointer<LaneGroup>, into powers: UnsafeMutablePointer<LaneGroup>,
    scratch: UnsafeMutablePointer<LaneGroup>
  ) {
    let half = transformLength / 2
    let vectors = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Vector.self)
    var source = Planes(vectors, half * Self.vectors)
    var target = Planes(vectors + transformLength * Self.vectors, half * Self.vectors)
    load(UnsafeRawPointer(series).assumingMemoryBound(to: Vector.self), into: source)
    twiddles.withUnsafeBufferPointer { twiddles in
      var (size, interleaved, offset) = (half, Self.vectors, 0)
      while size >= 4 {
        let factors = twiddles.baseAddress! + offset
        if size == half {
          Self.firstPass(source, target, quarter: size / 4, factors)
        } else {
          Self.pass(source, target, quarter: size / 4, interleaved: interleaved, factors)
        }
        swap(&source, &target)
        offset += size / 4
        size /= 4
        interleaved *= 4
      }
      if size == 2 {
        Self.lastPass(source, target, interleaved: interleaved)
        swap(&source, &target)
      }
    }
    split(source, into: UnsafeMutableRawPointer(powers).assumingMemoryBound(to: Vector.self))
  }

  /// Real and imaginary parts, one after the other.
  private struct Planes {
    let real: UnsafeMutablePointer<Vector>
    let imaginary: UnsafeMutablePointer<Vector>

    init(_ base: UnsafeMutablePointer<Vector>, _ count: Int) {
      real = base
      imaginary = base + count
    }
  }

  /// Weighs the window into the first half of the planes; the first pass does not read the rest.
  private func load(_ series: UnsafePointer<Vector>, into planes: Planes) {
    let vectors = Self.vectors
    weights.withUnsafeBufferPointer { weights in
      var sample = 0
      while sample + 1 < length {
        for part in 0..<vectors {
          let place = sample / 2 * vectors + part
          planes.real[place] = weights[sample] * series[sample * vectors + part]
          planes.imaginary[place] = weights[sample + 1] * series[(sample + 1) * vectors + part]
        }
        sample += 2
      }
      for place in sample / 2 * vectors..<transformLength / 4 * vectors {
        let isLast = sample < length && place < (sample / 2 + 1) * vectors
        planes.real[place] = isLast ? weights[sample] * series[sample * vectors + place % vectors] : .zero
        planes.imaginary[place] = .zero
      }
    }
  }

  /// The first pass, whose third and fourth quarters are zero.
  private static func firstPass(_ x: Planes, _ y: Planes, quarter: Int, _ factors: UnsafePointer<Twiddle>) {
    for p in 0..<quarter {
      let w = Factors(factors[p])
      for part in 0..<vectors {
        let from = p * vectors + part
        let (ar, ai) = (x.real[from], x.imaginary[from])
        let (br, bi) = (x.real[from + quarter * vectors], x.imaginary[from + quarter * vectors])
        let out = 4 * p * vectors + part
        y.real[out] = ar + br
        y.imaginary[out] = ai + bi
        let (cr, ci) = (ar + bi, ai - br)
        y.real[out + vectors] = w.r1 * cr - w.i1 * ci
        y.imaginary[out + vectors] = w.r1 * ci + w.i1 * cr
        let (dr, di) = (ar - br, ai - bi)
        y.real[out + 2 * vectors] = w.r2 * dr - w.i2 * di
        y.imaginary[out + 2 * vectors] = w.r2 * di + w.i2 * dr
        let (er, ei) = (ar - bi, ai + br)
        y.real[out + 3 * vectors] = w.r3 * er - w.i3 * ei
        y.imaginary[out + 3 * vectors] = w.r3 * ei + w.i3 * er
      }
    }
  }

  private static func pass(
    _ x: Planes, _ y: Planes, quarter: Int, interleaved: Int, _ factors: UnsafePointer<Twiddle>
  ) {
    let reach = quarter * interleaved
    for p in 0..<quarter {
      let w = Factors(factors[p])
      let (xr, xi) = (x.real + p * interleaved, x.imaginary + p * interleaved)
      let (yr, yi) = (y.real + 4 * p * interleaved, y.imaginary + 4 * p * interleaved)
      var q = 0
      while q < interleaved {
        let (i1, i2, i3) = (q &+ reach, q &+ 2 &* reach, q &+ 3 &* reach)
        let (sr, tr) = (xr[q] + xr[i2], xr[q] - xr[i2])
        let (ur, vr) = (xr[i1] + xr[i3], xr[i1] - xr[i3])
        let (si, ti) = (xi[q] + xi[i2], xi[q] - xi[i2])
        let (ui, vi) = (xi[i1] + xi[i3], xi[i1] - xi[i3])
        yr[q] = sr + ur
        yi[q] = si + ui
        let o1 = q &+ interleaved
        let (cr, ci) = (tr + vi, ti - vr)
        yr[o1] = w.r1 * cr - w.i1 * ci
        yi[o1] = w.r1 * ci + w.i1 * cr
        let o2 = o1 &+ interleaved
        let (dr, di) = (sr - ur, si - ui)
        yr[o2] = w.r2 * dr - w.i2 * di
        yi[o2] = w.r2 * di + w.i2 * dr
        let o3 = o2 &+ interleaved
        let (er, ei) = (tr - vi, ti + vr)
        yr[o3] = w.r3 * er - w.i3 * ei
        yi[o3] = w.r3 * ei + w.i3 * er
        q &+= 1
      }
    }
  }

  private static func lastPass(_ x: Planes, _ y: Planes, interleaved: Int) {
    for q in 0..<interleaved {
      let (ar, ai) = (x.real[q], x.imaginary[q])
      let (br, bi) = (x.real[q + interleaved], x.imaginary[q + interleaved])
      (y.real[q], y.imaginary[q]) = (ar + br, ai + bi)
      (y.real[q + interleaved], y.imaginary[q + interleaved]) = (ar - br, ai - bi)
    }
  }

  /// Takes the transform of the real series out of that of the complex one, and squares it.
  private func split(_ z: Planes, into powers: UnsafeMutablePointer<Vector>) {
    let (half, vectors) = (transformLength / 2, Self.vectors)
    splits.withUnsafeBufferPointer { splits in
      for part in 0..<vectors {
        // Twice the sum and difference, as the factor ½ is left out; one side only at both ends.
        let (first, last) = (2 * (z.real[part] + z.imaginary[part]), 2 * (z.real[part] - z.imaginary[part]))
        powers[part] = 0.5 * first * first
        powers[half * vectors + part] = 0.5 * last * last
        for k in 1...half / 2 {
          let (low, high) = (k * vectors + part, (half - k) * vectors + part)
          let (a, b) = (z.real[low], z.imaginary[low])
          let (c, d) = (z.real[high], z.imaginary[high])
          let (evenR, evenI) = (a + c, b - d)
          let (oddR, oddI) = (b + d, c - a)
          let (wr, wi) = (Vector(repeating: splits[k].cosine), Vector(repeating: splits[k].sine))
          let (tr, ti) = (wr * oddR - wi * oddI, wr * oddI + wi * oddR)
          let (upR, upI) = (evenR + tr, evenI + ti)
          let (downR, downI) = (evenR - tr, evenI - ti)
          powers[low] = upR * upR + upI * upI
          powers[high] = downR * downR + downI * downI
        }
      }
    }
  }
}
