/// Sums of products along one lane, eight samples at a time.
enum SeriesKernels {
  /// How many Floats behind a series must be there and zero, so that kernels may read whole vectors.
  static let padding = 8

  /// Σ aᵢ bᵢ over `count` samples rounded up to a whole number of vectors; the padding must be zero in either series.
  @inline(__always)
  static func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let bytes = (count + 7) / 8 * 32
    var offset = 0
    while offset + 32 < bytes {
      sums.0 +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sums.1 +=
        a.loadUnaligned(fromByteOffset: offset + 32, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset + 32, as: SIMD8<Float>.self)
      offset += 64
    }
    if offset < bytes {
      sums.0 +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    }
    return (sums.0 + sums.1).sum()
  }
}
