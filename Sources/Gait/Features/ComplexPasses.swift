/// The passes of a complex FFT of several series at a time, which stores the squared magnitudes.
///
/// Stockham's radix-4 passes, which need no reordering, after one of radix 2 if the size is no power of four. Source:
/// Van Loan, *Computational Frameworks for the Fast Fourier Transform* (1992), §1.7.
enum ComplexPasses {
  /// The twiddle factors in the order in which `run` reads them, for a power of two from 4 on.
  static func factors(size: Int) -> [Factor] {
    func twiddle(_ multiple: Int, _ p: Int, _ size: Int) -> [Factor] {
      let angle = -2 * Double.pi * Double(multiple * p) / Double(size)
      return [Factor(cosine(angle)), Factor(sine(angle))]
    }
    var (factors, size) = ([Factor](), size)
    if size.trailingZeroBitCount % 2 == 1 {
      factors += (0..<size / 2).flatMap { twiddle(1, $0, size) }
      size /= 2
    }
    while size > 4 {
      factors += (0..<size / 4).flatMap { p in (1...3).flatMap { twiddle($0, p, size) } }
      size /= 4
    }
    return factors
  }

  /// Transforms `x`, with `y` as scratch, and stores the squared magnitudes.
  @inline(__always)
  static func run(
    _ x: UnsafeMutablePointer<ComplexLanes>, _ y: UnsafeMutablePointer<ComplexLanes>, size: Int,
    _ factor: inout UnsafePointer<Factor>, into bins: OddBins
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
      factor += 6 * quarter
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
    for _ in 0..<quarter {
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

  private static func lastPass(_ x: UnsafePointer<ComplexLanes>, quarter: Int, into bins: OddBins) {
    for q in 0..<quarter {
      let b = Butterfly(x + q, reach: quarter)
      bins.store(b.x0.power, b.x1.power, b.x2.power, b.x3.power, at: q)
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
