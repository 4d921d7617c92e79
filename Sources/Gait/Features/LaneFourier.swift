/// The periodogram of eight real series at a time, planned once for a window length.
///
/// The window is weighted (Hann, periodic), padded with zeros to T = max(64, the next power of two ≥ 2N), and transformed as
/// a complex series of half the length, its even samples real and its odd ones imaginary: Stockham's radix-4 passes, which
/// need no reordering, with a radix-2 pass at the end where T / 2 is no power of four. The padding is never touched: the
/// first pass knows that the second half is zero. Sources: Van Loan, *Computational Frameworks for the Fast Fourier
/// Transform* (1992), §1.7 and §4.3; Press et al., *Numerical Recipes*, §12.3, for the split of the real transform.
struct LaneFourier: Sendable {
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
    var (source, target) = (Planes(scratch, half), Planes(scratch + transformLength, half))
    load(series, into: source)
    twiddles.withUnsafeBufferPointer { twiddles in
      var (size, interleaved, offset) = (half, 1, 0)
      while size >= 4 {
        let factors = twiddles.baseAddress! + offset
        if interleaved == 1 {
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
    split(source, into: powers)
  }

  /// Real and imaginary parts, one after the other.
  private struct Planes {
    let real: UnsafeMutablePointer<LaneGroup>
    let imaginary: UnsafeMutablePointer<LaneGroup>

    init(_ base: UnsafeMutablePointer<LaneGroup>, _ count: Int) {
      real = base
      imaginary = base + count
    }
  }

  /// Weighs the window into the first half of the planes; the first pass does not read the rest.
  private func load(_ series: UnsafePointer<LaneGroup>, into planes: Planes) {
    weights.withUnsafeBufferPointer { weights in
      for pair in 0..<length / 2 {
        planes.real[pair] = weights[2 * pair] * series[2 * pair]
        planes.imaginary[pair] = weights[2 * pair + 1] * series[2 * pair + 1]
      }
      var pair = length / 2
      if length % 2 == 1 {
        planes.real[pair] = weights[length - 1] * series[length - 1]
        planes.imaginary[pair] = .zero
        pair += 1
      }
      while pair < transformLength / 4 {
        planes.real[pair] = .zero
        planes.imaginary[pair] = .zero
        pair += 1
      }
    }
  }

  /// The first pass, whose third and fourth quarters are zero.
  private static func firstPass(_ x: Planes, _ y: Planes, quarter: Int, _ factors: UnsafePointer<Twiddle>) {
    for p in 0..<quarter {
      let w = factors[p]
      let (ar, ai) = (x.real[p], x.imaginary[p])
      let (br, bi) = (x.real[p + quarter], x.imaginary[p + quarter])
      let out = 4 * p
      (y.real[out], y.imaginary[out]) = (ar + br, ai + bi)
      let (cr, ci) = (ar + bi, ai - br)
      (y.real[out + 1], y.imaginary[out + 1]) = (w.r1 * cr - w.i1 * ci, w.r1 * ci + w.i1 * cr)
      let (dr, di) = (ar - br, ai - bi)
      (y.real[out + 2], y.imaginary[out + 2]) = (w.r2 * dr - w.i2 * di, w.r2 * di + w.i2 * dr)
      let (er, ei) = (ar - bi, ai + br)
      (y.real[out + 3], y.imaginary[out + 3]) = (w.r3 * er - w.i3 * ei, w.r3 * ei + w.i3 * er)
    }
  }

  private static func pass(
    _ x: Planes, _ y: Planes, quarter: Int, interleaved: Int, _ factors: UnsafePointer<Twiddle>
  ) {
    let reach = quarter * interleaved
    for p in 0..<quarter {
      let w = factors[p]
      let (from, to) = (p * interleaved, 4 * p * interleaved)
      for q in 0..<interleaved {
        let i = from + q
        let (sr, si) = (x.real[i] + x.real[i + 2 * reach], x.imaginary[i] + x.imaginary[i + 2 * reach])
        let (tr, ti) = (x.real[i] - x.real[i + 2 * reach], x.imaginary[i] - x.imaginary[i + 2 * reach])
        let (ur, ui) = (
          x.real[i + reach] + x.real[i + 3 * reach], x.imaginary[i + reach] + x.imaginary[i + 3 * reach]
        )
        let (vr, vi) = (
          x.real[i + reach] - x.real[i + 3 * reach], x.imaginary[i + reach] - x.imaginary[i + 3 * reach]
        )
        let out = to + q
        (y.real[out], y.imaginary[out]) = (sr + ur, si + ui)
        let (cr, ci) = (tr + vi, ti - vr)
        let second = out + interleaved
        (y.real[second], y.imaginary[second]) = (w.r1 * cr - w.i1 * ci, w.r1 * ci + w.i1 * cr)
        let (dr, di) = (sr - ur, si - ui)
        let third = second + interleaved
        (y.real[third], y.imaginary[third]) = (w.r2 * dr - w.i2 * di, w.r2 * di + w.i2 * dr)
        let (er, ei) = (tr - vi, ti + vr)
        let fourth = third + interleaved
        (y.real[fourth], y.imaginary[fourth]) = (w.r3 * er - w.i3 * ei, w.r3 * ei + w.i3 * er)
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
  private func split(_ z: Planes, into powers: UnsafeMutablePointer<LaneGroup>) {
    let half = transformLength / 2
    // Twice the sum and difference, as the factor ½ is left out; one side only at both ends.
    let (first, last) = (2 * (z.real[0] + z.imaginary[0]), 2 * (z.real[0] - z.imaginary[0]))
    powers[0] = 0.5 * first * first
    powers[half] = 0.5 * last * last
    splits.withUnsafeBufferPointer { splits in
      for k in 1...half / 2 {
        let (a, b) = (z.real[k], z.imaginary[k])
        let (c, d) = (z.real[half - k], z.imaginary[half - k])
        let (evenR, evenI) = (a + c, b - d)
        let (oddR, oddI) = (b + d, c - a)
        let w = splits[k]
        let (tr, ti) = (w.cosine * oddR - w.sine * oddI, w.cosine * oddI + w.sine * oddR)
        let (upR, upI) = (evenR + tr, evenI + ti)
        let (downR, downI) = (evenR - tr, evenI - ti)
        powers[k] = upR * upR + upI * upI
        powers[half - k] = downR * downR + downI * downI
      }
    }
  }
}
