/// The passes of a complex transform of several series at a time, whose results are squared as they come out.
///
/// Stockham's passes of radix 4, which need no reordering, after one of radix 2 where the size is no power of four. Source:
/// Van Loan, *Computational Frameworks for the Fast Fourier Transform* (1992), §1.7.
enum ComplexPasses {
  /// The factors in the order in which `run` reads them, for a power of two from 4 on.
  static func factors(size: Int) -> [Factor] {
    func turns(_ multiple: Int, _ p: Int, _ size: Int) -> [Factor] {
      let angle = -2 * Double.pi * Double(multiple * p) / Double(size)
      return [Factor(cosine(angle)), Factor(sine(angle))]
    }
    var (factors, size) = ([Factor](), size)
    if size.trailingZeroBitCount % 2 == 1 {
      factors += (0..<size / 2).flatMap { turns(1, $0, size) }
      size /= 2
    }
    while size > 4 {
      factors += (0..<size / 4).flatMap { p in (1...3).flatMap { turns($0, p, size) } }
      size /= 4
    }
    return factors
  }

  /// Transforms `x`, using `y`, and stores the squares of the results.
  @inline(__always)
  static func run(_ x: Planes, _ y: Planes, size: Int, _ factor: inout UnsafePointer<Factor>, into bins: OddBins) {
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
      factor += 6 * quarter
      swap(&source, &target)
      (remaining, interleaved) = (quarter, 4 * interleaved)
    }
    lastPass(source, quarter: interleaved, into: bins)
  }

  private static func pass2(_ x: Planes, _ y: Planes, half: Int, _ factors: UnsafePointer<Factor>) {
    for p in 0..<half {
      let (ar, ai) = (x.real[p], x.imaginary[p])
      let (br, bi) = (x.real[p + half], x.imaginary[p + half])
      y.store((ar + br, ai + bi), at: 2 * p)
      y.store(product(ar - br, ai - bi, factors + 2 * p), at: 2 * p + 1)
    }
  }

  private static func pass4(
    _ x: Planes, _ y: Planes, quarter: Int, interleaved: Int, _ factors: UnsafePointer<Factor>
  ) {
    let reach = quarter * interleaved
    for p in 0..<quarter {
      let w = factors + 6 * p
      let (from, to) = (p * interleaved, 4 * p * interleaved)
      for q in 0..<interleaved {
        let b = butterfly(x, at: from + q, reach: reach)
        let out = to + q
        y.store((b.r0, b.i0), at: out)
        y.store(product(b.r1, b.i1, w), at: out + interleaved)
        y.store(product(b.r2, b.i2, w + 2), at: out + 2 * interleaved)
        y.store(product(b.r3, b.i3, w + 4), at: out + 3 * interleaved)
      }
    }
  }

  private static func lastPass(_ x: Planes, quarter: Int, into bins: OddBins) {
    for q in 0..<quarter {
      let b = butterfly(x, at: q, reach: quarter)
      bins.store(
        (b.r0 * b.r0).adding(b.i0, times: b.i0), (b.r1 * b.r1).adding(b.i1, times: b.i1),
        (b.r2 * b.r2).adding(b.i2, times: b.i2), (b.r3 * b.r3).adding(b.i3, times: b.i3), at: q)
    }
  }

  private struct Four {
    let (r0, i0, r1, i1, r2, i2, r3, i3): (Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes)
  }

  /// The transform of four numbers that stand `reach` apart.
  @inline(__always)
  private static func butterfly(_ x: Planes, at place: Int, reach: Int) -> Four {
    let (xr, xi) = (x.real + place, x.imaginary + place)
    let (sr, tr) = (xr[0] + xr[2 * reach], xr[0] - xr[2 * reach])
    let (ur, vr) = (xr[reach] + xr[3 * reach], xr[reach] - xr[3 * reach])
    let (si, ti) = (xi[0] + xi[2 * reach], xi[0] - xi[2 * reach])
    let (ui, vi) = (xi[reach] + xi[3 * reach], xi[reach] - xi[3 * reach])
    return Four(
      r0: sr + ur, i0: si + ui, r1: tr + vi, i1: ti - vr, r2: sr - ur, i2: si - ui, r3: tr - vi, i3: ti + vr)
  }

  @inline(__always)
  private static func product(
    _ r: Lanes, _ i: Lanes, _ w: UnsafePointer<Factor>
  ) -> (real: Lanes, imaginary: Lanes) {
    let (cosine, sine) = (w[0].lanes, w[1].lanes)
    return ((r * cosine).subtracting(i, times: sine), (r * sine).adding(i, times: cosine))
  }
}
