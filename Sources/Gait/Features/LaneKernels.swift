/// Statistics of four lanes at a time over the rows of a window.
///
/// A window is `count` rows of `stride` groups; `rows` points at the wanted group of its first row. Sums run over four
/// interleaved accumulators that are added in a fixed order, so the same rows always give the same bits.
enum LaneKernels {
  /// The mean of each lane and its mean square about it.
  ///
  /// The first pass finds the mean to rounding, the second the deviations from it; what the first pass lost comes back
  /// as the mean of the deviations. Right to rounding even for 1e6 ± 0.1.
  static func moments(
    _ rows: UnsafePointer<SIMD4<Float>>, stride: Int, count: Int
  ) -> (mean: SIMD4<Float>, variance: SIMD4<Float>) {
    let scale = 1 / Float(count)
    let rough = sum(rows, stride: stride, count: count) * scale
    var sums = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var squares = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var row = 0
    while row + 1 < count {
      let first = rows[row * stride] - rough
      let second = rows[(row + 1) * stride] - rough
      sums.0 += first
      sums.1 += second
      squares.0 += first * first
      squares.1 += second * second
      row += 2
    }
    if row < count {
      let last = rows[row * stride] - rough
      sums.0 += last
      squares.0 += last * last
    }
    let shift = (sums.0 + sums.1) * scale
    let variance = (squares.0 + squares.1) * scale - shift * shift
    return (rough + shift, variance.replacing(with: 0, where: variance .< 0))
  }

  private static func sum(_ rows: UnsafePointer<SIMD4<Float>>, stride: Int, count: Int) -> SIMD4<Float> {
    var sums = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var row = 0
    while row + 3 < count {
      sums.0 += rows[row * stride]
      sums.1 += rows[(row + 1) * stride]
      sums.2 += rows[(row + 2) * stride]
      sums.3 += rows[(row + 3) * stride]
      row += 4
    }
    while row < count {
      sums.0 += rows[row * stride]
      row += 1
    }
    return (sums.0 + sums.1) + (sums.2 + sums.3)
  }

  /// The smallest and the largest value of each lane.
  static func extrema(
    _ rows: UnsafePointer<SIMD4<Float>>, stride: Int, count: Int
  ) -> (minimum: SIMD4<Float>, maximum: SIMD4<Float>) {
    var minimum = rows[0]
    var maximum = rows[0]
    for row in 1..<max(count, 1) {
      let values = rows[row * stride]
      minimum.replace(with: values, where: values .< minimum)
      maximum.replace(with: values, where: values .> maximum)
    }
    return (minimum, maximum)
  }

  /// How many neighbours lie on different sides of `level`; a value at the level counts as above.
  static func crossings(
    of level: SIMD4<Float>, _ rows: UnsafePointer<SIMD4<Float>>, stride: Int, count: Int
  ) -> SIMD4<Float> {
    var crossings = SIMD4<Float>.zero
    var wasAbove = rows[0] .>= level
    for row in 1..<max(count, 1) {
      let isAbove = rows[row * stride] .>= level
      crossings += SIMD4<Float>.zero.replacing(with: 1, where: isAbove .^ wasAbove)
      wasAbove = isAbove
    }
    return crossings
  }

  /// Sorts each of the four lanes on its own, ascending.
  ///
  /// Batcher's odd-even merge exchange (Knuth, *The Art of Computer Programming* 3, §5.2.2, algorithm M): the same
  /// comparisons whatever the values, so four lanes sort in the time of one.
  static func sort(_ rows: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    guard count > 1 else { return }
    var top = 1
    while top * 2 < count { top *= 2 }
    var p = top
    while p > 0 {
      var (q, r, d) = (top, 0, p)
      while true {
        exchange(rows, count: count, block: p, offset: r, distance: d)
        if q == p { break }
        (d, q, r) = (q - p, q / 2, p)
      }
      p /= 2
    }
  }

  @inline(__always)
  private static func exchange(
    _ rows: UnsafeMutablePointer<SIMD4<Float>>, count: Int, block: Int, offset: Int, distance: Int
  ) {
    var start = offset
    while start < count - distance {
      for low in start..<min(start + block, count - distance) {
        let (a, b) = (rows[low], rows[low + distance])
        let swapped = b .< a
        rows[low] = a.replacing(with: b, where: swapped)
        rows[low + distance] = b.replacing(with: a, where: swapped)
      }
      start += 2 * block
    }
  }
}
